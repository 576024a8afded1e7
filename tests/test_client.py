"""The client against a table that says what each test wants, and bots over the network against a real server."""

from __future__ import annotations

import asyncio
import base64
import gc
import itertools
import json
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import picows
import pytest

import tafelrunde
from tafelrunde import bots, remote, wire
from tafelrunde.bots.pace import INSTANT
from tafelrunde.client import Client, OtherVersion, RemoteRefusal, RemoteTable, Unreachable
from tafelrunde.client import connection as connections
from tafelrunde.errors import Illegal, NotYourMoment
from tafelrunde.fairness import commitment
from tafelrunde.game import codes_of
from tafelrunde.games import GAMES
from tests.golden import path_of
from tests.server.running import RunningServer

TOKEN = "t" * 32
HOUR_MS = 3_600_000
Story = Callable[["FakeTable"], Awaitable[None]]


# --- A table that says what the test wants -------------------------------------------------------------------------


class Ear(picows.WSListener):
    """One connection, seen from the table."""

    def __init__(self, connections: asyncio.Queue[Ear]) -> None:
        self._connections = connections
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def on_ws_connected(self, transport: picows.WSTransport) -> None:
        self.transport = transport
        self._connections.put_nowait(self)

    def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
        if frame.msg_type == picows.WSMsgType.TEXT:
            self._heard.put_nowait(json.loads(frame.get_payload_as_utf8_text()))

    async def hear(self, do: str) -> dict[str, Any]:
        message = await self._heard.get()
        assert message["do"] == do
        return message

    def has_heard_nothing_else(self) -> bool:
        return self._heard.empty()

    def say(self, message: dict[str, Any]) -> None:
        self.transport.send(picows.WSMsgType.TEXT, json.dumps(message).encode())

    def say_in_pieces(self, message: dict[str, Any], size: int) -> None:
        text = json.dumps(message).encode()
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        for number, piece in enumerate(pieces):
            kind = picows.WSMsgType.CONTINUATION if number else picows.WSMsgType.TEXT
            self.transport.send(kind, piece, fin=number == len(pieces) - 1)

    def hang_up(self) -> None:
        self.transport.disconnect()


class FakeTable:
    """A server with one table."""

    def __init__(self, port: int, connections: asyncio.Queue[Ear]) -> None:
        self.client = Client(f"http://127.0.0.1:{port}")
        self._connections = connections

    def table(self) -> RemoteTable:
        return self.client.table("kafemulo", [TOKEN])

    async def connection(self, after: int | None, epoch: str = "one") -> Ear:
        """The next connection, once it has said hello and that it has got so far."""
        ear = await self._connections.get()
        came_before = {"after": after, "epoch": None if after is None else epoch}
        assert await ear.hear("hello") == {"do": "hello", "tokens": [TOKEN], "views": True, **came_before}
        return ear

    @asynccontextmanager
    async def seated(self, **fields: Any) -> AsyncIterator[tuple[RemoteTable, Ear]]:
        """A client that has been welcomed."""
        table = self.table()
        entering = asyncio.create_task(table.__aenter__())
        ear = await self.connection(after=None)
        ear.say(welcome(**fields))
        await entering
        try:
            yield table, ear
        finally:
            await table.close()


def told(story: Story) -> Callable[[], None]:
    """A test of a client and a fake table."""

    async def tell() -> None:
        connections: asyncio.Queue[Ear] = asyncio.Queue()
        server = await picows.ws_create_server(lambda request: Ear(connections), "127.0.0.1", 0)
        fake = FakeTable(server.sockets[0].getsockname()[1], connections)
        async with server, fake.client:
            await story(fake)

    def test() -> None:
        asyncio.run(tell())

    test.__doc__ = story.__doc__
    return test


def view(phase: str = "playing", match: int = 1, pledge: str | None = "0" * 64) -> dict[str, Any]:
    seats = [{"kind": "person", "name": name, "pledge": pledge} for name in ("Ada", "Bo", "Cy")]
    return {
        "code": "kafemulo", "game": "buffet", "options": {}, "terms": {}, "seats": seats, "host": 0, "phase": phase,
        "match": match, "commitment": "1" * 64,
    }  # fmt: skip


