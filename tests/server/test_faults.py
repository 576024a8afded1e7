"""A fault of ours: whoever met it is told, it is noted, and nobody else notices."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import Any
from unittest.mock import DEFAULT, patch

import httpx
import pytest

from tafelrunde import wire
from tafelrunde.errors import Malformed
from tafelrunde.server.app import make_app
from tafelrunde.server.service import TableService
from tafelrunde.table import Table
from tafelrunde.table.table import HANDLERS
from tafelrunde.table.views import view_of
from tests.server.timeless import Guest, House, Round, TimelessLoop, moment, open_house


def spend(story: Callable[[House], Awaitable[None]]) -> None:
    """An evening in the house on which something may go wrong."""

    async def evening() -> None:
        async with open_house() as house:
            await story(house)

    with asyncio.Runner(loop_factory=TimelessLoop) as runner:
        runner.run(evening())


def test_a_command_that_fails_halfway_leaves_the_table_as_it_was(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: Table, seat: int, command: Any, now: int) -> None:
        self.view.terms.chat = False
        self.number += 7
        raise RuntimeError("Somebody has spilled something.")

    async def story(house: House) -> None:
        table = await house.table()
        ada, bo = table.guest(0), table.guest(1)
        await moment()
        monkeypatch.setitem(HANDLERS, wire.Say, fail)
        said = ada.ask("say", text="Hello")
        waiting = bo.ask("react", sign="yum")
        await moment()
        assert ada.answer(said)["code"] == "unavailable"
        assert ada.answer(said)["type"] == "refused"
        monkeypatch.undo()
        again = bo.ask("say", text="What was that?")
        await moment()
        assert bo.answer(waiting)["type"] == "react"
        assert bo.answer(again)["type"] == "say"
        assert bo.answer(again)["number"] == bo.answer(waiting)["number"] + 1
        assert table.view.terms.chat

    with caplog.at_level(logging.ERROR):
        spend(story)
    assert [record.getMessage() for record in caplog.records] == ["a job failed"]


def test_a_request_that_fails_is_answered_with_all_headers(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(self: TableService) -> None:
        raise RuntimeError("Somebody has spilled something.")

    async def story(house: House) -> None:
        monkeypatch.setattr(TableService, "lobby", fail)
        transport = httpx.ASGITransport(make_app(house.server))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.get("/api/lobby")
            assert (await client.get("/healthz")).status_code == 200
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert "spilled" not in answer.text
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")

    with caplog.at_level(logging.ERROR):
        spend(story)
    assert [record.getMessage() for record in caplog.records] == ["a request failed"]


async def started(house: House) -> tuple[Round, Guest]:
    """A game has begun, and somebody gets views of all seats."""
    table = await house.table(grace_s=None)
    all_three = table.guest(0, 1, 2, views=True)
    await moment()
    all_three.ask("start", seat=0)
    await moment()
    return table, all_three


@pytest.mark.parametrize("error", [ZeroDivisionError(), Malformed("This is no refusal.")], ids=repr)
def test_a_game_that_fails_to_say_what_it_shows_hits_no_other_table(
    caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    async def story(house: House) -> None:
        (_, ada), (_, other) = await started(house), await started(house)
        laid = {"do": "act", "seat": 0, "decision": ada.messages("views")[-1]["views"][0]["observation"]["legal"][0]}
        once = chain([error], repeat(DEFAULT))
        with patch("tafelrunde.server.fresh_views.view_of", wraps=view_of, side_effect=once):
            failed = ada.ask(**laid)
            elsewhere = other.ask("say", text="What was that?", seat=0)
            await moment()
        assert ada.answer(failed)["code"] == "unavailable"
        assert other.answer(elsewhere)["type"] == "say"
        before = ada.messages("step")[-1]["number"]
        again = ada.ask(**laid)
        await moment()
        assert ada.answer(again)["type"] == "step"
        assert ada.answer(again)["number"] == before + 1, "a line is missing on the disk"

    with caplog.at_level(logging.ERROR):
        spend(story)
    assert [record.getMessage() for record in caplog.records] == ["a job failed"]


def test_a_table_that_can_not_be_shown_is_left_by_all(caplog: pytest.LogCaptureFixture) -> None:
    async def story(house: House) -> None:
        table, ada = await started(house)
        with patch("tafelrunde.server.fresh_views.view_of", side_effect=ZeroDivisionError):
            table.live._reload(whole=True)
            await moment()
        assert ada.messages("bye")[0]["again"], "nobody waits for it in vain"

    with caplog.at_level(logging.ERROR):
        spend(story)
    assert [record.getMessage() for record in caplog.records] == ["a table can not be shown"]
