"""The cards and helpers of chocolat as data: ``deck.toml`` has ours, and a table may bring its own.

>>> STANDARD.name, len(STANDARD.cards), STANDARD.helper(1).animal
('reconstructed', 80, 'ant')
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from reprlib import Repr
from typing import Any

from tafelrunde.errors import BadDeck, BadRecord
from tafelrunde.games.chocolat import state as c
from tafelrunde.games.contract import Entry, is_whole

INGREDIENTS = ("eggs", "fruit", "nuts", "chocolate", "sugar")
POWERS = dict(zip(("four", "colour", "value", "three", "dig", "fetch", "coins"), range(1, 8), strict=True))
POWER_NAMES = {code: name for name, code in POWERS.items()}
SOURCES = ("attested", "partly attested", "reconstructed", "printed")
RANKS = range(1, c.HELPERS + 1)
VALUES = range(c.LEAST_VALUE, c.MOST_VALUE + 1)
LONGEST_NAME = 60
LONGEST_FILE, MOST_LINES, MOST_FAULTS = 8000, 500, 100  # ours has four thousand characters and a hundred lines
NOT_TOML = (ValueError, RecursionError)  # numbers without end, lists within lists within lists

HEADING = re.compile(r"\s*\[([^\[\]]+)\]")
KEY = re.compile(r"\s*([\w.\-\"' \t]+?)\s*=")

Place = tuple[str, ...]
"""Where something stands in a file: the keys that lead to it."""


def card_of(ingredient: int, value: int, coins: int) -> int:
    """The kind of a card, as the compiled rules keep it."""
    return ((value - c.LEAST_VALUE) * c.INGREDIENTS + ingredient) * c.COIN_STEPS + coins - 1


@dataclass(frozen=True)
class Helper:
    """C3, C15: one helper. A record tells its power only."""

    rank: int
    power: str
    animal: str = ""
    sources: tuple[str, str, str] = ("", "", "")
    """Of the rank, the animal and the power."""


@dataclass(frozen=True)
class Deck:
    """C1 to C3: the cards, lowest first, and the helpers by rank.

    A deck that is known from the header of a record only has no cards yet: they are those of the first shuffle.
    """

    name: str
    cards: tuple[int, ...]
    helpers: tuple[Helper, ...]
    sources: Mapping[tuple[str, int], str]
    """Where the cards of an ingredient and value are known from."""

    def helper(self, rank: int) -> Helper:
        """The helper of this rank."""
        return self.helpers[rank - 1]

    def source_of(self, card: int) -> str:
        """Where a card is known from."""
        value, ingredient = divmod(card // c.COIN_STEPS, c.INGREDIENTS)
        return self.sources[INGREDIENTS[ingredient], c.LEAST_VALUE + value]

    def header(self) -> Entry:
        """What the header of a record tells: the name, and who has which power."""
        return {"deck": self.name, "helpers": {str(helper.rank): helper.power for helper in self.helpers}}

    def settings(self) -> list[int]:
        """Powers by rank, then the cards."""
        return [POWERS[helper.power] for helper in self.helpers] + list(self.cards or (c.NOTHING,) * c.CARDS)


# --- Checking ----------------------------------------------------------------------------------------------------

FAULTS: dict[str, tuple[str, str | None]] = {
    "too-long": ("A deck has {most} characters at most.", None),
    "too-many-lines": ("A deck is told in {most} lines at most.", None),
    "not-toml": ("This is not TOML: {why}.", None),
    "unknown-key": ("Nothing is known about {key}; here stands {known}.", None),
    "name": ("A deck has a name of 1 to {most} letters.", "C2"),
    "name-ours": ("A deck with other cards than ours has another name than {name}.", "C2"),
    "source": ("The source of every value is told: {known}.", "C2"),
    "cards-missing": ("[{heading}] is missing.", "C1"),
    "cards-unknown": ("There is no ingredient {found}; there is {known}.", "C1"),
    "cards-form": ("Cards are written as {form}.", "C2"),
    "cards-count": ("There are {count} cards of {ingredient}, not {found}.", "C1"),
    "value": ("Snack values go from {least} to {most}, not {found}.", "C2"),
    "coins": ("The coins of {ingredient} go from {least} to {most}, not {found}.", "C2"),
    "helpers-missing": ("[{heading}] is missing.", "C3"),
    "helpers-unknown": ("There is no helper {found}; there is {known}.", "C3"),
    "helpers-form": ("A helper has {form}.", "C3"),
    "animal": ("An animal has a name of 1 to {most} letters.", "C3"),
    "power": ("There is no power {found}; there is {known}.", "C15"),
    "power-twice": ("The power {power} belongs to helper {rank} already.", "C15"),
}
"""Everything that can be wrong with a deck file: what is said of each kind, and the rule behind it."""


@dataclass(frozen=True)
class Fault:
    """Something in a deck file that is not as it should be."""

    place: Place
    kind: str
    values: Mapping[str, str | int]


class _Written(Repr):
    """Values as a file has them, short enough to be told."""

    def repr_int(self, x: int, level: int) -> str:
        """Python refuses to write numbers that are long enough to keep it busy."""
        return super().repr_int(x, level) if abs(x) < 2**63 else "…"

    def repr_instance(self, x: object, level: int) -> str:
        """Whatever is neither text nor a whole number nor put together of them: true, 1.5, a date."""
        return str(x).lower()


written = _Written().repr


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def faults_in(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Everything that is wrong with the content of a deck file."""
    yield from _unknown_keys((), data, ("name", "cards", "helpers"))
    if not _is_name(data.get("name")):
        yield Fault(("name",), "name", {"most": LONGEST_NAME})
    yield from _faults_in_table(data, "cards", INGREDIENTS, _faults_in_ingredient)
    yield from _faults_in_table(data, "helpers", tuple(map(str, RANKS)), _faults_in_helper)
    yield from _powers_twice(data.get("helpers"))


