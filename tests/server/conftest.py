from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.running import RunningServer


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., RunningServer]]:
    """Start servers with settings of one's own; they are stopped when the test ends."""
    running: list[RunningServer] = []

    def start(db: Path | str | None = None, **settings: str) -> RunningServer:
        running.append(RunningServer(db or tmp_path / "tables.db", **settings))
        return running[-1]

    yield start
    for server in running:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One server for all tests that need nothing special."""
    running = RunningServer(tmp_path_factory.mktemp("server") / "tables.db")
    yield running
    running.kill()
