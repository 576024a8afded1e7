from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.server.running import RunningServer
from tests.waiting import PATIENCE_S


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
            server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """One server for all tests that need nothing special."""
    running = RunningServer(tmp_path_factory.mktemp("server") / "tables.db")
    yield running
    running.stop()


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A browser that only notes what it was to show; gives where to read that."""
    note = tmp_path / "note"
    os.mkfifo(note)
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > {note}\n', encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.delenv("CI", raising=False)
    reading = os.open(note, os.O_RDONLY | os.O_NONBLOCK)
    yield reading
    os.close(reading)


def read_note(reading: int) -> str:
    assert select.select([reading], [], [], PATIENCE_S)[0], "no browser was started"
    return os.read(reading, 1000).decode().strip()
