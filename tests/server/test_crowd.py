"""A crowd in small: those who stay keep their seats while others come and go, and all are back after a crash."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from crowd import KINDS, Feast
from servers import free_port
from tests.server.running import RunningServer

SEATS = 500
LIVE = 30
VISITS = 200


async def spend_an_hour(server: RunningServer) -> None:
    async with Feast(server.port) as feast:
        await feast.seat(SEATS, LIVE)
        assert len(feast.guests) == SEATS
        assert sum(party.plays.is_set() for party in feast.parties) == LIVE
        await feast.come_and_go(VISITS, 1, KINDS)
        await feast.say_something()
        assert not feast.trouble, "nobody was dropped, and all got in"
        assert feast.came == {"watcher": VISITS * 3 // 5, "returner": VISITS // 5, "player": VISITS // 5}
        times = await feast.back(server.kill, server.start)
        assert len(times) == SEATS, "everybody is back, and was heard"
        await feast.say_something()
        assert not feast.trouble


@pytest.mark.slow
def test_a_crowd_stays_while_others_come_and_go_and_is_back_after_a_crash(
    start_server: Callable[..., RunningServer],
) -> None:
    asyncio.run(spend_an_hour(start_server(hello_s="60", port=str(free_port()))))
