"""Pings every connection regularly, to measure its lag and to notice when a client is gone.

Connections with the same period share one timer: a timer for each would need more memory than the rest of an idle
connection.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

PING_S = 10
"""The time between two pings of a connection …"""
FAST_PING_S = 2.5
"""… in a game in real time, where the lag has to be known …"""
FIRST_PING_S = 1
"""… and until the first one, unless in real time: after a crash all clients reconnect at once."""
TICK_S = 0.05
"""Pings that are due within this time are sent together."""


class Pinged(Protocol):
    """Whoever wants to send pings."""

    def ping(self) -> None:
        """Send one now."""


class PingQueue:
    """Connections with the same time until their next ping, in the order in which they are due."""

    def __init__(self, loop: asyncio.AbstractEventLoop, delay_s: float) -> None:
        self._loop = loop
        self._delay_s = delay_s
        self._due: deque[tuple[float, Pinged]] = deque()
        self._running = False

    def add(self, connection: Pinged) -> None:
        """Let this connection ping once, after the delay."""
        self._due.append((self._loop.time() + self._delay_s, connection))
        if not self._running:
            self._running = True
            self._loop.call_later(self._delay_s, self._run)

    def _run(self) -> None:
        now = self._loop.time()
        while self._due and self._due[0][0] <= now:
            self._due.popleft()[1].ping()
        self._running = bool(self._due)
        if self._running:
            self._loop.call_later(max(TICK_S, self._due[0][0] - now), self._run)


class Heartbeat:
    """The ping queues of a server."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.first, self.fast, self.regular = (
            PingQueue(loop, delay_s) for delay_s in (FIRST_PING_S, FAST_PING_S, PING_S)
        )
