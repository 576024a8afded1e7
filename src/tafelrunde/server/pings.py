"""Asks every connection whether somebody is there, each at its own time.

One timer for all of them: a timer for each would cost more memory than anything else that a quiet connection has.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tafelrunde.server.socket import Connection

TICK_S = 0.05
"""What is due within so short a time is asked together."""


class Pings:
    """Those who will be asked after the same time, in the order in which they are due."""

    def __init__(self, loop: asyncio.AbstractEventLoop, every_s: float) -> None:
        self._loop = loop
        self._every_s = every_s
        self._due: deque[tuple[float, Connection]] = deque()
        self._runs = False

    def later(self, connection: Connection) -> None:
        """Let this connection ask once the time is over."""
        self._due.append((self._loop.time() + self._every_s, connection))
        if not self._runs:
            self._runs = True
            self._loop.call_later(self._every_s, self._run)

    def _run(self) -> None:
        now = self._loop.time()
        while self._due and self._due[0][0] <= now:
            self._due.popleft()[1].ping()
        self._runs = bool(self._due)
        if self._runs:
            self._loop.call_later(max(TICK_S, self._due[0][0] - now), self._run)
