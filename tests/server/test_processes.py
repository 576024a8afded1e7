"""Several processes on one PostgreSQL database: people at the same table need not be at the same server."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tafelrunde import wire
from tafelrunde.client import Client
from tafelrunde.games import find
from tests.postgres import Cluster, running
from tests.server.guests import (
    PATIENT,
    Raw,
    Witness,
    lines_again,
    point_to,
    seated,
    sit_and_play,
    verdict_on,
)
from tests.server.running import RunningServer
from tests.waiting import until

QUIET_LOOKS = 50
Start = Callable[..., RunningServer]
Pair = tuple[RunningServer, RunningServer]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def pair(cluster: Cluster) -> Iterator[Pair]:
    """Two processes on one database."""
    with ThreadPoolExecutor() as pool:
        one, other = pool.map(RunningServer, [cluster.database()] * 2)
    yield one, other
    one.kill()
    other.kill()


def lost_races(server: RunningServer) -> float:
    found = re.search(r"^tafelrunde_lost_races_total (\S+)$", httpx.get(f"{server.url}/metrics").text, re.MULTILINE)
    assert found
    return float(found[1])


async def comes_to_rest(server: RunningServer) -> None:
    """Wait until the server does no work from one look to the next, many times in a row."""
    worked, quiet = seconds_worked(server), 0

    def rests() -> bool:
        nonlocal worked, quiet
        before, worked = worked, seconds_worked(server)
        quiet = quiet + 1 if worked == before else 0
        return quiet == QUIET_LOOKS

    await until(rests)


def seconds_worked(server: RunningServer) -> float:
    words = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Guests:
    """People at one table, each at one of the two servers."""

    def __init__(self, pair: Pair, game: str, code: str, tokens: dict[int, str]) -> None:
        self.pair = pair
        self.game = game
        self.code = code
        self.tokens = tokens
        self.tables: dict[int, Witness] = {}
        self.clients: list[Client] = []

    @property
    def last(self) -> int:
        return max(table.number or 0 for table in self.tables.values())

    async def play(self) -> None:
        """Play one game to its end, chatting all the while."""
        async with asyncio.TaskGroup() as tasks:
            await self.tables[0].start()
            for seat, table in self.tables.items():
                tasks.create_task(sit_and_play(table, self.game))
                tasks.create_task(chat(table, seat))
            await until(lambda: all(table.view.phase == "over" for table in self.tables.values()))
            await until(lambda: all(len(chatted(table)) >= 5 for table in self.tables.values()))
            for task in list(tasks._tasks):
                task.cancel()

    async def check(self) -> None:
        """All have everything, at both servers, and the record holds."""
        await until(lambda: all(table.number == self.last for table in self.tables.values()))
        for seat, table in self.tables.items():
            numbers = [json.loads(line)["number"] for line in table.lines]
            assert numbers == list(range(table.first + 1, self.last + 1))
            for server in self.pair:
                if server.process.poll() is None:
                    again = await lines_again(server.url, self.code, [self.tokens[seat]], table.first, self.last)
                    assert again == table.lines
        verdict = verdict_on(await self.clients[0].record(self.code, 1))
        assert verdict.error is None
        assert verdict.finished
        assert verdict.proven


async def chat(table: Witness, seat: int) -> None:
    for number in range(5):
        await table.say(f"Seat {seat} says something for the {number + 1}. time.")


def chatted(table: Witness) -> list[bytes]:
    return [line for line in table.lines if line.startswith(b'{"type":"say"')]


@asynccontextmanager
async def guests_at(pair: Pair, game: str, seats: int, bots: dict[int, str] | None = None) -> AsyncIterator[Guests]:
    """A table at which every other person is at the other server."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(server.url)) for server in pair]
        options = dict(find(game).quick)
        host = await clients[0].create(game, seats, "Ada", options=options, bots=bots, terms=PATIENT)
        for index in range(1, seats - len(bots or {})):
            await clients[index % 2].sit(host.code, f"Guest {index}")
        tokens = clients[0].tokens[host.code] | clients[1].tokens.get(host.code, {})
        guests = Guests(pair, game, host.code, tokens)
        guests.clients = clients
        for client in clients:
            for seat, token in client.tokens.get(host.code, {}).items():
                guests.tables[seat] = await stack.enter_async_context(Witness(client, host.code, [token]))
        for table in guests.tables.values():
            await until(lambda table=table: all(seat.kind != "free" for seat in table.view.seats))
        yield guests


@pytest.mark.parametrize(
    ("game", "seats", "bots"),
    [("buffet", 4, {}), ("buffet", 5, {4: "greedy"}), ("chocolat", 3, {2: "greedy"}), ("dash", 4, {3: "greedy"})],
    ids=["buffet", "buffet-with-a-bot", "chocolat", "dash"],
)
def test_a_game_goes_on_at_two_servers_at_once(pair: Pair, game: str, seats: int, bots: dict[int, str]) -> None:
    async def story() -> None:
        async with guests_at(pair, game, seats, bots) as guests:
            await guests.play()
            await guests.check()

    asyncio.run(story())


