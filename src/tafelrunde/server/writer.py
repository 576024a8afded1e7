"""Group commit: whatever tables have to write while the disk is busy goes into the next transaction together."""

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

FEW = 8
GATHER_S = 0.002
"""After a batch of more than a few lines the next ones are gathered for so long: a commit costs as many do."""

Fate = Literal["durable", "lost", "unknown"]
"""``lost``: another process was first, nothing was written; ``unknown``: the store did not say. In both cases the table
has to be loaded anew."""
Done = Callable[[Fate], None]
Batch = list[tuple[list[Write], Done]]


class Writer:
    """One thread that writes; the event loop hands it batches and is told what became of them, in order."""

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
        """Write these together; ``done`` is called on the event loop."""
        self._waiting.append((writes, done))
        if not self._busy:
            self._busy = True
            self._idle.clear()
            self._loop.call_soon(self._hand_over)  # after all that this turn of the loop still brings

    async def close(self) -> None:
        """Write what waits, then stop."""
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
            fate: Fate = "lost"
            try:
                lost = self._store.append(writes, self._clock())
            except StoreError as error:
                log.error("writing failed", extra={"reason": str(error)})
                lost, fate = {write.table for write in writes}, "unknown"
            except Exception:  # whatever it is, nobody must wait forever
                log.exception("writing failed")
                lost, fate = {write.table for write in writes}, "unknown"
            metrics.COMMIT_SECONDS.observe(time.perf_counter() - began)
            metrics.BATCH_LINES.observe(len(writes))
            metrics.LINES.inc(len(writes) if not lost else sum(write.table not in lost for write in writes))
            self._loop.call_soon_threadsafe(self._settle, batch, lost, fate)

    def _settle(self, batch: Batch, lost: set[int], fate: Fate) -> None:
        """Lines that were built upon lost ones are lost with them, also those that still wait."""
        if lost:
            void = [one for one in self._waiting if one[0][0].table in lost]
            self._waiting = [one for one in self._waiting if one[0][0].table not in lost]
            batch = batch + void
        if sum(len(writes) for writes, _ in batch) <= FEW:
            self._hand_over()  # first: the disk works while we tell
        else:
            self._loop.call_later(GATHER_S, self._hand_over)
        for writes, done in batch:
            done(fate if writes[0].table in lost else "durable")
