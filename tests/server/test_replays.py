"""Looking back over HTTP: finished games, records that somebody has, and what was played in the open lately."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tafelrunde import wire
from tafelrunde.client import Client
from tafelrunde.errors import TooFast
from tafelrunde.server import fair_queue
from tests.golden import path_of
from tests.server.guests import PATIENT, Witness, sit_and_play
from tests.server.running import RunningServer
from tests.server.timeless import House, spend
from tests.waiting import PATIENCE_S, until

GOLDEN = path_of("chocolat", 3).read_text(encoding="utf-8")


def played(server: RunningServer, public: bool = False, finish: bool = True) -> str:
    """The code of a table with a game of bots and Ada, finished or just begun."""

    async def play() -> str:
        async with Client(server.url) as client, asyncio.TaskGroup() as tasks:
            terms = PATIENT.model_copy(update={"public": public})
            ada = await client.create("buffet", 3, "Ada", bots={1: "greedy", 2: "greedy"}, terms=terms)
            async with Witness(client, ada.code, [ada.token]) as table:
                playing = tasks.create_task(sit_and_play(table, "buffet")) if finish else None
                await table.start()
                await until(lambda: table.view.phase == ("over" if finish else "playing"))
                if playing is not None:
                    playing.cancel()
            return ada.code

    return asyncio.run(play())


def sent(server: RunningServer, record: str) -> httpx.Response:
    return httpx.post(f"{server.url}/api/replays", json={"record": record}, timeout=PATIENCE_S)


def recent(server: RunningServer, **asked: int) -> wire.RecentGames:
    answer = httpx.get(f"{server.url}/api/games/recent", params=asked)
    return wire.RecentGames.model_validate_json(answer.content)


def test_a_finished_game_is_the_same_from_the_table_and_from_its_record(server: RunningServer) -> None:
    place = f"{server.url}/api/tables/{played(server)}/games/1"
    from_table = wire.ReplayData.model_validate_json(httpx.get(f"{place}/replay").content)
    from_record = wire.ReplayData.model_validate_json(sent(server, httpx.get(f"{place}/record").text).content)
    assert from_table.finished
    assert from_table.proven
    times = [step.at for step in from_table.steps]
    assert all(times)
    for step in from_table.steps:
        step.number = step.at = None
    assert from_table == from_record


def test_a_game_that_is_going_on_can_not_be_looked_back_at(server: RunningServer) -> None:
    answer = httpx.get(f"{server.url}/api/tables/{played(server, finish=False)}/games/1/replay")
    assert answer.status_code == 404
    assert answer.json()["code"] == "no-such-match"


def test_a_record_that_does_not_hold_is_refused_with_line_and_rule(server: RunningServer) -> None:
    lines = GOLDEN.splitlines()
    end = json.loads(lines[-1])
    lines[-1] = json.dumps(end | {"scores": [score + 1 for score in end["scores"]]})
    answer = sent(server, "\n".join(lines) + "\n")
    assert answer.status_code == 422
    told: dict[str, Any] = answer.json()
    assert told["code"] == "bad-record"
    assert told["line"] == len(lines)
    assert told["rule"].startswith("C")


def test_a_record_may_be_long_but_not_too_long(server: RunningServer) -> None:
    padded = GOLDEN.replace('"tafelrunde":1', '"tafelrunde":1,"about":"' + "x" * 500_000 + '"', 1)
    assert sent(server, padded).status_code == 200
    answer = sent(server, "x" * wire.LONGEST_RECORD)
    assert answer.status_code == 413
    assert answer.json()["code"] == "too-large"
    elsewhere = httpx.post(f"{server.url}/api/tables", json={"record": GOLDEN * 2})
    assert elsewhere.status_code == 413


def test_nobody_looks_back_without_end(start_server: Callable[..., RunningServer]) -> None:
    server = start_server(joins_per_minute="3")
    answers = [sent(server, "x") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [422, 422, 422, 429]
    assert httpx.get(f"{server.url}/api/tables/kafemulo/games/1/replay").status_code == 429


def test_too_many_at_once_are_asked_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "MOST_EACH", 1)

    async def crowd(house: House) -> list[Any]:
        asked = [house.service.replay_record(GOLDEN, address) for address in ("one", "one", "one", "other")]
        return await asyncio.gather(*asked, return_exceptions=True)

    answers = spend(crowd)
    assert [type(answer) for answer in answers] == [bytes, bytes, TooFast, bytes]


def test_what_was_played_in_the_open_is_found_by_all(start_server: Callable[..., RunningServer]) -> None:
    server = start_server()
    assert recent(server) == wire.RecentGames(games=[], before=None)
    played(server)
    first, second = (played(server, public=True) for _ in range(2))
    games = recent(server).games
    assert [game.code for game in games] == [second, first]
    assert games[0].names == ["Ada", "Bo", "Cy"]
    assert sorted(games[0].places)[0] == 1
    assert [game.code for game in recent(server, before=games[0].ended).games] == [first]
