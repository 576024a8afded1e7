"""What every part of the server needs to run: the event loop, the clock, threads and background tasks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tafelrunde import bots
from tafelrunde.games.contract import Decision, Observation
from tafelrunde.server import metrics
from tafelrunde.server.clock import Clock, steady_clock
from tafelrunde.server.logs import log
from tafelrunde.stream import Stream

Result = TypeVar("Result")


class Runtime:
    """Created and used on one event loop."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.loop = asyncio.get_running_loop()
        self.clock = clock or steady_clock()
        self.nanos = time.perf_counter_ns
        self.closing = False
        """The server is shutting down: nothing new begins."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._readers = ThreadPoolExecutor(2, "reader")
        self._thinker = ThreadPoolExecutor(1, "thinker")
        self._archivist = ThreadPoolExecutor(1, "archivist")

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a background task; exceptions are logged."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task failed", exc_info=error)

    async def read(self, query: Callable[..., Result], *args: Any) -> Result:
        """Query the store in a thread."""
        return await self.loop.run_in_executor(self._readers, query, *args)

    async def think(self, bot: bots.Bot, seen: Observation, stream: Stream) -> Decision | None:
        """Let a bot decide in a thread."""
        with metrics.BOT_SECONDS.time():
            return await self.loop.run_in_executor(self._thinker, bot, seen, stream)

    async def compute(self, work: Callable[[], Result]) -> Result:
        """Do long work in a thread of its own, so that neither the event loop nor bots wait for it."""
        return await self.loop.run_in_executor(self._archivist, work)

    def from_thread(self, callback: Callable[..., None]) -> Callable[..., None]:
        """A version of the callback that may be called from any thread; it runs on the event loop."""

        def call(*args: object) -> None:
            if not self.loop.is_closed():
                self.loop.call_soon_threadsafe(callback, *args)

        return call

    async def close(self) -> None:
        """Cancel all tasks and end all threads."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._readers.shutdown()
        self._thinker.shutdown()
        self._archivist.shutdown(cancel_futures=True)
