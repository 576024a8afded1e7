"""The cards and helpers of chocolat as data: ``deck.toml`` is the standard deck, and a table may bring its own.

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
LONGEST_FILE, MOST_LINES, MOST_FAULTS = 8000, 500, 100  # the standard deck has 4000 characters and 100 lines
NOT_TOML = (ValueError, RecursionError)  # besides syntax errors: huge numbers, deeply nested lists

HEADING = re.compile(r"\s*\[([^\[\]]+)\]")
KEY = re.compile(r"\s*([\w.\-\"' \t]+?)\s*=")

KeyPath = tuple[str, ...]
"""Where something is in a file: the keys that lead to it."""


def card_of(ingredient: int, value: int, coins: int) -> int:
    """The code of a kind of card in the compiled rules."""
    return ((value - c.LEAST_VALUE) * c.INGREDIENTS + ingredient) * c.COIN_STEPS + coins - 1


@dataclass(frozen=True)
class Helper:
    """C3, C15: one helper. A helper read from a record has only rank and power."""

    rank: int
    power: str
    animal: str = ""
    sources: tuple[str, str, str] = ("", "", "")
    """Sources of the rank, the animal and the power."""


@dataclass(frozen=True)
class Deck:
    """C1 to C3: the cards, lowest first, and the helpers by rank.

    A deck that is read from the header of a record may have no cards: they are those of the first shuffle.
    """

    name: str
    cards: tuple[int, ...]
    helpers: tuple[Helper, ...]
    sources: Mapping[tuple[str, int], str]
    """The source of the cards of each ingredient and value."""

    def helper(self, rank: int) -> Helper:
        """The helper of this rank."""
        return self.helpers[rank - 1]

    def source_of(self, card: int) -> str:
        """The source of a card."""
        value, ingredient = divmod(card // c.COIN_STEPS, c.INGREDIENTS)
        return self.sources[INGREDIENTS[ingredient], c.LEAST_VALUE + value]

    def header(self) -> Entry:
        """The fields for the header of a record: the name, and the power of each rank."""
        return {"deck": self.name, "helpers": {str(helper.rank): helper.power for helper in self.helpers}}

    def settings(self) -> list[int]:
        """Numbers for the compiled rules: powers by rank, then the cards."""
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
"""All kinds of errors in a deck file, with sentence and rule id."""


@dataclass(frozen=True)
class Fault:
    """An error in a deck file."""

    path: KeyPath
    kind: str
    values: Mapping[str, str | int]


class _Shown(Repr):
    """Formats values much like TOML, and shortens long ones."""

    def repr_int(self, x: int, level: int) -> str:
        """Python refuses to format huge numbers."""
        return super().repr_int(x, level) if abs(x) < 2**63 else "…"

    def repr_instance(self, x: object, level: int) -> str:
        """Other values: true, 1.5, a date."""
        return str(x).lower()


shown = _Shown().repr


def _join(names: Iterable[str]) -> str:
    return ", ".join(names)


def faults_in(data: Mapping[str, Any]) -> Iterator[Fault]:
    """All errors in the content of a deck file."""
    yield from _unknown_keys((), data, ("name", "cards", "helpers"))
    if not _is_name(data.get("name")):
        yield Fault(("name",), "name", {"most": LONGEST_NAME})
    yield from _faults_in_table(data, "cards", INGREDIENTS, _faults_in_ingredient)
    yield from _faults_in_table(data, "helpers", tuple(map(str, RANKS)), _faults_in_helper)
    yield from _powers_twice(data.get("helpers"))


def _is_name(said: object) -> bool:
    return isinstance(said, str) and 0 < len(said) <= LONGEST_NAME and said.isprintable()


def _unknown_keys(path: KeyPath, part: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[Fault]:
    for key in (key for key in part if key not in known):
        yield Fault((*path, key), "unknown-key", {"key": shown(key), "known": _join(known)})


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
        yield Fault((table, name), f"{table}-unknown", {"found": shown(name), "known": _join(names)})
    for name in names:
        part = parts.get(name)
        if isinstance(part, Mapping):
            yield from faults_in_part(name, part)
        else:
            yield Fault((table, name), f"{table}-missing", {"heading": f"{table}.{name}"})


def _faults_in_ingredient(name: str, part: Mapping[str, Any]) -> Iterator[Fault]:
    """C1, C2: sixteen cards, values from 3 to 7, coins within the limits of the ingredient."""
    path = ("cards", name)
    number = INGREDIENTS.index(name)
    least, most = c.LEAST_COINS[number], c.MOST_COINS[number]
    count = 0
    for value, line in part.items():
        if value not in map(str, VALUES):
            limits = {"least": VALUES[0], "most": VALUES[-1]}
            yield Fault((*path, value), "value", {**limits, "found": shown(value)})
            continue
        coins = line.get("coins") if isinstance(line, Mapping) else None
        if not isinstance(coins, list):
            yield Fault((*path, value), "cards-form", {"form": "{ coins = [2, 1, 1], source = … }"})
            continue
        yield from _faults_in_line((*path, value), line, ("coins", "source"))
        count += len(coins)
        for wrong in (coin for coin in coins if not is_whole(coin) or not least <= coin <= most):
            limits = {"least": least, "most": most}
            yield Fault((*path, value, "coins"), "coins", {"ingredient": name, **limits, "found": shown(wrong)})
    if count != c.OF_EACH:
        yield Fault(path, "cards-count", {"count": c.OF_EACH, "ingredient": name, "found": count})


def _faults_in_helper(rank: str, part: Mapping[str, Any]) -> Iterator[Fault]:
    """C3, C15: a rank, an animal and a power, each with its source."""
    path = ("helpers", rank)
    forms = {"rank": ("source",), "animal": ("is", "source"), "power": ("is", "source")}
    yield from _unknown_keys(path, part, tuple(forms))
    for key, keys in forms.items():
        line = part.get(key)
        if not isinstance(line, Mapping) or ("is" in keys and "is" not in line):
            form = _join(f"{one} = …" for one in keys)
            yield Fault((*path, key), "helpers-form", {"form": f"{key} = {{ {form} }}"})
            continue
        yield from _faults_in_line((*path, key), line, keys)
        said = line.get("is")
        if key == "animal" and not _is_name(said):
            yield Fault((*path, key), "animal", {"most": LONGEST_NAME})
        if key == "power" and not (isinstance(said, str) and said in POWERS):
            yield Fault((*path, key), "power", {"found": shown(said), "known": _join(POWERS)})


def _faults_in_line(path: KeyPath, line: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[Fault]:
    yield from _unknown_keys(path, line, keys)
    if line.get("source") not in SOURCES:
        yield Fault(path, "source", {"known": _join(SOURCES)})


def _powers_twice(helpers: object) -> Iterator[Fault]:
    """C15: each power belongs to one helper."""
    owner: dict[str, int] = {}
    for rank in RANKS:
        part = helpers.get(str(rank)) if isinstance(helpers, Mapping) else None
        power = part.get("power") if isinstance(part, Mapping) else None
        said = power.get("is") if isinstance(power, Mapping) else None
        if isinstance(said, str) and said in POWERS and owner.setdefault(said, rank) != rank:
            yield Fault(("helpers", str(rank), "power"), "power-twice", {"power": shown(said), "rank": owner[said]})


# --- Reading -----------------------------------------------------------------------------------------------------


class LineFinder:
    """Finds the line of a key in a TOML file, which the parser does not report.

    Only the beginning of each line is looked at: ``[cards.eggs]`` or ``3 =``. So the time is linear in the length of
    the file. For keys that are written in other ways, the line of what contains them is given.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[KeyPath, int] = {}
        table: KeyPath = ()
        for number, line in enumerate(text.splitlines(), start=1):
            if heading := HEADING.match(line):
                table = _keys(heading[1])
                self._note(table, number)
            elif key := KEY.match(line):
                self._note(table + _keys(key[1]), number)

    def _note(self, path: KeyPath, line: int) -> None:
        for end in range(1, len(path) + 1):
            self._lines.setdefault(path[:end], line)

    def find(self, path: KeyPath) -> int:
        """The line of this key or, if it is not found, of what contains it."""
        return next((self._lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self._lines), 1)


