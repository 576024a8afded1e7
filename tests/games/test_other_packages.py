"""Games of other packages: one such package is built and installed here, and does all that ours do."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tafelrunde.client import Client
from tafelrunde.games import GAMES, registry
from tafelrunde.wire import Terms
from tests.other_package import DuelServer, environment, install_duel

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the card duel was installed as a package of its own."""
    return install_duel(tmp_path_factory.mktemp("site"))


def tafelrunde(site: Path, *arguments: str, status: int = 0) -> str:
    """The command line, with that folder on the path."""
    command = [sys.executable, "-m", "tafelrunde", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(site))
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stdout + done.stderr


# --- Somebody else's game -----------------------------------------------------------------------------------------


def test_a_game_of_another_package_is_listed_after_ours(site: Path) -> None:
    listed = subprocess.run(
        [sys.executable, "-c", "from tafelrunde.games import GAMES; print(*GAMES)"],
        env=environment(site), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert listed.stdout.split() == [*GAMES, "duel"]


def test_it_is_simulated_and_its_records_are_verified(site: Path, tmp_path: Path) -> None:
    result = json.loads(tafelrunde(site, "simulate", "duel", "--bots", "high,random", "--games", "500", "--json"))
    assert result["games"] == 500
    assert result["decisions"] == 500 * 10
    tafelrunde(site, "simulate", "duel", "--seats", "2", "--games", "3", "--records", str(tmp_path), "--seed", "7")
    records = sorted(tmp_path.glob("*.tafel"))
    verdicts = tafelrunde(site, "verify", *map(str, records)).splitlines()
    assert len(verdicts) == 3
    assert all("holds: duel, 2 seats" in verdict for verdict in verdicts)


@pytest.mark.slow
def test_compiled_it_gives_the_same_games(site: Path) -> None:
    program = """
from tafelrunde.lab.simulate import simulate
result = simulate("duel", seats=2, games=200, seed=7, players=["high", "random"], workers=1)
print(result.tally.wins, result.tally.mean_points)
"""
    told = set()
    for plain in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment(site, NUMBA_DISABLE_JIT=plain),
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        told.add(done.stdout)
    assert len(told) == 1
    assert told.pop().startswith("[")


def test_a_damaged_record_of_it_is_refused_with_its_own_rule(site: Path, tmp_path: Path) -> None:
    tafelrunde(site, "simulate", "duel", "--seats", "2", "--games", "1", "--records", str(tmp_path), "--seed", "7")
    [record] = tmp_path.glob("*.tafel")
    text = record.read_text()
    trick = re.search(r'"do":"trick","seat":(\d)', text)
    assert trick
    record.write_text(text[: trick.start(1)] + str(1 - int(trick[1])) + text[trick.end(1) :])
    assert "T3" in tafelrunde(site, "verify", str(record), status=1)


def test_it_is_told_in_the_terminal_although_it_has_no_teller(site: Path) -> None:
    told = tafelrunde(site, "watch", "duel", "--seats", "2", "--seed", "3", "--delay", "0")
    assert "Card duel" in told
    assert told.count("trick") == 5
    assert "scores" in told.splitlines()[-1]
    assert len(re.findall(r"lay\n", told)) == 10, "what was laid face down is not told"


@pytest.fixture(scope="module")
def duels(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuelServer]:
    server = DuelServer(site, tmp_path_factory.mktemp("db") / "tables.db")
    yield server
    assert server.stop() == 0


def test_it_is_played_at_a_live_table_with_its_bots(duels: DuelServer, site: Path, tmp_path: Path) -> None:
    async def evening() -> str:
        async with Client(duels.url) as client:
            games = {game.id: game for game in (await client.games()).games}
            assert games["duel"].bots == ["random", "high"]
            assert games["duel"].secrets == {"deal": ["cards"], "lay": ["card"]}
            seated = await client.create("duel", 2, "Ada", bots={1: "high"}, terms=Terms(bot_pace="instant"))
            async with client.table(seated.code) as table:
                await table.start()
                while table.view.phase != "over":
                    if seated.seat in table.to_act:
                        view = await table.look()
                        await table.act(view.observation["legal"][0])
                    else:
                        await table.receive()
            return await client.record(seated.code, 1)

    record = tmp_path / "live.tafel"
    record.write_text(asyncio.run(evening()), encoding="utf-8")
    assert "finished, shuffles proven" in tafelrunde(site, "verify", str(record))


def test_it_need_not_count_rounds_to_have_fresh_views(duels: DuelServer) -> None:
    """Its state has no field ``number``; whoever asks for views gets them all the same."""

    async def evening() -> list[int]:
        async with Client(duels.url) as client:
            options = {"tricks_played": 3}
            seated = await client.create(
                "duel", 2, "Ada", options=options, bots={1: "high"}, terms=Terms(bot_pace="instant")
            )
            async with client.table(seated.code) as table:
                await table.start()
                tricks = []
                while table.view.phase != "over":
                    if table.legal(seated.seat):
                        view = table.views[seated.seat].observation
                        assert "round" not in view
                        tricks.append(view["trick"])
                        await table.act(view["legal"][0])
                    else:
                        await table.receive()
                return tricks

    assert asyncio.run(evening()) == [1, 2, 3]


def test_a_bot_of_it_sits_down_over_the_network(duels: DuelServer, site: Path) -> None:
    async def evening() -> str:
        async with Client(duels.url) as client:
            seated = await client.create("duel", 2, "Ada", terms=Terms(bot_pace="instant"))
            join = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tafelrunde", "join", seated.code, "--server", duels.url,
                env=environment(site), stdout=subprocess.PIPE,
            )  # fmt: skip
            async with client.table(seated.code) as table:
                while table.view.phase != "over":
                    if table.view.phase == "gathering" and all(seat.kind == "person" for seat in table.view.seats):
                        await table.start()
                    elif seated.seat in table.to_act:
                        view = await table.look()
                        await table.act(view.observation["legal"][-1])
                    else:
                        await table.receive()
            output, _ = await join.communicate()
            assert join.returncode == 0
            return output.decode()

    assert "The game is over" in asyncio.run(evening())


