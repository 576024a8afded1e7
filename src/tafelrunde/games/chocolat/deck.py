"""The cards and helpers of chocolat as data: ``deck.toml`` has ours, and a table may bring its own.

>>> STANDARD.name, len(STANDARD.cards), STANDARD.helper(1).animal
('reconstructed', 80, 'ant')
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from reprlib import repr as shown
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
LARGEST_FILE, MOST_LINES, MOST_FAULTS = 20_000, 500, 100  # ours has five thousand bytes and a hundred lines
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


@dataclass(frozen=True)
class Fault:
    """Something in a deck file that is not as it should be."""

    place: Place
    sentence: str
    rule: str | None = None


# --- Checking ----------------------------------------------------------------------------------------------------


def faults_in(data: Mapping[str, Any]) -> Iterator[Fault]:
    """Everything that is wrong with the content of a deck file."""
    for key in data.keys() - {"name", "cards", "helpers"}:
        yield Fault((key,), f"Nothing is known about {shown(key)}; a deck has name, cards and helpers.")
    name = data.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        yield Fault(("name",), f"A deck has a name of 1 to {LONGEST_NAME} letters.", "C2")
    yield from _faults_in_table(data, "cards", INGREDIENTS, _faults_in_ingredient, "C1")
    yield from _faults_in_table(data, "helpers", tuple(map(str, RANKS)), _faults_in_helper, "C3")
    yield from _powers_twice(data.get("helpers"))


def _faults_in_table(
    data: Mapping[str, Any], table: str, names: tuple[str, ...], faults_in_part: Any, rule: str
) -> Iterator[Fault]:
    parts = data.get(table)
    if not isinstance(parts, Mapping):
        yield Fault((table,), f"A deck has {table}: {', '.join(names)}.", rule)
        return
    for name in parts.keys() - set(names):
        yield Fault((table, name), f"There are no {table} of {shown(name)}; there is {', '.join(names)}.", rule)
    for name in names:
        part = parts.get(name)
        if isinstance(part, Mapping):
            yield from faults_in_part(name, part)
        else:
            yield Fault((table, name) if name in parts else (table,), f"[{table}.{name}] is missing.", rule)


def _faults_in_ingredient(name: str, part: Mapping[str, Any]) -> Iterator[Fault]:
    """C1, C2: sixteen cards, values from 3 to 7, coins within the ingredient's limits."""
    place = ("cards", name)
    number = INGREDIENTS.index(name)
    least, most = c.LEAST_COINS[number], c.MOST_COINS[number]
    count = 0
    for value, line in part.items():
        if value not in map(str, VALUES):
            yield Fault((*place, value), f"Snack values go from {VALUES[0]} to {VALUES[-1]}, not {shown(value)}.", "C2")
            continue
        coins = line.get("coins") if isinstance(line, Mapping) else None
        if not isinstance(coins, list):
            yield Fault((*place, value), "Cards are written as { coins = [2, 1, 1], source = … }.", "C2")
            continue
        yield from _faults_in_source((*place, value), line, {"coins", "source"})
        count += len(coins)
        for wrong in (coin for coin in coins if not is_whole(coin) or not least <= coin <= most):
            sentence = f"The coins of {name} go from {least} to {most}, not {shown(wrong)}."
            yield Fault((*place, value, "coins"), sentence, "C2")
    if count != c.OF_EACH:
        yield Fault(place, f"There are {c.OF_EACH} cards of {name}, not {count}.", "C1")


def _faults_in_helper(rank: str, part: Mapping[str, Any]) -> Iterator[Fault]:
    """C3, C15: an animal and a power, and where they are known from."""
    place = ("helpers", rank)
    for key in part.keys() - {"rank", "animal", "power"}:
        yield Fault((*place, key), f"Nothing is known about {shown(key)}; a helper has rank, animal and power.", "C3")
    for key in ("rank", "animal", "power"):
        line = part.get(key)
        if not isinstance(line, Mapping):
            yield Fault((*place, key) if key in part else place, f"A helper has {key} = {{ … }}.", "C3")
            continue
        yield from _faults_in_source((*place, key), line, {"source"} if key == "rank" else {"is", "source"})
        said = line.get("is")
        if key == "animal" and (not isinstance(said, str) or not 0 < len(said) <= LONGEST_NAME):
            yield Fault((*place, key), "An animal has a name.", "C3")
        if key == "power" and (not isinstance(said, str) or said not in POWERS):
            yield Fault((*place, key), f"There is no power {shown(said)}; there is {', '.join(POWERS)}.", "C15")


def _faults_in_source(place: Place, line: Mapping[str, Any], keys: set[str]) -> Iterator[Fault]:
    for key in line.keys() - keys:
        yield Fault((*place, key), f"Nothing is known about {shown(key)}; here stands {', '.join(sorted(keys))}.")
    if line.get("source") not in SOURCES:
        yield Fault(place, f"The source of every value is told: {', '.join(SOURCES)}.", "C2")


def _powers_twice(helpers: object) -> Iterator[Fault]:
    """C15: each power belongs to one helper."""
    owner: dict[str, str] = {}
    for rank, part in helpers.items() if isinstance(helpers, Mapping) else ():
        power = part.get("power") if isinstance(part, Mapping) else None
        said = power.get("is") if isinstance(power, Mapping) else None
        if isinstance(said, str) and said in POWERS and owner.setdefault(said, rank) != rank:
            place = ("helpers", rank, "power")
            yield Fault(place, f"The power {said!r} belongs to helper {owner[said]} already.", "C15")


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
    if text.count("\n") > MOST_LINES:
        return [BadDeck(f"A deck is told in {MOST_LINES} lines at most.", None, MOST_LINES + 1)]
    try:
        data = tomllib.loads(text)
    except NOT_TOML as error:
        return [_not_toml(text, error)]
    faults = list(islice(faults_in(data), MOST_FAULTS))
    if not faults and data["name"] == "reconstructed" and _build(data).cards != _our_cards():
        faults = [Fault(("name",), "A deck with other cards than ours has another name than 'reconstructed'.", "C2")]
    if not faults:
        return []
    lines = Lines(text)
    named = [BadDeck(fault.sentence, fault.rule, lines.find(fault.place)) for fault in faults]
    return sorted(named, key=lambda fault: fault.line)


def _not_toml(text: str, error: Exception) -> BadDeck:
    """The parser says where in words; the line is where reading stopped."""
    sentence, _, where = str(error).partition(" (at ")
    number = where.removeprefix("line ").partition(",")[0]
    line = int(number) if number.isdecimal() else len(text.splitlines())
    return BadDeck(f"This is not TOML: {sentence[:1].lower()}{sentence[1:]}.", None, max(1, line))


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
        content = path.read_bytes()
        if len(content) <= LARGEST_FILE:
            return content.decode("utf-8")
        raise BadDeck(f"The deck {path} is too large: no deck has more than {LARGEST_FILE:,} bytes.")
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
