"""What compiled rules stand on: the compiler switch, the entry log, the moment word and random streams.

Everything here runs compiled (Numba) and, with ``NUMBA_DISABLE_JIT=1`` in the environment, as plain Python from
the same source. To make both ways bit-identical all arithmetic stays inside signed 64-bit integers.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

__all__ = [
    "CHOOSES", "ENTRY_HEAD", "FIRST_VERB", "NO_TIME", "OPENS", "TABLE", "TURNS", "VERB_SHIFT", "V_END", "WAITS",
    "WEIGHS", "Log", "Stream", "Table", "Words", "begin", "below", "copy", "entry_point", "fill", "kernel",
    "log_choice", "log_decision", "log_shuffle", "moment_word", "place_among", "put", "release_gil", "shuffle",
]  # fmt: skip
"""What rules and bots are written with; they take it all: ``from tafelrunde.games.kernel import *``."""

Words = npt.NDArray[np.int64]
"""A flat run of 64-bit integers: decision codes, the order of a pile, points."""

Table = npt.NDArray[np.void]
"""One structured record in an array of length one: a game's state, or one seat's view of it."""

_numba: Any = numba  # only partly typed
COMPILED: bool = not _numba.config.DISABLE_JIT

Function = TypeVar("Function", bound=Callable[..., Any])


def _source_stamp() -> str:
    """Name the state of all code that may end up inside a compiled function.

    Numba looks only at the file of the function itself; a change in a file it calls into would go unnoticed. And it
    compiles anew what lies elsewhere or was installed again: what another copy has compiled must not count as done.
    """
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for room in ("games", "bots", "lab"):
        for source in sorted((package / room).rglob("*.py")):
            digest.update(f"{source} {source.stat().st_mtime_ns}\n".encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> str | None:
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base) / "tafelrunde" / _source_stamp()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None  # no home to write to: compile anew in each process rather than trust a folder shared with others
    return str(folder)


_CACHE = _cache_folder() if COMPILED else None


def cache_mark() -> Path | None:
    """A file that stands in the cache once everything has been compiled; None where there is no cache."""
    return None if _CACHE is None else Path(_CACHE) / "complete"


_decorating = threading.Lock()


@contextmanager
def _numba_cache() -> Iterator[None]:
    """Point Numba at our cache while one function is decorated, and leave the setting as it was for others.

    One thread at a time: else one could put the setting back while another still needs it, and its cache would end up
    in the folder where the program was started.
    """
    with _decorating:
        before = _numba.config.CACHE_DIR
        _numba.config.CACHE_DIR = _CACHE or ""
        try:
            yield
        finally:
            _numba.config.CACHE_DIR = before


def _compile(function: Function, **options: Any) -> Function:
    compiled = _numba.njit(error_model="numpy", forceinline=True, **options)(function)
    resolve = compiled.get_call_template

    def resolve_plain(args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        # Numba would compile a function anew for every constant it is called with: half of a cold start.
        return resolve(tuple(_numba.types.unliteral(arg) for arg in args), keywords)

    compiled.get_call_template = resolve_plain
    typed: Function = compiled
    return typed


def kernel(function: Function) -> Function:
    """Mark a function as part of the compiled rules; callable from other kernels only.

    It gets no wrapper for calls from Python and no cache file of its own: both would make a cold start longer.
    """
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True) if COMPILED else function


def entry_point(function: Function) -> Function:
    """Mark a kernel that is called from Python; it is cached on disk with everything it calls."""
    return _compile_cached(function, nogil=False)


def release_gil(function: Function) -> Function:
    """Like ``entry_point``, for long work: other threads run meanwhile. Short calls would only pay for it."""
    return _compile_cached(function, nogil=True)


def _compile_cached(function: Function, nogil: bool) -> Function:
    if not COMPILED:
        return function
    with _numba_cache():
        return _compile(function, nogil=nogil, cache=_CACHE is not None)


def direct(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """The entry point for arguments of exactly these types, without Numba's look at the types in each call.

    That look costs three times as much as the call itself. Callers must always pass the same types.
    """
    if not COMPILED:
        return function
    signature = tuple(_numba.typeof(example) for example in examples)
    function.compile(signature)  # type: ignore[attr-defined]
    called: Callable[..., Any] = function.overloads[signature].entry_point  # type: ignore[attr-defined]
    return called


def blank(layout: np.dtype[np.void], count: int = 1) -> Table:
    """Zeroed records of this layout. Kernels take the array and index it: that call is ten times cheaper."""
    return np.zeros(count, layout if COMPILED else np.dtype((np.record, layout)))


# --- The moment word ---------------------------------------------------------------------------------------------
# Every call that moves a game on answers with one integer that tells the caller all about the new moment; a negative
# answer is a refusal: the reason, negated. Reading single fields of the state from Python would cost more than the
# rules themselves. The word stays below 2**30, where Python's integers are fastest.

MOST_SEATS = 10
SEAT_BITS = 0x3FF  # one bit per seat that may act now
NEED_SHIFT, NEED_MASK = 10, 0x3C00  # which chance the table has to supply first (0: none)
OVER = 1 << 14
LOG_SHIFT = 16  # how many words of the log are used


@kernel
def moment_word(to_act: int, need: int, over: bool, log: Log) -> int:
    """Pack the moment into one integer."""
    word = to_act | need << NEED_SHIFT
    if over:
        word |= OVER
    return word | log.used << LOG_SHIFT


# --- Decision codes and standings --------------------------------------------------------------------------------

VERB_SHIFT = 56  # a decision is one integer: the verb above this bit, what belongs to it below


@kernel
def place_among(standings: Words, seats: int, seat: int) -> int:
    """A place is 1 + the number of seats ahead."""
    ahead = 0
    for other in range(seats):
        ahead += standings[other] > standings[seat]
    return 1 + ahead


# --- Real time ---------------------------------------------------------------------------------------------------
# What a hand is up to in a game without turns; how long it takes over that is the caller's business (bots/pace.py).

WAITS = 0  # it has nothing to decide
OPENS = 1  # it gives the signal to begin
TURNS = 2  # it turns up the next card of its own
CHOOSES = 3  # it is empty and chooses what to do
WEIGHS = 4  # it holds a card and decides about it


# --- The log -----------------------------------------------------------------------------------------------------
# What the rules emit, entry after entry: size, verb, by, milliseconds, arguments. A record like all that kernels hand
# on: passing an array from kernel to kernel would count references at every step.

LOG_WORDS = 1024
LOG = np.dtype(
    [
        ("on", "i8"),
        ("used", "i8"),
        ("start", "i8"),  # where the entry begun last begins
        ("menus", "i8", MOST_SEATS),  # a number for exactly the list of decisions each seat has now, or 0
        ("words", "i8", LOG_WORDS),
    ]
)
Log = Any  # a record of layout LOG
ENTRY_HEAD = 4
TABLE = -1  # "by" of a consequence
NO_TIME = -1

# Verbs of every game; its own begin at FIRST_VERB. A decision is logged as its code, which says all of it.
V_DECISION, V_CHOOSE, V_SHUFFLE, V_END, FIRST_VERB = range(5)


@kernel
def begin(log: Log, verb: int, by: int, now: int) -> None:
    """Begin an entry."""
    if log.on:
        start = log.used
        log.start = start
        log.words[start] = ENTRY_HEAD
        log.words[start + 1] = verb
        log.words[start + 2] = by
        log.words[start + 3] = now
        log.used = start + ENTRY_HEAD


@kernel
def put(log: Log, word: int) -> None:
    """Add an argument to the entry begun last."""
    if log.on:
        log.words[log.used] = word
        log.used += 1
        log.words[log.start] += 1


@kernel
def log_decision(log: Log, seat: int, code: int, now: int) -> None:
    """What a player chose."""
    begin(log, V_DECISION, seat, now)
    put(log, code)


@kernel
def log_choice(log: Log, need: int, value: int) -> None:
    """What chance has chosen."""
    begin(log, V_CHOOSE, TABLE, NO_TIME)
    put(log, need)
    put(log, value)


@kernel
def log_shuffle(log: Log, need: int, order: Words, n: int) -> None:
    """A pile in its new order, top first."""
    if log.on:  # asked once, not for every card
        begin(log, V_SHUFFLE, TABLE, NO_TIME)
        put(log, need)
        for i in range(n):
            put(log, order[i])


# --- Arrays ------------------------------------------------------------------------------------------------------
# Slice assignments compile to a page of broadcasting code each; these two loops keep a cold start short.


@kernel
def fill(words: Words, word: int) -> None:
    """Set every word."""
    for i in range(words.size):
        words[i] = word


@kernel
def copy(to: Words, source: Words, n: int) -> None:
    """Copy the first n words."""
    for i in range(n):
        to[i] = source[i]


# --- Random streams ----------------------------------------------------------------------------------------------
# xoshiro128++ (Blackman and Vigna): four 32-bit words. Chosen because all its steps fit into signed 64-bit integers,
# so that compiled and plain Python, and every machine, give the same numbers.

STREAM = np.dtype([("a", "i8"), ("b", "i8"), ("c", "i8"), ("d", "i8")])
Stream = Any  # a record of layout STREAM

_LOW32 = 0xFFFFFFFF


@kernel
def _times32(a: int, b: int) -> int:
    """The low 32 bits of a product; ``int`` keeps NumPy from warning about the high ones in plain Python."""
    return int(a) * int(b) & _LOW32


@kernel
def _stir(word: int) -> int:
    """MurmurHash3's finaliser: every bit of the input touches every bit of the output."""
    word ^= word >> 16
    word = _times32(word, 0x85EBCA6B)
    word ^= word >> 13
    word = _times32(word, 0xC2B2AE35)
    return word ^ (word >> 16)


