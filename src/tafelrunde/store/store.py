"""The durable log of game tables: all that a store can do, whatever database is behind it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from tafelrunde.store.batch import FIND_LOSERS, Batch, Clash, batch_of, check_text, check_writes, is_text, repeated
from tafelrunde.store.errors import CodeTaken
from tafelrunde.store.rows import GameRow, RecentRow, StoredTable, Write

TOUCH_EVERY = 60_000  # milliseconds
MOST_TOUCHED = 100_000

Hear = Callable[[list[tuple[int, int]]], None]
Overhear = Callable[[str, str], None]
Rows = list[tuple[Any, ...]]

NO_LIMIT = 2**62
TABLE = "id, code, head, number, touched"
GAME = "game, first, header, last, result, ended, public"
RECENT = "code, head, game, result, ended"


class Store(ABC):
    """Tables, each with a log of numbered lines and a list of its games.

    All methods block and may be called from any thread. Writing and reading have a connection each, so that a reader
    never waits for the disk. Whatever goes wrong is a StoreError. Times are milliseconds since 1970.
    """

    epoch: str
    """The name of the epoch in which lines are written now: a life of the store, from one opening to the next."""
    ROWS: ClassVar[str]  # how this database reads the JSON array of a parameter as rows with a column "value"

    def __init__(self) -> None:
        self._touched: dict[int, int] = {}  # when this process has last touched a table, as far as it remembers

    def create(self, code: str, head: str, listed: bool, now: int) -> int:
        """Add a table without lines and return its id, which is never given again; raises CodeTaken."""
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
        """Ask the database for an answer, whatever it is; raises StoreError if there is none."""
        self._read("1", "", ())

    def vouches(self, table: int, number: int, epoch: str) -> bool:
        """Was the line of this number written by the end of that epoch, and is the epoch in our past?

        Whoever was told the line in that epoch then has the same lines up to it as we have. A backup that was put back
        does not know later epochs, and what was written after it belongs to an epoch of its own.
        """
        if not is_text(epoch):
            return False
        written = "EXISTS (SELECT 1 FROM lines WHERE table_id = ? AND lines.number = ? AND epoch <= epochs.number)"
        return bool(
            self._read("number", f"FROM epochs WHERE name = ? AND (? = 0 OR {written})", (epoch, number, table, number))
        )

    def append(self, writes: Sequence[Write], now: int) -> set[int]:
        """Write all lines in one transaction, which is on the disk on return, and return the ids of tables that lost.

        A table loses when one of its numbers is taken by another writer, or when the table is gone: then none of its
        writes happen, those of the other tables do. Lines of a table that has lost and still wait for the next
        call are void too; it is the caller who has to drop them and to load the table anew.

        After a StoreError either all of it has happened or nothing, and only loading the tables tells: the connection
        may have been lost between the commit and the answer. The next call makes a new connection.

        A table is touched when its head or its listing changes, and otherwise once a minute.
        """
        check_writes(writes)
        lost: set[int] = set()
        due = self._due(writes, now)
        while kept := [write for write in writes if write.table not in lost]:
            batch = batch_of(kept, due)
            try:
                self._land(batch, now)
            except Clash:
                # What stood in the way can be seen by now; after a deadlock perhaps not yet, then the next round waits.
                rows, _ = self._change(FIND_LOSERS.format(rows=self.ROWS), (batch.lines,))
                lost |= {table for (table,) in rows} | repeated(kept)
            else:
                break
        return lost

    def _due(self, writes: Sequence[Write], now: int) -> set[int]:
        """The tables that are to be touched again; a table need not be touched with every line."""
        tables = {write.table for write in writes}
        due = {table for table in tables if now - self._touched.get(table, -TOUCH_EVERY) >= TOUCH_EVERY}
        if len(self._touched) > MOST_TOUCHED:
            self._touched.clear()
        self._touched |= dict.fromkeys(due, now)
        return due

    def listed(self, limit: int) -> list[StoredTable]:
        """Return the tables to be shown in the lobby, the last touched first."""
        rows = self._read(TABLE, "FROM tables WHERE listed ORDER BY touched DESC, id DESC LIMIT ?", (limit,))
        return [StoredTable(*row) for row in rows]

    def games(self, table: int) -> list[GameRow]:
        """Return the games of a table in order."""
        rows = self._read(GAME, "FROM games WHERE table_id = ? ORDER BY game", (table,))
        return [GameRow(*row) for row in rows]

    def recent(self, before: int, limit: int) -> list[RecentRow]:
        """Return public games that ended before that time, the latest first; more than ``limit`` only if the last ones
        ended at the same time, so that ``before`` never parts them."""
        public = "FROM games JOIN tables ON tables.id = games.table_id WHERE public AND ended < ?"
        last = "SELECT ended FROM games WHERE public AND ended < ? ORDER BY ended DESC LIMIT 1 OFFSET ?"
        rest = f"{public} AND ended >= coalesce(({last}), 0) ORDER BY ended DESC, games.table_id, game DESC"
        return [RecentRow(*row) for row in self._read(RECENT, rest, (before, before, limit - 1))]

    def prune(self, before: int) -> int:
        """Delete the tables last touched before that time, with all they have, and return how many."""
        _, count = self._change("DELETE FROM tables WHERE touched < ?", (before,))
        return count

    shared = False
    """Can other processes use the store at the same time?"""

    @abstractmethod
    def announce(self, note: str) -> None:
        """Tell other processes something that is not kept; a note has less than 7000 bytes."""

    @abstractmethod
    def listen(self, hear: Hear, overhear: Overhear | None = None) -> None:
        """Tell ``hear``, from a thread of its own, of tables other processes have written to and their last number.

        An empty list says that the connection was lost for a while: anything may have been missed. ``overhear`` gets
        what other processes announce: a name for the process, and the note. A store that only one process can open
        never calls.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the database; a closed store can not be used again."""

    @abstractmethod
    def _read(self, columns: str, rest: str, values: tuple[object, ...]) -> Rows:
        """Return the rows of ``SELECT columns rest``."""

    @abstractmethod
    def _change(self, statement: str, values: tuple[object, ...]) -> tuple[Rows, int]:
        """Run a statement on the connection for writing; return its rows, and how many it has changed."""

    @abstractmethod
    def _land(self, batch: Batch, now: int) -> None:
        """Write a batch in one transaction; raises Clash."""
