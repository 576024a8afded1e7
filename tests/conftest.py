"""Settings for all tests."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from tafelrunde.games.compiler import COMPILED
from tests.postgres import Cluster, running
from tests.waiting import PATIENCE_S

# Plain Python runs the rules a thousand times slower: the same properties, on fewer examples.
settings.register_profile(
    "tafelrunde",
    max_examples=80 if COMPILED else 2,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("quick", settings.get_profile("tafelrunde"), max_examples=6)  # for make quick
settings.load_profile("tafelrunde")

# httpx gives up after 5 seconds unless it is told otherwise, and a busy machine may need them.
for step in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, step, PATIENCE_S)


# A shell lets what runs in its background ignore Ctrl-C, and programs that tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL for all tests that do not stop it; it is started when the first one needs it."""
    with running() as server:
        yield server


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: at any time some test waits, for a browser, a server or a clock."""
    return (os.cpu_count() or 1) + 1


# --- What a test needs ------------------------------------------------------------------------------------------------

NEEDS = {
    "chromium": "browser",
    "cluster": "postgres",
    "server": "process",
    "start_server": "process",
    "own_server": "process",
}
"""The marks that tests get by the fixtures they use, so that nobody has to remember them."""
_alone: list[str] = []
"""The test that is running now, if it may not start any program."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in NEEDS:
                item.add_marker(NEEDS[fixture])
        if "postgresql" in getattr(getattr(item, "callspec", None), "params", {}).values():
            item.add_marker("postgres")
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("property")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    """A test that starts a program says so, since ``make quick`` leaves such tests out."""
    if not any(item.get_closest_marker(mark) for mark in set(NEEDS.values())):
        _alone.append(item.nodeid)
    try:
        return (yield)
    finally:
        _alone.clear()


def _refuse_programs(event: str, args: tuple[Any, ...]) -> None:
    if event == "subprocess.Popen" and _alone:
        raise RuntimeError(f"{_alone[0]} starts {args[0]}: it needs pytest.mark.process")


sys.addaudithook(_refuse_programs)
