"""A real server in a process of its own, as users start it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping
from pathlib import Path

from tests.waiting import PATIENCE_S

GENEROUS = {
    "creates-per-minute": "1000000", "joins-per-minute": "1000000", "lookups-per-minute": "1000000",
    "connections-per-address": "100000", "lines-per-hour": "1000000000",
    "commands-per-second": "100000",
}  # fmt: skip
"""Limits that tests which are not about limits never reach."""


class RunningServer:
    """``tafelrunde serve`` on a free port; ``kill`` and ``start`` again as often as a test likes."""

    environment: Mapping[str, str] = {}
    """What it finds in its environment on top of ours."""

    def __init__(self, db: Path | str, **settings: str) -> None:
        self.db = str(db)
        self.settings = GENEROUS | {name.replace("_", "-"): value for name, value in settings.items()}
        self.log: deque[str] = deque(maxlen=500)
        self.url = ""
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, on the same port as before; returns when it answers."""
        flags = [f"--{name}={value}" if value else f"--{name}" for name, value in self.settings.items()]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tafelrunde", "serve", f"--port={self.port}", f"--db={self.db}", *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"} | self.environment,
        )
        assert self.process.stdout is not None
        threading.Thread(target=self._drain, args=(self.process,), daemon=True).start()
        said = self.process.stdout.readline()
        found = re.search(r"http://[^ ]+", said)
        assert found, f"the server did not start: {said}{''.join(self.log)}"
        self.url = found[0]
        self.port = int(self.url.rpartition(":")[2])

    def _drain(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        with process.stderr as lines:
            self.log.extend(lines)

    def kill(self) -> None:
        """Like a power cut for the process: SIGKILL."""
        self.process.kill()
        self._wait()

    def stop(self) -> int:
        """Ask it to stop, and wait; gives the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._wait()

    def _wait(self) -> int:
        assert self.process.stdout is not None
        status = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return status
