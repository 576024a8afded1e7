"""How a server stops when it is asked to, and what it says when it can not even begin."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tafelrunde.client import Client
from tests.server.guests import PATIENT, Witness, connection, seated, sit_and_play, verdict_on
from tests.server.running import RunningServer
from tests.waiting import PATIENCE_S, until

Start = Callable[..., RunningServer]
WORDS = 100
"""So much is said by everybody who talks on and on."""


# --- Asked to stop --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_everybody_is_told_when_the_server_stops(start_server: Start, number: signal.Signals) -> None:
    server = start_server()

    async def story() -> None:
        async with Client(server.url) as client:
            ada = await client.create("buffet", 3, "Ada", bots={1: "greedy", 2: "greedy"}, terms=PATIENT)
            async with (
                seated(server.url, ada.code, ada.token) as player,
                seated(server.url, ada.code) as spectator,
                connection(server.url, ada.code) as silent,
            ):
                said = await player.answer({"do": "say", "id": "1", "text": "Cheers!"})
                server.process.send_signal(number)
                for raw in (player, spectator, silent):
                    bye = await raw.ends()
                    assert bye is not None
                    assert (bye["code"], bye["again"]) == ("server-stops", True)
                    assert raw.close_code == 1012  # service restart
            assert await asyncio.to_thread(server.stop) == 0
            await asyncio.to_thread(server.start)
            async with seated(server.url, ada.code, ada.token, after=said["number"] - 1, epoch=player.epoch) as player:
                again = await player.hear("say")
                assert (again["number"], again["text"]) == (said["number"], "Cheers!")

    asyncio.run(story())
    assert not any("Traceback" in line for line in server.log)


@pytest.mark.slow
def test_a_server_in_the_middle_of_games_stops_at_once_and_they_go_on_afterwards(start_server: Start) -> None:
    server = start_server()

    async def story() -> None:
        async with Client(server.url) as client, AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
            tables = []
            for game, seats in (("buffet", 4), ("chocolat", 3), ("buffet", 3), ("chocolat", 2)):
                code = (await client.create(game, seats, "Ada", terms=PATIENT)).code
                for _ in range(seats - 1):
                    await client.sit(code, "Bo")
                for token in client.tokens[code].values():
                    tables.append(await stack.enter_async_context(Witness(client, code, [token])))
                    tasks.create_task(sit_and_play(tables[-1], game))
                await tables[-seats].start()
            for _ in range(2):
                for table in tables:
                    tasks.create_task(talk_on_and_on(table))  # so that there is never nothing to write
                acknowledged = sum(len(table.acknowledged) for table in tables)
                await until(lambda so_far=acknowledged: sum(len(one.acknowledged) for one in tables) > so_far + 50)
                assert await asyncio.to_thread(server.stop) == 0
                written = sum(len(one.acknowledged) for one in tables) - acknowledged
                assert written < WORDS * len(tables), "it does not wait until everybody has said everything"
                await asyncio.to_thread(server.start)
            await until(lambda: all(table.view.phase == "over" for table in tables))
            for task in list(tasks._tasks):
                task.cancel()
            for code in client.tokens:
                verdict = verdict_on(await client.record(code, 1))
                assert verdict.error is None
                assert verdict.proven
        for table in tables:
            numbers = [json.loads(line)["number"] for line in table.lines]
            assert numbers == list(range(table.first + 1, (table.number or 0) + 1))
            assert set(table.acknowledged.values()) <= set(numbers)

    asyncio.run(story())
    assert not any("Traceback" in line for line in server.log)


async def talk_on_and_on(table: Witness) -> None:
    for _ in range(WORDS):
        await table.say("And then…")


# --- A disk that is full --------------------------------------------------------------------------------------------


def test_when_nothing_can_be_written_people_are_asked_to_come_again_and_then_go_on(start_server: Start) -> None:
    server = start_server()

    def allow(size: int) -> None:
        """Let no file of the server grow beyond this."""
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    async def story() -> None:
        async with Client(server.url) as client:
            ada = await client.create("buffet", 3, "Ada")
            async with Witness(client, ada.code, [ada.token]) as table:
                await table.say("There is room.")
                allow(1)
                waiting = asyncio.create_task(table.say("Is there room?"))
                await until(lambda: table.connections > 2)
                assert not waiting.done()
                allow(resource.RLIM_INFINITY)
                answer = await asyncio.wait_for(waiting, PATIENCE_S)
                said = [json.loads(line)["text"] for line in table.lines if line.startswith(b'{"type":"say"')]
                assert said == ["There is room.", "Is there room?"]
                assert answer.number == table.number

    asyncio.run(story())
    assert sum("writing failed" in line for line in server.log) < 50, "it does not try without end"


# --- Not even begun -------------------------------------------------------------------------------------------------


def started_in_vain(*flags: str) -> str:
    """What a server says that can not start; it is one line."""
    done = subprocess.run(
        [sys.executable, "-m", "tafelrunde", "serve", *flags],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},  # nobody gets to play: nothing need be compiled
    )
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("tafelrunde: ")
    return line


@pytest.mark.process
def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = started_in_vain(f"--port={port}", f"--db={tmp_path / 'tables.db'}")
    assert f"port {port}: Address already in use" in line


@pytest.mark.process
@pytest.mark.parametrize("host", ["203.0.113.7", "a" * 70 + ".example"])
def test_an_address_that_is_not_ours_is_named(tmp_path: Path, host: str) -> None:
    assert f"listen at {host}, port 8001" in started_in_vain(
        f"--host={host}", "--port=8001", f"--db={tmp_path / 'tables.db'}"
    )


@pytest.mark.process
@pytest.mark.parametrize(
    ("db", "words"),
    [
        ("/proc/nowhere/tables.db", "/proc/nowhere/tables.db can not be used"),
        ("mysql://localhost/tables", "A store is a path, sqlite:///path or postgresql://"),
        ("postgresql:///tables?host=/nowhere&user=nobody&password=secret", "PostgreSQL can not be reached"),
        ("postgresql://[", "not a PostgreSQL URL"),
    ],
)
def test_a_database_that_can_not_be_used_is_named(db: str, words: str) -> None:
    line = started_in_vain("--port=0", f"--db={db}")
    assert words in line
    assert "secret" not in line


@pytest.mark.process
def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada, the table has moved.\n" * 100)
    assert f"{path} can not be used" in started_in_vain("--port=0", f"--db={path}")
    assert path.read_text().startswith("Dear Ada")


def test_a_second_server_on_the_same_file_is_refused(start_server: Start) -> None:
    first = start_server()
    line = started_in_vain("--port=0", f"--db={first.db}")
    assert "is in use by another process" in line
    assert first.stop() == 0
