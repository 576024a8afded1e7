"""A server that was put back to a backup: whoever knows more than it does is told how things are, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tafelrunde.client import Client
from tests.postgres import Cluster
from tests.server.guests import PATIENT, Raw, connection, seated
from tests.server.running import RunningServer
from tests.store.tables import back_up_file

Start = Callable[..., RunningServer]


async def chat(raw: Raw, *texts: str) -> int:
    """Say all this; gives the number of the last line."""
    number = 0
    for text in texts:
        number = (await raw.answer({"do": "say", "id": text, "text": text}))["number"]
    return number


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_lines_of_another_history_are_never_taken_for_what_follows(
    start_server: Start, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if kind == "sqlite":
        server = start_server()
        back_up = lambda: back_up_file(Path(server.db))  # noqa: E731
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        server = start_server(cluster.database())
        back_up = lambda: cluster.back_up(server.db)  # noqa: E731

    async def story() -> None:
        async with Client(server.url) as client:
            ada = await client.create("buffet", 3, "Ada", terms=PATIENT)
            bo = await client.sit(ada.code, "Bo")
        async with seated(server.url, ada.code, ada.token) as raw, seated(server.url, ada.code, bo.token) as other:
            kept = await chat(raw, "one", "two")
            restore = await asyncio.to_thread(back_up)
            lost = await chat(raw, "three", "four")
            epoch, before = raw.epoch, other.epoch
            assert epoch == before
        server.kill()
        await asyncio.to_thread(restore)
        await asyncio.to_thread(server.start)
        async with seated(server.url, ada.code, bo.token) as other:
            assert await chat(other, "3", "4", "5", "6") > lost, "others have written past that number"
            assert other.epoch != epoch
        async with seated(server.url, ada.code, ada.token, after=lost, epoch=epoch) as raw:
            welcome = raw.told("welcome")
            assert [line["text"] for line in welcome["talk"]] == ["one", "two", "3", "4", "5", "6"]
            assert welcome["epoch"] != epoch
            assert not raw.has("resumed")
        async with seated(server.url, ada.code, ada.token, after=kept, epoch=epoch) as raw:
            assert raw.has("resumed"), "up to here it is the same history"
            assert [(await raw.hear("say"))["text"] for _ in range(4)] == ["3", "4", "5", "6"]
        async with seated(server.url, ada.code, ada.token, after=kept) as raw:
            assert raw.has("welcome"), "without an epoch nobody can tell"

    asyncio.run(story())
    assert not any("Traceback" in line for line in server.log)


@pytest.mark.slow
def test_after_a_restart_everybody_resumes_as_before(start_server: Start) -> None:
    server = start_server()

    async def story() -> None:
        async with Client(server.url) as client:
            ada = await client.create("buffet", 3, "Ada", terms=PATIENT)
        async with seated(server.url, ada.code, ada.token) as raw:
            number, epoch = await chat(raw, "one", "two"), raw.epoch
        for _ in range(3):
            server.kill()
            await asyncio.to_thread(server.start)
            async with seated(server.url, ada.code, ada.token, after=number - 1, epoch=epoch) as raw:
                assert raw.has("resumed")
                assert (await raw.hear("say"))["text"] == "two"
                assert raw.epoch != epoch
        async with connection(server.url, ada.code) as raw:
            raw.say({"do": "hello", "after": number, "epoch": "x" * 41})
            bye = await raw.ends()
            assert bye is not None
            assert bye["code"] == "bad-message"

    asyncio.run(story())
