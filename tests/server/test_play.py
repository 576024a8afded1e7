"""Whole evenings over the network: a real server, the client library, people and bots."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

import tafelrunde
from tafelrunde import Decision, Record, Stream, wire
from tafelrunde.bots.pace import INSTANT
from tafelrunde.client import Client, RemoteRefusal, RemoteTable
from tafelrunde.client.connection import Connection
from tafelrunde.fairness import commitment
from tafelrunde.games import GAMES
from tafelrunde.games.contract import Observation
from tafelrunde.remote import TRANSIENT, play_remote
from tafelrunde.server.recent_lines import MOST_LINES
from tafelrunde.server.table_store import MOST_MISSED
from tafelrunde.verification import check
from tests import waiting
from tests.server.guests import seated
from tests.server.running import RunningServer
from tests.server.timeless import House, moment, timeless

LINES_BETWEEN_BREAKS = 8
QUICK = wire.Terms(bot_pace="instant", countdown_s=0, window_ms=0)
OPTIONS: dict[str, dict[str, int | bool | None]] = {"buffet": {}, "chocolat": {}, "dash": {"max_rounds": 1}}
Story = Callable[..., Awaitable[None]]


def tell(story: Story, *args: Any) -> None:
    asyncio.run(story(*args))  # type: ignore[arg-type]


async def until(holds: Callable[[], Any], tables: Iterable[RemoteTable] = ()) -> None:
    """Follow these tables until something is so."""
    while not holds():
        for table in tables:
            await table.receive(0.01)
        await asyncio.sleep(0)


async def play(table: RemoteTable, chooser: random.Random, until_line: int = 1 << 30) -> int:
    """Decide for our seats at random whenever they are asked, until so much has happened or all; gives how often."""
    decided = 0
    while table.view.phase != "over" and (table.number or 0) < until_line:
        mine = [seat for seat in table.seats if seat in table.to_act]
        if not mine:
            await table.receive()
            continue
        legal = (await table.look(mine[0])).observation["legal"]
        try:
            if legal:
                await table.act(choose(legal, chooser), mine[0])
                decided += 1
                continue
        except RemoteRefusal as refusal:
            if refusal.code not in TRANSIENT:
                raise
        await table.receive(0.05)
    return decided


def choose(legal: list[dict[str, Any]], chooser: random.Random) -> dict[str, Any]:
    """First a verb, then one of its decisions."""
    verb = chooser.choice(sorted({one["do"] for one in legal}))
    return chooser.choice([one for one in legal if one["do"] == verb])


class Company:
    """People with a device each, around one table."""

    def __init__(self, code: str, clients: list[Client], tables: list[RemoteTable]) -> None:
        self.code = code
        self.clients = clients
        self.tables = tables

    @property
    def host(self) -> RemoteTable:
        return self.tables[0]

    async def play(self, seed: int = 1) -> None:
        await asyncio.gather(*(play(table, random.Random(seed + i)) for i, table in enumerate(self.tables)))

    async def record(self, match: int = 1) -> Record:
        return read(await self.clients[0].record(self.code, match))


def read(text: str) -> Record:
    header, *entries = map(json.loads, text.splitlines())
    return Record(header, entries)


@asynccontextmanager
async def company(
    server: RunningServer, game: str = "buffet", people: int = 2, seats: int = 4, terms: wire.Terms = QUICK
) -> AsyncIterator[Company]:
    """A table of people, each connected; the other seats are for bots."""
    async with AsyncExitStack() as opened:
        clients = [await opened.enter_async_context(Client(server.url)) for _ in range(people)]
        bots = dict.fromkeys(range(people, seats), "greedy")
        seated = await clients[0].create(game, seats, "Ada", options=OPTIONS[game], bots=bots, terms=terms)
        for client, name in zip(clients[1:], ("Bo", "Cy", "Di"), strict=False):
            await client.sit(seated.code, name)
        tables = [await opened.enter_async_context(client.table(seated.code)) for client in clients]
        yield Company(seated.code, clients, tables)


# --- Whole games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(GAMES))
def test_people_and_bots_play_a_game_to_its_end_and_its_record_holds(server: RunningServer, game: str) -> None:
    async def evening() -> None:
        async with company(server, game) as ours:
            promised = ours.host.view.commitment
            await ours.host.start()
            await ours.play()
            record = await ours.record()
            verdict = check(enumerate([record.header, *record.entries], start=1))
            assert verdict.error is None
            assert verdict.finished
            assert verdict.proven
            assert tafelrunde.replay(record).over
            assert record.header["fairness"]["commitment"] == promised
            given = [client.nonces[ours.code, seat].hex() for seat, client in enumerate(ours.clients)]
            assert record.header["fairness"]["nonces"] == [*given, None, None]

            [result] = (await ours.clients[1].results(ours.code)).results
            end = record.entries[-1]
            assert (result.match, result.scores, result.places) == (1, end["scores"], end["places"])
            assert result.names[:2] == ["Ada", "Bo"]

            replay = await ours.clients[0].replay(ours.code, 1)
            assert replay.header == record.header
            assert [entry for step in replay.steps for entry in step.entries] == record.entries
            assert [step.at for step in replay.steps] == sorted(step.at for step in replay.steps)

    tell(evening)


def test_everybody_has_seen_the_whole_game_less_what_was_not_for_them(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server, "chocolat") as ours, Client(server.url) as stranger:
            async with stranger.table(ours.code, []) as watching:
                seen: dict[int | None, list[dict[str, Any]]] = {0: [], None: []}

                async def watch(seat: int | None, table: RemoteTable) -> None:
                    while not seen[seat] or seen[seat][-1]["do"] != "end":
                        message = await table.receive()
                        if isinstance(message, wire.Step):
                            seen[seat] += message.entries

                watches = [asyncio.create_task(watch(None, watching))]
                async with ours.clients[0].table(ours.code) as second_device:
                    watches.append(asyncio.create_task(watch(0, second_device)))
                    await ours.host.start()
                    await ours.play()
                    await asyncio.gather(*watches)
            record = await ours.record()
            spec = GAMES["chocolat"]
            for seat, entries in seen.items():
                assert entries == [spec.hide(entry, seat) for entry in record.entries]

    tell(evening)


def test_a_game_that_is_not_over_has_no_record_yet(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server) as ours:
            await ours.host.start()
            for ask in (ours.clients[0].record, ours.clients[0].replay, ours.clients[0].receipts):
                with pytest.raises(RemoteRefusal) as refused:
                    await ask(ours.code, 1)
                assert refused.value.code == "no-such-match"
            assert (await ours.clients[0].results(ours.code)).results == []

    tell(evening)


def test_a_rematch_is_a_new_game_with_the_same_people(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server, "chocolat") as ours:
            before = ours.host.view
            await ours.host.start()
            await ours.play()
            await ours.host.rematch()
            pledges = lambda view: [seat.pledge for seat in view.seats[:2]]  # noqa: E731 - asked twice
            await until(lambda: all(t.view.match == 2 and all(pledges(t.view)) for t in ours.tables), ours.tables)
            view = ours.host.view
            assert [seat.name for seat in view.seats] == [seat.name for seat in before.seats]
            assert view.commitment != before.commitment
            assert not set(pledges(view)) & set(pledges(before))
            await ours.host.start()
            await ours.play(seed=7)
            record = await ours.record(2)
            assert check(enumerate([record.header, *record.entries], start=1)).proven
            nonces = record.header["fairness"]["nonces"]
            assert [commitment(bytes.fromhex(nonce)) for nonce in nonces[:2]] == pledges(view)
            assert [result.match for result in (await ours.clients[0].results(ours.code)).results] == [1, 2]

    tell(evening)


# --- Getting to a table -------------------------------------------------------------------------------------------


def test_the_lobby_has_public_tables_with_free_seats_and_no_others(server: RunningServer) -> None:
    async def evening() -> None:
        async with Client(server.url) as client:
            public, private = wire.Terms(public=True), wire.Terms()
            open_one = (await client.create("dash", 4, "Ada", bots={1: "greedy"}, terms=public)).code
            hidden = (await client.create("dash", 4, "Ada", terms=private)).code
            full = (await client.create("dash", 3, "Ada", bots={1: "greedy", 2: "greedy"}, terms=public)).code
            listed = {table.code: table for table in (await client.lobby()).tables}
            assert open_one in listed
            assert hidden not in listed
            assert full not in listed
            shown = listed[open_one]
            assert (shown.game, shown.host, shown.seats, shown.free, shown.people) == ("dash", "Ada", 4, 2, ["Ada"])
            for name in ("Bo", "Cy"):
                await client.sit(open_one, name)
            assert open_one not in {table.code for table in (await client.lobby()).tables}

    tell(evening)


def test_a_table_is_found_by_its_code_however_it_was_written_down(server: RunningServer) -> None:
    async def evening() -> None:
        async with Client(server.url) as client:
            code = (await client.create("buffet", 3, "Ada")).code
            sloppy = f"{code[:4].capitalize()}-{code[4:].capitalize()}"
            seated = await client.sit(sloppy, "Bo")
            assert (seated.code, seated.seat) == (code, 1)
            assert (await client.look_at(f" {code.upper()} ")).table.code == code
            async with client.table(sloppy, [seated.token]) as table:
                assert (table.view.code, table.seats) == (code, [1])

    tell(evening)


def test_whoever_leaves_watches_from_then_on_and_somebody_else_may_sit_down(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server) as ours, Client(server.url) as other:
            await ours.tables[1].leave()
            await until(lambda: ours.host.view.seats[1].kind == "free", ours.tables)
            with pytest.raises(RemoteRefusal) as refused:
                await ours.tables[1].say("am I still here?")
            assert refused.value.code == "not-your-seat"
            assert (await other.sit(ours.code, "Zoe")).seat == 1
            await until(lambda: ours.tables[1].view.seats[1].name == "Zoe", ours.tables)

    tell(evening)


def test_a_seat_is_taken_along_to_another_device_and_the_old_one_is_told_goodbye(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server) as ours, Client(server.url) as phone:
            old = ours.clients[1].tokens[ours.code][1]
            seated = await phone.take(ours.code, await ours.tables[1].pass_on())
            assert seated.seat == 1
            told = [message async for message in ours.tables[1]]
            assert isinstance(told[-1], wire.Bye)
            assert (told[-1].code, told[-1].again) == ("seat-moved", False)
            assert isinstance(told[-2], wire.House)
            assert told[-2].do == "take"
            async with phone.table(ours.code) as table:
                assert table.seats == [1]
                await table.say("here I am")
            with pytest.raises(RemoteRefusal) as refused:
                async with phone.table(ours.code, [old]):
                    pass
            assert refused.value.code == "bad-token"
            await ours.host.say("and I have been here all the time")

    tell(evening)


def test_whoever_was_removed_is_told_goodbye(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server) as ours:
            await ours.host.remove(1)
            told = [message async for message in ours.tables[1]]
            assert isinstance(told[-1], wire.Bye)
            assert told[-1].code == "seat-moved"

    tell(evening)


def test_a_bot_plays_on_for_whoever_was_removed_during_a_game(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server) as ours:
            await ours.host.start()
            await until(lambda: ours.host.view.phase == "playing", [ours.host])
            await ours.host.remove(1)
            told = [message async for message in ours.tables[1]]
            assert isinstance(told[-1], wire.Bye)
            assert told[-1].code == "seat-moved"
            assert ours.host.view.seats[1].kind == "bot"
            with pytest.raises(RemoteRefusal) as refused:
                await ours.clients[1].sit(ours.code, "Bo again")
            assert refused.value.code == "seat-taken"
            await until(lambda: 1 not in ours.host.to_act, [ours.host])
            await ours.host.say("It has played.")

    tell(evening)


@pytest.mark.parametrize("playing", [False, True])
def test_a_table_that_its_host_closes_says_goodbye_to_all_and_lets_nobody_in_again(
    server: RunningServer, playing: bool
) -> None:
    async def evening() -> None:
        async with company(server) as ours, Client(server.url) as stranger:
            async with stranger.table(ours.code) as watching:
                if playing:
                    await ours.host.start()
                    await until(lambda: ours.host.view.phase == "playing", [ours.host])
                with pytest.raises(RemoteRefusal) as refused:
                    await ours.tables[1].close_table()
                assert refused.value.code == "not-host"
                await ours.host.close_table()
                for table in (*ours.tables, watching):
                    *_, line, bye = [message async for message in table if message.type != "presence"]
                    assert isinstance(line, wire.House)
                    assert (line.do, line.table.phase) == ("close", "closed")
                    assert isinstance(bye, wire.Bye)
                    assert (bye.code, bye.again) == ("table-closed", False)
            for attempt in (stranger.sit(ours.code, "Zoe"), stranger.table(ours.code).__aenter__()):
                with pytest.raises(RemoteRefusal) as refused:
                    await attempt
                assert refused.value.code == "table-closed"
            assert (await stranger.look_at(ours.code)).table.phase == "closed"

    tell(evening)


def test_without_a_seat_one_watches(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server) as ours, Client(server.url) as stranger:  # noqa: SIM117 - one after the other
            async with stranger.table(ours.code) as watching:
                await until(lambda: watching.presence and watching.presence.watching == 1, [watching])
                for attempt in (
                    watching.say("boo"),
                    watching.start(),
                    watching.leave(),
                    watching.act({"do": "lay"}, 0),
                ):
                    with pytest.raises(RemoteRefusal) as refused:
                        await attempt
                    assert refused.value.code == "not-your-seat"
                await ours.host.start()
                await until(lambda: watching.view.phase == "playing", [watching])
                view = await watching.look()
                assert view.seat is None
                assert not view.observation.get("legal")

    tell(evening)


def test_one_device_may_have_several_seats(server: RunningServer) -> None:
    async def evening() -> None:
        async with Client(server.url) as client:
            code = (await client.create("buffet", 3, "Ada", terms=QUICK)).code
            for name in ("Bo", "Cy"):
                await client.sit(code, name)
            async with client.table(code) as table:
                assert table.seats == [0, 1, 2]
                with pytest.raises(RemoteRefusal) as refused:
                    await table.start()
                assert refused.value.code == "not-your-seat"
                await table.start(seat=0)
                await play(table, random.Random(3))
            record = read(await client.record(code, 1))
            assert check(enumerate([record.header, *record.entries], start=1)).proven
            assert record.header["fairness"]["nonces"] == [client.nonces[code, seat].hex() for seat in range(3)]

    tell(evening)


# --- Breaks -------------------------------------------------------------------------------------------------------


async def resume(server: RunningServer, code: str, token: str, after: int, last: int) -> list[bytes]:
    """Connect as somebody who has followed so far, and hear everything up to a number."""
    async with seated(server.url, code) as spectator:
        epoch = spectator.epoch
    heard: list[bytes] = []
    complete = asyncio.Event()

    def receive(line: Connection, text: bytes) -> None:
        told = json.loads(text)
        line.welcome()
        if told["type"] != "presence":  # which may come at any time
            heard.append(text)
        if told.get("number") == last and (told["type"] != "resumed" or after == last):
            complete.set()

    line = Connection(json.dumps({"do": "hello", "tokens": [token], "after": after, "epoch": epoch}).encode(), receive)
    holding = asyncio.create_task(line.run(f"ws{server.url.removeprefix('http')}/api/tables/{code}/socket"))
    await complete.wait()
    line.close()
    await holding
    return heard


def test_after_a_break_everything_that_was_missed_follows_byte_for_byte(server: RunningServer) -> None:
    """Also what is no longer kept in memory."""

    async def evening() -> None:
        async with company(server) as ours:
            await ours.host.start()
            await ours.play()
            await asyncio.gather(*(ours.host.say(f"number {number}") for number in range(300)))
            last = ours.host.number or 0
            token = ours.clients[1].tokens[ours.code][1]
            whole = await resume(server, ours.code, token, 0, last)
            assert [json.loads(text)["number"] for text in whole] == [last, *range(1, last + 1)]
            for after in (1, 2, 5, last - 290, last - 257, last - 256, last - 255, last - 3, last):
                again = await resume(server, ours.code, token, after, last)
                assert json.loads(again[0])["type"] == "resumed"
                assert again[1:] == whole[1 + after :]

    tell(evening)


@timeless
async def test_whoever_has_missed_too_much_is_told_how_things_are_instead(house: House) -> None:
    table = await house.table()
    guest = table.guest(0)
    await moment()
    for number in range(MOST_MISSED + MOST_LINES):
        guest.ask("say", text=f"number {number}")
    await moment(1)
    last = table.live.table.number
    late, not_so_late = table.guest(1, after=0), table.guest(1, after=last - MOST_MISSED)
    await moment()
    assert [message["type"] for message in late.messages()] == ["welcome"]
    assert [message["type"] for message in not_so_late.messages()][:2] == ["resumed", "say"]
    assert len(not_so_late.messages("say")) == MOST_MISSED


def test_a_line_that_breaks_again_and_again_loses_nothing_and_does_nothing_twice(server: RunningServer) -> None:
    async def evening() -> None:
        async with company(server, "chocolat", people=1, seats=3) as ours:
            table = ours.host
            await table.start()
            playing = asyncio.create_task(play(table, random.Random(5)))
            while not playing.done():
                enough = (table.number or 0) + LINES_BETWEEN_BREAKS
                await waiting.until(
                    lambda enough=enough: playing.done() or (table._connection and table.number >= enough)
                )
                if table._connection is not None:
                    table._connection.drop()
            decided = await playing
            record = await ours.record()
            assert check(enumerate([record.header, *record.entries], start=1)).proven
            assert sum(entry["by"] == 0 for entry in record.entries) == decided

    tell(evening)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_tables_live_on_when_the_server_is_started_anew(start_server: Callable[..., RunningServer], game: str) -> None:
    server = start_server()

    async def evening() -> None:
        async with company(server, game) as ours:
            await ours.host.start()
            await asyncio.gather(*(play(table, random.Random(i), until_line=20) for i, table in enumerate(ours.tables)))
            await ours.host.say("back in a minute")
            before = await ours.clients[0].look_at(ours.code)
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
            after = await ours.clients[0].look_at(ours.code)
            assert after.number >= before.number
            assert after.table.commitment == before.table.commitment
            await ours.play(seed=9)
            record = await ours.record()
            assert check(enumerate([record.header, *record.entries], start=1)).proven

    tell(evening)


# --- Bots from elsewhere ------------------------------------------------------------------------------------------


def first_of_all(seen: Observation, stream: Stream) -> Decision | None:
    """A bot of one's own: takes what comes first, and in real time what is worth something."""
    verbs = ("exit", "keep", "look")
    return next((one for one in seen.legal if one.do in verbs), seen.legal[stream.randrange(len(seen.legal))])


