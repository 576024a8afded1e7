"""A full house: thousands of seats held for long while people come and go, and a server that is killed.

    make crowd          (or: python bench/crowd.py [--quick])

Three promises, each with its figures and a verdict; if one does not hold, the exit status is 1.

- Nobody is dropped. Real guests hold seats at real tables of all games, most of which wait for people. Every second
  others come, stay for a moment and leave: they watch, they sit down and get up again, or they lost their line and
  resume. Whoever answers pings keeps the seat, whoever comes gets in, and a connection costs little memory.
- Among them some tables play at a steady pace, from a process of their own. Their answers stay quick. Beside them
  stands what the same players get from the server at rest, from a bare relay (bench/relays) with the same crowd, and
  from one without a crowd at the same time, which shows how quiet the machine is.
- A server with live tables is killed and started again. All its clients come back by themselves, each waiting between
  attempts as our own clients do, and each has a new command answered.

The server has one core to itself, and the clients another one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from picows import WSCloseCode, WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from load import crowd_of_relay, crowd_of_server
from servers import (
    PATIENCE_S,
    Program,
    Running,
    allow_many_files,
    cores,
    quantile,
    start_relay,
    start_server,
    syncs,
)
from tafelrunde.client.connection import backoff

ANSWER_MS = 25
CONNECTION_KB = 14
BACK_S = 3
"""What is promised: how soon 99 of 100 answers come, what a connection costs, how soon all are back."""
SHAPES = (("buffet", 5), ("chocolat", 4), ("dash", 5), ("buffet", 4), ("chocolat", 3), ("dash", 4))
TERMS = {"countdown_s": 0}
PLAYED = 30
"""So many decisions a live table has behind it: a server that starts again has to play them anew."""
RATE = 30
"""Moves per second of those who are measured, over all their tables."""
RATE_TABLES = 6
AT_ONCE = 20
"""Tables that are set up at the same time."""
STAYS_S = (0.5, 3.0)
ADDRESSES = [f"127.0.0.{last}" for last in range(2, 10)]
"""A client's address has some 28,000 ports, and each is taken for a while after it was used."""
LINES = {"step", "house", "countdown", "say", "react"}
Item = TypeVar("Item")


class Trouble(Exception):
    """Somebody was not served as promised."""


def seats_at(tables: int) -> int:
    """How many people it takes to fill so many tables."""
    return sum(size for _, size in islice(cycle(SHAPES), tables))


async def each(items: Iterable[Item], do: Callable[[Item], Awaitable[None]]) -> None:
    """Do something with all, a few at a time."""
    left = iter(items)

    async def work() -> None:
        for item in left:
            await do(item)

    async with asyncio.TaskGroup() as workers:
        for _ in range(AT_ONCE):
            workers.create_task(work())


# --- Guests and their tables ----------------------------------------------------------------------------------------


