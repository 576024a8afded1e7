"""The durable log of game tables: the interface of all stores, and what they have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from tafelrunde.store.batch import (
    FIND_CONFLICTS,
    Batch,
    Conflict,
    check_text,
    check_writes,
    is_text,
    make_batch,
    repeated,
)
from tafelrunde.store.errors import CodeTaken
from tafelrunde.store.rows import GameRow, RecentRow, StoredTable, Write

TOUCH_INTERVAL_MS = 60_000
MAX_TOUCHED = 100_000

OnLines = Callable[[list[tuple[int, int]]], None]
"""Called with tables and their last numbers."""
OnAnnouncement = Callable[[str, str], None]
"""Called with the name of a process and its message."""
Rows = list[tuple[Any, ...]]

NO_LIMIT = 2**62
TABLE = "id, code, head, number, touched"
GAME = "game, first, header, last, result, ended, public"
RECENT = "code, head, game, result, ended"


class Store(ABC):
    """Tables, each with a log of numbered lines and a list of its games.

    All methods block and may be called from any thread. Writing and reading have a connection each, so that a reader
    never waits for the disk. All errors are StoreErrors. Times are milliseconds since 1970.
    """

    epoch: str
    """The name of the epoch in which lines are written now, see ``schema.EPOCHS``."""
    ROWS: ClassVar[str]  # how this database reads the JSON array of a parameter as rows with a column "value"

    def __init__(self) -> None:
        self._touched: dict[int, int] = {}  # when this process last updated the time of a table

    def create(self, code: str, head: str, listed: bool, now: int) -> int:
        """Add a table without lines and return its id, which is never reused; raises CodeTaken."""
        check_text(code)
        check_text(head)
        rows, _ = self._change(
            "INSERT INTO tables (code, head, number, listed, touched) VALUES (?, ?, 0, ?, ?) "
            "ON CONFLICT (code) DO NOTHING RETURNING id",
            (code, head, listed, now),
        )
        if not rows:
            raise CodeTaken(f"There is a table {code} already.")
        table = int(rows[0][0])
        self._touched[table] = now
        return table

    def find(self, code: str) -> StoredTable | None:
        """Return the table of this code."""
        if not is_text(code):
            return None
        rows = self._read(TABLE, "FROM tables WHERE code = ?", (code,))
        return StoredTable(*rows[0]) if rows else None

    def load(self, table: int) -> StoredTable | None:
        """Return the table of this id."""
        rows = self._read(TABLE, "FROM tables WHERE id = ?", (table,))
        return StoredTable(*rows[0]) if rows else None

    def lines(self, table: int, after: int, limit: int | None = None) -> list[tuple[int, str]]:
        """Return the lines with a number above ``after`` in order, the first ``limit`` of them if given."""
        rest = "FROM lines WHERE table_id = ? AND number > ? ORDER BY number LIMIT ?"
        rows = self._read("number, body", rest, (table, after, NO_LIMIT if limit is None else limit))
        return [(number, body) for number, body in rows]

    def between(self, table: int, first: int, last: int) -> list[tuple[int, str]]:
        """Return the lines from ``first`` to ``last`` in order, both included."""
        rest = "FROM lines WHERE table_id = ? AND number BETWEEN ? AND ? ORDER BY number"
        return [(number, body) for number, body in self._read("number, body", rest, (table, first, last))]

    def check(self) -> None:
        """Check that the database answers; raises StoreError if it does not."""
        self._read("1", "", ())

    def shares_history(self, table: int, number: int, epoch: str) -> bool:
        """Does a client that was sent this line in that epoch have the same lines up to it as the store?

        It does if the store knows the epoch and had the line by the end of it. A restored backup does not know later
        epochs, and what is written after it belongs to a new epoch.
        """
        if not is_text(epoch):
            return False
        written = "EXISTS (SELECT 1 FROM lines WHERE table_id = ? AND lines.number = ? AND epoch <= epochs.number)"
        return bool(
            self._read("number", f"FROM epochs WHERE name = ? AND (? = 0 OR {written})", (epoch, number, table, number))
        )

    def append(self, writes: Sequence[Write], now: int) -> set[int]:
        """Write all lines in one transaction, which is on the disk on return; return the ids of tables that lost.

        A table loses if another writer has used one of its numbers, or if the table is gone: then none of its writes
        happen, while those of the other tables do. The caller has to drop lines of such a table that wait for the next
        call, and to load the table again.

        After a StoreError either everything was written or nothing, and only loading the tables tells which: the
        connection may have been lost between the commit and the answer. The next call makes a new connection.

        The time of a table's last use is updated when its head or its listing changes, and otherwise once a minute.
        """
        check_writes(writes)
        lost: set[int] = set()
        due = self._due(writes, now)
        while kept := [write for write in writes if write.table not in lost]:
            batch = make_batch(kept, due)
            try:
                self._write_batch(batch, now)
            except Conflict:
                # The conflicting lines are visible now; after a deadlock perhaps not yet, then the next attempt waits.
                rows, _ = self._change(FIND_CONFLICTS.format(rows=self.ROWS), (batch.lines,))
                lost |= {table for (table,) in rows} | repeated(kept)
            else:
                break
        return lost

    def _due(self, writes: Sequence[Write], now: int) -> set[int]:
        """The tables whose time of last use has to be updated: not with every line."""
        tables = {write.table for write in writes}
        due = {table for table in tables if now - self._touched.get(table, -TOUCH_INTERVAL_MS) >= TOUCH_INTERVAL_MS}
        if len(self._touched) > MAX_TOUCHED:
            self._touched.clear()
        self._touched |= dict.fromkeys(due, now)
        return due

    def listed(self, limit: int) -> list[StoredTable]:
        """Return the tables to be shown in the lobby, the last used first."""
        rows = self._read(TABLE, "FROM tables WHERE listed ORDER BY touched DESC, id DESC LIMIT ?", (limit,))
        return [StoredTable(*row) for row in rows]

    def games(self, table: int) -> list[GameRow]:
        """Return the games of a table in order."""
        rows = self._read(GAME, "FROM games WHERE table_id = ? ORDER BY game", (table,))
        return [GameRow(*row) for row in rows]

    def recent(self, before: int, limit: int) -> list[RecentRow]:
        """Return public games that ended before that time, the latest first; more than ``limit`` only if the last ones
        ended at the same time, so that ``before`` never splits them."""
        public = "FROM games JOIN tables ON tables.id = games.table_id WHERE public AND ended < ?"
        last = "SELECT ended FROM games WHERE public AND ended < ? ORDER BY ended DESC LIMIT 1 OFFSET ?"
        rest = f"{public} AND ended >= coalesce(({last}), 0) ORDER BY ended DESC, games.table_id, game DESC"
        return [RecentRow(*row) for row in self._read(RECENT, rest, (before, before, limit - 1))]

    def prune(self, before: int) -> int:
        """Delete the tables last used before that time, with their lines and games, and return how many."""
        _, count = self._change("DELETE FROM tables WHERE touched < ?", (before,))
        return count

    shared = False
    """Can other processes use the store at the same time?"""

    @abstractmethod
    def announce(self, message: str) -> None:
        """Send a message of less than 7000 bytes to the other processes; it is not stored."""

    @abstractmethod
    def listen(self, on_lines: OnLines, on_announcement: OnAnnouncement | None = None) -> None:
        """Call ``on_lines``, from a thread of its own, when other processes have written to tables.

        An empty list means that the connection was lost for a while: anything may have been missed. ``on_announcement``
        is called with what other processes announce. A store that only one process can open never calls either.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the database; a closed store can not be used again."""

    @abstractmethod
    def _read(self, columns: str, rest: str, values: tuple[object, ...]) -> Rows:
        """Return the rows of ``SELECT columns rest``."""

    @abstractmethod
    def _change(self, statement: str, values: tuple[object, ...]) -> tuple[Rows, int]:
        """Run a statement on the connection for writing; return its rows and how many it changed."""

    @abstractmethod
    def _write_batch(self, batch: Batch, now: int) -> None:
        """Write a batch in one transaction; raises Conflict."""