def _is_name(said: object) -> bool:
    return isinstance(said, str) and 0 < len(said) <= LONGEST_NAME and said.isprintable()


def _unknown_keys(place: Place, part: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[Fault]:
    for key in (key for key in part if key not in known):
        yield Fault((*place, key), "unknown-key", {"key": written(key), "known": _listed(known)})


def _faults_in_table(
    data: Mapping[str, Any],
    table: str,
    names: tuple[str, ...],
    faults_in_part: Callable[[str, Mapping[str, Any]], Iterator[Fault]],
) -> Iterator[Fault]:
    parts = data.get(table)
    if not isinstance(parts, Mapping):
        yield Fault((table,), f"{table}-missing", {"heading": table})
        return
    for name in (name for name in parts if name not in names):
        yield Fault((table, name), f"{table}-unknown", {"found": written(name), "known": _listed(names)})
    for name in names:
        part = parts.get(name)
        if isinstance(part, Mapping):
            yield from faults_in_part(name, part)
        else:
            yield Fault((table, name), f"{table}-missing", {"heading": f"{table}.{name}"})


def _faults_in_ingredient(name: str, part: Mapping[str, Any]) -> Iterator[Fault]:
    """C1, C2: sixteen cards, values from 3 to 7, coins within the ingredient's limits."""
    place = ("cards", name)
    number = INGREDIENTS.index(name)
    least, most = c.LEAST_COINS[number], c.MOST_COINS[number]
    count = 0
    for value, line in part.items():
        if value not in map(str, VALUES):
            limits = {"least": VALUES[0], "most": VALUES[-1]}
            yield Fault((*place, value), "value", {**limits, "found": written(value)})
            continue
        coins = line.get("coins") if isinstance(line, Mapping) else None
        if not isinstance(coins, list):
            yield Fault((*place, value), "cards-form", {"form": "{ coins = [2, 1, 1], source = … }"})
            continue
        yield from _faults_in_line((*place, value), line, ("coins", "source"))
        count += len(coins)
        for wrong in (coin for coin in coins if not is_whole(coin) or not least <= coin <= most):
            limits = {"least": least, "most": most}
            yield Fault((*place, value, "coins"), "coins", {"ingredient": name, **limits, "found": written(wrong)})
    if count != c.OF_EACH:
        yield Fault(place, "cards-count", {"count": c.OF_EACH, "ingredient": name, "found": count})


def _faults_in_helper(rank: str, part: Mapping[str, Any]) -> Iterator[Fault]:
    """C3, C15: an animal and a power, and where they are known from."""
    place = ("helpers", rank)
    forms = {"rank": ("source",), "animal": ("is", "source"), "power": ("is", "source")}
    yield from _unknown_keys(place, part, tuple(forms))
    for key, keys in forms.items():
        line = part.get(key)
        if not isinstance(line, Mapping) or ("is" in keys and "is" not in line):
            form = _listed(f"{one} = …" for one in keys)
            yield Fault((*place, key), "helpers-form", {"form": f"{key} = {{ {form} }}"})
            continue
        yield from _faults_in_line((*place, key), line, keys)
        said = line.get("is")
        if key == "animal" and not _is_name(said):
            yield Fault((*place, key), "animal", {"most": LONGEST_NAME})
        if key == "power" and not (isinstance(said, str) and said in POWERS):
            yield Fault((*place, key), "power", {"found": written(said), "known": _listed(POWERS)})


def _faults_in_line(place: Place, line: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[Fault]:
    yield from _unknown_keys(place, line, keys)
    if line.get("source") not in SOURCES:
        yield Fault(place, "source", {"known": _listed(SOURCES)})


def _powers_twice(helpers: object) -> Iterator[Fault]:
    """C15: each power belongs to one helper."""
    owner: dict[str, int] = {}
    for rank in RANKS:
        part = helpers.get(str(rank)) if isinstance(helpers, Mapping) else None
        power = part.get("power") if isinstance(part, Mapping) else None
        said = power.get("is") if isinstance(power, Mapping) else None
        if isinstance(said, str) and said in POWERS and owner.setdefault(said, rank) != rank:
            yield Fault(("helpers", str(rank), "power"), "power-twice", {"power": written(said), "rank": owner[said]})


# --- Reading -----------------------------------------------------------------------------------------------------


class Lines:
    """Finds the line on which something stands in a TOML file; the parser does not tell.

    The file is read once, line by line, for what stands there at the beginning: ``[cards.eggs]`` or ``3 =``. So a file
    of whatever content takes no longer than its length. Where keys are hidden more cleverly than that, the line of
    what is around them is told.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[Place, int] = {}
        table: Place = ()
        for number, line in enumerate(text.splitlines(), start=1):
            if heading := HEADING.match(line):
                table = _keys(heading[1])
                self._note(table, number)
            elif key := KEY.match(line):
                self._note(table + _keys(key[1]), number)

    def _note(self, place: Place, line: int) -> None:
        for end in range(1, len(place) + 1):
            self._lines.setdefault(place[:end], line)

    def find(self, place: Place) -> int:
        """The line of what is found there or, if there is nothing, of what is around it."""
        return next((self._lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in self._lines), 1)


def _keys(dotted: str) -> Place:
    return tuple(key.strip(" \t\"'") for key in dotted.split("."))


def check(text: str) -> list[BadDeck]:
    """Everything that is wrong with a deck file, by line; nothing if it is sound."""
    if len(text) > LONGEST_FILE:
        return [_told("too-long", {"most": LONGEST_FILE}, 1 + text.count("\n", 0, LONGEST_FILE))]
    if text.count("\n") > MOST_LINES:
        return [_told("too-many-lines", {"most": MOST_LINES}, MOST_LINES + 1)]
    try:
        data = tomllib.loads(text)
    except NOT_TOML as error:
        return [_not_toml(text, error)]
    faults = list(islice(faults_in(data), MOST_FAULTS))
    if not faults and data["name"] == "reconstructed" and _build(data).cards != _our_cards():
        faults = [Fault(("name",), "name-ours", {"name": written(data["name"])})]
    if not faults:
        return []
    lines = Lines(text)
    told = [_told(fault.kind, fault.values, lines.find(fault.place)) for fault in faults]
    return sorted(told, key=lambda fault: fault.line)


def _told(kind: str, values: Mapping[str, str | int], line: int) -> BadDeck:
    sentence, rule = FAULTS[kind]
    return BadDeck(sentence.format_map(values), rule, line, kind, values)


def _not_toml(text: str, error: Exception) -> BadDeck:
    """The parser says where in words; the line is where reading stopped."""
    sentence, _, where = str(error).partition(" (at ")
    number = where.removeprefix("line ").partition(",")[0]
    line = int(number) if number.isdecimal() else len(text.splitlines())
    return _told("not-toml", {"why": sentence[:1].lower() + sentence[1:]}, max(1, line))


@cache
def _our_cards() -> tuple[int, ...]:
    return _build(tomllib.loads(standard_text())).cards


def _build(data: Mapping[str, Any]) -> Deck:
    """The deck of a file without faults."""
    cards = data["cards"]
    listed = [
        card_of(number, int(value), coins)
        for number, name in enumerate(INGREDIENTS)
        for value, line in cards[name].items()
        for coins in line["coins"]
    ]
    sources = {(name, int(value)): line["source"] for name in INGREDIENTS for value, line in cards[name].items()}
    helpers = tuple(_helper(rank, data["helpers"][str(rank)]) for rank in RANKS)
    return Deck(data["name"], tuple(sorted(listed)), helpers, sources)


def _helper(rank: int, part: Mapping[str, Any]) -> Helper:
    sources = (part["rank"]["source"], part["animal"]["source"], part["power"]["source"])
    return Helper(rank, part["power"]["is"], part["animal"]["is"], sources)


def parse(text: str) -> Deck:
    """The deck that a text describes; raises BadDeck: the first line at fault, and all of them with it."""
    if faults := check(text):
        faults[0].faults = tuple(faults)
        raise faults[0]
    return _build(tomllib.loads(text))


def read_text(path: Path) -> str:
    """A deck file as text; raises BadDeck."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise BadDeck(f"The deck {path} can not be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise BadDeck(f"The deck {path} is not UTF-8 text.") from None


def load(path: Path) -> Deck:
    """The deck of a file; raises BadDeck with the first line at fault."""
    return parse(read_text(path))


def standard_text() -> str:
    """The file of our own deck, to begin with."""
    return resources.files(__package__).joinpath("deck.toml").read_text(encoding="utf-8")


def describe(deck: Deck) -> str:
    """A sound deck in one line: what it is, and how much of it is known from where."""
    counts = Counter(deck.source_of(card) for card in deck.cards)
    known = ", ".join(f"{counts[source]} {source}" for source in SOURCES if counts[source])
    return f"sound: {deck.name}, {len(deck.cards)} cards ({known}), {len(deck.helpers)} helpers"


def from_header(header: Mapping[str, Any]) -> Deck:
    """The deck that a record was played with, as far as its header tells; raises BadRecord."""
    name, helpers = header.get("deck"), header.get("helpers")
    if not isinstance(name, str):
        raise BadRecord("'deck' is the name of the deck.", "C2")
    if not isinstance(helpers, Mapping) or helpers.keys() != set(map(str, RANKS)):
        raise BadRecord("'helpers' has the power of each rank from 1 to 7.", "C3")
    powers = [helpers[str(rank)] for rank in RANKS]
    if any(not isinstance(power, str) for power in powers) or set(powers) != POWERS.keys():
        raise BadRecord(f"Each power belongs to one helper: {', '.join(POWERS)}.", "C15")
    ours = STANDARD if name == STANDARD.name else None
    known = [helper.power for helper in STANDARD.helpers] == powers
    own = STANDARD.helpers if known else tuple(Helper(rank, power) for rank, power in zip(RANKS, powers, strict=True))
    return Deck(name, ours.cards if ours else (), own, ours.sources if ours else {})


STANDARD = parse(standard_text())
