"""How much anybody may do: look tables up, write, look back; and that others notice nothing of those who want more."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tafelrunde.errors import TooFast, Unavailable
from tafelrunde.server import fair_queue, live
from tafelrunde.server.fair_queue import FairQueue
from tafelrunde.server.limits import Bucket, Limit, network_of
from tafelrunde.server.settings import Settings
from tests.server.guests import connection
from tests.server.running import RunningServer
from tests.server.test_abuse import refused_handshake
from tests.server.timeless import Guest, House, Round, moment, spend, timeless

Start = Callable[..., RunningServer]


# --- Buckets --------------------------------------------------------------------------------------------------------


def test_a_bucket_fills_steadily_and_holds_no_more_than_its_size() -> None:
    bucket = Bucket(3, 1, 0)
    assert [bucket.draw(0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait_ms(0) == 1000
    assert not bucket.draw(999)
    assert bucket.draw(1000)
    assert [bucket.draw(1_000_000) for _ in range(4)] == [True, True, True, False]


def test_what_was_done_already_is_paid_for_later() -> None:
    bucket = Bucket(3, 1, 0)
    bucket.charge(0, 10)
    assert bucket.wait_ms(0) == 8000
    assert not bucket.draw(7999)
    assert bucket.draw(8000)
    bucket.fill()
    assert bucket.wait_ms(8000) == 0


def test_addresses_do_not_pay_for_each_other() -> None:
    limit = Limit(2)
    for _ in range(2):
        limit.draw("one", 0)
    with pytest.raises(TooFast):
        limit.draw("one", 0)
    limit.draw("other", 0)
    limit.draw("one", 30_000)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff:1:2:3", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("::1", "127.0.0.1", False),
        ("what", "what", True),
        ("what", "else", False),
    ],
)
def test_whoever_has_a_whole_network_has_one_limit(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) == same


# --- Looking tables up ----------------------------------------------------------------------------------------------


def test_past_the_limit_a_right_code_gets_the_same_answer_as_a_wrong_one(start_server: Start) -> None:
    server = start_server(lookups_per_minute="2")  # a wrong code costs ten minutes of it
    with httpx.Client(base_url=server.url) as http:
        code = http.post("/api/tables", json={"game": "buffet", "seats": 3, "name": "Ada"}).json()["code"]
        assert http.get(f"/api/tables/{code}").status_code == 200
        assert http.get("/api/tables/kafemulotabi").status_code == 404
        for path in ("", "/games", "/games/1/record", "/games/1/replay", "/games/1/receipts"):
            for asked in (code, "kafemulotabi"):
                answer = http.get(f"/api/tables/{asked}{path}")
                assert (answer.status_code, answer.json()["code"]) == (429, "too-fast"), path
        for path, body in (("seats", {"name": "Bo"}), ("take", {"pass": "p" * 32})):
            for asked in (code, "kafemulotabi"):
                assert http.post(f"/api/tables/{asked}/{path}", json=body).status_code == 429
            assert http.get("/api/lobby").status_code == 200, "what needs no code is free"


def test_wrong_codes_over_sockets_count_too(start_server: Start) -> None:
    server = start_server(lookups_per_minute="2")

    async def story() -> None:
        async with connection(server.url, "kafemulotabi") as raw:
            raw.say({"do": "hello"})
            assert (await raw.ends() or {})["code"] == "no-such-table"
        async with httpx.AsyncClient(base_url=server.url) as http:
            assert (await http.get("/api/tables/kafemulotabi")).status_code == 429
        status, refusal, _ = await refused_handshake(server.url, "kafemulotabi")
        assert (status, refusal["code"]) == (429, "too-fast")

    asyncio.run(story())


def test_a_family_that_comes_back_all_at_once_is_let_in(start_server: Start) -> None:
    """After a restart everybody connects in the same second, often from one address."""
    server = start_server(joins_per_minute="60", lookups_per_minute="1200", connections_per_address="200")

    async def story() -> None:
        async with httpx.AsyncClient(base_url=server.url) as http:
            made = await http.post("/api/tables", json={"game": "dash", "seats": 10, "name": "Ada"})
        code = made.json()["code"]

        async def come() -> None:
            async with connection(server.url, code) as raw:
                raw.say({"do": "hello"})
                await raw.hear("welcome")

        await asyncio.gather(*(come() for _ in range(150)))

    asyncio.run(story())


# --- Writing --------------------------------------------------------------------------------------------------------


async def left_to_bots(house: House) -> tuple[Round, Guest]:
    """A game that only bots play, as fast as they can, and somebody who watches it."""
    table = await house.table("chocolat", 4, bots={1: "greedy", 2: "greedy", 3: "greedy"}, bot_pace="instant")
    host, watching = table.guest(0), table.guest()
    host.ask("start")
    await moment(4)
    host.ask("leave")
    await moment()
    return table, watching


def test_bots_that_play_among_themselves_write_a_lot_at_once_and_then_only_so_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "BOT_LINES", 30)
    monkeypatch.setattr(live, "BOT_LINES_PER_S", 1)

    async def story(house: House) -> None:
        table, watching = await left_to_bots(house)
        began = table.live.table.number
        await moment(30)
        assert 30 <= table.live.table.number - began <= 30 + 30 + 8
        await moment(3600)
        assert table.view.phase == "over", "slowly it goes on to its end"
        assert watching.messages("step")[-1]["entries"][-1]["do"] == "end"

    spend(story)


def test_for_somebody_who_plays_bots_never_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BOT_LINES", 30)
    monkeypatch.setattr(live, "BOT_LINES_PER_S", 0.001)

    async def story(house: House) -> None:
        table = await house.table("buffet", 3, bots={1: "greedy", 2: "greedy"}, bot_pace="instant")
        host = table.guest(0)
        host.ask("start")
        await moment(4)
        chooser = random.Random(1)
        for _ in range(100):
            if table.view.phase != "playing":
                break
            game = table.live.table.game
            assert game is not None
            if 0 in table.live.table.to_act:
                host.ask("act", decision=chooser.choice(game.legal(0)).to_json())
            await moment(1)
        assert table.live.table.number > 60

    spend(story)


def test_an_address_that_has_written_too_much_has_to_wait_and_others_need_not() -> None:
    async def story(house: House) -> None:
        table = await house.table()
        ada, bo = table.guest(0), table.guest(1)
        bo._connection.address = "elsewhere"
        await moment()
        said = [ada.ask("say", text="again") for _ in range(60)]
        await moment()
        answers = [ada.answer(id) for id in said]
        assert [answer["type"] for answer in answers[:40]] == ["say"] * 40
        assert (answers[-1]["type"], answers[-1]["code"]) == ("refused", "too-fast")
        looked, other = ada.ask("look"), bo.ask("say", text="Hello")
        await moment()
        assert ada.answer(looked)["type"] == "accepted", "looking writes nothing"
        assert bo.answer(other)["type"] == "say"
        await moment(3600)
        later = ada.ask("say", text="an hour later")
        await moment()
        assert ada.answer(later)["type"] == "say"

    spend(story, Settings(db="", keep_days=0, commands_per_second=100_000, lines_per_hour=50))


def test_bots_pay_with_what_the_address_has_left_for_which_they_play() -> None:
    async def story(house: House) -> None:
        table, _ = await left_to_bots(house)
        began = table.live.table.number
        await moment(60)
        assert table.live.table.number - began < 50 + 10, "however many tables an address has"
        await moment(20 * 3600)
        assert table.view.phase == "over"

    spend(story, Settings(db="", keep_days=0, commands_per_second=100_000, lines_per_hour=60))


# --- Looking back ---------------------------------------------------------------------------------------------------


class Desk:
    """Work that waits until somebody lets it go on, and the order in which it was begun."""

    def __init__(self) -> None:
        self.queue = FairQueue()
        self.begun: list[str] = []
        self.free = asyncio.Event()
        self.asked: list[asyncio.Task[Any]] = []

    async def ask(self, *addresses: str) -> None:
        for address in addresses:
            self.asked.append(asyncio.create_task(self.queue.run(address, lambda address=address: self._work(address))))
        await asyncio.sleep(0)

    async def _work(self, address: str) -> str:
        self.begun.append(address)
        await self.free.wait()
        return address

    async def outcomes(self) -> list[Any]:
        self.free.set()
        return await asyncio.gather(*self.asked, return_exceptions=True)


def test_addresses_take_turns() -> None:
    async def story() -> None:
        desk = Desk()
        await desk.ask("greedy", "greedy", "greedy", "greedy", "modest", "shy", "modest")
        assert await desk.outcomes() == ["greedy"] * 4 + ["modest", "shy", "modest"]
        assert desk.begun == ["greedy", "greedy", "modest", "shy", "greedy", "modest", "greedy"]

    asyncio.run(story())


def test_one_address_has_so_many_pieces_waiting_and_never_keeps_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_queue, "MOST_EACH", 2)
    monkeypatch.setattr(fair_queue, "MOST_WAITING", 4)

    async def story() -> None:
        desk = Desk()
        await desk.ask("greedy", "greedy", "greedy", "greedy", "modest", "shy", "late")
        kinds = [answer if isinstance(answer, str) else type(answer) for answer in await desk.outcomes()]
        assert kinds == ["greedy", "greedy", "greedy", TooFast, "modest", "shy", Unavailable]

    asyncio.run(story())


def test_the_turn_of_somebody_who_has_gone_is_passed_on() -> None:
    async def story() -> None:
        desk = Desk()
        await desk.ask("first", "gone", "last")
        desk.asked[1].cancel()
        await asyncio.sleep(0)
        first, gone, last = await desk.outcomes()
        assert (first, type(gone), last) == ("first", asyncio.CancelledError, "last")
        desk.free.clear()
        await desk.ask("first", "gone", "last")
        desk.free.set()
        while len(desk.begun) < 3:
            await asyncio.sleep(0)
        desk.asked[4].cancel()  # it has become its turn in this very moment, or is about to
        assert (await asyncio.gather(*desk.asked, return_exceptions=True))[5] == "last"
        await desk.ask("again")
        assert (await desk.outcomes())[-1] == "again"

    asyncio.run(story())


@timeless
async def test_work_that_fails_does_not_keep_the_next_one_waiting(house: House) -> None:
    answers = await asyncio.gather(
        *(house.service.replay_record("no record", "one") for _ in range(3)), return_exceptions=True
    )
    assert [getattr(answer, "code", None) for answer in answers] == ["bad-record"] * 3
