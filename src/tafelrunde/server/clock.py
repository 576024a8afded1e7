"""The server's clock."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Milliseconds since 1970."""


def steady_clock() -> Clock:
    """The time of day when it is created, and steady from then on: it does not jump when the system time is set."""
    offset = time.time_ns() - time.monotonic_ns()
    return lambda: (time.monotonic_ns() + offset) // 1_000_000
