"""A store in a SQLite file, for one process.

Measured with 100 tables, no other page size or checkpoint interval is faster than SQLite's defaults. Lines are stored
in the order in which they are written, with an index: ordered by table, each line of a batch would change another page.
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

from tafelrunde.store.batch import INSERT_LINES, UPDATE_TABLES, UPSERT_GAMES, Batch, Conflict
from tafelrunde.store.errors import StoreError
from tafelrunde.store.schema import begin_epoch, upgrade
from tafelrunde.store.store import OnAnnouncement, OnLines, Rows, Store

OLDEST_SQLITE = (3, 38, 0)  # the first with the operator ->>
DIALECT = {"id": "INTEGER PRIMARY KEY AUTOINCREMENT"}
CONFLICTS = {"SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_FOREIGNKEY"}

# A view into which a whole batch is inserted as one row, so that a single statement writes and commits all of it.
BATCH_VIEW = "CREATE TEMP VIEW batch (lines, changes, games, now) AS SELECT NULL, NULL, NULL, NULL"
BATCH_TRIGGER = """
    CREATE TEMP TRIGGER write_batch INSTEAD OF INSERT ON batch BEGIN
        {lines};
        {changes};
        {games};
    END
"""


def batch_trigger(epoch: int) -> str:
    """The trigger that writes a batch; the epoch does not change while the file is open."""
    return BATCH_TRIGGER.format(
        lines=INSERT_LINES.format(rows="json_each(NEW.lines)", epoch=epoch),
        changes=UPDATE_TABLES.format(rows="json_each(NEW.changes)", now="NEW.now"),
        games=UPSERT_GAMES.format(rows="json_each(NEW.games)"),
    )


class SqliteStore(Store):
    """A store in a file, which no other process can open at the same time."""

    ROWS = "json_each(?)"

    def __init__(self, path: Path) -> None:
        super().__init__()
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise StoreError(f"SQLite 3.38 or newer is needed, this Python has {sqlite3.sqlite_version}.")
        self._path = path.resolve()
        self._write_lock = Lock()
        self._read_lock = Lock()
        with ExitStack() as opened, self._store_errors():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            opened.callback(os.close, self._lock_file())
            # Created here, because SQLite would make it readable for everybody.
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            self._writer = opened.enter_context(closing(self._connect()))
            self.epoch = self._prepare()
            self._reader = opened.enter_context(closing(self._connect()))
            self._reader.execute("PRAGMA query_only = ON")
            self._opened = opened.pop_all()

    def announce(self, message: str) -> None:
        """Do nothing: there is no other process."""

    def listen(self, on_lines: OnLines, on_announcement: OnAnnouncement | None = None) -> None:
        """Do nothing: no other process can write to this file."""

    def close(self) -> None:
        """Close the file and release its lock."""
        with self._write_lock, self._read_lock, self._store_errors():
            self._opened.close()

    def _read(self, columns: str, rest: str, values: tuple[object, ...]) -> Rows:
        # All rows as one JSON text, for the same reason as in batch.py.
        query = f"SELECT json_group_array(json_array({columns})) FROM (SELECT {columns} {rest})"  # noqa: S608 - made from constants
        with self._read_lock, self._store_errors():
            [[text]] = self._reader.execute(query, values).fetchall()
        return [tuple(row) for row in json.loads(text)]

    def _change(self, statement: str, values: tuple[object, ...]) -> tuple[Rows, int]:
        with self._write_lock, self._store_errors():
            cursor = self._writer.execute(statement, values)
            return cursor.fetchall(), cursor.rowcount

    def _write_batch(self, batch: Batch, now: int) -> None:
        with self._write_lock, self._store_errors():
            try:
                self._writer.execute(
                    "INSERT INTO batch VALUES (?, ?, ?, ?)", (batch.lines, batch.changes, batch.games, now)
                )
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorname in CONFLICTS:
                    raise Conflict from error
                raise

    def _lock_file(self) -> int:
        """Lock the file beside the store; the kernel releases the lock when this process ends, however it ends."""
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
        """Prepare the connection for writing: commits wait for the disk, the schema is upgraded, an epoch begins.

        Returns the name of the epoch. Each opening begins a new one, because nobody else can have the file open.
        """

        def execute(statement: str, *values: object) -> Rows:
            return self._writer.execute(statement, values).fetchall()

        self._writer.execute("PRAGMA journal_mode = WAL")
        self._writer.execute("PRAGMA synchronous = FULL")
        self._writer.execute("BEGIN IMMEDIATE")
        upgrade(execute, DIALECT)
        epoch = begin_epoch(execute)
        self._writer.execute("COMMIT")
        self._writer.execute(BATCH_VIEW)
        self._writer.execute(batch_trigger(epoch.number))
        return epoch.name

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        """Turn errors of SQLite and the system into a StoreError."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"The store {self._path} can not be used: {error}.") from error
