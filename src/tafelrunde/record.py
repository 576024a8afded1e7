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
    """A header and the entries in the order in which things happened."""

    header: dict[str, Any]
    entries: list[Entry]

    def lines(self) -> Iterator[str]:
        """The record, line by line, without line ends."""
        yield to_line(self.header)
        yield from map(to_line, self.entries)

    def text(self) -> str:
        """The record as a text."""
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
    """The first line of a record; a table that proves its shuffles says under ``fairness`` by what."""
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
    """Read one line; raises BadRecord for everything that is not a JSON object in UTF-8."""
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_refuse_twice)
    except UnicodeDecodeError:
        raise BadRecord("This is not UTF-8 text.") from None
    except (ValueError, RecursionError):
        cut = "" if line.endswith(b"\n") else " It looks cut off."
        raise BadRecord(f"This is not a line of JSON.{cut}") from None
    if not isinstance(value, dict):
        raise BadRecord("Every line of a record is a JSON object.")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _refuse_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a key that stands twice readers would take one or the other, and replay different games."""
    read = dict(pairs)
    if len(read) < len(pairs):
        raise BadRecord("A key stands twice in this line.")
    return read


def read_lines(source: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a record with their numbers, from 1; BadRecord names the line at fault."""
    for number, line in enumerate(source, start=1):
        try:
            yield number, from_line(line)
        except BadRecord as error:
            error.line = number
            raise


def read(path: Path | str) -> Record:
    """Read a record from a file, without checking whether it holds (``tafelrunde.verify`` does that)."""
    with Path(path).open("rb") as file:
        lines = [entry for _, entry in read_lines(file)]
    if not lines:
        raise BadRecord("The record is empty.", line=1)
    return Record(lines[0], lines[1:])
