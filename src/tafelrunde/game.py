"""One game, played step by step: the API for bot authors, the live table and replays."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import index
from pathlib import Path
from typing import Any, NoReturn, overload

import numpy as np
from numpy.typing import NDArray

from tafelrunde.errors import BadChance, BadSeats, Malformed
from tafelrunde.games import find
from tafelrunde.games.compiler import Words, blank
from tafelrunde.games.contract import Chance, Decision, Deck, Entry, GameSpec, Notation, Observation
from tafelrunde.games.log import LOG, LOG_SHIFT, LOG_WORDS, NEED_MASK, NEED_SHIFT, NO_TIME, OVER, SEAT_BITS
from tafelrunde.games.streams import shuffle_order
from tafelrunde.record import Record, header_of
from tafelrunde.stream import Stream, check_seed

DEFAULT_NAMES = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo")
"""Names for seats without a given name."""

MS_LIMIT = 2**53
"""Times in milliseconds are below this: JSON readers that use floats are exact up to here."""


@cache
def _seats_of(bits: int) -> tuple[int, ...]:
    """The seats whose bits are set."""
    return tuple(seat for seat in range(16) if bits >> seat & 1)


class Entries(Sequence[Entry]):
    """Part of a game's log as a list of entries, decoded on first use: simulations never read most of it."""

    __slots__ = ("_base", "_end", "_game", "_read", "_start")

    def __init__(self, game: Game, base: int, start: int, end: int) -> None:
        self._game = game
        self._base = base
        self._start = start
        self._end = end
        self._read: list[Entry] | None = None

    def _entries(self) -> list[Entry]:
        if self._read is None:
            self._read = self._game._decode_log(self._base + self._start, self._base + self._end)
        return self._read

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> list[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | list[Entry]:
        return self._entries()[at]

    def __len__(self) -> int:
        return len(self._entries())

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries())

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._entries())


class Choices(Sequence[Decision]):
    """Many decisions, each made when it is looked at: an exchange alone has up to 512."""

    __slots__ = ("_notation", "codes")

    def __init__(self, codes: Words, notation: Notation) -> None:
        self.codes = codes
        self._notation = notation

    @overload
    def __getitem__(self, at: int) -> Decision: ...
    @overload
    def __getitem__(self, at: slice) -> list[Decision]: ...
    def __getitem__(self, at: int | slice) -> Decision | list[Decision]:
        if isinstance(at, slice):
            return [Decision.coded(code, self._notation) for code in self.codes[at].tolist()]
        return Decision.coded(self.codes.item(at), self._notation)

    def __len__(self) -> int:
        return self.codes.size

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


class Menu(tuple[Decision, ...]):
    """A list of decisions that comes up again and again: made once, with its codes for compiled bots."""

    codes: Words


def codes_of(choices: Sequence[Decision], notation: Notation) -> Words:
    """Listed decisions as the compiled rules and bots take them."""
    if isinstance(choices, Choices | Menu):
        return choices.codes
    return np.array([decision.code(notation) for decision in choices], np.int64)


_threads = threading.local()


def work_array(least: int) -> NDArray[np.int64]:
    """An array in which the rules list legal decisions; one per thread, overwritten by the next call."""
    array: NDArray[np.int64] | None = getattr(_threads, "array", None)
    if array is None or array.size < least:
        array = _threads.array = np.empty(least, np.int64)
    return array


