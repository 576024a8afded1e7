"""Something is wrong with the disk or the database: strangers are told no more than that, and the log tells it once."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tafelrunde.errors import Unavailable
from tafelrunde.server import metrics
from tafelrunde.server.logs import MOST_CAUSES, REPEAT_S, JsonFormatter, OncePerCause
from tafelrunde.store import StoreError
from tests.postgres import Cluster, running
from tests.server.guests import connection
from tests.server.running import RunningServer
from tests.server.test_abuse import new_table
from tests.server.timeless import House, timeless
from tests.waiting import PATIENCE_S

Start = Callable[..., RunningServer]


# --- Logs -----------------------------------------------------------------------------------------------------------


class Journal:
    """A log with a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.text = io.StringIO()
        self.log = logging.Logger("test")
        handler = logging.StreamHandler(self.text)
        handler.setFormatter(JsonFormatter())
        handler.addFilter(OncePerCause(lambda: self.now))
        self.log.addHandler(handler)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.getvalue().splitlines()]

    def fail(self, reason: str) -> None:
        try:
            raise OSError(reason)
        except OSError:
            self.log.exception("writing failed")


def test_a_cause_is_told_once_with_its_traceback_and_then_counted() -> None:
    journal = Journal()
    for second in range(3 * REPEAT_S):
        journal.now = float(second)
        for _ in range(10):
            journal.fail("disk full")
    first, second, third = journal.lines()
    assert "Traceback" in first["error"]
    assert "times" not in first
    for line in (second, third):
        assert (line["reason"], line["times"]) == ("OSError: disk full", 10 * REPEAT_S)
        assert "error" not in line


def test_other_causes_are_told_apart() -> None:
    journal = Journal()
    journal.fail("disk full")
    journal.fail("disk on fire")
    journal.log.error("writing failed", extra={"reason": "gone"})
    journal.log.error("reading failed", extra={"reason": "gone"})
    for table in range(5):
        journal.log.error("a table can not be loaded", extra={"reason": "gone", "table": table})
    assert len(journal.lines()) == 5, "the same cause at five tables is one"


def test_what_is_no_trouble_is_told_as_often_as_it_happens() -> None:
    journal = Journal()
    for _ in range(3):
        journal.log.info("table created")
    assert len(journal.lines()) == 3


def test_causes_without_end_are_not_all_remembered() -> None:
    journal = Journal()
    for number in range(MOST_CAUSES + 1):
        journal.fail(str(number))
    journal.fail("0")
    journal.fail(str(MOST_CAUSES))
    assert len(journal.lines()) == MOST_CAUSES + 2, "the first was forgotten, the last was not"


def test_all_trouble_is_counted() -> None:
    before = metrics.TROUBLES.labels("writing failed")._value.get()
    journal = Journal()
    for _ in range(7):
        journal.fail("disk full")
    assert metrics.TROUBLES.labels("writing failed")._value.get() == before + 7


def test_bad_frames_of_strangers_are_counted_and_not_logged(start_server: Start) -> None:
    server = start_server(log_level="debug")

    async def story() -> None:
        table = await new_table(server.url)
        for _ in range(20):
            async with connection(server.url, table.code) as raw:
                raw.transport.underlying_transport.write(b"\xff\xff\xff\xff")
                await raw.ends()

    asyncio.run(story())
    numbers = httpx.get(f"{server.url}/metrics").text
    assert "\ntafelrunde_bad_frames_total 20.0\n" in numbers
    server.stop()
    assert {json.loads(line)["event"] for line in server.log} == {"serving", "table created", "stopped"}


# --- What strangers are told ----------------------------------------------------------------------------------------


@pytest.fixture
def fragile(start_server: Start) -> Iterator[tuple[RunningServer, Cluster]]:
    """A server whose database will be taken away."""
    with running() as cluster:
        yield start_server(cluster.database()), cluster
        cluster.start()


@pytest.mark.slow
def test_without_its_database_a_server_says_so_and_nothing_about_it(fragile: tuple[RunningServer, Cluster]) -> None:
    server, cluster = fragile
    code = asyncio.run(new_table(server.url)).code
    assert httpx.get(f"{server.url}/readyz").json()["status"] == "ok"
    cluster.stop()
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S) as http:
        told = [http.get(path) for path in ("/readyz", "/api/lobby", f"/api/tables/{code}", "/api/games/recent") * 5]
    assert {answer.status_code for answer in told} == {503}
    assert {answer.json()["code"] for answer in told} <= {"unavailable", "store-error"}
    for secret in (str(cluster.folder), "PostgreSQL", "postgres", "socket", "/tmp", "test1"):
        assert not [answer.text for answer in told if secret in answer.text]
    assert httpx.get(f"{server.url}/healthz").status_code == 200, "the process itself is well"
    server.stop()
    assert any("PostgreSQL" in line for line in server.log), "whoever runs it is told"
    assert len(server.log) < 15
    assert not any("Traceback" in line for line in server.log)


@timeless
async def test_a_database_that_hangs_is_not_ready_and_is_asked_once(house: House) -> None:
    asked: list[asyncio.Future[None]] = []

    async def hang(ask: object, *args: object) -> None:
        asked.append(asyncio.get_running_loop().create_future())
        await asked[-1]

    house.runtime.read = hang  # type: ignore[method-assign, assignment]
    for _ in range(3):
        with pytest.raises(Unavailable):
            await house.service.check_ready()
    assert len(asked) == 1
    asked[0].set_result(None)
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await asyncio.gather(house.service.check_ready())
    asked[1].set_exception(StoreError("The file is at /secret."))
    await asyncio.sleep(0)
    assert len(asked) == 2


def test_the_reason_of_a_store_is_for_its_owner_only() -> None:
    error = StoreError("The store /home/ada/tables.db can not be used.")
    assert "/home/ada" not in error.sentence
    assert "/home/ada" in str(error)
