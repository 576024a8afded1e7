"""What is tested: one server on a SQLite file, or two on a PostgreSQL database, each behind a line that can be cut."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests.chaos.client import Address
from tests.chaos.faults import Faults
from tests.chaos.proxy import Proxy
from tests.postgres import Cluster, program, running
from tests.server.running import RunningServer
from tests.waiting import until

TROUBLE = {
    "writing failed", "a table can not be loaded", "other processes can not be told", "old tables can not be deleted",
    "the store does not answer",
}  # fmt: skip
"""What a server may say when its disk is full or its database is gone, at no other time, and without a traceback."""
MOST_SHOWN = 300
"""So much of a line of a log is shown."""
ESCAPED, NEW_LINE = "\\n", "\n    "
NUMBERS = """
    SELECT code, coalesce((SELECT max(lines.number) FROM lines WHERE table_id = tables.id), 0) FROM tables
"""

Kept = dict[str, list[tuple[int, str]]]
"""The lines of each table in the store."""


class Server(RunningServer):
    """A server that carries faults, and whose log is read as it is written."""

    def __init__(self, name: str, db: Path | str, faults: Faults, wrong: list[str]) -> None:
        self.environment = faults.environment
        self.name = name
        self.faults = faults
        self._troubled: set[int] = set()
        """The processes whose disk or database was in trouble."""
        self._wrong = wrong
        super().__init__(db, hello_s="30")

    @property
    def address(self) -> Address:
        parts = urlsplit(self.url)
        return str(parts.hostname), int(parts.port or 0)

    @property
    def runs(self) -> bool:
        return self.process.poll() is None

    def start(self) -> None:
        self.faults.clear()
        super().start()

    def trouble(self) -> None:
        """From now on this process may say that its store does not work."""
        self._troubled.add(self.process.pid)

    def _drain(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        with process.stderr as lines:
            for line in lines:
                self.log.append(line)
                self._judge(line, process.pid in self._troubled)

    def _judge(self, line: str, troubled: bool) -> None:
        """Does the log tell of a fault of ours?"""
        try:
            told: dict[str, Any] = json.loads(line)
        except ValueError:
            if "Traceback" in line:
                self._wrong.append(f"log: {self.name} says {line.rstrip()}")
            return
        event = told.get("event")
        if told.get("level") not in ("error", "critical") and "error" not in told:
            return
        if event in TROUBLE and troubled and "error" not in told and "not what the rules say" not in line:
            return
        self._wrong.append(f"log: {self.name} says {line.rstrip().replace(ESCAPED, NEW_LINE)[:2000]}")


class House(ABC):
    """Servers, the lines to them, and their store."""

    kind = ""
    names: tuple[str, ...] = ()
    on_disk = False
    """Do the servers themselves write to files?"""

    def __init__(self, folder: Path, library: Path, dice: random.Random) -> None:
        self.folder = folder
        self.dice = dice
        self.wrong: list[str] = []
        self.servers: list[Server] = []
        self.proxies = [Proxy(dice) for _ in self.names]
        (folder / "data").mkdir()
        self.faults = [Faults(library, folder / "data", folder / f"faults-{name}") for name in self.names]
        self._backups = 0

    async def open(self) -> None:
        """Start everything; returns when all servers answer."""
        db = await asyncio.to_thread(self._make_database)
        starts = (
            asyncio.to_thread(Server, f"{self.kind} {name}", db, faults, self.wrong)
            for name, faults in zip(self.names, self.faults, strict=True)
        )
        self.servers = await asyncio.gather(*starts)
        for proxy, server in zip(self.proxies, self.servers, strict=True):
            await proxy.start()
            proxy.upstream = server.address

    async def close(self) -> None:
        """Stop whatever still runs; leaves nothing behind but the folder."""
        for proxy in self.proxies:
            await proxy.stop()
        for server in self.servers:
            if server.runs:
                await asyncio.to_thread(server.kill)
        await asyncio.to_thread(self._close_database)
        for faults in self.faults:
            faults.close()

    @property
    def addresses(self) -> list[Address]:
        """Where guests find the servers."""
        return [proxy.address for proxy in self.proxies]

    async def kill(self, *servers: Server) -> None:
        for server in servers:
            server.process.kill()
        for server in servers:
            await asyncio.to_thread(server.kill)

    async def stop(self, *servers: Server) -> None:
        """Stop in an orderly way, which has to succeed."""
        for server in servers:
            status = await asyncio.to_thread(server.stop)
            if status != 0:
                self.wrong.append(f"stop: {server.name} ended with status {status} when it was asked to stop")

    async def start(self, *servers: Server) -> None:
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
        for server in servers:
            server.faults.clear()

    async def ends_by_itself(self, server: Server) -> bool:
        """Wait until a fault has killed the server."""
        await until(lambda: not server.runs)
        await asyncio.to_thread(server.kill)
        return True

    def new_backup(self) -> Path:
        self._backups += 1
        return self.folder / f"backup-{self._backups}"

    @abstractmethod
    def _make_database(self) -> Path | str:
        """Create the database; gives what servers are told about it."""

    @abstractmethod
    def _close_database(self) -> None:
        """Stop what ``_make_database`` has started."""

    @abstractmethod
    def back_up(self, into: Path) -> None:
        """Copy the store while servers run."""

    @abstractmethod
    def restore(self, backup: Path) -> None:
        """Put a copy in the place of the store; no server runs."""

    @abstractmethod
    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask the store itself; no server runs."""

    def numbers(self) -> dict[str, int]:
        """The last line of each table."""
        return dict(self.query(NUMBERS))  # type: ignore[arg-type]

    def kept(self) -> Kept:
        """All lines of all tables."""
        lines: Kept = {code: [] for (code,) in self.query("SELECT code FROM tables")}
        rows = "SELECT code, lines.number, body FROM lines JOIN tables ON tables.id = table_id ORDER BY table_id, 2"
        for code, number, body in self.query(rows):
            lines[code].append((number, body))
        return lines

    def games(self) -> Mapping[str, str]:
        """Which game is played at each table."""
        return {code: json.loads(head)["view"]["game"] for code, head in self.query("SELECT code, head FROM tables")}


