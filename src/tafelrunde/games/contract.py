"""What a game consists of: compiled rules, options, and the notation that makes its numbers readable.

The compiled rules know only integers. A game's notation turns decisions, log entries and views into the vocabulary of
the game record (docs/record.md) and back; everything else in Tafelrunde speaks that vocabulary.
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
"""The most decisions whose words are cached, by their code."""

Entry = dict[str, Any]
"""One line of a game record: what somebody decided, or what followed."""

OptionValue = int | bool | None


def is_whole(value: object) -> TypeGuard[int]:
    """A whole number as JSON knows it: true and 7.0 are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def as_json(fields: Mapping[str, Any]) -> Entry:
    """Fields of a decision as they stand in a record: lists, not tuples."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}


class Decision:
    """What a player chooses, in words: a verb and its fields, as in the game record.

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
        """A decision as the compiled rules list it; put into words when somebody looks."""
        decision = cls.__new__(cls)
        decision._code = code
        decision._notation = notation
        decision._words = None
        return decision

    def code(self, notation: Notation) -> int:
        """The decision as the compiled rules of a game take it; raises Malformed."""
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
        """What belongs to the verb."""
        return self._read()[1]

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Decision:
        """Read ``{"do": "lay", "card": 7}``; ``by`` and ``ms`` of a record's entry are not part of the decision."""
        do = entry.get("do")
        if not isinstance(do, str):
            raise Malformed("A decision needs a verb: a text under 'do'.")
        return cls(do, **{str(key): value for key, value in entry.items() if key not in ("do", "by", "ms")})

    def to_json(self) -> Entry:
        """The decision as it stands in a record, less who took it and when."""
        return {"do": self.do} | as_json(self.fields)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # nothing to look up before the decision is whole, as while it is copied
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
    """What one seat sees: the only thing that bots, clients and analysis get.

    ``legal`` lists the decisions this seat may take now. ``raw`` is the same view as a flat record, for compiled bots.
    Each game adds what lies on its table, as properties; ``shown`` names them.
    """

    shown: tuple[str, ...] = ("seat",)

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
        """Who has a decision to take."""
        waiting = self._word("waiting")
        return [seat for seat in range(self._word("seats")) if waiting >> seat & 1]

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self._word("number")

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return bool(self._word("phase") == self.game.rules.FINISHED)

    def _word(self, name: str) -> int:
        return int(self.raw[name][0])

    def _known(self, name: str) -> int | None:
        """A number that is not negative once it is known."""
        word = self._word(name)
        return None if word < 0 else word

    def _list(self, name: str) -> list[Any]:
        listed: list[Any] = self.raw[name][0].tolist()
        return listed

    def to_json(self) -> dict[str, Any]:
        """The view in words, ready to be sent."""
        view: dict[str, Any] = {"game": self.game.id}
        view |= {name: getattr(self, name) for name in self.shown}
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
    """A choice of the table before the game begins."""

    name: str
    kind: Literal["seat", "number", "switch"]
    default: OptionValue
    text: str
    rule: str
    least: int = 0
    most: int = 0
    default_for_two: OptionValue = None
    """Another default where two players play by another rule."""

    def default_for(self, seats: int) -> OptionValue:
        """What holds if nothing is said."""
        return self.default_for_two if seats == 2 and self.default_for_two is not None else self.default

    def setting(self, value: object, seats: int) -> int:
        """The value as the compiled rules take it; a seat left to chance is -1."""
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
    """Something that is left to chance: a pile to shuffle, or an option to choose."""

    do: Literal["shuffle", "choose"]
    of: str
    rule: str
    open: bool = False
    """Is the pile open, so that all see its new order?"""


@dataclass(frozen=True)
class Refusal:
    """Why the compiled rules refuse something."""

    error: type[TafelrundeError]
    rule: str | None
    sentence: str


@dataclass(frozen=True)
class Secret:
    """Fields of an entry that only its owner sees: the seat under ``owner``, or nobody at all."""

    owner: Literal["by", "seat"] | None
    fields: frozenset[str]


HIDDEN_ORDER = Secret(None, frozenset({"order"}))


@dataclass(frozen=True)
class Calls:
    """The entry points of a game that are called in every step, ready for a state and a log."""

    setup: Callable[[RecordArray, int, Words, RecordArray], int]
    legal: Callable[[RecordArray, int, Words], int]
    act: Callable[[RecordArray, int, int, int, RecordArray], int]
    offer: Callable[[RecordArray, Words], int]
    fits: Callable[[RecordArray, Words, int], bool]
    resume: Callable[[RecordArray, Words, int, RecordArray], int]


