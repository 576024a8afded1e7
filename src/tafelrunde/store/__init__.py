"""The durable log of game tables, in a SQLite file or in PostgreSQL.

>>> import tempfile
>>> folder = tempfile.TemporaryDirectory()
>>> store = open_store(f"{folder.name}/tafelrunde.db")
>>> table = store.create("KESO-TANI", head="{}", listed=True, now=0)
>>> store.append([Write(table, 1, '{"seat":0,"sits":"Ada"}'), Write(table, 2, '{"seat":1,"sits":"Bo"}')], now=1)
set()
>>> store.lines(table, after=1)
[(2, '{"seat":1,"sits":"Bo"}')]
>>> store.close(); folder.cleanup()
"""

from __future__ import annotations

from pathlib import Path

from tafelrunde.store.errors import CodeTaken, StoreError
from tafelrunde.store.rows import GameRow, RecentRow, StoredTable, Write
from tafelrunde.store.sqlite import SqliteStore
from tafelrunde.store.store import Store

__all__ = ["CodeTaken", "GameRow", "RecentRow", "Store", "StoreError", "StoredTable", "Write", "open_store"]


def open_store(url: str) -> Store:
    """Open the store at a path, ``sqlite:///path`` or ``postgresql://…``, and bring its schema up to date."""
    if url.startswith(("postgresql://", "postgres://")):
        from tafelrunde.store.postgres import (
            PostgresStore,
        )  # imported only if it is used: the driver takes a while to load

        return PostgresStore(url)
    path = url.removeprefix("sqlite:///")
    if "://" in path or not path:
        raise StoreError("A store is a path, sqlite:///path or postgresql://…")
    return SqliteStore(Path(path))
