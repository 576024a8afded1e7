"""A fresh machine: the server answers before its rules are compiled, and nobody loses anything when they are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tafelrunde import wire
from tafelrunde.client import Client
from tests.cold import make_cold
from tests.server.running import RunningServer


@pytest.mark.slow
def test_a_game_goes_on_while_a_compiled_server_takes_over(
    start_server: Callable[..., RunningServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in make_cold(tmp_path / "cache").items():
        monkeypatch.setenv(name, value)
    server = start_server()
    before = server.process.pid
    numbers = asyncio.run(play_until_it_has_served_twice(server))
    assert numbers == list(range(1, len(numbers) + 1))
    assert server.process.poll() is None
    assert server.process.pid == before
    assert server.stop() == 0


async def play_until_it_has_served_twice(server: RunningServer) -> list[int]:
    """Play until the second server has begun to serve, and a whole game after that; gives the numbers of all lines."""
    async with Client(server.url) as client:
        bots = {1: "greedy", 2: "greedy"}
        seated = await client.create("buffet", 3, "Ada", bots=bots, terms=wire.Terms(bot_pace="instant"))
        async with client.table(seated.code) as table:
            numbers: list[int] = []
            games_after = 0
            await table.start()
            async for message in table:
                if isinstance(message, wire.Line):
                    numbers.append(message.number)
                if isinstance(message, wire.Step) and message.entries[-1]["do"] == "end":
                    games_after += served(server) == 2
                    if games_after:
                        return numbers
                    await table.rematch()
                    await table.start()
                elif decisions := table.legal():
                    await table.act(decisions[0])
    raise AssertionError("the table has ended")


def served(server: RunningServer) -> int:
    return sum('"event": "serving"' in line for line in server.log)
