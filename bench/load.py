"""How many moves a server carries, and how fast: real WebSocket clients against it and against bare relays.

    make load           (or: python bench/load.py [--quick])

The server has one core to itself, the clients another one. Five people sit at each table of buffet, each on a
connection of their own, and lay cards. Beside the server stand bare relays (bench/relays) that know no game and keep
nothing: they show what the machine can do. All take turns, and the median of each counts: machines are noisy, ratios
within one run are less so.

- Closed loop: a table's next move is sent when all five have the last one. How many moves per second?
- Open load: moves are sent by the clock. How long until the sender has the answer, and until all five have it?
- Memory: what a connection costs that is welcomed and does nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from servers import PATIENCE_S, Program, Running, allow_many_files, cores, quantile, start_relay, start_server, syncs
from tafelrunde.client import Client
from tafelrunde.wire import Terms

SEATS = 5
RATE = 500
"""Moves per second of the open load."""
RATE_TABLES = 100
AT_ONCE = 20
"""Connections that are opened at the same time."""
RELAYS = {
    "picows on uvloop": ("picows_relay.py", "picows"),
    "Starlette on uvicorn": ("starlette_relay.py", "websockets"),  # uvicorn speaks WebSocket with the help of it
    "websockets on uvloop": ("websockets_relay.py", "websockets"),
}
TERMS = Terms(chat=False, grace_s=None, window_ms=0)


# --- Guests and their tables ----------------------------------------------------------------------------------------
# Lean, so that the clients' core is never the bottleneck: of the five copies of a move only the mover's is parsed, and
# of the others those which tell of new cards in hand.


class Guest(WSListener):
    """Somebody on a seat, with a connection of their own."""

    def __init__(self, table: Table, seat: int, hello: bytes | None = None, nonce: bytes | None = None) -> None:
        self.table = table
        self.seat = seat
        self.hand: list[int] = []
        self._hello = hello
        self._nonce = nonce
        self._commands = 0
        self._transport: WSTransport
        self.welcomed = asyncio.get_running_loop().create_future()

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Say hello; relays want none."""
        self._transport = transport
        if self._hello is None:
            self.welcomed.set_result(None)
        else:
            transport.send(WSMsgType.TEXT, self._hello)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A copy of a move, or something else."""
        if frame.msg_type == WSMsgType.TEXT:
            text = frame.get_payload_as_bytes()
            if b'"entries":' in text:
                self.table.copy_came(self, text)
            elif not text.startswith(b'{"type":"views"'):
                self._hear(json.loads(text))

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Nobody leaves before the end."""
        self.table.crowd.complain("A connection has broken.")

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "welcome":
            self.welcomed.set_result(None)
        elif message["type"] in ("refused", "bye"):
            self.table.crowd.complain(str(message))
        elif message["type"] == "house" and message["do"] == "start" and self._nonce is not None:
            self.send(b'"do":"nonce","nonce":"%s"' % self._nonce)
            self._nonce = None

    def send(self, words: bytes) -> None:
        """Send a command."""
        self._commands += 1
        text = b'{"id":"%d-%d","seat":%d,%s}' % (self.seat, self._commands, self.seat, words)
        self._transport.send(WSMsgType.TEXT, text)