@kernel
def _seed_word(seed: int, game: int, lane: int, start: int) -> int:
    mixed = _stir(start ^ (seed & _LOW32))
    mixed = _stir((mixed + (seed >> 32)) & _LOW32)
    mixed = _stir(mixed ^ (game & _LOW32))
    mixed = _stir((mixed + (game >> 32)) & _LOW32)
    return _stir(mixed ^ (lane + 1))


@entry_point
def seed_streams(streams: Table, seed: int, game: int) -> None:
    """Start all streams of one game: lane 0 is the table's chance, lane s + 1 the player at seat s."""
    for lane in range(streams.size):
        stream = streams[lane]
        stream.a = _seed_word(seed, game, lane, 0x9E3779B9)
        stream.b = _seed_word(seed, game, lane, stream.a)
        stream.c = _seed_word(seed, game, lane, stream.b)
        stream.d = _seed_word(seed, game, lane, stream.c) | 1  # never all zero: xoshiro would stay there


@kernel
def _turn(word: int, by: int) -> int:
    return ((word << by) | (word >> (32 - by))) & _LOW32


@kernel
def _step(a: int, b: int, c: int, d: int) -> Any:
    """The next 32 random bits and the four words of the stream after them."""
    word = (_turn((a + d) & _LOW32, 7) + a) & _LOW32
    shifted = (b << 9) & _LOW32
    c ^= a
    d ^= b
    return word, a ^ d, b ^ c, c ^ shifted, _turn(d, 11)