@pytest.mark.parametrize("bot", ["greedy", "tests.server.test_play:first_of_all"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_bot_of_the_lab_plays_over_the_network_unchanged(server: RunningServer, game: str, bot: str) -> None:
    async def evening() -> None:
        async with Client(server.url) as client:
            seated = await client.create(game, 3, "Ada", options=OPTIONS[game], terms=QUICK)
            code = seated.code
            players = [play_remote(server.url, code, bot, token=seated.token, pace=INSTANT)]
            players += [play_remote(server.url, code, bot, name=name, pace=INSTANT) for name in ("Bo", "Cy")]
            playing = [asyncio.create_task(player) for player in players]
            async with client.table(code) as table:
                await until(lambda: all(seat.kind == "person" for seat in table.view.seats), [table])
                await table.start()
            ends = await asyncio.gather(*playing)
            record = read(await client.record(code, 1))
            assert check(enumerate([record.header, *record.entries], start=1)).proven
            assert ends == [record.entries[-1]] * 3

    tell(evening)


def test_a_bot_joins_a_table_by_a_command(server: RunningServer) -> None:
    async def evening() -> None:
        async with Client(server.url) as client:
            code = (await client.create("chocolat", 2, "Ada", terms=QUICK)).code
            joining = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tafelrunde", "join", code.upper(), "--bot", "greedy", "--server", server.url,
                "--name", "Robo", stdout=asyncio.subprocess.PIPE, env=os.environ,
            )  # fmt: skip
            async with client.table(code) as table:
                await until(lambda: table.view.seats[1].name == "Robo", [table])
                await table.start()
                await play(table, random.Random(4))
            told, _ = await joining.communicate()
            assert joining.returncode == 0
            assert b"The game is over" in told

    tell(evening)
