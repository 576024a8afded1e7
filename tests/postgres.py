"""A PostgreSQL server of our own for the tests: in a temporary folder, reached through a socket file only."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.waiting import PATIENCE_S, eventually

# The shell waits until nobody holds the other end of its input any more, be it that the tests have let go or were
# killed. So no server outlives them.
KEEPER = '"$@" & read -r _; kill -INT $!; wait $!'


def program(name: str) -> str:
    """Find a program of PostgreSQL; Debian keeps some of them out of the PATH."""
    found = [shutil.which(name), *sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), reverse=True)]
    for path in filter(None, found):
        return str(Path(path).resolve())
    raise FileNotFoundError(f"The tests of the store need PostgreSQL, and there is no {name}: apt install postgresql")


def beside_initdb(name: str) -> str:
    """Find a program of the same version; what Debian has in the PATH under its name would choose one by itself."""
    return str(Path(program("initdb")).with_name(name))


def owner() -> str | None:
    """PostgreSQL refuses to be run by root: then it is run by the user that its package has brought."""
    return "postgres" if os.geteuid() == 0 else None


class Cluster:
    """A running server; each call of ``database`` makes a new empty database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names = map("test{}".format, itertools.count(1))
        init = [program("initdb"), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run([*init, "-D", folder / "data"], user=owner(), cwd=folder, check=True, capture_output=True)
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def start(self) -> None:
        # Nothing here has to survive a power cut, so the disk need not be waited for.
        server = [program("postgres"), "-D", self.folder / "data", "-k", self.folder, "-h", "", "-c", "fsync=off"]
        with (self.folder / "log").open("ab") as log:
            self._keeper = subprocess.Popen(
                ["/bin/sh", "-c", KEEPER, "keeper", *server],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                user=owner(),
                cwd=self.folder,
                start_new_session=True,
            )
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        try:
            eventually(self._is_ready, progress=(self.folder / "log").read_text)
        except TimeoutError as error:
            error.add_note((self.folder / "log").read_text())
            raise

    def _is_ready(self) -> bool:
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        assert self._keeper.stdin is not None
        self._keeper.stdin.close()
        self._keeper.wait(PATIENCE_S)

    def database(self) -> str:
        name = next(self._names)
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def cut_off(self, url: str) -> None:
        """Break all connections to a database, as a bad network would."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            # It waits until they have ended, a minute at most.
            query = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s"
            assert all(ended for (ended,) in connection.execute(query, (name_in(url),)))

    def back_up(self, url: str) -> Callable[[], None]:
        """Dump a database while it is in use; what this gives puts the dump in its place."""
        dump = self.folder / f"{name_in(url)}.dump"
        subprocess.run([beside_initdb("pg_dump"), "-Fc", "-f", dump, url], check=True)

        def restore() -> None:
            with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
                connection.execute(f"DROP DATABASE {name_in(url)} WITH (FORCE)")
                connection.execute(f"CREATE DATABASE {name_in(url)}")
            subprocess.run([beside_initdb("pg_restore"), "-d", url, dump], check=True)

        return restore


def name_in(url: str) -> str:
    """The name of the database that a URL leads to."""
    return url.partition("///")[2].partition("?")[0]


@contextmanager
def running() -> Iterator[Cluster]:
    """Run a server until the end of the block, and leave nothing behind."""
    program("initdb")
    folder = Path(tempfile.mkdtemp(prefix="tafelrunde-", dir="/tmp"))  # the path of a socket has to be short
    try:
        if owner():
            account = pwd.getpwnam("postgres")
            os.chown(folder, account.pw_uid, account.pw_gid)
        cluster = Cluster(folder)
        try:
            yield cluster
        finally:
            cluster.stop()
    finally:
        shutil.rmtree(folder)
