"""A store in PostgreSQL, for any number of processes."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from select import POLLIN, poll
from threading import Event, Lock, Thread
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from tafelrunde.store.batch import CHANGE_TABLES, INSERT_LINES, PUT_GAMES, Batch, Clash
from tafelrunde.store.errors import StoreError
from tafelrunde.store.rows import Epoch
from tafelrunde.store.schema import begin_epoch, current_epoch, upgrade
from tafelrunde.store.store import Hear, Overhear, Rows, Store

Connection = psycopg.Connection[tuple[Any, ...]]

WORDS = {"id": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"}
UPGRADE_LOCK = 0x7461_6665_6C72  # any number, as long as all processes take the same
OPEN_LOCK = UPGRADE_LOCK + 1  # held by every process that has the database open
HOLD_OPEN = f"SELECT pg_advisory_lock_shared({OPEN_LOCK})"
KEEP = "SET synchronous_commit = on"  # what is written waits for the disk
CHANNEL = "tafelrunde"
ASIDE = "tafelrunde_aside"  # what is announced and not kept
LISTEN = f"LISTEN {CHANNEL}; LISTEN {ASIDE}"
LONGEST_NOTE = 7000  # bytes; PostgreSQL takes less than 8000
LOOK_UP = 0.5  # seconds after which a listener sees that its store has been closed
TRY_AGAIN = 1.0  # seconds between attempts of a listener to get a lost connection back

# A dead server or line is noticed within a minute, however quiet it is.
SETTINGS: dict[str, str | int] = {
    "client_encoding": "UTF8",
    "fallback_application_name": "tafelrunde",
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
# A deadlock of two processes that write to the same tables ends with an error for one of them, who has lost by then.
CLASHES = (
    psycopg.errors.UniqueViolation,
    psycopg.errors.ForeignKeyViolation,
    psycopg.errors.DeadlockDetected,
)


def _rows(parameter: str) -> str:
    return f"json_array_elements(CAST(%({parameter})s AS json))"


# A single statement, so that a batch is one message to the server and one back.
LAND_ALL = """
    WITH written AS ({lines}), changed AS ({changes}), played AS ({games})
    SELECT pg_notify(%(channel)s, value) FROM json_array_elements_text(CAST(%(notes)s AS json))
