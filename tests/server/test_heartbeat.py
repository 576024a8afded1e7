"""Is anybody there? Whoever answers stays, whoever else comes and goes; whoever does not answer is let go."""

from __future__ import annotations

import asyncio

from tafelrunde.server.connection import CLIENT_TIMEOUT_S
from tafelrunde.server.heartbeat import FAST_PING_S, PING_S
from tests.server.timeless import Guest, House, Round, TimelessLoop, moment, timeless

MINUTES = 5


def deaf(table: Round) -> Guest:
    """A guest who does not answer pings."""
    guest = table.guest()
    guest.send_ping = lambda payload: None  # type: ignore[method-assign]
    return guest


def goodbye(guest: Guest) -> str | None:
    [*byes] = guest.messages("bye")
    return byes[-1]["code"] if byes else None


@timeless
async def test_nobody_who_answers_is_dropped_while_others_come_and_go(house: House) -> None:
    for game in ("buffet", "dash"):
        table = await house.table(game)
        staying = [table.guest() for _ in range(40)]
        passing: list[Guest] = []
        for turn in range(int(MINUTES * 60 / FAST_PING_S)):
            passing.append(table.guest())
            await moment(FAST_PING_S)
            if turn % 3:
                passing.pop(turn % len(passing)).hang_up()
        assert {goodbye(guest) for guest in staying + passing} == {None}


@timeless
async def test_whoever_does_not_answer_is_let_go_and_asked_to_come_again(house: House) -> None:
    for game, every in (("buffet", PING_S), ("dash", FAST_PING_S)):
        table = await house.table(game)
        silent, other = deaf(table), table.guest()
        await moment(CLIENT_TIMEOUT_S - 1)
        assert goodbye(silent) is None
        await moment(every + 2)
        assert goodbye(silent) == "silent"
        assert silent.messages("bye")[0]["again"]
        assert goodbye(other) is None


@timeless
async def test_a_command_is_an_answer_too(house: House) -> None:
    table = await house.table()
    guest = deaf(table)
    for _ in range(20):
        guest.ask("look")
        await moment(PING_S)
    assert goodbye(guest) is None


@timeless
async def test_if_it_was_the_server_that_stood_still_nobody_is_dropped(house: House) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, TimelessLoop)
    table = await house.table("dash")
    guests = [table.guest(lag_ms=lag) for lag in (0, 1, 5, 50, 100)]
    for _ in range(5):
        await moment(7)
        loop.leap(10 * CLIENT_TIMEOUT_S)
    await moment(CLIENT_TIMEOUT_S)
    assert {goodbye(guest) for guest in guests} == {None}


@timeless
async def test_whoever_is_gone_is_not_asked_any_more(house: House) -> None:
    table = await house.table()
    guest = table.guest()
    await moment()
    asked = []
    guest.send_ping = asked.append  # type: ignore[method-assign]
    await moment(3 * PING_S)
    assert len(asked) == 3
    guest.hang_up()
    await moment(100)
    assert len(asked) == 3