@kernel
def _step_below(n: int, a: int, b: int, c: int, d: int) -> Any:
    """A number from 0 to n - 1, each exactly equally likely (Lemire's method), and the stream after it."""
    word, a, b, c, d = _step(a, b, c, d)
    product = word * n
    if product & _LOW32 < n:
        least = (_LOW32 + 1 - n) % n
        while product & _LOW32 < least:
            word, a, b, c, d = _step(a, b, c, d)
            product = word * n
    return product >> 32, a, b, c, d


@kernel
def next_word(stream: Stream) -> int:
    """The next 32 random bits."""
    word, stream.a, stream.b, stream.c, stream.d = _step(stream.a, stream.b, stream.c, stream.d)
    return word


@kernel
def below(stream: Stream, n: int) -> int:
    """A number from 0 to n - 1, each exactly equally likely."""
    number, stream.a, stream.b, stream.c, stream.d = _step_below(n, stream.a, stream.b, stream.c, stream.d)
    return number


@kernel
def shuffle(stream: Stream, cards: Words, n: int) -> None:
    """Put the first n cards into random order (Fisher and Yates)."""
    a, b, c, d = stream.a, stream.b, stream.c, stream.d  # in registers: a card moved could else change the stream
    for i in range(n - 1, 0, -1):
        j, a, b, c, d = _step_below(i + 1, a, b, c, d)
        cards[i], cards[j] = cards[j], cards[i]
    stream.a, stream.b, stream.c, stream.d = a, b, c, d


@entry_point
def draw_word(streams: Table) -> int:
    """The next 32 random bits of the first stream, for callers in Python."""
    return next_word(streams[0])


@entry_point
def shuffle_order(streams: Table, cards: Words, n: int) -> None:
    """Put the first n cards into random order by the first stream, for callers in Python."""
    shuffle(streams[0], cards, n)
