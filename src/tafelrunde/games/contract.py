"""What a game consists of: compiled rules, options, and the notation that translates its integers.

The compiled rules know only integers. A game's notation translates decisions, log entries and views to the JSON of the
game record (docs/record.md) and back; everything else in Tafelrunde uses that JSON.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal, Protocol, TypeGuard

import numpy as np

from tafelrunde.errors import BadDeck, BadOption, BadSeats, Malformed, TafelrundeError, UnknownOption
from tafelrunde.games.compiler import RecordArray, Words, blank, specialise
from tafelrunde.games.log import LOG, NO_TIME, V_CHOOSE, V_DECISION, V_END, V_SHUFFLE

MOST_CACHED = 10_000
"""The most decisions whose JSON is cached, by their code."""

Entry = dict[str, Any]
"""One line of a game record: a decision of a player, or one of its consequences."""

OptionValue = int | bool | None


def is_whole(value: object) -> TypeGuard[int]:
    """Is it a whole number in JSON? True is an int in Python, but not there."""
    return isinstance(value, int) and not isinstance(value, bool)


def as_json(fields: Mapping[str, Any]) -> Entry:
    """Fields of a decision for a record, with lists instead of tuples."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}


class Decision:
    """A decision of a player: a verb and its fields, as in the game record.

    >>> Decision("exchange", cards=[-1, 0])
    Decision('exchange', cards=(-1, 0))
    >>> eval(repr(Decision("lay", card=7))) == Decision("lay", card=7)
    True
    >>> Decision("lay", card=7).card
    7
    """

    __slots__ = ("_code", "_notation", "_words")

    def __init__(self, do: str, /, **fields: Any) -> None:
        frozen = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
        self._words: tuple[str, Mapping[str, Any]] | None = (do, frozen)
        self._notation: Notation | None = None
        self._code = 0

    @classmethod
    def coded(cls, code: int, notation: Notation) -> Decision:
        """A decision from the integer of the compiled rules; verb and fields are decoded on first use."""
        decision = cls.__new__(cls)
        decision._code = code
        decision._notation = notation
        decision._words = None
        return decision

    def code(self, notation: Notation) -> int:
        """The integer for the compiled rules; raises Malformed."""
        return self._code if self._notation is notation else notation.code_of(self)

    def _read(self) -> tuple[str, Mapping[str, Any]]:
        if self._words is None:
            assert self._notation is not None
            self._words = self._notation.verb_and_fields(self._code)
        return self._words

    @property
    def do(self) -> str:
        """The verb."""
        return self._read()[0]

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the verb, by name."""
        return self._read()[1]

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Decision:
        """Read ``{"do": "lay", "card": 7}``; ``by`` and ``ms`` of an entry are not part of the decision."""
        do = entry.get("do")
        if not isinstance(do, str):
            raise Malformed("A decision needs a verb: a text under 'do'.")
        return cls(do, **{str(key): value for key, value in entry.items() if key not in ("do", "by", "ms")})

    def to_json(self) -> Entry:
        """The decision as in a record, without ``by`` and ``ms``."""
        return {"do": self.do} | as_json(self.fields)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # copy looks up attributes before the decision is initialised
            raise AttributeError(name)
        try:
            return self.fields[name]
        except KeyError:
            raise AttributeError(f"{self!r} has no field {name!r}") from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Decision):
            return NotImplemented
        return self is other or self._read() == other._read()

    def __hash__(self) -> int:
        return hash((self.do, frozenset(self.fields.items())))

    def __repr__(self) -> str:
        return f"Decision({', '.join([repr(self.do), *(f'{k}={v!r}' for k, v in self.fields.items())])})"

    def __reduce__(self) -> tuple[Callable[..., Decision], tuple[Entry]]:
        return Decision.from_json, (self.to_json(),)


class Observation:
    """What one seat sees, and all that bots and clients get to see.

    ``legal`` lists the decisions that this seat may take now. ``raw`` is the same view as a flat record, for compiled
    bots. Each game adds properties of its own; ``shown`` lists those that are part of the JSON, in that order. The
    ``common`` ones are part of it in every game: a table, a replay and the page could not do without them.

    What a page shows that does not know the game follows two names: ``seats`` is a list with one object for each seat,
    and what begins with ``hand`` is for nobody but the one who looks.
    """

    common = ("seat", "to_act", "over")
    shown: tuple[str, ...] = common
    secret: ClassVar[tuple[str, ...] | None] = None
    """The fields of ``raw`` that hold what this seat alone sees. None: any change in ``raw`` makes a view necessary.

    Where it is set, the page's part of the game follows entries by itself, and ``derived`` has what they do not tell.
    """

    __slots__ = ("game", "legal", "raw")

    def __init__(self, game: GameSpec, raw: RecordArray, legal: Sequence[Decision]) -> None:
        self.game = game
        self.raw = raw
        self.legal = legal

    @property
    def seat(self) -> int | None:
        """Whose view this is; None for a spectator."""
        return self._known("seat")

    @property
    def to_act(self) -> list[int]:
        """The seats that may act now."""
        waiting = self._word("waiting")
        return [seat for seat in range(self._word("seats")) if waiting >> seat & 1]

    @property
    def round(self) -> int:
        """The round, from 1; for games that have ``number`` in their view."""
        return self._word("number")

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return bool(self._word("phase") == self.game.rules.FINISHED)

    def _word(self, name: str) -> int:
        """A number of the raw view."""
        return int(self.raw[name][0])

    def _known(self, name: str) -> int | None:
        """A number of the raw view, or None while it is negative: not known yet."""
        word = self._word(name)
        return None if word < 0 else word

    def _list(self, name: str) -> list[Any]:
        """An array of the raw view."""
        listed: list[Any] = self.raw[name][0].tolist()
        return listed

    def derived(self) -> Any:
        """What the rules make of the table and no entry tells by itself, such as points; compared for equality."""
        return None

    def freshness(self) -> tuple[Any, ...]:
        """As long as this is equal, entries alone tell what is new in the view; what the seat may do apart."""
        if self.secret is None:
            return self.raw.tobytes(), self.derived()
        number = self.round if "round" in self.shown else None
        return self._word("phase"), number, *(self.raw[name].tobytes() for name in self.secret), self.derived()

    def to_json(self) -> dict[str, Any]:
        """The view as JSON."""
        view: dict[str, Any] = {"game": self.game.id}
        view |= {name: getattr(self, name) for name in dict.fromkeys((*self.shown, *self.common))}
        view["legal"] = [decision.to_json() for decision in self.legal]
        return view

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return self.game is other.game and self.raw.tobytes() == other.raw.tobytes() and self.legal == other.legal

    def __hash__(self) -> int:
        return hash(self.raw.tobytes())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.shown)
        return f"<{self.game.id}: {shown}>"


@dataclass(frozen=True)
class Option:
    """An option of a game, chosen before the game begins."""

    name: str
    kind: Literal["seat", "number", "switch"]
    default: OptionValue
    text: str
    rule: str
    least: int = 0
    most: int = 0
    default_for_two: OptionValue = None
    """The default for two players, if theirs is different."""

    def default_for(self, seats: int) -> OptionValue:
        """The value if none is given."""
        return self.default_for_two if seats == 2 and self.default_for_two is not None else self.default

    def setting(self, value: object, seats: int) -> int:
        """The value for the compiled rules; -1 for a seat that is left to chance."""
        if self.kind == "switch":
            if isinstance(value, bool):
                return int(value)
            raise BadOption(f"{self.name} is either true or false, not {value!r}.", self.rule)
        if self.kind == "seat" and value is None:
            return -1
        least, most = (0, seats - 1) if self.kind == "seat" else (self.least, self.most)
        if is_whole(value) and least <= value <= most:
            return value
        chance = ", or null to leave it to chance" if self.kind == "seat" else ""
        raise BadOption(f"{self.name} is a whole number from {least} to {most}{chance}, not {value!r}.", self.rule)


@dataclass(frozen=True)
class Chance:
    """Something left to chance: a pile to shuffle, or an option to choose."""

    do: Literal["shuffle", "choose"]
    of: str
    rule: str
    open: bool = False
    """Does everybody see the new order of the pile?"""


@dataclass(frozen=True)
class Refusal:
    """The error for a refusal of the compiled rules."""

    error: type[TafelrundeError]
    rule: str | None
    sentence: str


@dataclass(frozen=True)
class Secret:
    """Hidden fields of an entry; only the seat in the field ``owner`` sees them, or nobody (None)."""

    owner: Literal["by", "seat"] | None
    fields: frozenset[str]


HIDDEN_ORDER = Secret(None, frozenset({"order"}))


@dataclass(frozen=True)
class Calls:
    """The compiled entry points that a game calls in every step, specialised for its types."""

    setup: Callable[[RecordArray, int, Words, RecordArray], int]
    legal: Callable[[RecordArray, int, Words], int]
    act: Callable[[RecordArray, int, int, int, RecordArray], int]
    offer: Callable[[RecordArray, Words], int]
    fits: Callable[[RecordArray, Words, int], bool]
    resume: Callable[[RecordArray, Words, int, RecordArray], int]


class Notation(ABC):
    """Translates the integers of a game: decisions, entries, and the rule ids behind them.

    What is the same in all games is done here: the form of an entry, shuffles and choices, and the end.
    """

    decisions: ClassVar[Mapping[str, frozenset[str]]]
    """The verbs of decisions, with all fields that each may have."""
    consequences: ClassVar[Mapping[int, str]]
    """The verbs of consequences by their number in the log, without chance and the end."""
    optional_fields: ClassVar[Mapping[str, frozenset[str]]] = {}
    """Fields that some consequences have and others do not; a replay checks that they are missing where they should."""
    chances: ClassVar[Mapping[int, Chance]]
    """What is left to chance, by the number that the rules use for it."""
    rules: ClassVar[Mapping[tuple[str, str | None], str]]
    """The rule id behind each verb (field None) and behind single fields, where that is a different one."""

    def decision_in(self, given: Mapping[str, Any]) -> Decision:
        """Read and check a decision in JSON; raises Malformed."""
        return Decision.coded(self.code_of(Decision.from_json(given)), self)

    @abstractmethod
    def code_of(self, decision: Decision) -> int:
        """The integer for a decision; raises Malformed."""

    @abstractmethod
    def verb_and_fields(self, code: int) -> tuple[str, Mapping[str, Any]]:
        """Verb and fields of the decision with this code."""

    @abstractmethod
    def fields_of(self, verb: int, args: Sequence[int]) -> Entry:
        """The fields of a consequence, from its arguments in the log."""

    @abstractmethod
    def item_of(self, pile: str, code: int) -> object:
        """A card of a pile as it is written in a record."""

    @abstractmethod
    def code_in(self, pile: str, item: object) -> int:
        """The integer for a card of a pile; raises Malformed."""

    @cached_property
    def verbs(self) -> frozenset[str]:
        """Every verb of the game."""
        chances = (chance.do for chance in self.chances.values())
        return frozenset({*self.decisions, *self.consequences.values(), *chances, "end"})

    def entry_of(self, words: Sequence[int]) -> Entry:
        """The entry for its words in the log: size, verb, by, milliseconds, arguments."""
        _, verb, by, ms, *args = words
        if verb == V_DECISION:
            entry = {"by": by, **self._decision_json(args[0])}
        elif verb in (V_CHOOSE, V_SHUFFLE):
            entry = {"by": "table", **self._chance(self.chances[args[0]], args[1:])}
        elif verb == V_END:
            half = len(args) // 2
            entry = {"by": "table", "do": "end", "scores": args[:half], "places": args[half:]}
        else:
            entry = {"by": "table", "do": self.consequences[verb], **self.fields_of(verb, args)}
        if ms != NO_TIME:
            entry["ms"] = ms
        return entry

    def _decision_json(self, code: int) -> Entry:
        """A decision as JSON; cached unless it has a list in it, which a reader could change."""
        words = self._cached_decisions.get(code)
        if words is None:
            do, given = self.verb_and_fields(code)
            words = {"do": do, **as_json(given)}
            if (
                not any(isinstance(value, tuple) for value in given.values())
                and len(self._cached_decisions) < MOST_CACHED
            ):
                self._cached_decisions[code] = words
        return words

    @cached_property
    def _cached_decisions(self) -> dict[int, Entry]:
        return {}

    def _chance(self, chance: Chance, args: Sequence[int]) -> Entry:
        """The fields of a shuffle or choose entry."""
        if chance.do == "choose":
            return {"do": chance.do, "option": chance.of, "value": args[0]}
        return {"do": chance.do, "pile": chance.of, "order": [self.item_of(chance.of, code) for code in args]}

    def order_of(self, chance: Chance, entry: Entry) -> list[int]:
        """The outcome of a shuffle or choose entry as integers; raises Malformed."""
        if chance.do == "choose":
            value = entry.get("value")
            if is_whole(value):
                return [value]
            raise Malformed("A choice needs a seat number under 'value'.", chance.rule)
        order = entry.get("order")
        if not isinstance(order, list):
            raise Malformed("A shuffle needs the list of what was shuffled under 'order'.", chance.rule)
        return [self.code_in(chance.of, item) for item in order]

    def rule_of(self, entry: Entry, field: str | None, cause: str | None) -> str:
        """The rule id behind a field of an entry (None: behind the entry itself).

        ``cause`` is the verb of the last entry that was neither a draw nor a shuffle.
        """
        return self.rules.get((entry["do"], field)) or self.rules[entry["do"], None]


class Deck(Protocol):
    """A set of cards that a table can play with instead of the standard one."""

    @property
    def name(self) -> str:
        """The name, for the record."""

    def header(self) -> Entry:
        """The fields for the header of a record."""

    def settings(self) -> list[int]:
        """The numbers for the compiled rules, which follow the options."""


@dataclass(frozen=True)
class RealTime:
    """How a game without turns behaves in real time, for the live table and for bots in simulated time."""

    signal: str
    """The verb that opens a round. A live table counts down before it takes effect."""
    signal_rule: str
    claim: str
    """The verb that reaches for something that others may want too. A live table decides who was first."""
    direct: frozenset[str]
    """Verbs that need no movement of the hand: they take effect as soon as they are decided."""
    pace_option: str
    """The option for how long a hand is busy after taking a card, in milliseconds; 0 is off."""
    lapse: Mapping[str, str]
    """Fields that tell the entry of a timeout from others."""
    side_field: str = "hand"
    sides: tuple[str, ...] = ("left", "right")
    """The values of ``side_field`` that name one of a seat's hands, in the order of the hands' numbers."""

    def side_of(self, decision: Mapping[str, Any]) -> int:
        """Which of its seat's hands takes this decision, from 0; seats with one hand name none."""
        named = decision.get(self.side_field)
        return self.sides.index(named) if named in self.sides else 0