class Guest(WSListener):
    """Somebody at a table, with a seat or without one, who may connect again and again."""

    def __init__(self, party: Party, token: str | None = None) -> None:
        self._party = party
        self._token = token
        self._number: int | None = None
        self._epoch: str | None = None
        self._until = 0
        """The last line that was missed; when it has come we are back."""
        self._commands = 0
        self._transport: WSTransport
        self._greeted: asyncio.Future[None]
        self._ended: asyncio.Future[None]
        self._asked: tuple[str, asyncio.Future[dict[str, Any]]] | None = None
        self._leaving = False
        self.away = False
        """Somebody sees to it that this guest comes back."""
        self.farewell = "the line broke"
        """What the server said last."""

    # What it does

    async def come(self) -> None:
        """Connect, and wait until everything is there that happened meanwhile."""
        loop = asyncio.get_running_loop()
        self._greeted, self._ended = loop.create_future(), loop.create_future()
        self._leaving = False
        await ws_connect(
            lambda: self,
            self._party.url,
            read_buffer_init_size=2048,
            websocket_handshake_timeout=PATIENCE_S,
            local_addr=(random.choice(ADDRESSES), 0),
        )
        await asyncio.wait_for(self._greeted, PATIENCE_S)

    async def go(self) -> None:
        """Hang up, with a word or without."""
        self._leaving = True
        if random.random() < 0.5:
            self._transport.send_close(WSCloseCode.OK)
        self._transport.disconnect()
        await asyncio.wait_for(self._ended, PATIENCE_S)

    async def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._commands += 1
        name = f"c{self._commands}"
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked = (name, answer)
        self._say({"do": do, "id": name, **more})
        return await asyncio.wait_for(answer, PATIENCE_S)

    async def cheer(self) -> None:
        """A command that can be carried out at any time."""
        answer = await self.ask("react", sign="cheers")
        if answer["type"] != "react":
            raise Trouble(f"refused: {answer['code']}")

    async def come_back(self) -> float:
        """After the line broke: connect as soon as there is a server, and see that it does what it is told."""
        for wait in backoff():
            await asyncio.sleep(wait)
            with contextlib.suppress(OSError, WSError, TimeoutError, Trouble):
                await self.come()
                await self.cheer()
                break
        return time.perf_counter()

    def _say(self, message: dict[str, Any]) -> None:
        self._transport.send(WSMsgType.TEXT, json.dumps(message).encode())

    # What it hears

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Say hello; a relay wants none."""
        self._transport = transport
        if self._party.code is None:
            self._greeted.set_result(None)
            return
        hello: dict[str, Any] = {"do": "hello", "tokens": [] if self._token is None else [self._token]}
        if self._number is not None:
            hello["after"] = self._number
        if self._epoch is not None:
            hello["epoch"] = self._epoch
        self._say(hello)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Who is here is of no interest; pings are answered by picows."""
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        elif frame.msg_type == WSMsgType.TEXT and self._party.code is not None:
            text = frame.get_payload_as_bytes()
            if not text.startswith(b'{"type":"presence"'):
                self._hear(json.loads(text))

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The line is closed; if we did not close it ourselves, that is noted."""
        if not self._leaving:
            self._party.feast.lost(self)
        for future in (self._greeted, self._asked and self._asked[1]):
            if future is not None and not future.done():
                future.set_exception(Trouble(self.farewell))
                future.exception()  # somebody may wait for it, or nobody
        self._ended.set_result(None)

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("welcome", "resumed"):
            self._epoch = message.get("epoch", self._epoch)
            self._until = message["number"]
            if kind == "welcome":
                self._number = self._until
        elif kind in LINES:
            self._follow(message)
        elif kind == "bye":
            self.farewell = message["code"]
        if not self._greeted.done() and self._number is not None and self._number >= self._until:
            self._greeted.set_result(None)
        if self._asked is not None and message.get("id") == self._asked[0] and not self._asked[1].done():
            self._asked[1].set_result(message)

    def _follow(self, line: dict[str, Any]) -> None:
        """Lines come without a gap."""
        if line["number"] != (self._number or 0) + 1:
            self._party.feast.trouble[f"line {line['number']} came after {self._number}"] += 1
        self._number = line["number"]
        self._party.heard(line)


class Door:
    """The way to a table, over HTTP; lean, since thousands go through it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def create(self, game: str, seats: int) -> tuple[str, str]:
        """Set up a table; gives its code, and the token of its host."""
        seated = await self._post("/api/tables", {"game": game, "seats": seats, "name": "Ada", "terms": TERMS})
        return seated["code"], seated["token"]

    async def sit(self, code: str) -> tuple[int, str]:
        """Sit down; gives seat and token."""
        seated = await self._post(f"/api/tables/{code}/seats", {"name": "Bo"})
        return seated["seat"], seated["token"]

    def close(self) -> None:
        """Nobody comes any more."""
        for _, writer in self._open:
            writer.close()

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        line = await self._line()
        reader, writer = line
        text = json.dumps(body).encode()
        head = "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        writer.write((head % (path, len(text))).encode() + text)
        async with asyncio.timeout(PATIENCE_S):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            length = int(head.partition("content-length:")[2].split()[0])
            answer: dict[str, Any] = json.loads(await reader.readexactly(length))
        self._open.append(line)
        if "token" not in answer:
            raise Trouble(f"refused: {answer}")
        return answer

    async def _line(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """One that is open, or a new one: the server closes those that were quiet for long."""
        while self._open:
            reader, writer = self._open.pop()
            if not reader.at_eof() and not writer.is_closing():
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(random.choice(ADDRESSES), 0))


