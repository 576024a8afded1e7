"""The game record (``.tafel``): one game as JSON Lines that anybody can read, replay and check. See docs/record.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tafelrunde.errors import BadRecord
from tafelrunde.games.contract import Deck, Entry, GameSpec

FORMAT = 1
SUFFIX = ".tafel"


@dataclass(frozen=True)
class Record:
    """One game: a header, and the entries in the order in which they happened."""

    header: dict[str, Any]
    entries: list[Entry]

    def lines(self) -> Iterator[str]:
        """The lines of the file, without newlines."""
        yield to_line(self.header)
        yield from map(to_line, self.entries)

    def text(self) -> str:
        """The text of the file."""
        return "".join(line + "\n" for line in self.lines())

    def write(self, path: Path | str) -> None:
        """Write the record to a file."""
        Path(path).write_text(self.text(), encoding="utf-8", newline="\n")


def header_of(
    spec: GameSpec,
    names: Sequence[str],
    options: Mapping[str, object],
    deck: Deck | None,
    fairness: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The first line of a record; ``fairness`` is for tables that prove their shuffles."""
    header: dict[str, Any] = {
        "tafelrunde": FORMAT,
        "game": spec.id,
        "rules": spec.rules.VERSION,
        "seats": list(names),
        "options": dict(options),
    }
    if deck is not None:
        header |= deck.header()
    if fairness is not None:
        header["fairness"] = dict(fairness)
    return header


def to_line(entry: Mapping[str, Any]) -> str:
    """One entry as compact JSON."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def from_line(line: bytes) -> dict[str, Any]:
    """Parse one line; raises BadRecord for anything but a JSON object in UTF-8."""
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates)
    except UnicodeDecodeError:
        raise BadRecord("This is not UTF-8 text.") from None
    except (ValueError, RecursionError):
        cut = "" if line.endswith(b"\n") else " It looks cut off."
        raise BadRecord(f"This is not a line of JSON.{cut}") from None
    if not isinstance(value, dict):
        raise BadRecord("Every line of a record is a JSON object.")
    return value


def _refuse_constant(name: str) -> None:
    """NaN and Infinity are not JSON, though Python reads them."""
    raise ValueError(name)


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse duplicate keys: some readers take the first one and some the last, and would replay different games."""
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise BadRecord("A key stands twice in this line.")
    return unique


def read_lines(source: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Parse the lines of a record and number them from 1; BadRecord names the wrong line."""
    for number, line in enumerate(source, start=1):
        try:
            yield number, from_line(line)
        except BadRecord as error:
            error.line = number
            raise


def read(path: Path | str) -> Record:
    """Read a record from a file without checking it against the rules; ``tafelrunde.verify`` does that."""
    with Path(path).open("rb") as file:
        lines = [entry for _, entry in read_lines(file)]
    if not lines:
        raise BadRecord("The record is empty.", line=1)
    return Record(lines[0], lines[1:])