class Notation(ABC):
    """How a game's numbers read: decisions, entries and the rules behind them.

    What is the same in all games is written here: how an entry is made up, chance, and the end.
    """

    decisions: ClassVar[Mapping[str, frozenset[str]]]
    """The verbs that players decide, with all fields they may have."""
    consequences: ClassVar[Mapping[int, str]]
    """The verbs of what follows, by their number in the log; besides chance and the end."""
    optional_fields: ClassVar[Mapping[str, frozenset[str]]] = {}
    """Fields that a consequence has only sometimes; where one does not belong, it is refused and not passed over."""
    chances: ClassVar[Mapping[int, Chance]]
    """What is left to chance, by the number under which the rules need it."""
    rules: ClassVar[Mapping[tuple[str, str | None], str]]
    """The rule behind each entry and, where it is another one, behind one of its fields."""

    def decision_in(self, words: Mapping[str, Any]) -> Decision:
        """The decision that these words say; raises Malformed."""
        return Decision.coded(self.code_of(Decision.from_json(words)), self)

    @abstractmethod
    def code_of(self, decision: Decision) -> int:
        """The integer for a decision; raises Malformed."""

    @abstractmethod
    def verb_and_fields(self, code: int) -> tuple[str, Mapping[str, Any]]:
        """Verb and fields of the decision for an integer."""

    @abstractmethod
    def fields_of(self, verb: int, args: Sequence[int]) -> Entry:
        """The fields of a consequence of this game, from its words in the log."""

    @abstractmethod
    def item_of(self, pile: str, code: int) -> object:
        """What lies in a pile, as it is written."""

    @abstractmethod
    def code_in(self, pile: str, item: object) -> int:
        """The integer for what is written to lie in a pile; raises Malformed."""

    @cached_property
    def verbs(self) -> frozenset[str]:
        """Every verb of the game."""
        chances = (chance.do for chance in self.chances.values())
        return frozenset({*self.decisions, *self.consequences.values(), *chances, "end"})

    def entry_of(self, words: Sequence[int]) -> Entry:
        """The entry for its words in the log."""
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
        """A decision in words; cached unless it has a list in it, which a reader could change."""
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
        if chance.do == "choose":
            return {"do": chance.do, "option": chance.of, "value": args[0]}
        return {"do": chance.do, "pile": chance.of, "order": [self.item_of(chance.of, code) for code in args]}

    def order_of(self, chance: Chance, entry: Entry) -> list[int]:
        """What a shuffle or choose entry says, as integers; raises Malformed."""
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
        """The rule behind a field of an entry (None: behind the entry itself).

        ``cause`` is the verb of the last entry that was neither a draw nor a shuffle.
        """
        return self.rules.get((entry["do"], field)) or self.rules[entry["do"], None]


class Deck(Protocol):
    """Cards that a table may bring along instead of those that come with the game."""

    @property
    def name(self) -> str:
        """As it stands in the record."""

    def header(self) -> Entry:
        """What the header of a record tells of it."""

    def settings(self) -> list[int]:
        """How the compiled rules take it, after the options."""


@dataclass(frozen=True)
class RealTime:
    """How a game without turns behaves in time, for whoever runs it: a live table, or bots in simulated time."""

    signal: str
    """The verb that opens a round. A live table counts down before it carries this out."""
    signal_rule: str
    claim: str
    """The verb that reaches for something others may reach for too. A live table orders claims by who was first."""
    direct: frozenset[str]
    """Verbs without a way for the hand: carried out as soon as they are decided."""
    pace_option: str
    """The option that keeps a hand busy with what it has taken, in milliseconds; 0 is off."""
    lapse: Mapping[str, str]
    """The entry by which time itself ends something."""
    side_field: str = "hand"
    sides: tuple[str, ...] = ("left", "right")
    """How a decision names one of a seat's hands, in the order in which hands are numbered."""

    def side_of(self, decision: Mapping[str, Any]) -> int:
        """Which of its seat's hands takes this decision, from 0; a seat with one hand names none."""
        named = decision.get(self.side_field)
        return self.sides.index(named) if named in self.sides else 0


@dataclass(frozen=True)
class Decks:
    """Where the decks of a game come from."""

    standard: Deck
    load: Callable[[Path], Deck]
    """From a file; raises BadDeck."""
    parse: Callable[[str], Deck]
    """From the text of a file; raises BadDeck."""
    from_header: Callable[[Mapping[str, Any]], Deck]
    """As the header of a record tells; raises BadRecord."""
    read_file: Callable[[Path], str]
    """The text of a file; raises BadDeck if it can not be read."""
    text: Callable[[], str]
    """The standard deck as a file, to begin one's own with."""
    check: Callable[[str], Sequence[BadDeck]]
    """Everything that is wrong with the text of a file, by line."""
    describe: Callable[[Any], str]
    """A sound deck in one line."""


