"""Waiting for what others are about to do: the only place where tests pause, and where they give up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

PATIENCE_S = 240.0
"""Give up on a single step after so long without progress: far more than it takes on a machine with much else to do."""
POLL_S = 0.005


def eventually(holds: Callable[[], object], progress: Callable[[], Any] = lambda: None) -> None:
    """Wait for what another thread or process is about to do; as long as ``progress`` changes nobody gives up."""
    for _ in _polls(holds, progress):
        time.sleep(POLL_S)


async def until(holds: Callable[[], object], progress: Callable[[], Any] = lambda: None, pause: float = POLL_S) -> None:
    """The same for tasks; without a pause it also works in a time that jumps (``tests/server/timeless.py``)."""
    for _ in _polls(holds, progress):
        await asyncio.sleep(pause)


def _polls(holds: Callable[[], object], progress: Callable[[], Any]) -> Iterator[None]:
    seen, since = progress(), time.monotonic()
    while not holds():
        if (now := progress()) != seen:
            seen, since = now, time.monotonic()
        if time.monotonic() - since > PATIENCE_S:
            raise TimeoutError(f"nothing has happened for {PATIENCE_S:.0f} seconds")
        yield
