"""What goes into a store and comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class GameRow:
    """One game of a table: the lines of the log that hold it, its header and, when it is over, its result.

    ``ended`` is in milliseconds since 1970, like all times of a store.
    """

    game: int
    first: int
    header: str
    last: int | None = None
    result: str | None = None
    ended: int | None = None
    public: bool = False
    """May everybody be told of it?"""


class Write(NamedTuple):
    """One new line of one table's log, and what changes with it.

    ``head`` and ``listed`` are None where they stay as they are. ``game`` is put in the place of the row with the same
    number, or added.
    """

    table: int
    number: int
    body: str
    head: str | None = None
    listed: bool | None = None
    game: GameRow | None = None


class Epoch(NamedTuple):
    """A life of the store: epochs are numbered, and their names are random, since numbers come again after a backup."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class RecentRow:
    """A finished game that everybody may be told of, and the table at which it was played, as it is now."""

    code: str
    head: str
    game: int
    result: str
    ended: int


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table without its log; ``number`` is the line that last changed ``head``, 0 as long as none has."""

    id: int
    code: str
    head: str
    number: int
    touched: int
