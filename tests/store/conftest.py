"""Stores to test, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tafelrunde.store import Store, open_store
from tests.postgres import Cluster

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


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of either kind; the server is started when the first test needs it."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    database: str = request.getfixturevalue("cluster").database()
    return database


@pytest.fixture
def store(url: str, opened: Open) -> Store:
    return opened(url)


@pytest.fixture
def postgres_url(cluster: Cluster) -> str:
    return cluster.database()
