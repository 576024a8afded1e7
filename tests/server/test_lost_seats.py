"""The table in memory is ahead of what guests were told: nobody does anything with a seat that is theirs no more."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde import wire
from tests.server.timeless import Guest, House, Round, moment, timeless


async def gathered(house: House) -> tuple[Round, Guest, Guest]:
    table = await house.table()
    ada, bo = table.guest(0), table.guest(1)
    await moment()
    return table, ada, bo


def refused(guest: Guest, id: str) -> bool:
    return guest.answer(id).get("code") == "not-your-seat"


@timeless
async def test_whoever_leaves_can_not_go_on_in_the_same_breath(house: House) -> None:
    table, ada, bo = await gathered(house)
    left, passed, said = bo.ask("leave"), bo.ask("pass"), bo.ask("say", text="I am gone")
    await moment()
    assert bo.answer(left)["do"] == "leave"
    assert refused(bo, passed)
    assert refused(bo, said)
    assert table.live.table.head.private.passes == []
    assert ada.house()[-1] == "leave"


@timeless
async def test_whoever_is_removed_is_not_heard_any_more(house: House) -> None:
    _, ada, bo = await gathered(house)
    ada.ask("remove", whom=1)
    bo.ask("say", text="Why me?")
    await moment()
    assert ada.house()[-1] == "remove"
    assert not ada.messages("say")


@pytest.mark.parametrize("again", [False, True])
def test_a_command_that_is_sent_again_while_the_seat_is_taken_along_is_not_carried_out_twice(again: bool) -> None:
    @timeless
    async def story(house: House) -> None:
        table, ada, bo = await gathered(house)
        asked = bo.ask("pass")
        said = bo.ask("say", text="once", id="once")
        await moment()
        before, wanted = table.live.table.number, wire.Take.model_validate({"pass": bo.answer(asked)["pass"]})
        taking = asyncio.ensure_future(house.service.take(table.code, wanted))
        while table.live.table.number == before:
            await asyncio.sleep(0)
        assert table.live.durable == before, "nobody has been told yet"
        bo.ask("say", text="once", id=said if again else "another")
        await taking
        await moment()
        assert [message["text"] for message in ada.messages("say")] == ["once"]

    story()
