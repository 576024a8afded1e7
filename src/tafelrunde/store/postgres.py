"""A store in PostgreSQL, for any number of processes."""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from threading import Event, Thread
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from tafelrunde.store.batch import INSERT_LINES, UPDATE_TABLES, UPSERT_GAMES, Batch, Conflict
from tafelrunde.store.errors import StoreError
from tafelrunde.store.rows import Epoch
from tafelrunde.store.schema import begin_epoch, current_epoch, upgrade
from tafelrunde.store.store import OnAnnouncement, OnLines, Rows, Store

Connection = psycopg.Connection[tuple[Any, ...]]

DIALECT = {"id": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"}
UPGRADE_LOCK = 0x7461_6665_6C72  # any number, as long as all processes use the same
OPEN_LOCK = UPGRADE_LOCK + 1  # held by every process that has the database open
HOLD_OPEN = f"SELECT pg_advisory_lock_shared({OPEN_LOCK})"
WAIT_FOR_DISK = "SET synchronous_commit = on"
WRITER_SESSION = f"{WAIT_FOR_DISK}; {HOLD_OPEN}"
LINES_CHANNEL = "tafelrunde"
ANNOUNCEMENTS_CHANNEL = "tafelrunde_aside"
LISTEN = f"LISTEN {LINES_CHANNEL}; LISTEN {ANNOUNCEMENTS_CHANNEL}"
MAX_NOTIFICATION = 7000  # bytes; PostgreSQL takes less than 8000
POLL_S = 0.5  # how often a listener checks whether its store has been closed
LISTENER_RETRY_S = 1.0
CONNECTION_TIMEOUT_S = 3.0  # how long a call waits for a connection while the database is away

# With these a dead server or network is noticed within a minute, even if nothing is sent.
CONNECTION_OPTIONS: dict[str, str | int] = {
    "client_encoding": "UTF8",
    "fallback_application_name": "tafelrunde",
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
# PostgreSQL ends a deadlock of two processes that write to the same tables with an error for one of them. The other one
# has then written first, so it is a conflict like the others.
CONFLICTS = (
    psycopg.errors.UniqueViolation,
    psycopg.errors.ForeignKeyViolation,
    psycopg.errors.DeadlockDetected,
)


def _rows(parameter: str) -> str:
    return f"json_array_elements(CAST(%({parameter})s AS json))"


# One statement, so that a batch takes one round trip to the server.
_WRITE_ALL = """
    WITH written AS ({lines}), changed AS ({changes}), played AS ({games})
    SELECT pg_notify(%(channel)s, value) FROM json_array_elements_text(CAST(%(notifications)s AS json))
"""
WRITE_BATCH = _WRITE_ALL.format(
    lines=INSERT_LINES.format(rows=_rows("lines"), epoch="CAST(%(epoch)s AS INTEGER)"),
    changes=UPDATE_TABLES.format(rows=_rows("changes"), now="CAST(%(now)s AS BIGINT)"),
    games=UPSERT_GAMES.format(rows=_rows("games")),
)


class PostgresStore(Store):
    """A store that processes share; each is notified of what the others write.

    There is one connection for writing and one for reading, each in a pool of its own: the pool checks a connection
    before it is used and replaces a lost one. More connections for writing would only conflict with each other.
    """

    ROWS = "json_array_elements(CAST(? AS json))"
    shared = True

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._process = secrets.token_hex(8)  # tells our own notifications from those of others
        self._closed = Event()
        self._listeners: list[Thread] = []
        with closing(_connect(url)) as connection, ExitStack() as pools, _store_errors():
            self._epoch = _prepare(connection)
            self.epoch = self._epoch.name
            # From here on there is always a connection that holds OPEN_LOCK: this one until the writer has it too.
            self._writer = pools.enter_context(_pool(url, "writer", WRITER_SESSION))
            self._reader = pools.enter_context(_pool(url, "reader"))
            self._writer.wait(CONNECTION_TIMEOUT_S)
            self._reader.wait(CONNECTION_TIMEOUT_S)
            self._pools = pools.pop_all()

    def announce(self, message: str) -> None:
        """Send a message to the other processes."""
        with _store_errors(), self._reader.connection() as connection:
            connection.execute("SELECT pg_notify(%s, %s)", (ANNOUNCEMENTS_CHANNEL, f"{self._process} {message}"))

    def listen(self, on_lines: OnLines, on_announcement: OnAnnouncement | None = None) -> None:
        """Start to listen: nothing that is written from now on is missed."""
        connection = _connect(self._url, LISTEN)
        arguments = (connection, on_lines, on_announcement)
        thread = Thread(target=self._listen, args=arguments, name="store-listener", daemon=True)
        self._listeners.append(thread)
        thread.start()

    def close(self) -> None:
        """Close all connections and end the listeners."""
        self._closed.set()
        for thread in self._listeners:
            thread.join()
        self._pools.close()

    def _read(self, columns: str, rest: str, values: tuple[object, ...]) -> Rows:
        with _store_errors(), self._reader.connection() as connection:
            return _run(connection, f"SELECT {columns} {rest}", values)[0]

    def _change(self, statement: str, values: tuple[object, ...]) -> tuple[Rows, int]:
        with _store_errors(), self._writer.connection() as connection:
            return _run(connection, statement, values)

    def _write_batch(self, batch: Batch, now: int) -> None:
        values = {
            "lines": batch.lines,
            "changes": batch.changes,
            "games": batch.games,
            "now": now,
            "epoch": self._epoch.number,
            "channel": LINES_CHANNEL,
            "notifications": json.dumps(notifications_for(self._process, batch.last)),
        }
        with _store_errors():
            try:
                with self._writer.connection() as connection:
                    connection.execute(WRITE_BATCH, values)
            except CONFLICTS as error:
                raise Conflict from error

    def _listen(self, connection: Connection | None, on_lines: OnLines, on_announcement: OnAnnouncement | None) -> None:
        """Pass notifications on until the store is closed; connect again whenever the connection is lost."""
        while connection is not None:
            with closing(connection), suppress(psycopg.OperationalError):
                self._pass_on(connection, on_lines, on_announcement)
            connection = self._reconnect_listener()
            if connection is not None:
                on_lines([])

    def _reconnect_listener(self) -> Connection | None:
        """Try until there is a connection again; None when the store has been closed."""
        while not self._closed.wait(LISTENER_RETRY_S):
            with suppress(StoreError):
                return _connect(self._url, LISTEN)
        return None

    def _pass_on(self, connection: Connection, on_lines: OnLines, on_announcement: OnAnnouncement | None) -> None:
        while not self._closed.is_set():
            for notification in connection.notifies(timeout=POLL_S):
                process, _, rest = notification.payload.partition(" ")
                if process == self._process:
                    continue
                if notification.channel == LINES_CHANNEL:
                    pairs = (pair.split(":") for pair in rest.split())
                    on_lines([(int(table), int(number)) for table, number in pairs])
                elif on_announcement is not None:
                    on_announcement(process, rest)


def notifications_for(process: str, last: Mapping[int, int]) -> list[str]:
    """What other processes are told: who writes, then tables with their last numbers, split by what fits into one."""
    notifications = [process]
    for table, number in last.items():
        pair = f" {table}:{number}"
        if len(notifications[-1]) + len(pair) > MAX_NOTIFICATION:
            notifications.append(process)
        notifications[-1] += pair
    return notifications


def _prepare(connection: Connection) -> Epoch:
    """Upgrade the schema and begin or join an epoch; the connection then holds OPEN_LOCK.

    Processes that start together do this one after the other. The first begins an epoch, the others join it: as long as
    one process has the database open, nobody can have replaced it by a backup. Each process holds OPEN_LOCK as a shared
    lock, so that a process that can take it exclusively is the only one.
    """

    def execute(statement: str, *values: object) -> Rows:
        return _run(connection, statement, values)[0]

    with connection.transaction():
        execute("SELECT pg_advisory_xact_lock(?)", UPGRADE_LOCK)
        upgrade(execute, DIALECT)
        [(alone,)] = execute("SELECT pg_try_advisory_xact_lock(?)", OPEN_LOCK)
        epoch = begin_epoch(execute) if alone else current_epoch(execute)
        execute(HOLD_OPEN)
        return epoch


def _pool(url: str, name: str, session: str = "") -> ConnectionPool[Connection]:
    """A pool of one connection; ``session`` is run on every new connection.

    A connection lives as long as the store: replacing it would give up OPEN_LOCK for a moment. The pool stops trying to
    reconnect when the call that waits gives up, so that the next call tries at once and not after a growing delay.
    """

    def configure(connection: Connection) -> None:
        connection.execute(session)

    return ConnectionPool(
        make_conninfo(url, **CONNECTION_OPTIONS),
        kwargs={"autocommit": True},
        min_size=1,
        max_size=1,
        name=name,
        open=False,
        configure=configure,
        check=ConnectionPool.check_connection,
        timeout=CONNECTION_TIMEOUT_S,
        reconnect_timeout=CONNECTION_TIMEOUT_S,
        max_lifetime=math.inf,
        num_workers=1,
    )


def _run(connection: Connection, statement: str, values: tuple[object, ...]) -> tuple[Rows, int]:
    """Run one of the statements that both databases understand."""
    cursor = connection.execute(statement.replace("?", "%s"), values)
    return cursor.fetchall() if cursor.description else [], cursor.rowcount


def _connect(url: str, session: str = "") -> Connection:
    """Open a connection outside the pools and run ``session`` on it."""
    try:
        connection = psycopg.connect(make_conninfo(url, **CONNECTION_OPTIONS), autocommit=True)
    except psycopg.ProgrammingError:  # its message could show the password
        raise StoreError("The address of the database is not a PostgreSQL URL.") from None
    except psycopg.Error as error:
        raise StoreError(f"PostgreSQL can not be reached: {_message(error)}.") from error
    try:
        with _store_errors():
            connection.execute(session)
    except StoreError:
        connection.close()
        raise
    return connection


@contextmanager
def _store_errors() -> Iterator[None]:
    """Turn errors of PostgreSQL and of the pools into a StoreError."""
    try:
        yield
    except PoolClosed:
        raise StoreError("The store has been closed.") from None
    except PoolTimeout as error:
        raise StoreError(f"PostgreSQL can not be reached: {_message(error)}.") from error
    except psycopg.Error as error:
        raise StoreError(f"PostgreSQL says: {_message(error)}.") from error


def _message(error: psycopg.Error) -> str:
    return " ".join(str(error).split()).rstrip(".")
