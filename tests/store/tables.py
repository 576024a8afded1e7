"""Small helpers for tests of a store."""

from __future__ import annotations

import time
from collections.abc import Callable

from tafelrunde.store import Store, Write


def table_in(store: Store, code: str = "KESO", head: str = "{}", listed: bool = True, now: int = 0) -> int:
    return store.create(code, head, listed, now)


def run_of(table: int, first: int, last: int, mark: str = "") -> list[Write]:
    """Lines of one table with a text that tells them apart."""
    return [Write(table, number, f"{mark}{number}") for number in range(first, last + 1)]


def eventually(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for what another thread or process is about to do."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it has not happened"
        time.sleep(0.01)
