"""A store in memory, for tests that are not about stores."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from threading import RLock

from tafelrunde.store import Store
from tafelrunde.store.sqlite import SqliteStore


class MemoryStore(SqliteStore):
    """The SQLite store without a file, on one connection: a second one would have a memory of its own."""

    def __init__(self, epoch: str | None = None) -> None:
        """``epoch`` is its name where two stores have to look the same."""
        Store.__init__(self)
        self._path = Path(":memory:")
        self._read_lock = self._write_lock = RLock()  # type: ignore[assignment]
        self._reader = self._writer = self._connect()
        self.epoch = self._prepare()
        if epoch is not None:
            self._change("UPDATE epochs SET name = ?", (epoch,))
            self.epoch = epoch
        self._opened = ExitStack()
        self._opened.callback(self._writer.close)

    def __del__(self) -> None:
        self._writer.close()

    def dump(self) -> str:
        """Everything that is stored, as text."""
        return "\n".join(self._writer.iterdump())

    def replace_line(self, table: int, number: int, body: str) -> None:
        """Change a line that has been written, which a store never does."""
        self._change("UPDATE lines SET body = ? WHERE table_id = ? AND number = ?", (body, table, number))