def _keys(dotted: str) -> KeyPath:
    return tuple(key.strip(" \t\"'") for key in dotted.split("."))


def check(text: str) -> list[BadDeck]:
    """All errors of a deck file, by line; empty if it is valid."""
    if len(text) > LONGEST_FILE:
        return [_bad_deck("too-long", {"most": LONGEST_FILE}, 1 + text.count("\n", 0, LONGEST_FILE))]
    if text.count("\n") > MOST_LINES:
        return [_bad_deck("too-many-lines", {"most": MOST_LINES}, MOST_LINES + 1)]
    try:
        data = tomllib.loads(text)
    except NOT_TOML as error:
        return [_not_toml(text, error)]
    faults = list(islice(faults_in(data), MOST_FAULTS))
    if not faults and data["name"] == "reconstructed" and _build(data).cards != _our_cards():
        faults = [Fault(("name",), "name-ours", {"name": shown(data["name"])})]
    if not faults:
        return []
    lines = LineFinder(text)
    found = [_bad_deck(fault.kind, fault.values, lines.find(fault.path)) for fault in faults]
    return sorted(found, key=lambda fault: fault.line)


def _bad_deck(kind: str, values: Mapping[str, str | int], line: int) -> BadDeck:
    sentence, rule = FAULTS[kind]
    return BadDeck(sentence.format_map(values), rule, line, kind, values)


def _not_toml(text: str, error: Exception) -> BadDeck:
    """Take the line from the parser's message; without one, the error is at the end of the file."""
    sentence, _, where = str(error).partition(" (at ")
    number = where.removeprefix("line ").partition(",")[0]
    line = int(number) if number.isdecimal() else len(text.splitlines())
    return _bad_deck("not-toml", {"why": sentence[:1].lower() + sentence[1:]}, max(1, line))


@cache
def _our_cards() -> tuple[int, ...]:
    return _build(tomllib.loads(standard_text())).cards


def _build(data: Mapping[str, Any]) -> Deck:
    """The deck of a valid file."""
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
    """Read a deck from the text of a file; raises BadDeck with the first error, and all errors in ``faults``."""
    if faults := check(text):
        faults[0].faults = tuple(faults)
        raise faults[0]
    return _build(tomllib.loads(text))


def read_text(path: Path) -> str:
    """Read the text of a deck file; raises BadDeck."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise BadDeck(f"The deck {path} can not be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise BadDeck(f"The deck {path} is not UTF-8 text.") from None


def load(path: Path) -> Deck:
    """Read a deck file; raises BadDeck with the first error."""
    return parse(read_text(path))


def standard_text() -> str:
    """The text of the standard deck, as a template."""
    return resources.files(__package__).joinpath("deck.toml").read_text(encoding="utf-8")


def describe(deck: Deck) -> str:
    """A valid deck in one line, with the number of cards from each source."""
    counts = Counter(deck.source_of(card) for card in deck.cards)
    known = ", ".join(f"{counts[source]} {source}" for source in SOURCES if counts[source])
    return f"sound: {deck.name}, {len(deck.cards)} cards ({known}), {len(deck.helpers)} helpers"


def from_header(header: Mapping[str, Any]) -> Deck:
    """The deck of a record, as far as its header says; raises BadRecord."""
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
