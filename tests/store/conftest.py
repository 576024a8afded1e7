"""Stores to test, on every database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tafelrunde.store import Store, open_store
from tests.postgres import Cluster
from tests.table.memory import MemoryStore

Open = Callable[[str], Store]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Open stores that are closed at the end of the test."""
    stores: list[Store] = []

    def open_and_keep(url: str) -> Store:
        stores.append(open_store(url))
        return stores[-1]

    yield open_and_keep
    for store in stores:
        store.close()


def new_database(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if kind == "sqlite":
        return str(tmp_path / "tables.db")
    database: str = request.getfixturevalue("cluster").database()  # started when the first test needs it
    return database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database that can be opened again."""
    return new_database(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path, opened: Open) -> Store:
    """An empty store; the one in memory is what tests of other things use."""
    if request.param == "memory":
        return MemoryStore()
    return opened(new_database(request.param, request, tmp_path))


@pytest.fixture
def postgres_url(cluster: Cluster) -> str:
    return cluster.database()