def test_whoever_leaves_is_played_for_by_its_best_bot(duels: DuelServer) -> None:
    async def evening() -> None:
        async with Client(duels.url) as host, Client(duels.url) as guest:
            seated = await host.create("duel", 2, "Ada", terms=Terms(bot_pace="instant"))
            await guest.sit(seated.code, "Bo")
            async with host.table(seated.code) as table:
                await table.start()
                async with guest.table(seated.code) as theirs:
                    await theirs.leave()
                while table.view.seats[1].kind != "left":
                    await table.receive()
                assert table.view.seats[1].bot == "high"

    asyncio.run(evening())


def test_its_messages_are_in_the_schema_of_the_socket(site: Path) -> None:
    """Although it describes none: any object with a verb will do."""
    program = "import json; from tafelrunde import wire; print(json.dumps(wire.schema()))"
    done = subprocess.run([sys.executable, "-c", program], env=environment(site), capture_output=True, check=True)
    defined = json.loads(done.stdout)["$defs"]
    assert defined["DuelView"]["properties"]["game"]["const"] == "duel"
    assert defined["GameView"]["discriminator"]["mapping"]["duel"] == "#/$defs/DuelView"


# --- Packages that are not as they should be ----------------------------------------------------------------------


def install(site: Path, id: str, leads_to: str) -> None:
    """A package that says it brings this game."""
    info = site / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{id} = {leads_to}\n")


@pytest.mark.parametrize("leads_to", ["no_such_module:GAME", "json:loads", "tafelrunde.games.buffet:GAME"])
def test_a_game_that_can_not_be_loaded_keeps_nobody_from_the_others(tmp_path: Path, leads_to: str) -> None:
    install(tmp_path, "croquet", leads_to)
    program = "from tafelrunde.games import GAMES; print(*GAMES)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(tmp_path), capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == list(GAMES)
    assert "The game 'croquet' can not be loaded" in done.stderr
    assert "unknown-game" in tafelrunde(tmp_path, "watch", "croquet", status=2)


def test_nobody_takes_the_name_of_one_of_our_games(tmp_path: Path) -> None:
    install(tmp_path, "buffet", "json:loads")
    program = "from tafelrunde.games import find; print(find('buffet').title)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(tmp_path), capture_output=True, text=True, check=True
    )
    assert done.stdout == "Schlacht am Buffet\n"
    assert done.stderr == ""