class Party:
    """A table, and those who hold its seats; at a relay it has no code, only a path."""

    def __init__(self, feast: Feast, path: str, code: str | None = None) -> None:
        self.feast = feast
        self.url = f"ws://127.0.0.1:{feast.port}{path}"
        self.code = code
        self.guests: dict[int, Guest] = {}
        self.free = 0
        """Seats that newcomers may take."""
        self.plays = asyncio.Event()
        self._to_act: list[int] = []
        self._number = 0

    def heard(self, line: dict[str, Any]) -> None:
        """One of the guests has got a line; others may have had it before."""
        if line["type"] == "step" and line["number"] > self._number:
            self._number = line["number"]
            self._to_act = line["to_act"]
            self.plays.set()

    async def begin(self) -> None:
        """Start the game and take some decisions, any will do; then everybody thinks for a long time."""
        await self.guests[0].ask("start")
        await asyncio.wait_for(self.plays.wait(), PATIENCE_S)
        for _ in range(PLAYED):
            if not self._to_act:
                break
            guest = self.guests[random.choice(self._to_act)]
            seen = (await guest.ask("look"))["views"][0]["observation"]
            if seen["legal"]:
                await guest.ask("act", decision=random.choice(seen["legal"]))


class Feast:
    """All guests of one server, as far as they are not measured."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.parties: list[Party] = []
        self.guests: list[Guest] = []
        """All who hold a seat."""
        self.came: Counter[str] = Counter()
        """How many came and left again, and as what."""
        self.trouble: Counter[str] = Counter()
        """What went wrong, and how many times."""
        self.dropped = 0
        self.killed = False
        """Lines break because there is no server."""
        self._door = Door(port)

    async def __aenter__(self) -> Feast:
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.killed = True
        await each(self.guests, Guest.go)
        self._door.close()

    def lost(self, guest: Guest) -> None:
        """Somebody's line was closed, and not by themselves."""
        if not self.killed:
            self.dropped += 1
            self.trouble[f"dropped: {guest.farewell}"] += 1

    # Before the doors open

    async def seat(self, seats: int, live: int) -> None:
        """So many people sit down and connect; at the first tables the game begins, at the others a seat stays free."""
        await self.lay(seats, live)
        await self.connect()
        await self.begin()

    async def lay(self, seats: int, live: int) -> None:
        """Set up the tables; everybody gets a seat."""
        plan: list[tuple[str, int, int]] = []
        for game, size in cycle(SHAPES):
            taken = min(size if len(plan) < live else size - 1, seats)
            if not taken:
                break
            plan.append((game, size, taken))
            seats -= taken

        async def fill(wanted: tuple[str, int, int]) -> None:
            await self._fill(*wanted)

        await each(plan, fill)

    async def _fill(self, game: str, size: int, taken: int) -> None:
        code, token = await self._door.create(game, size)
        party = Party(self, f"/api/tables/{code}/socket", code)
        party.free = size - taken
        tokens = [(0, token), *[await self._door.sit(code) for _ in range(taken - 1)]]
        party.guests = {seat: Guest(party, token) for seat, token in tokens}
        self.parties.append(party)
        self.guests += party.guests.values()

    async def connect(self) -> None:
        """Everybody connects."""
        await each(self.guests, Guest.come)

    async def begin(self) -> None:
        """Where no seat is free the game begins."""
        await each((party for party in self.parties if not party.free), Party.begin)

    async def seat_at_relay(self, seats: int) -> None:
        """The same at a relay, which knows neither tables nor games."""
        for number, (_, size) in enumerate(cycle(SHAPES)):
            if not seats:
                break
            party = Party(self, f"/held/{number}")
            party.guests = {seat: Guest(party) for seat in range(min(size, seats))}
            seats -= len(party.guests)
            self.parties.append(party)
            self.guests += party.guests.values()
        await self.connect()

    # While it lasts

    async def come_and_go(self, per_second: float, seconds: float, kinds: Sequence[str]) -> None:
        """Somebody comes by the clock, in turn of each kind; returns when the last one is gone."""
        begun = time.perf_counter()
        async with asyncio.TaskGroup() as visits:
            for number, kind in zip(range(int(per_second * seconds)), cycle(kinds), strict=False):
                await asyncio.sleep(max(0.0, begun + number / per_second - time.perf_counter()))
                visits.create_task(self._visit(kind))

    async def _visit(self, kind: str) -> None:
        try:
            await getattr(self, f"_{kind}")()
            self.came[kind] += 1
        except (OSError, WSError, EOFError, TimeoutError, Trouble) as error:
            self.trouble[f"{kind}: {error or type(error).__name__}"] += 1

    async def _watcher(self) -> None:
        await self._stay(Guest(random.choice(self.parties)))

    async def _player(self) -> None:
        """Somebody sits down, sees who is there, and gets up again."""
        party = random.choice([party for party in self.parties if party.free])
        party.free -= 1
        _, token = await self._door.sit(str(party.code))
        guest = Guest(party, token)
        await guest.come()
        await asyncio.sleep(random.uniform(*STAYS_S))
        await guest.ask("leave")
        await guest.go()
        party.free += 1

    async def _returner(self) -> None:
        """Somebody who holds a seat loses the line, and is back soon."""
        while (guest := random.choice(self.guests)).away:
            pass
        guest.away = True
        await guest.go()
        await asyncio.sleep(random.uniform(0, STAYS_S[0]))
        await guest.come()
        guest.away = False

    async def _stay(self, guest: Guest) -> None:
        await guest.come()
        await asyncio.sleep(random.uniform(*STAYS_S))
        await guest.go()

    async def say_something(self) -> None:
        """Everybody who holds a seat has a command answered: whoever can is really there."""

        async def say(guest: Guest) -> None:
            try:
                await guest.cheer()
            except (TimeoutError, Trouble) as error:
                self.trouble[f"no answer: {error or type(error).__name__}"] += 1

        await each(self.guests, say)

    # When the server is gone

    async def back(self, killed: Callable[[], None], started: Callable[[], None]) -> list[float]:
        """Take the server away and bring it back; when is who back at the table?"""
        self.killed = True
        killed()
        async with asyncio.TaskGroup() as all_of_it:
            all_of_it.create_task(asyncio.to_thread(started))
            coming = [all_of_it.create_task(guest.come_back()) for guest in self.guests]
        self.killed = False
        return [one.result() for one in coming]


