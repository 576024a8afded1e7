"""The last lines of a table, kept in memory for clients that reconnect after a short break."""

from __future__ import annotations

from collections.abc import Iterator

from tafelrunde.server.table_store import StoredLine

MOST_LINES = 256
MOST_CHARACTERS = 4000
"""The cache holds no more than these; older lines are read from the store."""


class RecentLines:
    """A cache of the end of the log, without gaps."""

    __slots__ = ("_lines", "_size")

    def __init__(self) -> None:
        self._lines: list[StoredLine] = []
        self._size = 0

    def __iter__(self) -> Iterator[StoredLine]:
        return iter(self._lines)

    def append(self, line: StoredLine, keep_long: bool) -> None:
        """Add the next line and drop old ones; ``keep_long`` suspends the limit of characters."""
        self._lines.append(line)
        self._size += len(line[1])
        while len(self._lines) > MOST_LINES or (
            not keep_long and len(self._lines) > 1 and self._size > MOST_CHARACTERS
        ):
            self._size -= len(self._lines.pop(0)[1])

    @property
    def first(self) -> int | None:
        """The number of the oldest line here."""
        return self._lines[0][0] if self._lines else None

    def continuing(self, lines: list[StoredLine]) -> list[StoredLine]:
        """Older lines, followed by those that are here."""
        last = lines[-1][0] if lines else 0
        return [*lines, *(line for line in self._lines if line[0] > last)]
