"""A deck file over the network: refused in detail, or kept with the table whatever happens to the server."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tafelrunde.client import Client, RemoteRefusal
from tests.decks import NAME, POWERS, SPOILT, TURNED, line_of
from tests.postgres import running
from tests.server.guests import verdict_on
from tests.server.running import RunningServer
from tests.server.test_play import QUICK, play, read, tell

Start = Callable[..., RunningServer]


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "tables.db")
    else:
        with running() as cluster:
            yield cluster.database()


def test_a_deck_survives_the_server_and_comes_to_the_rematch(start_server: Start, database: str) -> None:
    server = start_server(database)

    async def evening() -> None:
        async with Client(server.url) as client:
            bots = {1: "greedy", 2: "random"}
            seated = await client.create(
                "chocolat", 3, "Ada", bots=bots, terms=QUICK, deck=TURNED, options={"target": 10}
            )
            async with client.table(seated.code) as table:
                assert table.view.deck == NAME
                await table.start()
                await play(table, random.Random(1), until_line=14)
                server.kill()
                server.start()
                await play(table, random.Random(2))
                await table.rematch()
                await table.start()
                await play(table, random.Random(3))
            for match in (1, 2):
                text = await client.record(seated.code, match)
                verdict = verdict_on(text)
                assert (verdict.holds, verdict.finished, verdict.proven) == (True, True, True)
                assert (read(text).header["deck"], read(text).header["helpers"]) == (NAME, POWERS)

    tell(evening)


def test_a_deck_that_is_not_sound_is_refused_with_every_fault_and_its_line(server: RunningServer) -> None:
    async def evening() -> None:
        async with Client(server.url) as client:
            with pytest.raises(RemoteRefusal) as refused:
                await client.create("chocolat", 3, "Ada", deck=SPOILT)
            assert (refused.value.code, refused.value.rule) == ("bad-deck", "C2")
            assert refused.value.sentence == "The coins of eggs go from 1 to 6, not 9."
            coins, power = refused.value.faults
            assert (coins.line, coins.rule, coins.kind) == (line_of("9]"), "C2", "coins")
            assert coins.values == {"ingredient": "eggs", "least": 1, "most": 6, "found": "9"}
            assert (power.line, power.rule, power.kind) == (line_of("luck"), "C15", "power")
            assert power.values["found"] == "'luck'"
            with pytest.raises(RemoteRefusal) as refused:
                await client.create("buffet", 3, "Ada", deck=TURNED)
            assert (refused.value.code, refused.value.faults) == ("bad-deck", [])
            with pytest.raises(RemoteRefusal) as refused:
                await client.create("chocolat", 3, "Ada", deck="#" * 8001)
            assert [fault.kind for fault in refused.value.faults] == ["too-long"]

    tell(evening)


def test_a_game_says_whether_its_cards_are_data(server: RunningServer) -> None:
    async def evening() -> None:
        async with Client(server.url) as client:
            decks = {game.id: game.deck for game in (await client.games()).games}
            assert decks == {"buffet": None, "dash": None, "chocolat": "reconstructed"}

    tell(evening)