KINDS = ("watcher", "watcher", "returner", "watcher", "player")
"""Who comes, in turn."""


# --- Those who are measured -----------------------------------------------------------------------------------------


def play_apart(pipe: Connection, name: str, running: Running, core: int) -> None:
    """In a process of its own: moves at a steady pace whenever we are asked, and how long their answers took."""
    os.sched_setaffinity(0, {core})
    uvloop.run(_play_apart(pipe, name, running))


async def _play_apart(pipe: Connection, name: str, running: Running) -> None:
    crowd = await (crowd_of_relay(name, running, RATE_TABLES) if name else crowd_of_server(running, RATE_TABLES))
    pipe.send(None)
    while True:
        seconds = await asyncio.to_thread(pipe.recv)
        answers, _ = await crowd.open_load(RATE_TABLES, RATE, seconds)
        pipe.send(answers)


class Players:
    """A few tables at which people play."""

    def __init__(self, running: Running, core: int, relay: str = "") -> None:
        self._pipe, other = multiprocessing.Pipe()
        place = Running(running.pid, running.port)
        spawn = multiprocessing.get_context("spawn")
        self._process = spawn.Process(target=play_apart, args=(other, relay, place, core), daemon=True)
        self._process.start()
        self._pipe.recv()

    async def play(self, seconds: float) -> list[float]:
        """Play for so long; how long did the answers take?"""
        self._pipe.send(seconds)
        answers: list[float] = await asyncio.to_thread(self._pipe.recv)
        return answers

    def end(self) -> None:
        """Get up."""
        self._process.terminate()
        self._process.join()