@dataclass(frozen=True, eq=False)
class GameSpec:
    """One game, whole: what its folder gives to everybody else."""

    id: str
    package: str
    """The folder as a package. ``bots``, ``teller`` and ``schema`` are loaded from there when somebody needs them."""
    title: str
    credit: str
    rules: ModuleType
    notation: Notation
    observation: type[Observation]
    options: tuple[Option, ...]
    refusals: Mapping[int, Refusal]
    secrets: Mapping[str, Secret]
    """What of an entry not everybody sees; the order of a pile that is shuffled is hidden in every game."""
    seats_rule: str
    position: int = 100
    """Where the game stands in lists, the lowest first."""
    quick: Mapping[str, OptionValue] = field(default_factory=dict)
    """Options that make a game short, to try it out."""
    decks: Decks | None = None
    """A game whose cards are data."""
    real_time: RealTime | None = None
    """A game in which hands act when they are ready, instead of turns. Then every decision has its time."""

    @cached_property
    def in_real_time(self) -> bool:
        """Is it a game without turns?"""
        return self.real_time is not None

    @cached_property
    def bots(self) -> ModuleType:
        """The bots of the game: a module with ``NAMES`` from the weakest on, ``decide`` (compiled) and ``choose``."""
        return import_module(f"{self.package}.bots")

    @property
    def stand_in(self) -> str:
        """The bot that plays for people who are away: the last of its bots, which is the best."""
        return str(self.bots.NAMES[-1])

    @cached_property
    def teller(self) -> ModuleType | None:
        """How the game is told in the terminal: a module with ``TELLER``; None: entries are told as they are."""
        return self._optional("teller")

    @cached_property
    def schema(self) -> ModuleType | None:
        """The types of its messages: a module with ``DECISION``, ``ENTRY`` and ``VIEW``; None: any object will do."""
        return self._optional("schema")

    def _optional(self, module: str) -> ModuleType | None:
        name = f"{self.package}.{module}"
        return import_module(name) if find_spec(name) else None

    @property
    def seat_range(self) -> range:
        """How many can play."""
        return range(self.rules.MIN_SEATS, self.rules.MAX_SEATS + 1)

    @cached_property
    def calls(self) -> Calls:
        """Compiled on first use."""
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
        """Can this many play?"""
        if is_whole(seats) and seats in self.seat_range:
            return seats
        least, most = self.rules.MIN_SEATS, self.rules.MAX_SEATS
        raise BadSeats(f"{self.id} is played by {least} to {most}, not by {seats!r}.", self.seats_rule)

    def full_options(self, given: Mapping[str, object], seats: int) -> dict[str, object]:
        """All options of the game with their values, defaults included."""
        known = {option.name: option.default_for(seats) for option in self.options}
        for name in given:
            if name not in known:
                listed = ", ".join(known)
                raise UnknownOption(f"{self.id} has no option {name!r}; it has: {listed}.")
        return known | dict(given)

    def settings(self, options: Mapping[str, object], seats: int, deck: Deck | None) -> list[int]:
        """Full options, and the deck if the game has one, as the compiled rules take them."""
        values = [option.setting(options[option.name], seats) for option in self.options]
        return values + deck.settings() if deck is not None else values

    def check_deck(self, deck: Deck | Path | str | None) -> Deck | None:
        """The deck to play with: one that was made before, one from a file, or the standard one."""
        if self.decks is None:
            if deck is not None:
                raise BadDeck(f"The cards of {self.id} are always the same.")
            return None
        if deck is None:
            return self.decks.standard
        return self.decks.load(Path(deck)) if isinstance(deck, (Path, str)) else deck

    def read_deck(self, text: str | None) -> Deck | None:
        """The deck that the text of a file describes, or the standard one."""
        if text is None or self.decks is None:
            return self.check_deck(text)
        return self.decks.parse(text)

    def observe(self, table: RecordArray, seat: int | None, legal: Sequence[Decision]) -> Observation:
        """The view of a seat, or a spectator's."""
        raw = blank(self.rules.VIEW)
        self.rules.observe(table, -1 if seat is None else seat, raw)
        return self.observation(self, raw, legal)

    def hide(self, entry: Entry, seat: int | None) -> Entry:
        """An entry as this seat (None: a spectator) may see it: a hidden field is left out, never faked."""
        owner, rest = self.owner_and_rest(entry)
        return entry if owner is not None and owner == seat else rest

    def owner_and_rest(self, entry: Entry) -> tuple[int | None, Entry]:
        """The seat that sees an entry in full (None: nobody), and what the others see: itself if it is open."""
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
