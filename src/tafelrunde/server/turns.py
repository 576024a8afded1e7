"""Long work, one piece at a time; addresses take turns, so that nobody waits for all that somebody else wants."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tafelrunde.errors import TooFast, Unavailable

MOST_EACH = 4
"""So many pieces of one address may wait."""
MOST_WAITING = 64
"""So many may wait in all; more would wait too long."""

Answer = TypeVar("Answer")


class Turns:
    """Used on one event loop."""

    def __init__(self) -> None:
        self._busy = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """By address; the first one is next."""

    async def take(self, address: str, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """Do this when it is the address's turn; refused if too much waits already."""
        await self._wait(address)
        try:
            return await work()
        finally:
            self._pass_on()

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
                self._pass_on()  # it had just become our turn
            raise

    def _pass_on(self) -> None:
        """It is the turn of the address that has waited longest since its last one."""
        while self._waiting:
            address, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[address] = turns
            if not turn.done():  # else whoever waited has gone
                turn.set_result(None)
                return
        self._busy = False
