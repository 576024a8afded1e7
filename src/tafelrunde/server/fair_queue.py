"""One piece of long work at a time. Addresses take turns, so that nobody waits for all the work of somebody else."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tafelrunde.errors import TooFast, Unavailable

MOST_EACH = 4
"""How many requests of one address may wait."""
MOST_WAITING = 64
"""How many requests may wait in all; more would wait too long."""

Result = TypeVar("Result")


class FairQueue:
    """Used on one event loop."""

    def __init__(self) -> None:
        self._busy = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """By address; the first one is next."""

    async def run(self, address: str, work: Callable[[], Awaitable[Result]]) -> Result:
        """Do this when it is the address's turn; refused if too much is waiting already."""
        await self._wait(address)
        try:
            return await work()
        finally:
            self._next()

    async def _wait(self, address: str) -> None:
        if not self._busy:
            self._busy = True
            return
        if len(self._waiting.get(address, ())) >= MOST_EACH:
            raise TooFast("You are waiting for several replays already; look at those first.")
        if sum(map(len, self._waiting.values())) >= MOST_WAITING:
            raise Unavailable("Many want to look back at games just now; try again in a moment.")
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._next()  # it had just become our turn
            raise

    def _next(self) -> None:
        """Give the turn to the address that has waited longest since its last one."""
        while self._waiting:
            address, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():  # otherwise the request was cancelled
                turn.set_result(None)
                return
        self._busy = False