@dataclass(frozen=True)
class Decks:
    """How to read and check the decks of a game."""

    standard: Deck
    load: Callable[[Path], Deck]
    """From a file; raises BadDeck."""
    parse: Callable[[str], Deck]
    """From the text of a file; raises BadDeck."""
    from_header: Callable[[Mapping[str, Any]], Deck]
    """From the header of a record; raises BadRecord."""
    read_file: Callable[[Path], str]
    """Read the text of a file; raises BadDeck."""
    text: Callable[[], str]
    """The text of the standard deck, as a template."""
    check: Callable[[str], Sequence[BadDeck]]
    """All errors in the text of a file, by line."""
    describe: Callable[[Any], str]
    """A valid deck in one line."""


@dataclass(frozen=True, eq=False)
class GameSpec:
    """A game: everything that its folder provides to the rest of Tafelrunde."""

    id: str
    package: str
    """The Python package of the game. ``bots``, ``teller`` and ``schema`` are imported from there on first use."""
    title: str
    credit: str
    rules: ModuleType
    notation: Notation
    observation: type[Observation]
    options: tuple[Option, ...]
    refusals: Mapping[int, Refusal]
    secrets: Mapping[str, Secret]
    """Hidden fields by verb; the order of a shuffled pile is hidden in every game."""
    seats_rule: str
    position: int = 100
    """The position in lists of games, lowest first."""
    quick: Mapping[str, OptionValue] = field(default_factory=dict)
    """Options that make a game short, for tests and warming up."""
    decks: Decks | None = None
    """For games with a choice of decks."""
    real_time: RealTime | None = None
    """For games without turns, in which players act at any time; their decisions have times."""

    @cached_property
    def in_real_time(self) -> bool:
        """Is it a game without turns?"""
        return self.real_time is not None

    @cached_property
    def bots(self) -> ModuleType:
        """The bots: a module with ``NAMES``, weakest first, ``decide`` (compiled) and ``choose``."""
        return import_module(f"{self.package}.bots")

    @property
    def stand_in(self) -> str:
        """The bot that plays for absent people: the last one, which is the strongest."""
        return str(self.bots.NAMES[-1])

    @cached_property
    def teller(self) -> ModuleType | None:
        """How the game is shown in the terminal: a module with ``TELLER``; None: entries are printed plainly."""
        return self._optional("teller")

    @cached_property
    def schema(self) -> ModuleType | None:
        """The types of its messages: a module with ``DECISION``, ``ENTRY`` and ``VIEW``; None: any object."""
        return self._optional("schema")

    def _optional(self, module: str) -> ModuleType | None:
        """A module of the package, if it exists."""
        name = f"{self.package}.{module}"
        return import_module(name) if find_spec(name) else None

    @property
    def seat_range(self) -> range:
        """The possible numbers of players."""
        return range(self.rules.MIN_SEATS, self.rules.MAX_SEATS + 1)

    @cached_property
    def calls(self) -> Calls:
        """The entry points, compiled on first use."""
        rules = self.rules
        table, log, words = blank(rules.STATE), blank(LOG), np.zeros(1, np.int64)
        return Calls(
            setup=specialise(rules.setup, table, 0, words, log),
            legal=specialise(rules.legal, table, 0, words),
            act=specialise(rules.act, table, 0, 0, 0, log),
            offer=specialise(rules.offer, table, words),
            fits=specialise(rules.fits, table, words, 0),
            resume=specialise(rules.resume, table, words, 0, log),
        )

    @cached_property
    def menus(self) -> dict[int, Sequence[Decision]]:
        """Lists of legal decisions that were put together before, by the number that the rules give them."""
        return {}

    def check_seats(self, seats: object) -> int:
        """Check the number of players; raises BadSeats."""
        if is_whole(seats) and seats in self.seat_range:
            return seats
        least, most = self.rules.MIN_SEATS, self.rules.MAX_SEATS
        raise BadSeats(f"{self.id} is played by {least} to {most}, not by {seats!r}.", self.seats_rule)

    def full_options(self, given: Mapping[str, object], seats: int) -> dict[str, object]:
        """All options with their values, defaults included; raises UnknownOption."""
        known = {option.name: option.default_for(seats) for option in self.options}
        for name in given:
            if name not in known:
                listed = ", ".join(known)
                raise UnknownOption(f"{self.id} has no option {name!r}; it has: {listed}.")
        return known | dict(given)

    def settings(self, options: Mapping[str, object], seats: int, deck: Deck | None) -> list[int]:
        """All options and the deck, if the game has one, as numbers for the compiled rules."""
        values = [option.setting(options[option.name], seats) for option in self.options]
        return values + deck.settings() if deck is not None else values

    def check_deck(self, deck: Deck | Path | str | None) -> Deck | None:
        """The deck to play with: a loaded one, one from a file, or (None) the standard one."""
        if self.decks is None:
            if deck is not None:
                raise BadDeck(f"The cards of {self.id} are always the same.")
            return None
        if deck is None:
            return self.decks.standard
        return self.decks.load(Path(deck)) if isinstance(deck, (Path, str)) else deck

    def read_deck(self, text: str | None) -> Deck | None:
        """The deck in the text of a file, or (None) the standard one."""
        if text is None or self.decks is None:
            return self.check_deck(text)
        return self.decks.parse(text)

    def observe(self, table: RecordArray, seat: int | None, legal: Sequence[Decision]) -> Observation:
        """The view of a seat; None is a spectator."""
        raw = blank(self.rules.VIEW)
        self.rules.observe(table, -1 if seat is None else seat, raw)
        return self.observation(self, raw, legal)

    def hide(self, entry: Entry, seat: int | None) -> Entry:
        """An entry as this seat (None: a spectator) may see it: hidden fields are left out, never faked."""
        owner, rest = self.owner_and_rest(entry)
        return entry if owner is not None and owner == seat else rest

    def owner_and_rest(self, entry: Entry) -> tuple[int | None, Entry]:
        """The seat that sees all of an entry (None: nobody), and what the others see: the same entry if it is open."""
        secret = self._secret_of(entry)
        if secret is None:
            return None, entry
        rest = {}
        for key, value in entry.items():
            if key not in secret.fields:
                rest[key] = value
            elif isinstance(value, list):
                rest["count"] = len(value)
        return None if secret.owner is None else entry[secret.owner], rest

    def _secret_of(self, entry: Entry) -> Secret | None:
        if entry["do"] != "shuffle":
            return self.secrets.get(entry["do"])
        is_open = any(chance.open and chance.of == entry["pile"] for chance in self.notation.chances.values())
        return None if is_open else HIDDEN_ORDER