"""
LAND = LAND_ALL.format(
    lines=INSERT_LINES.format(rows=_rows("lines"), epoch="CAST(%(epoch)s AS INTEGER)"),
    changes=CHANGE_TABLES.format(rows=_rows("changes"), now="CAST(%(now)s AS BIGINT)"),
    games=PUT_GAMES.format(rows=_rows("games")),
)


class PostgresStore(Store):
    """A store that processes share; each hears of what the others write."""

    ROWS = "json_array_elements(CAST(? AS json))"
    shared = True

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._process = secrets.token_hex(8)  # marks our own notes
        self._writer = Link(url)
        self._reader = Link(url)
        self._closed = Event()
        self._listeners: list[Thread] = []
        try:
            self._epoch = self._upgrade()
        except StoreError:
            self.close()
            raise
        self.epoch = self._epoch.name
        self._writer.first = f"{KEEP}; {HOLD_OPEN}"

    def announce(self, note: str) -> None:
        """Tell the other processes."""
        with self._reader.held() as connection:
            connection.execute("SELECT pg_notify(%s, %s)", (ASIDE, f"{self._process} {note}"))

    def listen(self, hear: Hear, overhear: Overhear | None = None) -> None:
        """Begin to listen; what is written from now on will be heard."""
        connection = _connect(self._url, LISTEN)
        thread = Thread(target=self._listen, args=(connection, hear, overhear), name="store-listener", daemon=True)
        self._listeners.append(thread)
        thread.start()

    def close(self) -> None:
        """Close all connections and end the listeners."""
        self._closed.set()
        for thread in self._listeners:
            thread.join()
        self._writer.close()
        self._reader.close()

    def _upgrade(self) -> Epoch:
        """Bring the schema up to date; processes that start together do it one after the other.

        The first process begins an epoch, others join it: as long as one has the database open, nobody can have put a
        backup in its place. Each holds a shared lock, so that none can take it alone while another lives.
        """
        with self._writer.held() as connection, connection.transaction():

            def execute(statement: str, *values: object) -> Rows:
                return _run(connection, statement, values)[0]

            execute("SELECT pg_advisory_xact_lock(?)", UPGRADE_LOCK)
            upgrade(execute, WORDS)
            [(alone,)] = execute("SELECT pg_try_advisory_xact_lock(?)", OPEN_LOCK)
            epoch = begin_epoch(execute) if alone else current_epoch(execute)
            execute(HOLD_OPEN)
            return epoch

    def _read(self, columns: str, rest: str, values: tuple[object, ...]) -> Rows:
        with self._reader.held() as connection:
            return _run(connection, f"SELECT {columns} {rest}", values)[0]

    def _change(self, statement: str, values: tuple[object, ...]) -> tuple[Rows, int]:
        with self._writer.held() as connection:
            return _run(connection, statement, values)

    def _land(self, batch: Batch, now: int) -> None:
        values = {
            "lines": batch.lines,
            "changes": batch.changes,
            "games": batch.games,
            "now": now,
            "epoch": self._epoch.number,
            "channel": CHANNEL,
            "notes": json.dumps(notes_of(self._process, batch.last)),
        }
        with self._writer.held() as connection:
            try:
                connection.execute(LAND, values)
            except CLASHES as error:
                raise Clash from error

    def _listen(self, connection: Connection | None, hear: Hear, overhear: Overhear | None) -> None:
        """Pass on what is heard until the store is closed, and begin anew whenever the connection is lost."""
        while connection is not None:
            with closing(connection), suppress(psycopg.OperationalError):
                self._pass_on(connection, hear, overhear)
            connection = self._listen_again()
            if connection is not None:
                hear([])

    def _listen_again(self) -> Connection | None:
        """Get a lost connection back; None when the store has been closed."""
        while not self._closed.wait(TRY_AGAIN):
            with suppress(StoreError):
                return _connect(self._url, LISTEN)
        return None

    def _pass_on(self, connection: Connection, hear: Hear, overhear: Overhear | None) -> None:
        while not self._closed.is_set():
            for note in connection.notifies(timeout=LOOK_UP):
                process, _, rest = note.payload.partition(" ")
                if process == self._process:
                    continue
                if note.channel == CHANNEL:
                    pairs = (pair.split(":") for pair in rest.split())
                    hear([(int(table), int(number)) for table, number in pairs])
                elif overhear is not None:
                    overhear(process, rest)


class Link:
    """A connection for one thread at a time, made when it is needed, and anew when it has been lost."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.first = KEEP
        """What a new connection runs first."""
        self._lock = Lock()
        self._connection: Connection | None = None
        self._closed = False

    @contextmanager
    def held(self) -> Iterator[Connection]:
        """Hold the connection; what PostgreSQL says against a statement becomes a StoreError."""
        with self._lock:
            if self._closed:
                raise StoreError("The store has been closed.")
            if self._connection is not None and _is_lost(self._connection):
                self._connection.close()
                self._connection = None
            if self._connection is None:
                self._connection = _connect(self._url, self.first)
            with _telling():
                yield self._connection

    def close(self) -> None:
        """Close the connection for good."""
        with self._lock:
            self._closed = True
            if self._connection is not None:
                self._connection.close()


def notes_of(process: str, last: Mapping[int, int]) -> list[str]:
    """What to tell other processes: who writes, then tables and their last numbers, in as many notes as it takes."""
    notes = [process]
    for table, number in last.items():
        pair = f" {table}:{number}"
        if len(notes[-1]) + len(pair) > LONGEST_NOTE:
            notes.append(process)
        notes[-1] += pair
    return notes


def _run(connection: Connection, statement: str, values: tuple[object, ...]) -> tuple[Rows, int]:
    """Run one of the statements that both databases understand."""
    cursor = connection.execute(statement.replace("?", "%s"), values)
    return cursor.fetchall() if cursor.description else [], cursor.rowcount


def _connect(url: str, first: str) -> Connection:
    """Make a connection and run the first statements on it."""
    try:
        connection = psycopg.connect(make_conninfo(url, **SETTINGS), autocommit=True)
    except psycopg.ProgrammingError:  # its words could show the password
        raise StoreError("The address of the database is not a PostgreSQL URL.") from None
    except psycopg.Error as error:
        raise StoreError(f"PostgreSQL can not be reached: {_words(error)}.") from error
    try:
        with _telling():
            connection.execute(first)
    except StoreError:
        connection.close()
        raise
    return connection


def _is_lost(connection: Connection) -> bool:
    """Whether the connection is closed, by either side: a server says nothing unasked but that it goes."""
    if connection.closed:
        return True
    socket = poll()
    socket.register(connection.fileno(), POLLIN)
    return bool(socket.poll(0))


@contextmanager
def _telling() -> Iterator[None]:
    """Turn what PostgreSQL says into a sentence."""
    try:
        yield
    except psycopg.Error as error:
        raise StoreError(f"PostgreSQL says: {_words(error)}.") from error


def _words(error: psycopg.Error) -> str:
    return " ".join(str(error).split()).rstrip(".")
