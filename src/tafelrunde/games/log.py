"""The output of compiled rules: the moment word, decision codes, and the log of entries."""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.compiler import Words, kernel

# --- The moment word ---------------------------------------------------------------------------------------------
# Every call that advances a game returns one integer with all that the caller needs to know about the new state;
# negative numbers are refusals: the reason, negated. Reading fields of the state from Python would take longer than the
# rules themselves. The word stays below 2**30, where Python's integers are fastest.

MOST_SEATS = 10
SEAT_BITS = 0x3FF  # one bit per seat that may act now
NEED_SHIFT, NEED_MASK = 10, 0x3C00  # which chance the table has to supply first (0: none)
OVER = 1 << 14
LOG_SHIFT = 16  # how many words of the log are used


@kernel
def moment_word(to_act: int, need: int, over: bool, log: Log) -> int:
    """Pack who may act, what chance is needed and whether the game is over into one integer."""
    word = to_act | need << NEED_SHIFT
    if over:
        word |= OVER
    return word | log.used << LOG_SHIFT


# --- Decision codes and standings --------------------------------------------------------------------------------

VERB_SHIFT = 56  # a decision is one integer: the verb above this bit, its arguments below


@kernel
def place_among(standings: Words, seats: int, seat: int) -> int:
    """The place of a seat: 1 + the number of seats ahead."""
    ahead = 0
    for other in range(seats):
        ahead += standings[other] > standings[seat]
    return 1 + ahead


# --- The log -----------------------------------------------------------------------------------------------------
# The entries that the rules emit, each as size, verb, by, milliseconds, arguments. Kernels pass records to each other
# instead of arrays, whose references Numba would count at every call.

LOG_WORDS = 1024
LOG = np.dtype(
    [
        ("on", "i8"),
        ("used", "i8"),
        ("start", "i8"),  # where the current entry begins
        ("menus", "i8", MOST_SEATS),  # an id of the list of decisions that each seat has now, or 0
        ("words", "i8", LOG_WORDS),
    ]
)
Log = Any  # a record of layout LOG
ENTRY_HEAD = 4
TABLE = -1  # the "by" of a consequence
NO_TIME = -1

# Verbs of all games; those of one game begin at FIRST_VERB. A decision is logged as its code, which contains all of it.
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
    """Add an argument to the current entry."""
    if log.on:
        log.words[log.used] = word
        log.used += 1
        log.words[log.start] += 1


@kernel
def log_decision(log: Log, seat: int, code: int, now: int) -> None:
    """Log a decision of a player."""
    begin(log, V_DECISION, seat, now)
    put(log, code)


@kernel
def log_choice(log: Log, need: int, value: int) -> None:
    """Log what chance has chosen."""
    begin(log, V_CHOOSE, TABLE, NO_TIME)
    put(log, need)
    put(log, value)


@kernel
def log_shuffle(log: Log, need: int, order: Words, n: int) -> None:
    """Log a pile in its new order, top first."""
    if log.on:  # checked once, not for every card
        begin(log, V_SHUFFLE, TABLE, NO_TIME)
        put(log, need)
        for i in range(n):
            put(log, order[i])