# --- The report -----------------------------------------------------------------------------------------------------


@dataclass
class Wishes:
    """What is asked for."""

    seats: int
    seconds: float
    per_second: float
    tables: int

    @property
    def short(self) -> float:
        """How long a comparison takes, in seconds."""
        return min(60.0, self.seconds)


class Report:
    """Prints figures and verdicts as they come."""

    def __init__(self) -> None:
        self.holds = True

    def promise(self, text: str, holds: bool) -> None:
        """A verdict."""
        self.holds &= holds
        print(f"  {'holds ' if holds else 'BROKEN'}  {text}", flush=True)

    def figures(self, text: str) -> None:
        """What it is based upon."""
        print(f"          {text}", flush=True)


async def kill(server: Program, wishes: Wishes, report: Report) -> None:
    """Is everybody back soon after the server was killed?"""
    listening = worked = 0.0

    def start_again() -> None:
        nonlocal listening, worked
        server.start()
        listening, worked = time.perf_counter(), server.seconds()

    async with Feast(server.port) as feast:
        await feast.seat(seats_at(wishes.tables), wishes.tables)
        print(f"\nthe server is killed: {wishes.tables:,} live tables, {len(feast.guests):,} people at them")
        since = time.perf_counter()
        times = sorted(await feast.back(server.kill, start_again))
        worked = server.seconds() - worked
    half, last = times[len(times) // 2], times[-1]
    report.figures(f"{listening - since:.1f} s until its port answers again, {last - since:.1f} s until all are back")
    report.figures(
        f"half of them are back {half - listening:.1f} s after the port answers; it has worked {worked:.1f} s"
    )
    report.promise(
        f"all are back {last - listening:.1f} s after the port answers, of {BACK_S}", last - listening <= BACK_S
    )
    report.promise(f"{sum(feast.trouble.values())} troubles {tell(feast.trouble)}", not feast.trouble)


async def fill_the_house(
    server: Program, relay: Program, players: Players, relayed: Players, wishes: Wishes, report: Report
) -> None:
    """Does a crowd harm anybody?"""
    at_rest = await players.play(wishes.short / 2)
    among_relayed = await crowd_relay(relay, relayed, wishes)
    empty = server.memory()
    begun = time.perf_counter()
    async with Feast(server.port) as feast:
        await feast.lay(wishes.seats, min(wishes.tables, wishes.seats // 10))
        laid = server.memory()
        await feast.connect()
        connected = server.memory()
        await feast.begin()
        parts = [part / 1024 for part in (laid - empty, connected - laid, server.memory() - connected)]
        print(f"\na full house: {len(feast.guests):,} seats at {len(feast.parties):,} tables", end=" ")
        print(f"(set up in {time.perf_counter() - begun:.0f} s), for {wishes.seconds:.0f} s", flush=True)
        since, worked, served = time.perf_counter(), time.process_time(), server.seconds()
        answers, meanwhile, _ = await asyncio.gather(
            players.play(wishes.seconds),
            relayed.play(wishes.seconds),
            feast.come_and_go(wishes.per_second, wishes.seconds, KINDS),
        )
        spent = time.perf_counter() - since
        busy, own = (server.seconds() - served) / spent, (time.process_time() - worked) / spent
        each_kb = (server.memory() - empty) / len(feast.guests) / 1024
        await feast.say_something()
        report.figures(f"the server was busy {busy:.0%} of the time, the crowd {own:.0%}")
        report.promise(f"{feast.dropped} of those who answer pings were dropped", not feast.dropped)
        kinds = ", ".join(f"{count:,} {kind}s" for kind, count in feast.came.items())
        wrong = sum(feast.trouble.values())
        report.promise(f"{kinds} came and went; {wrong} troubles {tell(feast.trouble)}", not feast.trouble)
    tables, lines, games = (part / len(feast.guests) for part in parts)
    report.figures(f"KB for each: {tables:.1f} its share of a table, {lines:.1f} its line, {games:.1f} of the games")
    report.promise(f"{each_kb:.1f} KB a connection, of {CONNECTION_KB}", each_kb <= CONNECTION_KB)
    p99 = quantile(answers, 0.99)
    report.promise(f"99 of 100 answers within {p99:.1f} ms, of {ANSWER_MS}", p99 <= ANSWER_MS)
    print(
        f"\nms at {RATE} moves/s over {RATE_TABLES} tables    answer p50      p99     p99.9   p99 of the crowd to this"
    )
    rows = {
        "the crowd": answers,
        "at rest": at_rest,
        "a bare relay, same crowd": among_relayed,
        "a bare relay, at the same time": meanwhile,
    }
    for name, times in rows.items():
        parts = "".join(f"{quantile(times, share):>10.2f}" for share in (0.5, 0.99, 0.999))
        print(f"  {name:<34}{parts} {p99 / quantile(times, 0.99):>15.2f}")


async def crowd_relay(relay: Program, players: Players, wishes: Wishes) -> list[float]:
    """How long answers take if nothing but the crowd is there."""
    async with Feast(relay.port) as feast:
        await feast.seat_at_relay(wishes.seats)
        visiting = feast.come_and_go(wishes.per_second, wishes.short, ("watcher",))
        answers, _ = await asyncio.gather(players.play(wishes.short), visiting)
    if feast.trouble:
        raise SystemExit(f"The relay did not hold the crowd: {tell(feast.trouble)}")
    return answers


def tell(trouble: Counter[str]) -> str:
    """The most frequent ones."""
    return "; ".join(f"{count} times {what}" for what, count in trouble.most_common(5))


def read_wishes() -> Wishes:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a smaller crowd for a shorter time")
    quick = parser.parse_known_args()[0].quick
    parser.add_argument("--seats", type=int, default=1000 if quick else 10_000, help="that are held")
    parser.add_argument("--seconds", type=float, default=20 if quick else 600, help="for how long")
    parser.add_argument("--per-second", type=float, default=50 if quick else 100, help="who come and go meanwhile")
    parser.add_argument("--tables", type=int, default=50 if quick else 400, help="at which a game is on")
    given = parser.parse_args()
    return Wishes(given.seats, given.seconds, given.per_second, given.tables)


def main() -> None:
    """Measure."""
    wishes, report = read_wishes(), Report()
    if allow_many_files() < wishes.seats + 1000:
        raise SystemExit("This system does not allow so many connections to one process (ulimit -Hn).")
    subprocess.run([sys.executable, "-m", "tafelrunde", "compile"], check=True, stdout=subprocess.DEVNULL)
    server_core, own_core = cores()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:

        def started(program: Program) -> Program:
            stack.callback(program.end)
            return program

        os.sched_setaffinity(0, {own_core})
        first, second = Path(folder, "killed"), Path(folder, "full")
        uvloop.run(kill(started(start_server(first, server_core)), wishes, report))
        server = started(start_server(second, server_core))
        relay = started(start_relay("picows_relay.py", server_core))
        players, relayed = Players(server, own_core), Players(relay, own_core, "picows on uvloop")
        stack.callback(players.end)
        stack.callback(relayed.end)
        uvloop.run(fill_the_house(server, relay, players, relayed, wishes, report))
        times = syncs(Path(folder), 0.5)
        print(f"\nthe disk: p50 {quantile(times, 0.5):.2f} ms, p99 {quantile(times, 0.99):.2f} ms for a sync")
    sys.exit(not report.holds)


if __name__ == "__main__":
    main()
