"""Group commit: everything that tables write while the disk is busy goes into the next transaction together."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from typing import Literal

from tafelrunde.server import metrics
from tafelrunde.server.clock import Clock
from tafelrunde.server.logs import log
from tafelrunde.store import Store, StoreError, Write

SMALL_BATCH = 8
BATCH_DELAY_S = 0.002
"""After a larger batch, wait this long so that more lines share the next commit."""

WriteResult = Literal["durable", "lost", "unknown"]
"""``lost``: another process was first, nothing was written. ``unknown``: the store failed, and it may or may not have
been written. In both cases the table has to be reloaded."""
Done = Callable[[WriteResult], None]
Batch = list[tuple[list[Write], Done]]


class Writer:
    """One thread that writes. The event loop hands it batches and learns the results in order."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._waiting: Batch = []
        self._busy = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)
        self._thread.start()

    def submit(self, writes: list[Write], done: Done) -> None:
        """Write these in one transaction; ``done`` is called on the event loop."""
        self._waiting.append((writes, done))
        if not self._busy:
            self._busy = True
            self._idle.clear()
            self._loop.call_soon(self._hand_over)  # after everything else in this iteration of the loop

    async def close(self) -> None:
        """Write what is waiting, then stop."""
        await self._idle.wait()
        self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    def _hand_over(self) -> None:
        batch, self._waiting = self._waiting, []
        if batch:
            self._batches.put(batch)
        else:
            self._busy = False
            self._idle.set()

    def _write(self) -> None:
        while (batch := self._batches.get()) is not None:
            writes = [write for group, _ in batch for write in group]
            began = time.perf_counter()
            failure: WriteResult = "lost"
            try:
                lost = self._store.append(writes, self._clock())
            except StoreError as error:
                log.error("writing failed", extra={"reason": str(error)})
                lost, failure = {write.table for write in writes}, "unknown"
            except Exception:  # whatever it is, nobody must wait forever
                log.exception("writing failed")
                lost, failure = {write.table for write in writes}, "unknown"
            metrics.COMMIT_SECONDS.observe(time.perf_counter() - began)
            metrics.BATCH_LINES.observe(len(writes))
            metrics.LINES.inc(len(writes) if not lost else sum(write.table not in lost for write in writes))
            self._loop.call_soon_threadsafe(self._settle, batch, lost, failure)

    def _settle(self, batch: Batch, lost: set[int], failure: WriteResult) -> None:
        """Report the results. Waiting lines that build on lost ones are lost too."""
        if lost:
            void = [one for one in self._waiting if one[0][0].table in lost]
            self._waiting = [one for one in self._waiting if one[0][0].table not in lost]
            batch = batch + void
        if sum(len(writes) for writes, _ in batch) <= SMALL_BATCH:
            self._hand_over()  # first, so that the disk works while we report
        else:
            self._loop.call_later(BATCH_DELAY_S, self._hand_over)
        for writes, done in batch:
            done(failure if writes[0].table in lost else "durable")