def welcome(number: int = 5, table: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    basics = {"type": "welcome", "protocol": wire.PROTOCOL, "number": number, "now": 0, "table": table or view()}
    return basics | {"epoch": "one", "seats": [0], "views": [], "to_act": [], "talk": []} | fields


def resumed(number: int, epoch: str = "one") -> dict[str, Any]:
    return {"type": "resumed", "number": number, "now": 0, "epoch": epoch, "seats": [0]}


def step(number: int, **fields: Any) -> dict[str, Any]:
    return {"type": "step", "number": number, "at": 0, "entries": [{"by": 1, "do": "lay"}], "to_act": [0]} | fields


def house(number: int, do: str, table: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"type": "house", "number": number, "at": 0, "do": do, "table": table} | fields


async def numbers(table: RemoteTable, count: int) -> list[int | None]:
    """The numbers of the next messages."""
    return [getattr(await table.receive(), "number", None) for _ in range(count)]


# --- Following ------------------------------------------------------------------------------------------------------


@told
async def test_the_welcome_and_lines_are_followed(fake: FakeTable) -> None:
    async with fake.seated(to_act=[0, 1], seats=[0, 2]) as (table, ear):
        assert (table.number, table.seats, table.to_act, table.view.phase) == (5, [0, 2], [0, 1], "playing")
        ear.say(step(6, to_act=[2]))
        ear.say(step(7, to_act=[], entries=[{"by": "table", "do": "end", "scores": [1, 2, 3], "places": [3, 2, 1]}]))
        assert await numbers(table, 3) == [5, 6, 7]
        assert (table.number, table.to_act, table.view.phase) == (7, [], "over")


@told
async def test_a_message_may_come_in_pieces(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        ear.say_in_pieces(step(6), size=7)
        assert await numbers(table, 2) == [5, 6]


@told
async def test_lines_that_come_twice_are_passed_over(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        for number in (6, 6, 5, 7):
            ear.say(step(number))
        assert await numbers(table, 3) == [5, 6, 7]


@told
async def test_after_a_gap_what_is_missing_is_asked_for(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        for number in (6, 8, 9):
            ear.say(step(number))
        second = await fake.connection(after=6)
        second.say(resumed(8))
        second.say(step(7))
        second.say(step(8))
        assert await numbers(table, 5) == [5, 6, 8, 7, 8]  # the third is the answer to our hello


@told
async def test_a_gap_that_is_too_large_is_bridged_by_a_welcome(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        ear.hang_up()
        second = await fake.connection(after=5)
        second.say(welcome(number=900, to_act=[0]))
        second.say(step(901))
        assert await numbers(table, 3) == [5, 900, 901]


@told
async def test_iteration_ends_with_a_goodbye_for_good(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        waiting = asyncio.create_task(table.start())
        await ear.hear("start")
        ear.say(
            {"type": "bye", "code": "removed", "rule": None, "sentence": "You were asked to leave.", "again": False}
        )
        assert [message.type async for message in table] == ["welcome", "bye"]
        with pytest.raises(RemoteRefusal, match="You were asked to leave") as caught:
            await waiting
        assert caught.value.code == "removed"
        with pytest.raises(RemoteRefusal):
            await table.start()


@told
async def test_a_goodbye_for_now_is_followed_by_another_hello(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        ear.say({"type": "bye", "code": "unavailable", "sentence": "The server is being renewed.", "again": True})
        ear.hang_up()
        second = await fake.connection(after=5)
        second.say(resumed(5))
        second.say(step(6))
        assert await numbers(table, 4) == [5, None, 5, 6]


@told
async def test_a_reader_who_is_cancelled_just_when_a_message_comes_is_cancelled_and_the_message_is_kept(
    fake: FakeTable,
) -> None:
    async with fake.seated() as (table, ear):
        assert await numbers(table, 1) == [5]
        for number, later in enumerate(range(4), start=6):
            reader = asyncio.create_task(table.receive(HOUR_MS))
            ear.say(step(number))
            while table.number != number:
                await asyncio.sleep(0)
            for _ in range(later):
                await asyncio.sleep(0)
            came_in_time = not reader.cancel()
            await asyncio.wait([reader])
            assert reader.cancelled() is not came_in_time
            kept = reader.result() if came_in_time else await table.receive()
            assert isinstance(kept, wire.Step)
            assert kept.number == number


@told
async def test_the_clock_runs_on_from_what_was_last_heard(fake: FakeTable) -> None:
    async with fake.seated(clock_ms=None) as (table, ear):
        assert table.clock_ms is None
        ear.say(step(6, entries=[{"by": 1, "do": "look", "ms": 70_000}]))
        ear.say(step(7, entries=[{"by": 1, "do": "keep", "ms": 4}]))  # held up on its way
        await numbers(table, 3)
        assert table.clock_ms is not None
        assert 70_000 <= table.clock_ms < 70_000 + HOUR_MS


# --- Views ----------------------------------------------------------------------------------------------------------


def seen(seat: int | None, *cards: int) -> dict[str, Any]:
    """A view of a seat that may lay these cards."""
    legal = [{"do": "lay", "card": card} for card in cards]
    return {"seat": seat, "observation": {"legal": legal}, "raw": None}


def views(number: int, *each: dict[str, Any]) -> dict[str, Any]:
    return {"type": "views", "number": number, "views": list(each)}


@told
async def test_the_newest_view_of_each_seat_is_kept(fake: FakeTable) -> None:
    async with fake.seated(seats=[0, 2], views=[seen(0, 1), seen(2)], to_act=[0]) as (table, ear):
        assert table.legal(0) == table.legal() == [{"do": "lay", "card": 1}]
        ear.say(step(6, entries=[{"by": 1, "do": "lay"}], to_act=[0, 2]))
        ear.say(views(6, seen(2, 3, 4)))
        assert await numbers(table, 3) == [5, 6, 6]
        assert [decision["card"] for decision in table.legal(2)] == [3, 4]
        assert [decision["card"] for decision in table.legal(0)] == [1]
        assert table.number == 6


@told
async def test_a_view_is_spent_by_the_own_decision_until_the_next_one_is_here(fake: FakeTable) -> None:
    async with fake.seated(views=[seen(0, 1)], to_act=[0]) as (table, ear):
        acting = asyncio.create_task(table.act(table.legal()[0]))
        command = await ear.hear("act")
        assert table.legal()
        ear.say(step(6, entries=[{"by": 0, "do": "lay", "card": 1}], to_act=[0], id=command["id"]))
        await acting
        assert table.legal() == []
        assert 0 not in table.views
        ear.say(views(6, seen(0, 2)))
        await numbers(table, 3)
        assert [decision["card"] for decision in table.legal()] == [2]


@told
async def test_nothing_is_legal_while_somebody_else_is_asked_or_the_countdown_runs(fake: FakeTable) -> None:
    async with fake.seated(views=[seen(0, 1)], to_act=[1]) as (table, ear):
        assert table.legal() == []
        ear.say(step(6, entries=[{"by": 1, "do": "lay"}], to_act=[0]))
        ear.say({"type": "countdown", "number": 7, "at": 0, "seat": 0, "ms": 3000})
        await numbers(table, 3)
        assert table.legal() == []


@told
async def test_after_a_break_old_views_are_not_trusted(fake: FakeTable) -> None:
    async with fake.seated(views=[seen(0, 1)], to_act=[0]) as (table, ear):
        ear.hang_up()
        second = await fake.connection(after=5)
        second.say(resumed(6))
        second.say(step(6, entries=[{"by": 1, "do": "lay"}], to_act=[0]))
        await numbers(table, 3)
        assert table.legal() == []
        second.say(views(6, seen(0, 8)))
        await numbers(table, 1)
        assert [decision["card"] for decision in table.legal()] == [8]


@told
async def test_with_another_game_the_views_of_the_last_one_are_gone(fake: FakeTable) -> None:
    async with fake.seated(views=[seen(0, 1)]) as (table, ear):
        ear.say(house(6, "rematch", table=view("gathering", match=2)))
        await numbers(table, 2)
        assert table.views == {}


@told
async def test_a_spectator_has_a_view_too_and_nothing_to_decide(fake: FakeTable) -> None:
    async with fake.seated(seats=[], views=[seen(None)], to_act=[0]) as (table, ear):
        ear.say(views(5, seen(None)))
        await numbers(table, 2)
        assert list(table.views) == [None]
        assert table.legal() == []


# --- Commands -------------------------------------------------------------------------------------------------------


@told
async def test_a_line_with_the_id_is_the_answer(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        acting = asyncio.create_task(table.act(tafelrunde.Decision("lay", card=7), seat=0))
        command = await ear.hear("act")
        assert command["decision"] == {"do": "lay", "card": 7}
        assert wire.COMMANDS.validate_python(command).seat == 0
        ear.say(step(6, to_act=[2]))
        ear.say(step(7, to_act=[1], id=command["id"]))
        answer = await acting
        assert answer.number == 7
        assert table.to_act == [1]  # whoever has the answer has the table as it is after it


@told
async def test_every_command_is_one_of_the_protocol(fake: FakeTable) -> None:
    def calls(table: RemoteTable) -> Iterator[tuple[str, Awaitable[object]]]:
        yield "act", table.act({"do": "exchange", "cards": []})
        yield "say", table.say("Hello, all!")
        yield "react", table.react("yum")
        yield "start", table.start()
        yield "rematch", table.rematch()
        yield "bot", table.bot(2, "greedy")
        yield "bot", table.bot(2, None)
        yield "remove", table.remove(1)
        yield "terms", table.terms(wire.Terms(chat=False))
        yield "leave", table.leave()

    async with fake.seated() as (table, ear):
        known = set()
        for do, call in calls(table):
            waiting = asyncio.ensure_future(call)
            command = wire.COMMANDS.validate_python(await ear.hear(do))
            known.add(command.id)
            ear.say({"type": "accepted", "id": command.id, "number": 5})
            assert (await waiting).id == command.id  # type: ignore[attr-defined]
        assert len(known) == 10


@told
async def test_a_refused_command_raises_what_the_server_says(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        acting = asyncio.create_task(table.act({"do": "lay", "card": 12}))
        command = await ear.hear("act")
        ear.say(
            {"type": "refused", "id": command["id"], "code": "malformed", "rule": "B1", "sentence": "No such card."}
        )
        with pytest.raises(RemoteRefusal) as caught:
            await acting
        assert (caught.value.code, caught.value.rule, caught.value.sentence) == ("malformed", "B1", "No such card.")
        assert str(caught.value) == "No such card. [malformed, B1]"


@told
async def test_looking_and_passes_give_what_was_asked_for(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        looking = asyncio.create_task(table.look(raw=True))
        command = await ear.hear("look")
        assert command["raw"] is True
        views = [{"seat": 0, "observation": {"legal": []}, "raw": "AAAA"}]
        ear.say({"type": "accepted", "id": command["id"], "number": 5, "views": views})
        assert (await looking).raw == "AAAA"
        passing = asyncio.create_task(table.pass_on())
        command = await ear.hear("pass")
        ear.say({"type": "accepted", "id": command["id"], "number": 5, "pass": TOKEN})
        assert await passing == TOKEN


@told
async def test_there_is_nothing_to_see_before_the_game(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        looking = asyncio.create_task(table.look())
        ear.say({"type": "accepted", "id": (await ear.hear("look"))["id"], "number": 5, "views": []})
        with pytest.raises(NotYourMoment):
            await looking


@told
async def test_a_pass_that_was_lost_is_not_made_up(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        passing = asyncio.create_task(table.pass_on())
        ear.say({"type": "accepted", "id": (await ear.hear("pass"))["id"], "number": 5})
        with pytest.raises(Unreachable, match="ask for another"):
            await passing


@told
async def test_commands_without_an_answer_are_sent_again_once_all_lines_are_there(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        first = asyncio.create_task(table.act({"do": "lay", "card": 1}))
        sent = await ear.hear("act")
        ear.hang_up()
        second = await fake.connection(after=5)
        later = asyncio.create_task(table.say("Is this thing on?"))
        second.say(resumed(7))
        second.say(step(6))
        await numbers(table, 3)
        assert second.has_heard_nothing_else()
        second.say(step(7))
        assert await second.hear("act") == sent
        said = await second.hear("say")
        second.say({"type": "accepted", "id": sent["id"], "number": 6})
        second.say({"type": "say", "number": 8, "at": 0, "seat": 0, "text": "Is this thing on?", "id": said["id"]})
        assert (await first).number == 6
        assert (await later).number == 8


@told
async def test_a_command_that_was_answered_by_a_missed_line_is_not_sent_again(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        first = asyncio.create_task(table.start())
        sent = await ear.hear("start")
        ear.hang_up()
        second = await fake.connection(after=5)
        second.say(resumed(6))
        second.say(step(6, id=sent["id"]))
        assert (await first).number == 6
        asyncio.ensure_future(table.rematch()).add_done_callback(asyncio.Future.cancelled)
        await second.hear("rematch")


@told
async def test_a_command_that_nobody_waits_for_any_more_is_not_sent_again(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        waiting = asyncio.create_task(table.start())
        await ear.hear("start")
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        ear.hang_up()
        second = await fake.connection(after=5)
        second.say(resumed(5))
        saying = asyncio.create_task(table.say("here"))
        # An old connection counts no more.
        ear.say({"type": "presence", "here": [], "rtt_ms": [], "watching": 0, "due": []})
        second.say({"type": "accepted", "id": (await second.hear("say"))["id"], "number": 5})
        await saying
        assert table.presence is None


@told
async def test_what_has_happened_so_far_is_asked_for_and_comes_with_the_welcome(fake: FakeTable) -> None:
    table = fake.client.table("kafemulo", [TOKEN], recall=True)
    entering = asyncio.create_task(table.__aenter__())
    ear = await fake._connections.get()
    assert await ear.hear("hello") == {
        "do": "hello",
        "tokens": [TOKEN],
        "after": None,
        "epoch": None,
        "views": True,
        "recall": True,
    }
    ear.say(welcome(lines=[step(4, at=7), step(5, at=8)]))
    await entering
    first = await table.receive()
    assert isinstance(first, wire.Welcome)
    assert [line.number for line in first.lines] == [4, 5]
    await table.close()


# --- The connection -------------------------------------------------------------------------------------------------


def test_waits_get_longer_and_never_too_long() -> None:
    first, *_, soon = zip(*(itertools.islice(connections.backoff(), 20) for _ in range(200)), strict=True)
    assert max(first) <= connections.SHORTEST_WAIT_S
    assert connections.QUICK_WAIT_S / 2 < max(soon) <= connections.QUICK_WAIT_S, (
        "a server that is started again is back soon"
    )
    *_, last = zip(*(itertools.islice(connections.backoff(), 120) for _ in range(200)), strict=True)
    assert connections.LONGEST_WAIT_S / 2 < max(last) <= connections.LONGEST_WAIT_S
    assert len(set(last)) > 1


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    async def connect() -> None:
        async with Client("http://127.0.0.1:1") as client, client.table("kafemulo"):
            pass

    with pytest.raises(Unreachable):
        asyncio.run(connect())


def test_a_table_that_is_not_there_is_told_in_the_words_of_the_server() -> None:
    refusal = wire.Refusal(code="no-such-table", sentence="No table has this code.").model_dump_json().encode()
    answer = picows.WSUpgradeResponse.create_error_response(404, refusal)

    async def connect() -> None:
        nobody = picows.WSUpgradeResponseWithListener(answer, None)
        server = await picows.ws_create_server(lambda request: nobody, "127.0.0.1", 0)
        client = Client(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        async with server, client, client.table("nowhere"):
            pass

    with pytest.raises(RemoteRefusal) as caught:
        asyncio.run(connect())
    assert caught.value.code == "no-such-table"


@told
async def test_a_table_that_is_gone_for_too_long_is_given_up(fake: FakeTable) -> None:
    fake.client.patience = 0
    async with fake.seated() as (table, ear):
        waiting = asyncio.create_task(table.start())
        await ear.hear("start")
        ear.hang_up()
        (await fake.connection(after=5)).hang_up()
        with pytest.raises(Unreachable):
            await waiting
        assert await numbers(table, 1) == [5]
        with pytest.raises(Unreachable):
            await table.receive()


@told
async def test_another_protocol_is_not_guessed_at(fake: FakeTable) -> None:
    entering = asyncio.create_task(fake.table().__aenter__())
    (await fake.connection(after=None)).say(welcome(protocol=wire.PROTOCOL + 1))
    with pytest.raises(OtherVersion, match=f"protocol {wire.PROTOCOL + 1}"):
        await entering


@told
async def test_a_message_of_another_kind_is_not_guessed_at(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        ear.say({"type": "fireworks", "number": 6})
        assert await numbers(table, 1) == [5]
        with pytest.raises(OtherVersion):
            await table.receive()


@told
async def test_hanging_up_tells_those_who_wait(fake: FakeTable) -> None:
    async with fake.seated() as (table, ear):
        waiting = asyncio.create_task(table.start())
        await ear.hear("start")
    with pytest.raises(Unreachable, match="closed here"):
        await waiting


# --- Proof of shuffles ----------------------------------------------------------------------------------------------


@told
async def test_nonces_are_promised_anew_for_each_game_and_given_once(fake: FakeTable) -> None:
    async with fake.seated(table=view("over"), seats=[0, 2]) as (table, ear):
        ear.say(house(6, "rematch", view("gathering", match=2, pledge=None)))
        promised = {}
        for _ in range(2):
            command = wire.COMMANDS.validate_python(await ear.hear("pledge"))
            assert isinstance(command, wire.Pledge)
            promised[command.seat] = command.hash
        assert promised.keys() == {0, 2}
        table_after = view("gathering", match=2, pledge=None)
        ear.say(house(7, "sit", table_after))  # our promises have not arrived yet: they are not made twice
        table_after = view("shuffling", match=2)
        for seat, hash_ in promised.items():
            table_after["seats"][seat]["pledge"] = hash_
        ear.say(house(8, "start", table_after))
        ear.say(house(9, "nonce", table_after))
        for _ in range(2):
            given = wire.COMMANDS.validate_python(await ear.hear("nonce"))
            assert isinstance(given, wire.Nonce)
            assert commitment(bytes.fromhex(given.nonce)) == promised[given.seat]
            assert fake.client.nonces["kafemulo", given.seat].hex() == given.nonce
            ear.say({"type": "refused", "id": given.id, "code": "wrong-phase", "sentence": "Too late."})
        ear.say(house(10, "begin", view("playing", match=2)))
        assert await numbers(table, 6) == [5, 6, 7, 8, 9, 10]
        assert ear.has_heard_nothing_else()


@told
async def test_what_another_device_has_promised_it_has_to_give(fake: FakeTable) -> None:
    fake.client.nonces["kafemulo", 0] = bytes(32)
    async with fake.seated(table=view("gathering", pledge="5" * 64)) as (table, ear):
        ear.say(house(6, "start", view("shuffling", pledge="5" * 64)))
        assert await numbers(table, 2) == [5, 6]
        assert ear.has_heard_nothing_else()


# --- HTTP -----------------------------------------------------------------------------------------------------------


def asked(call: Callable[[Client], Awaitable[Any]], status: int, body: str) -> tuple[Any, httpx.Request, Client]:
    """What a call gives if the server answers so, and what the server was asked."""
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(status, text=body)

    async def ask() -> tuple[Any, Client]:
        async with Client("http://table.test/") as client:
            client._http = httpx.AsyncClient(base_url=client.url, transport=httpx.MockTransport(answer))
            return await call(client), client

    result, client = asyncio.run(ask())
    return result, requests[0], client


RECEIPTS = wire.Receipts(receipts=[])
RECENT = wire.RecentGames(games=[], before=None)
SEATED = wire.Seated(code="kafemulo", seat=2, token=TOKEN).model_dump_json()


def test_setting_up_a_table_says_all_there_is_to_say_and_keeps_the_key() -> None:
    seated, request, client = asked(
        lambda client: client.create("buffet", 3, "Ada", seat=2, bots={0: "greedy"}, options={"start_seat": 1}),
        201,
        SEATED,
    )
    wanted = wire.NewTable.model_validate_json(request.content)
    assert (str(request.url), wanted.game, wanted.seats) == ("http://table.test/api/tables", "buffet", 3)
    assert (wanted.bots, wanted.options) == ([wire.BotSeat(seat=0, level="greedy")], {"start_seat": 1})
    assert wanted.pledge == commitment(client.nonces["kafemulo", 2])
    assert client.tokens == {"kafemulo": {2: seated.token}}


def test_sitting_down_promises_a_nonce() -> None:
    _, request, client = asked(lambda client: client.sit("kafe mulo", "Bo"), 201, SEATED)
    assert request.url.raw_path == b"/api/tables/kafe%20mulo/seats"
    assert wire.Sit.model_validate_json(request.content).pledge == commitment(client.nonces["kafemulo", 2])


def test_taking_a_seat_along() -> None:
    _, request, client = asked(lambda client: client.take("kafemulo", TOKEN), 200, SEATED)
    assert wire.Take.model_validate_json(request.content).pass_ == TOKEN
    assert client.tokens == {"kafemulo": {2: TOKEN}}


REPLAY = wire.ReplayData(header={}, views=[], steps=[], rounds=[], real_time=False, finished=True, proven=True)


@pytest.mark.parametrize(
    ("call", "path", "body"),
    [
        (lambda client: client.games(), "/api/games", wire.Games(games=[])),
        (lambda client: client.lobby(), "/api/lobby", wire.Lobby(tables=[])),
        (lambda client: client.results("a"), "/api/tables/a/games", wire.Results(results=[])),
        (lambda client: client.replay("a", 2), "/api/tables/a/games/2/replay", REPLAY),
        (lambda client: client.receipts("a", 2), "/api/tables/a/games/2/receipts", RECEIPTS),
        (lambda client: client.recent(), "/api/games/recent", RECENT),
        (lambda client: client.recent(before=7), "/api/games/recent?before=7", RECENT),
    ],
)  # fmt: skip
def test_looking_around_and_back(call: Callable[[Client], Awaitable[Any]], path: str, body: wire.Outgoing) -> None:
    result, request, _ = asked(call, 200, body.model_dump_json())
    assert (request.url.raw_path.decode(), result) == (path, body)


def test_a_record_is_plain_text() -> None:
    result, request, _ = asked(lambda client: client.record("a", 3), 200, '{"tafelrunde":1}\n')
    assert (request.url.path, result) == ("/api/tables/a/games/3/record", '{"tafelrunde":1}\n')


def test_what_the_server_refuses_over_http_is_raised() -> None:
    refusal = wire.Refusal(code="seat-taken", sentence="That seat is taken.")
    with pytest.raises(RemoteRefusal, match=r"That seat is taken\. \[seat-taken\]"):
        asked(lambda client: client.sit("a", "Bo", 1), 409, refusal.model_dump_json())


def test_a_deck_is_sent_along_and_what_is_wrong_with_it_comes_back() -> None:
    _, request, _ = asked(lambda client: client.create("chocolat", 3, "Ada", deck="name = 1"), 201, SEATED)
    assert wire.NewTable.model_validate_json(request.content).deck == "name = 1"
    sentence = "A deck has a name of 1 to 60 letters."
    fault = wire.DeckFault(line=1, rule="C2", kind="name", values={"most": 60}, sentence=sentence)
    refusal = wire.DeckRefusal(code="bad-deck", rule="C2", sentence=fault.sentence, faults=[fault])
    with pytest.raises(RemoteRefusal) as caught:
        asked(lambda client: client.create("chocolat", 3, "Ada", deck="name = 1"), 422, refusal.model_dump_json())
    assert (caught.value.code, caught.value.faults) == ("bad-deck", [fault])


def test_an_answer_from_something_else_on_the_way_is_told_by_its_status() -> None:
    with pytest.raises(RemoteRefusal) as caught:
        asked(lambda client: client.lobby(), 502, "<html>Bad Gateway</html>")
    assert caught.value.code == "http-502"


def test_an_answer_that_is_none_is_not_guessed_at() -> None:
    with pytest.raises(OtherVersion):
        asked(lambda client: client.lobby(), 200, "<html>Welcome to this network!</html>")


def test_a_server_that_does_not_answer_is_told() -> None:
    async def ask() -> None:
        async with Client("http://127.0.0.1:1") as client:
            await client.games()

    with pytest.raises(Unreachable, match=r"http://127\.0\.0\.1:1"):
        asyncio.run(ask())


# --- Bots -----------------------------------------------------------------------------------------------------------


def sent_view(game: tafelrunde.Game, seat: int) -> wire.View:
    """A view as the table sends it."""
    seen = game.observe(seat)
    raw = base64.b64encode(seen.raw.tobytes()).decode()
    return wire.View.model_validate_json(wire.View(seat=seat, observation=seen.to_json(), raw=raw).model_dump_json())


@pytest.mark.parametrize("name", tafelrunde.GAMES)
def test_a_bot_sees_over_the_network_what_it_sees_in_simulate(name: str) -> None:
    game = tafelrunde.new(name, seats=3, seed=5)
    player = bots.find(name, "greedy")
    for _ in range(30):
        seat = game.to_act[0]
        seen = remote.observation_of(game.spec, sent_view(game, seat))
        assert seen.raw.tobytes() == game.observe(seat).raw.tobytes()
        assert list(seen.legal) == list(game.legal(seat))
        decision = player(seen, tafelrunde.Stream(1))
        assert decision == player(game.observe(seat), tafelrunde.Stream(1))
        assert decision is not None
        game.act(seat, decision)


@told
async def test_a_bot_that_was_refused_keeps_a_view_that_is_newer_than_what_it_asked_for(fake: FakeTable) -> None:
    """Both may come at once, and only the newer one says that it may decide."""
    accepted = {"type": "accepted", "number": 5, "views": [seen(0)]}
    async with fake.seated(views=[seen(0, 1)], to_act=[0]) as (table, ear):

        def decide(seen: tafelrunde.Observation, stream: tafelrunde.Stream) -> tafelrunde.Decision:
            return seen.legal[0]

        bot = remote.TurnPlayer(table, GAMES["buffet"], decide, INSTANT, print)
        looking = asyncio.create_task(bot._look_again())
        looked = await ear.hear("look")
        ear.say(accepted | {"id": looked["id"]})
        ear.say(step(6))
        ear.say(views(6, seen(0, 2)))
        await looking
        assert await numbers(table, 3) == [5, 6, 6]
        assert [decision["card"] for decision in table.legal()] == [2]

        looking = asyncio.create_task(bot._look_again())
        looked = await ear.hear("look")
        ear.say({"type": "accepted", "number": 6, "id": looked["id"], "views": [seen(0, 3)]})
        await looking
        assert [decision["card"] for decision in table.legal()] == [3]


def test_a_hand_over_the_network_is_asked_as_in_simulate() -> None:
    game = tafelrunde.new("dash", seats=2, seed=3, first_opener=0)
    game.act(0, tafelrunde.Decision("open"))
    for hand in range(game.hands):
        seen_by_hand = remote.for_hand(remote.observation_of(game.spec, sent_view(game, game.owner(hand))), hand)
        wanted = game.observe_hand(hand)
        assert seen_by_hand.raw.tobytes() == wanted.raw.tobytes()
        assert (
            codes_of(seen_by_hand.legal, game.spec.notation).tolist()
            == codes_of(wanted.legal, game.spec.notation).tolist()
        )
        assert game.spec.rules.stance(seen_by_hand.raw, hand) == game.stance(hand)


def test_a_server_with_other_rules_is_not_played_at() -> None:
    spec = tafelrunde.GAMES["dash"]
    info = wire.GameInfo(
        id="dash", title="", credit="", rules=spec.rules.VERSION + 1, least_seats=2, most_seats=10, real_time=True,
        options=[], bots=[],
    )  # fmt: skip
    with pytest.raises(OtherVersion, match="plays dash by version 2"):
        remote.check_rules(spec, wire.Games(games=[info]))


# --- Bots at a real server ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    running = RunningServer(tmp_path_factory.mktemp("client") / "tables.db")
    yield running
    running.kill()


def first_choice(observation: tafelrunde.Observation, stream: tafelrunde.Stream) -> tafelrunde.Decision:
    """A bot of one's own."""
    return observation.legal[0]


def stubborn(observation: tafelrunde.Observation, stream: tafelrunde.Stream) -> tafelrunde.Decision:
    """A bot that wants what it can not have."""
    return tafelrunde.Decision("exchange", cards=[9, 9, 9, 9, 9])


OWN = f"{__name__}:first_choice"
QUICK = wire.Terms(bot_pace="instant", countdown_s=0, window_ms=0, public=True)


async def play(server: RunningServer, game: str, players: list[str], told: list[str], **options: int) -> str:
    """Let bots play a game, each on a connection of its own; gives its record."""
    async with Client(server.url) as client:
        host = await client.create(game, len(players), "Ada", options=options, terms=QUICK)
        async with client.table(host.code) as table:
            others = [
                asyncio.create_task(remote.play_remote(server.url, host.code, bot, pace=INSTANT, tell=told.append))
                for bot in players[1:]
            ]
            while any(seat.kind == "free" for seat in table.view.seats):
                await table.receive()
            await table.start()
            own = remote.play_remote(server.url, host.code, players[0], token=host.token, pace=INSTANT)
            ends = await asyncio.gather(own, *others)
        assert all(end is not None and end == ends[0] for end in ends)
        record = await client.record(host.code, 1)
        nonces = json.loads(record.partition("\n")[0])["fairness"]["nonces"]
        assert None not in nonces
        assert nonces[0] == client.nonces[host.code, 0].hex()
        return record


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("buffet", ["greedy", "random", OWN], {}),
        ("chocolat", ["greedy", "random", OWN], {}),
        ("dash", ["greedy", "greedy", "greedy"], {"max_rounds": 1}),
        ("dash", ["greedy", "greedy"], {"max_rounds": 1, "pace_ms": 100}),
    ],
)
def test_bots_play_a_whole_game_over_the_network(
    server: RunningServer, tmp_path: Path, game: str, players: list[str], options: dict[str, int]
) -> None:
    told: list[str] = []
    record = tmp_path / "game.tafel"
    record.write_text(asyncio.run(play(server, game, players, told, **options)))
    verdict = tafelrunde.verify(record)
    assert str(verdict).endswith("finished, shuffles proven")
    assert "The game begins." in told
    assert any(line.startswith("The game is over: 1. ") for line in told)
    asyncio.run(look_back(server, game, record.read_text()))


async def look_back(server: RunningServer, game: str, record: str) -> None:
    """The game that was played last is found by all, and can be seen again from the table and from its record."""
    async with Client(server.url) as client:
        latest = (await client.recent()).games[0]
        assert (latest.game, await client.record(latest.code, latest.match)) == (game, record)
        assert latest not in (await client.recent(before=latest.ended)).games
        from_table, from_record = await client.replay(latest.code, latest.match), await client.replay_record(record)
        assert [step.entries for step in from_record.steps] == [step.entries for step in from_table.steps]
        assert from_record.proven


def test_a_record_that_does_not_hold_is_told_with_its_line(server: RunningServer) -> None:
    first, *entries = path_of("buffet", 3).read_text().splitlines(keepends=True)

    async def send() -> None:
        async with Client(server.url) as client:
            await client.replay_record("".join([first, *entries[1:]]))

    with pytest.raises(RemoteRefusal, match=r"^line 2: .* \[bad-record, B\d+\]$") as caught:
        asyncio.run(send())
    assert caught.value.line == 2


def test_a_seat_is_taken_along_to_another_device(server: RunningServer) -> None:
    async def change() -> None:
        async with Client(server.url) as telephone, Client(server.url) as laptop:
            seated = await telephone.create("buffet", 3, "Ada", bots={1: "greedy", 2: "random"}, terms=QUICK)
            async with telephone.table(seated.code) as table:
                taken = await laptop.take(seated.code, await table.pass_on())
                assert [message async for message in table][-1].type == "bye"
            assert taken.seat == seated.seat
            async with laptop.table(seated.code) as table:
                await table.say("Here I am again.")
                await table.start()
                while not table.legal():
                    await table.receive()
                await table.act(table.legal()[0])

    asyncio.run(change())


def test_a_bot_that_breaks_the_rules_is_told_so(server: RunningServer) -> None:
    with pytest.raises(Illegal, match="exchange 9 9 9 9 9"):
        asyncio.run(play(server, "buffet", [f"{__name__}:stubborn", "random", "random"], []))


def test_whoever_goes_while_connecting_leaves_no_connection_open(server: RunningServer) -> None:
    async def go_after(turns: int, code: str) -> None:
        line = connections.Connection(b'{"do":"hello"}', lambda line, _: line.welcome())
        holding = asyncio.create_task(line.run(f"ws{server.url.removeprefix('http')}/api/tables/{code}/socket"))
        for _ in range(turns):  # of the loop: in the middle of it at one of them
            await asyncio.sleep(0)
        holding.cancel()
        await asyncio.gather(holding, return_exceptions=True)

    async def create() -> str:
        async with Client(server.url) as client:
            return (await client.create("buffet", 3, "Ada")).code

    code = asyncio.run(create())
    with warnings.catch_warnings(record=True) as open_still:
        warnings.simplefilter("always", ResourceWarning)
        for turns in range(24):
            asyncio.run(go_after(turns, code))
        gc.collect()
    assert not open_still


@pytest.mark.slow
@pytest.mark.process
def test_a_game_goes_on_after_the_server_was_killed(tmp_path: Path) -> None:
    server = RunningServer(tmp_path / "tables.db")

    async def play_on() -> list[wire.Message]:
        async with Client(server.url) as client:
            seated = await client.create("buffet", 3, "Ada", bots={1: "greedy", 2: "greedy"}, terms=QUICK)
            async with client.table(seated.code) as table:
                await table.start()
                bot = remote.play_remote(server.url, seated.code, "greedy", token=seated.token, stay=True)
                playing = asyncio.create_task(bot)  # on a second connection of the same seat
                messages = []
                while table.view.phase != "over":
                    messages.append(await table.receive())
                    if len(messages) == 25:
                        await asyncio.to_thread(server.kill)
                        await asyncio.to_thread(server.start)
                playing.cancel()
                return [message for message in messages if message is not None]

    try:
        messages = asyncio.run(play_on())
    finally:
        server.kill()
    numbers = [message.number for message in messages if isinstance(message, wire.Line)]
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert sum(isinstance(message, wire.Resumed) for message in messages) == 1
