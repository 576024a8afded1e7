"""Settings for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tafelrunde.games.compiler import COMPILED
from tests.postgres import Cluster, running

# Plain Python runs the rules a thousand times slower: the same properties, on fewer examples.
settings.register_profile(
    "tafelrunde",
    max_examples=80 if COMPILED else 6,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("tafelrunde")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL for all tests that do not stop it; it is started when the first one needs it."""
    with running() as server:
        yield server


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: at any time some test waits, for a browser, a server or a clock."""
    return (os.cpu_count() or 1) + 1
