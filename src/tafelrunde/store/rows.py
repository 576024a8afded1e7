"""The rows that are written to a store and read from it."""

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
    """May it be listed for everybody?"""


class Write(NamedTuple):
    """One new line of one table's log, and what changes with it.

    ``head`` and ``listed`` are None if they do not change. ``game`` is added, or replaces the row with the same number.
    """

    table: int
    number: int
    body: str
    head: str | None = None
    listed: bool | None = None
    game: GameRow | None = None


class Epoch(NamedTuple):
    """A period of the store, see ``schema.EPOCHS``; names are random, since numbers repeat after a restored backup."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class RecentRow:
    """A finished public game, and the table at which it was played, as it is now."""

    code: str
    head: str
    game: int
    result: str
    ended: int


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table without its log; ``number`` is the line that last changed ``head``, 0 if none has."""

    id: int
    code: str
    head: str
    number: int
    touched: int