def test_whoever_loses_a_race_tries_again_and_everybody_is_answered(pair: Pair) -> None:
    rounds = 60

    async def race(here: Raw, there: Raw) -> None:
        """Both speak at the same instant, again and again, several times each."""
        for number in range(rounds):
            commands = [{"do": "say", "id": f"{number}-{turn}", "text": f"{number}"} for turn in range(3)]
            for command in commands:
                here.say(command)
                there.say(command)
            for raw in (here, there):
                for command in commands:
                    while (await raw.hear("say", "refused", "accepted")).get("id") != command["id"]:
                        pass

    async def story() -> None:
        async with guests_at(pair, "buffet", 3) as guests:
            one, other = (guests.tokens[seat] for seat in (0, 1))
            async with (
                seated(pair[0].url, guests.code, one) as here,
                seated(pair[1].url, guests.code, other) as there,
            ):
                await race(here, there)
            table = guests.tables[0]
            await until(lambda: len(chatted(table)) == 2 * 3 * rounds)
            await until(lambda: all(other.number == guests.last for other in guests.tables.values()))
            for witness in guests.tables.values():
                numbers = [json.loads(line)["number"] for line in witness.lines]
                assert numbers == list(range(witness.first + 1, guests.last + 1))
                assert witness.lines[-2 * 3 * rounds :] == table.lines[-2 * 3 * rounds :]

    asyncio.run(story())
    assert sum(map(lost_races, pair)) > 0


def test_when_one_server_is_killed_its_guests_go_on_at_the_other(pair: Pair, start_server: Start) -> None:
    short_lived = start_server(pair[0].db)

    async def story() -> None:
        async with guests_at((pair[0], short_lived), "buffet", 4) as guests, asyncio.TaskGroup() as tasks:
            playing = tasks.create_task(guests.play())
            await until(lambda: guests.last > 25)
            short_lived.kill()
            for table in guests.tables.values():
                point_to(table, pair[0].url)
            await playing
            await guests.check()
            assert all(table.connections == 2 - (seat % 2 == 0) for seat, table in guests.tables.items())

    asyncio.run(story())


def test_a_database_that_is_restarted_costs_nothing_but_time(pair: Pair, cluster: Cluster) -> None:
    async def story() -> None:
        async with guests_at(pair, "buffet", 4) as guests, asyncio.TaskGroup() as tasks:
            playing = tasks.create_task(guests.play())
            await until(lambda: guests.last > 20)
            await asyncio.to_thread(cluster.stop)
            await until(lambda: any(table._connection is None for table in guests.tables.values()))
            async with httpx.AsyncClient() as http:
                answer = await http.get(f"{pair[0].url}/api/lobby")
            assert answer.status_code == 503
            assert answer.json()["code"] in ("unavailable", "store-error")
            await asyncio.to_thread(cluster.start)
            await playing
            await guests.check()
            for seat, table in guests.tables.items():
                seen = {json.loads(line)["number"] for line in table.lines}
                assert set(table.acknowledged.values()) <= seen, seat
            for server in pair:
                await comes_to_rest(server)

    asyncio.run(story())


async def has_here(raw: Raw, *seats: bool) -> None:
    """Wait until exactly these seats are known to be connected."""
    while (await raw.hear("presence"))["here"] != list(seats):
        pass


async def next_away(raw: Raw) -> int:
    """Wait until a seat is declared to be away; gives its number."""
    while (line := await raw.hear("house"))["do"] != "away":
        pass
    seat: int = line["seat"]
    return seat


def test_whoever_is_connected_to_another_server_is_not_away(pair: Pair) -> None:
    async def story() -> None:
        one, other = pair
        async with Client(one.url) as client:
            terms = wire.Terms(grace_s=5)
            host = await client.create("buffet", 4, "Ada", terms=terms)
            bo, cy, di = [await client.sit(host.code, name) for name in ("Bo", "Cy", "Di")]
        async with seated(one.url, host.code, host.token) as ada:
            async with seated(other.url, host.code, bo.token) as guest:
                async with seated(one.url, host.code, cy.token), seated(other.url, host.code, di.token):
                    for raw in (ada, guest):
                        await has_here(raw, True, True, True, True)
                    await ada.answer({"do": "start", "id": "s"})
                    while (await ada.hear("house"))["do"] != "begin":
                        pass
                # One guest of each process leaves. When both are found to be away, so would be whoever a process had
                # missed since before.
                assert {await next_away(ada), await next_away(ada)} == {cy.seat, di.seat}
            await has_here(ada, True, False, False, False)
            assert await next_away(ada) == bo.seat

    asyncio.run(story())
