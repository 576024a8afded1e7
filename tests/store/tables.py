"""Small helpers for tests of a store."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tafelrunde.store import Store, Write


def table_in(store: Store, code: str = "KESO", head: str = "{}", listed: bool = True, now: int = 0) -> int:
    return store.create(code, head, listed, now)


def run_of(table: int, first: int, last: int, mark: str = "") -> list[Write]:
    """Lines of one table with a text that tells them apart."""
    return [Write(table, number, f"{mark}{number}") for number in range(first, last + 1)]


def back_up_file(path: Path) -> Callable[[], None]:
    """Copy a SQLite file while it is in use, as docs/running.md tells; what this gives puts the copy in its place."""
    copy = path.with_suffix(".backup")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)

    def restore() -> None:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        shutil.copyfile(copy, path)

    return restore