class Table:
    """Five guests; at most one move is under way."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self.guests: list[Guest] = []
        self.due: deque[float] = deque()
        """When moves had to be sent that wait for the one under way."""
        self.since = 0.0
        self.counts = False
        """Is what is under way a move, or only the beginning of a game?"""
        self._missing = 0
        self._mover: Guest | None = None
        self._moves = 0

    @property
    def is_busy(self) -> bool:
        """Is a move under way?"""
        return self._missing > 0

    def move(self, since: float) -> None:
        """Send the next move, which was due at this time."""
        self.since = since
        self._missing = SEATS
        self._mover = self.send_move()

    def send_move(self) -> Guest:
        """What a relay gets: it looks like laying a card."""
        self.counts = True
        self._moves += 1
        guest = self.guests[self._moves % SEATS]
        guest.send(b'"do":"act","decision":{"do":"lay","card":5}')
        return guest

    def copy_came(self, guest: Guest, text: bytes) -> None:
        """One of the five copies of a move has arrived."""
        if guest is self._mover:
            self.crowd.answered(self)
            self.read(text, guest)
        elif b'"cards":' in text:
            self.read_cards(json.loads(text), guest)
        self._missing -= 1
        if self._missing == 0:
            self.crowd.all_have_it(self)

    def read(self, text: bytes, guest: Guest) -> None:
        """What the mover hears; a relay has nothing to say."""

    def read_cards(self, step: dict[str, Any], guest: Guest) -> None:
        """What another guest hears when cards are drawn or exchanged."""


class BuffetTable(Table):
    """A table at which buffet is really played, one game after another."""

    def __init__(self, crowd: Crowd, code: str) -> None:
        super().__init__(crowd)
        self.code = code
        self._to_act: list[int] = []
        self._racing: set[int] = set()
        self._playing = False
        self._begun = False

    def send_move(self) -> Guest:
        """Lay a card; the one who was first out keeps the hand; after the end another game begins."""
        self.counts = self._playing
        if not self._playing:
            host = self.guests[0]
            if self._begun:
                host.send(b'"do":"rematch"')
            host.send(b'"do":"start"')
            self._begun = True
            return host
        guest = self.guests[self._to_act[0]]
        if guest.seat in self._racing:
            guest.send(b'"do":"act","decision":{"do":"lay","card":%d}' % guest.hand.pop())
        else:
            guest.send(b'"do":"act","decision":{"do":"exchange","cards":[]}')
        return guest

    def read(self, text: bytes, guest: Guest) -> None:
        """Follow the game, as far as it takes to play it."""
        step = json.loads(text)
        self._to_act = step["to_act"]
        for entry in step["entries"]:
            do = entry["do"]
            if do == "round":
                self._racing = set(range(SEATS))
                self._playing = True
            elif do == "out":
                self._racing.discard(entry["seat"])
            elif do == "end":
                self._playing = False
                for one in self.guests:
                    one.hand.clear()
        self.read_cards(step, guest)

    def read_cards(self, step: dict[str, Any], guest: Guest) -> None:
        """Everybody knows their own hand; others see only how many cards are drawn."""
        for entry in step["entries"]:
            if entry["do"] == "draw" and entry["seat"] == guest.seat:
                guest.hand += entry["cards"]


# --- Measuring ------------------------------------------------------------------------------------------------------


class Crowd:
    """All guests of one server."""

    def __init__(self, name: str, program: Running) -> None:
        self.name = name
        self.program = program
        self.tables: list[Table] = []
        self.bytes_each = 0.0
        self._moves = 0
        self._closed = False
        self._answers: list[float] | None = None
        self._copies: list[float] | None = None
        self._trouble: str | None = None

    def complain(self, trouble: str) -> None:
        """Something went wrong: what was measured is worth nothing."""
        self._trouble = self._trouble or trouble

    def check(self) -> None:
        """Give up if something went wrong."""
        if self._trouble is not None:
            raise SystemExit(f"{self.name}: {self._trouble}")

    # What tables tell

    def answered(self, table: Table) -> None:
        """The mover has the answer."""
        if self._answers is not None and table.counts:
            self._answers.append(time.perf_counter() - table.since)

    def all_have_it(self, table: Table) -> None:
        """All five have the move."""
        if table.counts:
            self._moves += 1
            if self._copies is not None:
                self._copies.append(time.perf_counter() - table.since)
        if self._closed:
            table.move(0.0)
        elif table.due:
            table.move(table.due.popleft())

    # What is measured

    async def closed_loop(self, tables: int, seconds: float) -> tuple[float, float, float]:
        """Moves per second, and how busy both cores were."""
        used = self.tables[:tables]
        self._closed = True
        for table in used:
            table.move(0.0)
        await asyncio.sleep(0.3)
        begun, moves, worked, served = time.perf_counter(), self._moves, time.process_time(), self.program.seconds()
        await asyncio.sleep(seconds)
        spent = time.perf_counter() - begun
        rate = (self._moves - moves) / spent
        busy = (self.program.seconds() - served) / spent, (time.process_time() - worked) / spent
        self._closed = False
        await self._come_to_rest()
        return rate, *busy

    async def open_load(self, tables: int, rate: float, seconds: float) -> tuple[list[float], list[float]]:
        """How long answers took, and how long until all five had the move."""
        used = self.tables[:tables]
        answers: list[float] = []
        copies: list[float] = []
        self._answers, self._copies = answers, copies
        begun = time.perf_counter()
        for number in range(int(rate * seconds)):
            at = begun + number / rate
            if (early := at - time.perf_counter()) > 0:
                await asyncio.sleep(early)
            table = used[number % tables]
            since = max(at, time.perf_counter())  # the timer's own delay is not the server's
            if table.is_busy:
                table.due.append(since)
            else:
                table.move(since)
        await self._come_to_rest()
        self._answers = self._copies = None
        return answers, copies

    async def _come_to_rest(self) -> None:
        """Wait for the moves that are under way."""
        async with asyncio.timeout(PATIENCE_S):
            while any(table.is_busy for table in self.tables):
                self.check()
                await asyncio.sleep(0.02)
        self.check()

    async def begin_games(self) -> None:
        """At every table a game begins; what comes before the first move is not measured."""
        for table in self.tables:
            table.move(0.0)
        await self._come_to_rest()

    async def connect(self, guests: Sequence[tuple[Guest, str]]) -> None:
        """Connect them all, and see what a connection costs the server."""
        before = self.program.memory()
        for at in range(0, len(guests), AT_ONCE):
            await asyncio.gather(*(seat_down(guest, url) for guest, url in guests[at : at + AT_ONCE]))
        await asyncio.sleep(0.5)
        self.check()
        self.bytes_each = (self.program.memory() - before) / len(guests)


async def seat_down(guest: Guest, url: str) -> None:
    """Connect one guest, and wait until the table has welcomed it."""
    await ws_connect(lambda: guest, url, read_buffer_init_size=2048)
    await asyncio.wait_for(guest.welcomed, PATIENCE_S)


async def crowd_of_server(program: Running, tables: int, views: bool) -> Crowd:
    """So many tables of five, set up the way everybody does it."""
    crowd = Crowd("tafelrunde, with views" if views else "tafelrunde", program)
    guests = []
    async with Client(f"http://127.0.0.1:{program.port}") as client:
        for _ in range(tables):
            code = (await client.create("buffet", SEATS, "Ada", terms=TERMS)).code
            for name in ("Bo", "Cy", "Di", "Eli"):
                await client.sit(code, name)
            table = BuffetTable(crowd, code)
            crowd.tables.append(table)
            for seat, token in client.tokens[code].items():
                hello = json.dumps({"do": "hello", "tokens": [token], "views": views}).encode()
                table.guests.append(Guest(table, seat, hello, client.nonces[code, seat].hex().encode()))
                guests.append((table.guests[-1], f"ws://127.0.0.1:{program.port}/api/tables/{code}/socket"))
    await crowd.connect(guests)
    await crowd.begin_games()
    return crowd


async def crowd_of_relay(name: str, program: Running, tables: int) -> Crowd:
    """So many tables of five at a relay."""
    crowd = Crowd(name, program)
    guests = []
    for number in range(tables):
        table = Table(crowd)
        crowd.tables.append(table)
        table.guests = [Guest(table, seat) for seat in range(SEATS)]
        guests += [(guest, f"ws://127.0.0.1:{program.port}/{number}") for guest in table.guests]
    await crowd.connect(guests)
    return crowd


# --- The report -----------------------------------------------------------------------------------------------------


async def compare_throughput(crowds: Sequence[Crowd], sizes: Sequence[int], turns: int, seconds: float) -> None:
    """Closed loop; ratios are taken between turns that follow each other."""
    rates: dict[tuple[str, int], list[float]] = defaultdict(list)
    busy: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for size in sizes:
        for _ in range(turns):
            for crowd in crowds:
                rate, server, clients = await crowd.closed_loop(size, seconds)
                rates[crowd.name, size].append(rate)
                busy[crowd.name].append((server, clients, 1e6 * server / rate))
    heads = "".join(f"{f'{size} tables':>13}" for size in sizes)
    print(f"\nmoves/s, closed loop{'':<20}{heads}   busy: server, clients   server's µs/move")
    for crowd in crowds:
        each = "".join(f"{median(rates[crowd.name, size]):>13,.0f}" for size in sizes)
        server, clients, each_move = (median(part) for part in zip(*busy[crowd.name], strict=True))
        print(f"  {crowd.name:<38}{each}   {server:>12.0%} {clients:>8.0%} {each_move:>18.0f}")
    ours, *others = (crowd.name for crowd in crowds)
    for other in others:
        pairs = [zip(rates[ours, size], rates[other, size], strict=True) for size in sizes]
        each = "".join(f"{median(one / two for one, two in pair):>13.2f}" for pair in pairs)
        print(f"  {f'{ours} / {other}':<38}{each}")


async def compare_latency(crowds: Sequence[Crowd], turns: int, seconds: float) -> None:
    """Open load."""
    taken: dict[str, list[list[float]]] = defaultdict(list)
    tables = min(RATE_TABLES, len(crowds[0].tables))
    for _ in range(turns):
        for crowd in crowds:
            answers, copies = await crowd.open_load(tables, RATE, seconds)
            parts = ((answers, 0.5), (answers, 0.99), (copies, 0.5), (copies, 0.99))
            taken[crowd.name].append([quantile(times, share) for times, share in parts])
    print(f"\nms at {RATE} moves/s over {tables} tables     answer p50      p99     all five p50      p99")
    for crowd in crowds:
        middle = [median(each) for each in zip(*taken[crowd.name], strict=True)]
        print(f"  {crowd.name:<32}{middle[0]:>14.2f} {middle[1]:>8.2f} {middle[2]:>16.2f} {middle[3]:>8.2f}")


@contextlib.contextmanager
def programs(folder: Path, core: int) -> Iterator[dict[str, Program]]:
    """The server and all relays that can be had."""
    with contextlib.ExitStack() as stack:
        running = {"tafelrunde": start_server(folder, core)}
        stack.callback(running["tafelrunde"].end)
        for name, (file, needs) in RELAYS.items():
            if importlib.util.find_spec(needs) is None:
                print(f"{name}: not here")
                continue
            running[name] = start_relay(file, core)
            stack.callback(running[name].end)
        yield running


async def measure(folder: Path, running: dict[str, Program], quick: bool, views: bool) -> None:
    """Everything."""
    sizes = (20, 100) if quick else (20, 100, 400)
    turns, seconds = (3, 1.0) if quick else (5, 2.0)
    crowds = [await crowd_of_server(running.pop("tafelrunde"), max(sizes), views)]
    for name, program in running.items():
        crowds.append(await crowd_of_relay(name, program, max(sizes)))
    await compare_throughput(crowds, sizes, turns, seconds)
    await compare_latency(crowds, turns, seconds)
    print(f"\nmemory of a connection, of {SEATS * max(sizes):,}")
    for crowd in crowds:
        print(f"  {crowd.name:<32}{crowd.bytes_each / 1024:>14.1f} KB")
    times = syncs(folder, 0.5)
    print(f"\nthe disk: {len(times) / sum(times):,.0f} syncs/s, p50 {quantile(times, 0.5):.2f} ms,", end=" ")
    print(f"p99 {quantile(times, 0.99):.2f} ms")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="up to 100 tables, fewer and shorter turns")
    parser.add_argument("--views", action="store_true", help="everybody gets views with the steps")
    wanted = parser.parse_args()
    allow_many_files()
    subprocess.run([sys.executable, "-m", "tafelrunde", "compile"], check=True, stdout=subprocess.DEVNULL)
    server_core, own_core = cores()
    with tempfile.TemporaryDirectory() as folder, programs(Path(folder), server_core) as running:
        os.sched_setaffinity(0, {own_core})
        uvloop.run(measure(Path(folder), running, wanted.quick, wanted.views))


if __name__ == "__main__":
    main()
