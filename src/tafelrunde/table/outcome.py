"""What a command has brought about, ready to be stored and sent."""

from __future__ import annotations

from dataclasses import dataclass, field

from tafelrunde.table.log import LogLine


@dataclass(frozen=True, slots=True)
class Match:
    """One game at a table: which lines of the log hold it, its header and, once it is over, its result as JSON."""

    number: int
    """Which game at this table, from 1."""
    first: int
    header: str
    last: int | None = None
    result: str | None = None
    ended: int | None = None
    """In milliseconds since 1970."""
    public: bool = False
    """May everybody see it?"""


@dataclass(slots=True)
class Outcome:
    """New lines, what else changes with them, and what only the caller may know."""

    number: int
    """The line that answers the command. If it is not among ``lines``, it was written before."""
    lines: list[LogLine] = field(default_factory=list)
    seat: int | None = None
    secret: str | None = None
    """A token or pass, for the caller only."""
    head: str | None = None
    """The head of the table after the last line, as JSON; None: unchanged."""
    listed: bool | None = None
    """Is the table shown in the lobby from now on? None: unchanged."""
    match: Match | None = None
    """A game that began or ended with these lines."""
