"""A store in a SQLite file, for one process.

Measured with 100 tables, SQLite's own page size of 4096 and checkpoints every 1000 pages are as good as any. Lines are
kept in the order in which they come, with an index: in the order of tables, every line would touch a page of its own.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import Lock

from tafelrunde.store.batch import CHANGE_TABLES, INSERT_LINES, PUT_GAMES, Batch, Clash
from tafelrunde.store.errors import StoreError
from tafelrunde.store.schema import begin_epoch, upgrade
from tafelrunde.store.store import Hear, Overhear, Rows, Store

OLDEST = (3, 38, 0)  # the first with the operator ->>
WORDS = {"id": "INTEGER PRIMARY KEY AUTOINCREMENT"}
CLASHES = {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_FOREIGNKEY"}

# A view that takes a whole batch as one row, so that a single step of SQLite writes all of it, commit included.
BATCH_VIEW = "CREATE TEMP VIEW batch (lines, changes, games, now) AS SELECT NULL, NULL, NULL, NULL"
BATCH_TRIGGER = """
    CREATE TEMP TRIGGER land INSTEAD OF INSERT ON batch BEGIN
        {lines};
        {changes};
        {games};
    END
"""


def batch_trigger(epoch: int) -> str:
    """What happens to a batch; the epoch stays the same as long as the file is open."""
    return BATCH_TRIGGER.format(
        lines=INSERT_LINES.format(rows="json_each(NEW.lines)", epoch=epoch),
        changes=CHANGE_TABLES.format(rows="json_each(NEW.changes)", now="NEW.now"),
        games=PUT_GAMES.format(rows="json_each(NEW.games)"),
    )


class SqliteStore(Store):
    """A store in a file that no other process can open meanwhile."""

    ROWS = "json_each(?)"

    def __init__(self, path: Path) -> None:
        super().__init__()
        if sqlite3.sqlite_version_info < OLDEST:
            raise StoreError(f"SQLite 3.38 or newer is needed, this Python has {sqlite3.sqlite_version}.")
        self._path = path.resolve()
        self._write_lock = Lock()
        self._read_lock = Lock()
        with ExitStack() as opened, self._telling():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            opened.callback(os.close, self._lock_file())
            # Made by us, because SQLite would let everybody read it.
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            self._writer = opened.enter_context(closing(self._connect()))
            self.epoch = self._prepare()
            self._reader = opened.enter_context(closing(self._connect()))
            self._reader.execute("PRAGMA query_only = ON")
            self._opened = opened.pop_all()

    def announce(self, note: str) -> None:
        """Tell nobody: there is no other process."""

    def listen(self, hear: Hear, overhear: Overhear | None = None) -> None:
        """Never call: no other process can write to this file."""

    def close(self) -> None:
        """Close the file and let others open it."""
        with self._write_lock, self._read_lock, self._telling():
            self._opened.close()

    def _read(self, columns: str, rest: str, values: tuple[object, ...]) -> Rows:
        # All rows as one, for the same reason for which they are written as one.
        query = f"SELECT json_group_array(json_array({columns})) FROM (SELECT {columns} {rest})"  # noqa: S608 - our words
        with self._read_lock, self._telling():
            [[text]] = self._reader.execute(query, values).fetchall()
        return [tuple(row) for row in json.loads(text)]

    def _change(self, statement: str, values: tuple[object, ...]) -> tuple[Rows, int]:
        with self._write_lock, self._telling():
            cursor = self._writer.execute(statement, values)
            return cursor.fetchall(), cursor.rowcount

    def _land(self, batch: Batch, now: int) -> None:
        with self._write_lock, self._telling():
            try:
                self._writer.execute(
                    "INSERT INTO batch VALUES (?, ?, ?, ?)", (batch.lines, batch.changes, batch.games, now)
                )
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorname in CLASHES:
                    raise Clash from error
                raise

    def _lock_file(self) -> int:
        """Take the lock beside the file; the kernel gives it back when this process ends, however it ends."""
        lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise StoreError(f"The store {self._path} is in use by another process.") from None
        return lock

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    def _prepare(self) -> str:
        """Make the writing connection ready: every commit reaches the disk, the schema is up to date, an epoch begins.

        Gives the name of the epoch. It begins with every opening: nobody else can have the file open.
        """

        def execute(statement: str, *values: object) -> Rows:
            return self._writer.execute(statement, values).fetchall()

        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute("PRAGMA synchronous = FULL")
        self._writer.execute("BEGIN IMMEDIATE")
        upgrade(execute, WORDS)
        epoch = begin_epoch(execute)
        self._writer.execute("COMMIT")
        self._writer.execute(BATCH_VIEW)
        self._writer.execute(batch_trigger(epoch.number))
        return epoch.name

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Turn what SQLite or the system says into a sentence."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"The store {self._path} can not be used: {error}.") from error
