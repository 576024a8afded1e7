"""What benches of the server share: programs in processes of their own, each on its core, and figures about them."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

PATIENCE_S = 60
UNLIMITED = (
    "--creates-per-minute", "--joins-per-minute", "--lookups-per-minute", "--commands-per-second",
    "--connections-per-address", "--lines-per-hour",
)  # fmt: skip


def cores() -> tuple[int, int]:
    """One for the server, one for the clients; the same if there is only one."""
    listed = sorted(os.sched_getaffinity(0))
    return listed[0], listed[-1]


def allow_many_files() -> int:
    """Each connection is an open file, of which systems allow few unless they are asked; gives how many."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


class Running:
    """A program that listens, and what it costs."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port

    def memory(self) -> int:
        """Bytes that it occupies."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def seconds(self) -> float:
        """How long it has worked, over all its threads."""
        words = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Program(Running):
    """A server that we start, in a process of its own."""

    def __init__(self, command: Sequence[str], port: int, core: int) -> None:
        self.port = port
        self._command = command
        self._core = core
        self.start()

    def start(self) -> None:
        """Start it, perhaps again; returns when it listens."""
        with contextlib.ExitStack() as pinned:
            pinned.callback(os.sched_setaffinity, 0, os.sched_getaffinity(0))
            os.sched_setaffinity(0, {self._core})  # a process begins on the core of whoever starts it
            self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        self.pid = self._process.pid
        self._wait_until_it_listens()

    def _wait_until_it_listens(self) -> None:
        latest = time.monotonic() + PATIENCE_S
        while time.monotonic() < latest and self._process.poll() is None:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            time.sleep(0.05)
        self.end()
        raise SystemExit("The server has not come up.")

    def kill(self) -> None:
        """Like a power cut for the process."""
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        """Stop it."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE_S)
        self._process.kill()


def free_port() -> int:
    """A port that nobody listens at, and none that systems give to clients: so it stays free between two starts."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def start_server(folder: Path, core: int) -> Program:
    """Our server, which would else not let one address do so much."""
    port = free_port()
    limits = [word for flag in UNLIMITED for word in (flag, "1000000")]
    command = [sys.executable, "-m", "tafelrunde", "serve", "--port", str(port), "--db", str(folder / "load.db")]
    return Program([*command, "--log-level", "warning", *limits], port, core)


def start_relay(file: str, core: int) -> Program:
    """A bare relay."""
    port = free_port()
    return Program([sys.executable, str(Path(__file__).with_name("relays") / file), str(port)], port, core)


def syncs(folder: Path, seconds: float) -> list[float]:
    """How long the disk takes to make a small piece of work durable: a server that keeps its word waits for it."""
    times = []
    begun = time.perf_counter()
    with (folder / "sync").open("wb", buffering=0) as file:
        while time.perf_counter() - begun < seconds:
            before = time.perf_counter()
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - before)
    return times


def quantile(times: Sequence[float], share: float) -> float:
    """In milliseconds."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000 if times else float("nan")
