"""Acknowledged means durable: a server that is killed again and again, and its guests who notice nothing but delays."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from tafelrunde.client import Client, Unreachable
from tafelrunde.games import find
from tafelrunde.server.table_store import table_of
from tafelrunde.store import open_store
from tafelrunde.table import Table
from tafelrunde.table.codes import hashed
from tafelrunde.table.head import Head
from tafelrunde.table.log import read_line
from tafelrunde.verification import check
from tests.server.guests import PATIENT, Witness, lines_again, sit_and_play
from tests.server.running import RunningServer
from tests.waiting import until

KILLS = 8
PACE = 5
"""So many acknowledgements later the next people set up a table."""
TABLES = [
    ("buffet", 4, {}), ("buffet", 3, {1: "greedy"}), ("buffet", 5, {2: "random", 3: "greedy"}),
    ("chocolat", 2, {}), ("chocolat", 3, {2: "greedy"}), ("chocolat", 4, {1: "random", 3: "greedy"}),
    ("dash", 2, {}), ("dash", 3, {1: "greedy"}), ("dash", 2, {1: "greedy"}),
]  # fmt: skip
"""Games, seats, and the seats on which bots play."""

Start = Callable[..., RunningServer]


@dataclass
class Party:
    """One table and the people at it."""

    code: str
    game: str
    guests: dict[int, Witness] = field(default_factory=dict)
    tokens: dict[int, str] = field(default_factory=dict)
    games_over: asyncio.Event = field(default_factory=asyncio.Event)


class Evening:
    """All tables, and somebody who pulls the plug after so many acknowledgements."""

    def __init__(self, server: RunningServer, client: Client) -> None:
        self.server = server
        self.client = client
        self.parties: list[Party] = []
        self.created: list[tuple[str, str]] = []
        """Codes and tokens of tables that were acknowledged over HTTP while the server was being killed."""
        self.closing = False
        self._until_kill = 0
        self._acknowledged = 0
        self._killed = asyncio.Event()
        self._runs = asyncio.Event()
        self._runs.set()

    def heard(self) -> None:
        """A guest has got an acknowledgement."""
        self._acknowledged += 1
        self._until_kill -= 1
        if self._until_kill == 0:
            self.server.process.kill()
            self._runs.clear()
            self._killed.set()

    async def kill_after(self, acknowledgements: int) -> None:
        self._killed.clear()
        self._until_kill = acknowledgements
        await self._killed.wait()
        self.server.kill()
        await asyncio.to_thread(self.server.start)
        self._runs.set()

    async def seat(self, stack: AsyncExitStack, tasks: asyncio.TaskGroup) -> None:
        """Set up all tables; everybody sits down and begins."""
        for game, seats, bots in TABLES:
            options = dict(find(game).quick)
            host = await self.client.create(game, seats, "Ada", options=options, bots=bots, terms=PATIENT)
            party = Party(host.code, game)
            for _ in range(seats - len(bots) - 1):
                await self.client.sit(host.code, "Bo")
            party.tokens = self.client.tokens[host.code]
            self.parties.append(party)
            for seat, token in party.tokens.items():
                table = Witness(self.client, host.code, [token], self.heard)
                party.guests[seat] = await stack.enter_async_context(table)
                over = party.games_over.set if seat == 0 else lambda: None
                tasks.create_task(sit_and_play(table, game, tell=lambda line, over=over: tell_of_end(line, over)))
            tasks.create_task(self.keep_house(party))

    async def keep_house(self, party: Party) -> None:
        """The host chats, and begins another game whenever one is over."""
        host = party.guests[0]
        for number in count():
            await host.start()
            await host.say(f"Game {number}, enjoy!")
            await party.games_over.wait()
            if self.closing:
                return
            party.games_over.clear()
            await host.rematch()

    async def keep_creating(self) -> None:
        """More people come and set up tables, at the pace at which others play."""
        while not self.closing:
            before = self._acknowledged
            try:
                seated = await self.client.create("buffet", 3, "Eli")
                self.created.append((seated.code, seated.token))
                other = await self.client.sit(seated.code, "Fay")
                self.created.append((other.code, other.token))
            except Unreachable:
                await self._runs.wait()
            await until(lambda before=before: self._acknowledged > before + PACE or self.closing)


def tell_of_end(line: str, over: Callable[[], None]) -> None:
    if line.startswith("The game is over"):
        over()


async def spend_the_evening(server: RunningServer) -> Evening:
    dice = random.Random(11)
    async with Client(server.url) as client, AsyncExitStack() as stack:
        evening = Evening(server, client)
        async with asyncio.TaskGroup() as tasks:
            await evening.seat(stack, tasks)
            creating = tasks.create_task(evening.keep_creating())
            for _ in range(KILLS):
                await evening.kill_after(dice.randint(1, 150))
            evening.closing = True
            await creating
            await until(lambda: all(party.guests[0].view.phase == "over" for party in evening.parties))
            for task in list(tasks._tasks):
                task.cancel()
        await check_what_the_guests_have(evening)
    return evening


async def check_what_the_guests_have(evening: Evening) -> None:
    """All at a table have everything, in order, just as somebody who comes now and asks for it."""
    for party in evening.parties:
        last = max(guest.number or 0 for guest in party.guests.values())
        for seat, guest in party.guests.items():
            await until(lambda guest=guest, last=last: guest.number == last)
            assert numbers_of(guest.lines) == list(range(guest.first + 1, last + 1))
            again = await lines_again(evening.client.url, party.code, [party.tokens[seat]], guest.first, last)
            assert guest.lines == again
            assert guest.connections > 1, "it was there when the server was killed"
        watched = await lines_again(evening.client.url, party.code, [], 0, last)
        assert numbers_of(watched) == list(range(1, last + 1))


def numbers_of(lines: list[bytes]) -> list[int]:
    return [json.loads(line)["number"] for line in lines]


def check_the_log(evening: Evening, path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        for party in evening.parties:
            [[id]] = db.execute("SELECT id FROM tables WHERE code = ?", [party.code])
            rows = db.execute("SELECT number, body FROM lines WHERE table_id = ? ORDER BY number", [id]).fetchall()
            assert [number for number, _ in rows] == list(range(1, len(rows) + 1)), "no number is missing or twice"
            written = [(kept["by"], kept["command"], number) for number, body in rows
                       if "command" in (kept := json.loads(body))]  # fmt: skip
            assert max(Counter((by, command) for by, command, _ in written).values()) == 1, "nothing happened twice"
            promised = {(seat, name, number) for seat, guest in party.guests.items()
                        for name, number in guest.acknowledged.items()}  # fmt: skip
            assert len(promised) > 5
            assert promised <= set(written), "every promise was kept"
            spec = find(party.game)
            for seat, guest in party.guests.items():
                kept = [read_line(number, body, spec).encoded(frozenset({seat})) for number, body in rows]
                assert guest.lines == kept[guest.first :]


def check_the_games(evening: Evening, path: Path) -> None:
    """Every step that was written follows from those before by the rules, and all shuffles can be proven."""
    store = open_store(str(path))
    for party in evening.parties:
        stored = store.find(party.code)
        assert stored is not None
        table = table_of(stored, store.lines(stored.id, Table.lines_needed_after(stored.head, stored.number)))
        assert table.view.phase == "over"
        games = store.games(stored.id)
        assert games
        for row in games:
            assert row.last is not None
            steps = [json.loads(body) for _, body in store.between(stored.id, row.first, row.last)]
            entries = [entry for step in steps if step["type"] == "step" for entry in step["entries"]]
            verdict = check(enumerate([json.loads(row.header), *entries], start=1))
            assert verdict.error is None
            assert verdict.finished
            assert verdict.proven
    for code, token in evening.created:
        found = store.find(code)
        assert found is not None, "a table that was promised is there"
        assert hashed(token) in Head.model_validate_json(found.head).private.tokens
    store.close()


@pytest.mark.slow
def test_what_was_acknowledged_survives_a_server_that_is_killed_at_any_moment(
    start_server: Start, tmp_path: Path
) -> None:
    server = start_server()
    evening = asyncio.run(spend_the_evening(server))
    assert server.stop() == 0
    assert len(evening.created) > KILLS
    check_the_log(evening, tmp_path / "tables.db")
    check_the_games(evening, tmp_path / "tables.db")