class Game:
    """One game at one table. ``tafelrunde.new`` makes one.

    With a stream the game shuffles by itself. Without one it stops whenever it needs a shuffle: ``needs`` says which,
    and ``supply`` continues with the result. The live table and replays do that.
    """

    def __init__(
        self,
        spec: GameSpec,
        names: Sequence[str],
        options: Mapping[str, object],
        stream: Stream | None,
        deck: Deck | None = None,
    ) -> None:
        self.spec = spec
        self.names = tuple(names)
        self.seats = spec.check_seats(len(self.names))
        self.options: dict[str, Any] = spec.full_options(options, self.seats)
        self.deck = spec.check_deck(deck)
        self._stream = stream
        self._table = blank(spec.rules.STATE)
        self._log = blank(LOG)
        self._log["on"] = 1
        self._words = self._log["words"][0]
        self._menu_of = self._log["menus"][0].data  # where the rules leave the number of each seat's list
        self._log_limit = LOG_WORDS - spec.rules.MAX_WORDS
        self._log_base = 0  # words moved to the archive so far
        self._archive: list[int] = []
        self._menus = spec.menus
        self._notation = spec.notation
        self._calls = spec.calls
        self._act = self._calls.act
        settings = np.array(spec.settings(self.options, self.seats, self.deck), np.int64)
        self._word = self._calls.setup(self._table, self.seats, settings, self._log)
        self._advance(0, 0)

    # --- State ----------------------------------------------------------------------------------------------------

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now, in any order."""
        return _seats_of(self._word & SEAT_BITS)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return bool(self._word & OVER)

    @property
    def needs(self) -> Chance | None:
        """The shuffle or choice needed before play goes on; always None for a game that shuffles by itself."""
        return self.spec.notation.chances.get((self._word & NEED_MASK) >> NEED_SHIFT)

    @property
    def scores(self) -> tuple[int, ...]:
        """The current points of all seats."""
        return self._standings()[0]

    @property
    def places(self) -> tuple[int, ...]:
        """The current places of all seats: 1 + the number of seats ahead."""
        return self._standings()[1]

    def _standings(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        scores = np.zeros(self.seats, np.int64)
        places = np.zeros(self.seats, np.int64)
        self.spec.rules.score(self._table, scores, places)
        return tuple(scores.tolist()), tuple(places.tolist())

    def legal(self, seat: int) -> Sequence[Decision]:
        """The decisions that this seat may take now; empty if it can not act."""
        try:
            if seat >= 0:
                return self._menus[self._menu_of[seat]]
        except (KeyError, IndexError, TypeError):
            pass
        return self._list_choices(self._check_seat(seat))

    def _list_choices(self, seat: int) -> Sequence[Decision]:
        """Ask the rules; lists with a number come up again and again and are kept."""
        room = work_array(self.spec.rules.LEGAL_ROOM)
        count = self._calls.legal(self._table, seat, room)
        if count > room.size:
            room = work_array(2 * count)
            self._calls.legal(self._table, seat, room)
        codes = room[:count]
        if not codes.size:
            return ()
        if not self._menu_of[seat]:
            return Choices(codes.copy(), self._notation)
        menu = Menu(Decision.coded(code, self._notation) for code in codes.tolist())
        menu.codes = codes.copy()
        self._menus[self._menu_of[seat]] = menu
        return menu

    def observe(self, seat: int | None) -> Observation:
        """What this seat sees, with its legal decisions; None is a spectator."""
        if seat is None:
            return self.spec.observe(self._table, None, ())
        return self.spec.observe(self._table, self._check_seat(seat), self.legal(seat))

    def spectate(self, seat: int | None) -> Observation:
        """What this seat sees, without its legal decisions."""
        return self.spec.observe(self._table, seat if seat is None else self._check_seat(seat), ())

    def freshness(self, seat: int | None) -> tuple[Any, ...]:
        """Equal as long as entries alone tell this seat what is new: its choices, its secrets, what the rules make of
        the table. In real time a hand's stance stands for the list of its choices: that a place was filled is told.
        """
        seen = self.spectate(seat)
        if seat is None:
            return seen.freshness()
        if self.spec.in_real_time:
            each = self.hands // self.seats
            return *map(self.stance, range(seat * each, (seat + 1) * each)), *seen.freshness()
        return codes_of(self.legal(seat), self._notation).tobytes(), *seen.freshness()

    # --- Real time ------------------------------------------------------------------------------------------------
    # For games whose ``spec.in_real_time`` is set. Hands are numbered seat by seat, left before right.

    @property
    def hands(self) -> int:
        """The number of hands at the table."""
        return int(self._table["hands"][0])

    def owner(self, hand: int) -> int:
        """The seat that a hand belongs to."""
        return hand * self.seats // self.hands

    def stance(self, hand: int) -> int:
        """What a hand is up to: WAITS, OPENS, TURNS, CHOOSES or WEIGHS of ``games.hands``."""
        return int(self.spec.rules.stance(self._table, hand))

    def observe_hand(self, hand: int) -> Observation:
        """What the owner of a hand sees, with the legal decisions of this hand only."""
        room = work_array(self.spec.rules.LEGAL_ROOM)
        codes = room[: self.spec.rules.legal_hand(self._table, hand, room)].copy()
        seen = self.spec.observe(self._table, self.owner(hand), Choices(codes, self._notation))
        seen.raw["hand"] = hand
        return seen

    def ready_at(self, hand: int) -> int:
        """When a hand may act again, in milliseconds since the first entry."""
        return int(self._table["ready_at"][0, hand])

    @property
    def time(self) -> int:
        """When the last decision was taken, in milliseconds since the first entry."""
        return int(self._table["now"][0])

    @property
    def deadline(self) -> int | None:
        """The last moment at which a decision counts, before a timeout ends the round. None: there is no timeout."""
        if not self.spec.in_real_time:
            return None
        deadline = int(self.spec.rules.deadline(self._table))
        return None if deadline == NO_TIME else deadline

    def wait(self, ms: int) -> Entries:
        """Let time pass: if the deadline is before this moment, the timeout happens."""
        deadline = self.deadline
        if deadline is None or self._check_time(ms) <= deadline:
            end = self._word >> LOG_SHIFT
            return Entries(self, self._log_base, end, end)
        return self.run_out(deadline)

    def run_out(self, ms: int) -> Entries:
        """Carry out the timeout, noticed at this moment; refused before the deadline."""
        base, before = self._log_base, self._word >> LOG_SHIFT
        word = self.spec.rules.lapse(self._table, self._check_time(ms), self._log)
        if word < 0:
            self._refuse(word)
        self._word = word
        return self._advance(base, before)

    # --- Playing --------------------------------------------------------------------------------------------------

    def act(self, seat: int, decision: Decision | Mapping[str, Any], ms: int | None = None) -> Entries:
        """Take a decision; returns the new entries, its consequences included. A refused decision changes nothing.

        ``ms`` is when it was taken, in milliseconds since the first entry. Without it, a game in real time uses the
        earliest possible moment.
        """
        if type(decision) is not Decision:
            decision = self._as_decision(decision)
        code = decision._code if decision._notation is self._notation else self._notation.code_of(decision)
        if type(seat) is not int:
            seat = self._check_seat(seat)
        base, before = self._log_base, self._word >> LOG_SHIFT
        try:
            word = self._act(self._table, seat, code, NO_TIME if ms is None else self._check_time(ms), self._log)
        except OverflowError:
            word = self._check_seat(seat)
        if word < 0:
            self._check_seat(seat)
            self._refuse(word)
        after = word >> LOG_SHIFT
        self._word = word
        if word & NEED_MASK or after > self._log_limit:
            return self._advance(base, before)
        return Entries(self, base, before, after)

    def supply(self, order: Sequence[int]) -> Entries:
        """Continue with the shuffle or choice that is needed: the pile in its new order, top first, or the value.

        ``order`` has the codes of the compiled rules; ``spec.notation.order_of`` reads them from an entry.
        """
        if self.needs is None:
            raise BadChance("Nothing is left to chance now.")
        base, before = self._log_base, self._word >> LOG_SHIFT
        try:
            codes = np.array(order, np.int64)
            possible = self._calls.fits(self._table, codes, len(order))
        except OverflowError:
            possible = False
        if not possible:
            wrong = "is not what lies in the pile" if self.needs.do == "shuffle" else "can not be chosen as"
            raise BadChance(f"This {wrong} {self.needs.of}.", self.needs.rule)
        self._word = self._calls.resume(self._table, codes, len(order), self._log)
        return self._advance(base, before)

    def offer(self) -> list[int]:
        """The content of the pile to shuffle, or the values to choose from, as codes."""
        order = np.empty(self.spec.rules.MAX_CHANCE, np.int64)
        offered: list[int] = order[: self._calls.offer(self._table, order)].tolist()
        return offered

    def _advance(self, base: int, before: int) -> Entries:
        """Shuffle while chance is needed, if the game does that by itself; archive the log before it overflows."""
        while True:
            if self._word >> LOG_SHIFT > self._log_limit:
                self._archive_log()
            if self._stream is None or not self._word & NEED_MASK:
                return Entries(self, base, before, self._log_base + (self._word >> LOG_SHIFT) - base)
            order = np.empty(self.spec.rules.MAX_CHANCE, np.int64)
            count = self._calls.offer(self._table, order)
            shuffle_order(self._stream.raw, order, count)
            self._word = self._calls.resume(self._table, order, count, self._log)

    def _refuse(self, word: int) -> NoReturn:
        """Raise the error for a negative answer of the rules."""
        refusal = self.spec.refusals[-word]
        raise refusal.error(refusal.sentence, refusal.rule)

    def _as_decision(self, given: object) -> Decision:
        if isinstance(given, Mapping):
            return Decision.from_json(given)
        raise Malformed(f"{given!r} is no decision.")

    def _check_seat(self, seat: object) -> int:
        try:
            number = index(seat)  # type: ignore[arg-type]
        except (TypeError, OverflowError):
            number = -1
        if not 0 <= number < self.seats:
            raise BadSeats(f"There is no seat {seat!r}; they go from 0 to {self.seats - 1}.")
        return number

    def _check_time(self, ms: object) -> int:
        if type(ms) is int and 0 <= ms < MS_LIMIT:
            return ms
        raise Malformed(f"A time is a whole number of milliseconds, not {ms!r}.")

    # --- History --------------------------------------------------------------------------------------------------

    @property
    def entries(self) -> Entries:
        """All entries so far."""
        return Entries(self, 0, 0, self._log_base + (self._word >> LOG_SHIFT))

    def seen_by(self, seat: int | None) -> list[Entry]:
        """All entries so far, as this seat (None: a spectator) may see them."""
        return [self.spec.hide(entry, seat) for entry in self.entries]

    def record(self) -> Record:
        """The game so far as a record."""
        return Record(header_of(self.spec, self.names, self.options, self.deck), list(self.entries))

    def copy(self, stream: Stream | None = None) -> Game:
        """An independent copy, to try things out; it shuffles with the given stream."""
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._stream = stream
        twin._table = self._table.copy()
        twin._log = self._log.copy()
        twin._words = twin._log["words"][0]
        twin._menu_of = twin._log["menus"][0].data
        twin._archive = self._archive.copy()
        return twin

    def _archive_log(self) -> None:
        """Empty the log before it is full, into the archive."""
        self._archive += self._log["words"][0, : self._word >> LOG_SHIFT].tolist()
        self._log_base = len(self._archive)
        self._log["used"] = 0
        self._word &= (1 << LOG_SHIFT) - 1

    def _decode_log(self, start: int, end: int) -> list[Entry]:
        """The entries in this range of words, counted from the beginning of the game."""
        live = self._words
        if start >= self._log_base:
            words = live[start - self._log_base : end - self._log_base].tolist()
        else:
            words = (self._archive + live[: max(0, end - self._log_base)].tolist())[start:end]
        entries = []
        start, end = 0, len(words)
        while start < end:
            entries.append(self._notation.entry_of(words[start : start + words[start]]))
            start += words[start]
        return entries

    def __repr__(self) -> str:
        waits = "over" if self.over else f"to act: {', '.join(map(str, self.to_act)) or 'the table'}"
        return f"<{self.spec.id} of {self.seats}, {waits}>"


def new(
    game: str,
    *,
    seats: int | None = None,
    seed: int | None = None,
    names: Sequence[str] | None = None,
    deck: Deck | Path | str | None = None,
    **options: Any,
) -> Game:
    """Set up a game that shuffles by itself; the same seed and decisions give the same game on every machine.

    >>> game = new("buffet", seats=5, seed=7, start_seat=0)
    >>> game.to_act
    (0, 1, 2, 3, 4)
    >>> entries = game.act(0, game.legal(0)[-1])
    >>> entries[0]["do"], game.to_act
    ('lay', (1, 2, 3, 4))

    Without a seed the game is random. ``options`` are those of the game; unknown ones are refused. Some games take a
    ``deck`` of your own: a file, or one that was loaded before.
    """
    spec = find(game)
    if seats is None:
        seats = len(names) if names is not None else spec.rules.MIN_SEATS
    seats = spec.check_seats(seats)
    if names is None:
        names = DEFAULT_NAMES[:seats]
    if len(names) != seats or not all(isinstance(name, str) for name in names):
        raise BadSeats(f"{seats} seats need {seats} names.")
    return Game(spec, names, options, Stream(check_seed(seed)), spec.check_deck(deck))


def imagine(observation: Observation, stream: Stream) -> Game:
    """A complete game that is consistent with this observation, for bots that search.

    What is hidden from the seat is dealt out at random; later shuffles use the same stream. The imagined game has no
    history: its entries begin now.
    """
    spec = observation.game
    seats = int(observation.raw["seats"][0])
    game = Game(spec, DEFAULT_NAMES[:seats], {}, None)
    spec.rules.imagine(observation.raw, stream.raw, game._table)
    game._stream = stream
    game._word = spec.rules.current_moment(game._table, game._log)
    game._advance(0, 0)
    return game