class SqliteHouse(House):
    """One server and one file."""

    kind = "sqlite"
    names = ("server",)
    on_disk = True

    @property
    def path(self) -> Path:
        return self.folder / "data" / "tables.db"

    def _make_database(self) -> Path:
        return self.path

    def _close_database(self) -> None:
        pass  # it is only a file

    def back_up(self, into: Path) -> None:
        with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(into)) as copy:
            source.backup(copy)

    def restore(self, backup: Path) -> None:
        for end in ("", "-wal", "-shm"):
            Path(f"{self.path}{end}").unlink(missing_ok=True)
        self.path.write_bytes(backup.read_bytes())

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.path)) as db:
            return db.execute(statement).fetchall()


class PostgresHouse(House):
    """Two servers and a database."""

    kind = "postgres"
    names = ("one", "other")

    def _make_database(self) -> str:
        self._stack = ExitStack()
        self.cluster: Cluster = self._stack.enter_context(running())
        self.url = self.cluster.database()
        return self.url

    def _close_database(self) -> None:
        self._stack.close()

    @property
    def database(self) -> str:
        return urlsplit(self.url).path[1:]

    def back_up(self, into: Path) -> None:
        self._run("pg_dump", "--format=custom", f"--file={into}", self.url)

    def restore(self, backup: Path) -> None:
        with psycopg.connect(self.cluster.url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {self.database} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {self.database}")
        self._run("pg_restore", "--no-owner", f"--dbname={self.url}", str(backup))

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as connection:
            return connection.execute(statement.encode()).fetchall()

    def kill_database(self, hard: bool) -> None:
        """Stop it at once, so that it has to recover when it starts; or in an orderly way."""
        if hard:
            pid = int((self.cluster.folder / "data" / "postmaster.pid").read_text().split()[0])
            os.kill(pid, signal.SIGQUIT)
        self.cluster.stop()

    def start_database(self) -> None:
        self.cluster.start()

    def _run(self, name: str, *words: str) -> None:
        beside = Path(program("initdb")).with_name(name)  # what Debian has in the PATH is a wrapper of another version
        done = subprocess.run([beside, *words], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{name} failed: {done.stderr}")


HOUSES: Mapping[str, type[House]] = {house.kind: house for house in (SqliteHouse, PostgresHouse)}


def log_tails(servers: Iterable[Server], most: int = 15) -> str:
    """The last lines of each server's log."""
    parts = []
    for server in servers:
        tail = deque(list(server.log), maxlen=most)
        parts += [f"--- log of {server.name}", *(line.rstrip()[:MOST_SHOWN] for line in tail)]
    return "\n".join(parts)
