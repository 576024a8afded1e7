"""One evening: tables full of guests, one fault after the other, and at the end everything is looked at once more."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tafelrunde.games import find
from tafelrunde.table.log import read_line
from tafelrunde.verification import check
from tests.chaos.checker import Backup, Checker, Held
from tests.chaos.client import Gone, Socket, http
from tests.chaos.faults import POWER_CUT, TEAR
from tests.chaos.guests import ANSWERED, Guest, Party, World
from tests.chaos.pause import pause
from tests.chaos.servers import House, PostgresHouse, Server, log_tails
from tests.waiting import PATIENCE_S, until

FIGURES = (
    "acknowledged", "lost", "doubled", "told", "contradicted", "resumed", "welcomed", "overtaken", "records",
)  # fmt: skip
ANY = "any"
"""A fault that the dice choose."""
MOST_RESUMED = 2000
HOUR_MS = 3_600_000


@dataclass
class Report:
    """What came of an evening."""

    db: str
    seed: int
    wrong: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    """Faults that happened, by name."""
    counts: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    log: str = ""

    def line(self) -> str:
        """All figures in one line."""
        faults = " ".join(f"{name}={times}" for name, times in sorted(self.faults.items()))
        names = (
            "acknowledged",
            "lost",
            "doubled",
            "told",
            "contradicted",
            "resumed",
            "welcomed",
            "overtaken",
            "records",
        )
        figures = " ".join(f"{name}={self.counts[name]}" for name in names)
        verdict = f"WRONG ({len(self.wrong)})" if self.wrong else "sound"
        return f"{self.db}: kills={self.kills} [{faults}] {figures} seed={self.seed}: {verdict}"


class Evening:
    """Everything that goes on at one house."""

    def __init__(self, house: House, seed: int) -> None:
        self.house = house
        self.dice = random.Random(seed)
        self.checker = Checker(one_process=len(house.names) == 1)
        self.report = Report(house.kind, seed)
        self.world = World(self.checker, house.addresses, random.Random(seed + 1))
        self.backups: list[tuple[Backup, Path]] = []
        self._keepers: list[asyncio.Task[None]] = []
        self._first = [*self.menu]
        """Faults that have not happened yet."""

    # --- People -----------------------------------------------------------------------------------------------------

    async def begin(self, tables: int) -> None:
        _, games = await http(self.house.servers[0].address, "GET", "/api/games")
        self.world.games = json.loads(games)["games"]
        self._keepers = [asyncio.create_task(self._keep_table()) for _ in range(tables)]

    async def _keep_table(self) -> None:
        """One table after the other."""
        while not self.world.closing:
            party = await Party.set_up(self.world)
            if party is None:
                await pause(self.world.dice, 0.1, 1)
                continue
            await party.keep()
            if not self.world.closing:
                await party.end()

    async def load(self) -> None:
        """Wait until guests are busy again: that a server comes back and goes on is part of what is promised."""
        wanted = self._acknowledged() + self.dice.randint(1, 60)

        def is_busy() -> bool:
            self._look_at_keepers()
            return self._acknowledged() >= wanted

        try:
            await until(is_busy, progress=self._acknowledged)
        except TimeoutError:
            self.checker.unexpected(f"nothing was acknowledged for {PATIENCE_S:.0f} seconds")

    def _acknowledged(self) -> int:
        return self.checker.counts["acknowledged"]

    def _look_at_keepers(self) -> None:
        for task in self._keepers:
            if task.done() and task.exception() is not None:
                task.result()

    async def a_while(self, least: float, most: float) -> None:
        """Any moment will do: whatever is in it is to be met."""
        await pause(self.dice, least, most)

    # --- Faults -----------------------------------------------------------------------------------------------------

    @property
    def menu(self) -> dict[str, tuple[int, Callable[[], Awaitable[None]]]]:
        """What can go wrong here, each with how often."""
        common = {
            "cut": (3, self.cut), "stall": (3, self.stall), "rough": (2, self.rough), "clock": (2, self.clock),
            "backup": (3, self.back_up), "restore": (3, self.restore),
        }  # fmt: skip
        if isinstance(self.house, PostgresHouse):
            return common | {
                "kill-one": (8, self.kill_one), "kill-both": (4, self.kill_all), "stop": (2, self.stop),
                "database-killed": (2, self.database_killed), "database-stopped": (2, self.database_stopped),
            }  # fmt: skip
        return common | {
            "kill": (8, self.kill_all), "stop": (2, self.stop), "tear": (4, self.tear),
            "power-cut": (5, self.power_cut), "disk-full": (3, self.disk_full), "slow-disk": (3, self.slow_disk),
        }  # fmt: skip

    async def next_fault(self, name: str = ANY) -> None:
        """Let guests be busy, and then something goes wrong."""
        menu = self.menu
        if name == ANY:
            name = self._choose(menu)
        await self.load()
        await menu[name][1]()
        self.report.faults[name] += 1

    def _choose(self, menu: Mapping[str, tuple[int, object]]) -> str:
        """First every fault once, in any order; then as often as the menu says."""
        if not self._first:
            [name] = self.dice.choices([*menu], [often for often, _ in menu.values()])
            return name
        return self._first.pop(self.dice.randrange(len(self._first)))

    @property
    def server(self) -> Server:
        return self.dice.choice(self.house.servers)

    async def kill_one(self) -> None:
        await self._kill(self.server)

    async def kill_all(self) -> None:
        await self._kill(*self.house.servers)

    async def _kill(self, *servers: Server) -> None:
        await self.a_while(0, 0.3)
        await self.house.kill(*servers)
        self.report.kills += len(servers)
        await self.a_while(0, 0.3)
        await self.house.start(*servers)

    async def stop(self) -> None:
        server = self.server
        await self.house.stop(server)
        await self.house.start(server)

    async def tear(self) -> None:
        await self._end(TEAR)

    async def power_cut(self) -> None:
        undone = self.server.faults["undone"]
        await self._end(POWER_CUT)
        self.report.counts["unsynced writes lost"] += self.server.faults["undone"] - undone

    async def _end(self, how: int) -> None:
        """The server ends in the middle of a write."""
        server, faults = self.server, self.server.faults
        ends = faults["ends"]
        await self.a_while(0, 0.3)
        faults["coin"] = self.dice.getrandbits(30)
        faults["end"] = how
        await self.house.ends_by_itself(server)
        self.report.kills += 1
        assert faults["ends"] == ends + 1, "the server has ended by something else"
        await self.house.start(server)

    async def disk_full(self) -> None:
        """For a while nothing can be written; the server may even be killed meanwhile."""
        server, faults = self.server, self.server.faults
        refusals = faults["refusals"]
        server.trouble()
        faults["full"] = 1
        await until(lambda: faults["refusals"] > refusals)
        await self.a_while(0, 1)
        if self.dice.random() < 0.3:
            await self.house.kill(server)
            self.report.kills += 1
            await self.house.start(server)
        faults["full"] = 0

    async def slow_disk(self) -> None:
        """Every sync takes its time; the server may be killed in one."""
        server, faults = self.server, self.server.faults
        syncs = faults["syncs"]
        faults["sync_ms"] = self.dice.randint(20, 400)
        await until(lambda: faults["syncs"] >= syncs + 3, progress=lambda: faults["syncs"])
        if self.dice.random() < 0.5:
            await self.house.kill(server)
            self.report.kills += 1
            await self.house.start(server)
        faults["sync_ms"] = 0

    async def clock(self) -> None:
        """The clock is set, by hours, forwards or backwards; then a server may begin with it."""
        hours = self.dice.choice([0, self.dice.uniform(-30, 30)])
        for faults in self.house.faults:
            faults["clock_ms"] = int(hours * HOUR_MS)
        if self.dice.random() < 0.5:
            await self.kill_one()

    async def cut(self) -> None:
        for _ in range(self.dice.randint(1, 4)):
            self.dice.choice(self.house.proxies).cut_some(self.dice.uniform(0.1, 1))
            await self.a_while(0, 0.3)

    async def stall(self) -> None:
        """Nothing goes one way, or both; then lines are cut, or go on."""
        proxy = self.dice.choice(self.house.proxies)
        proxy.stall(*self.dice.choice([("up",), ("down",), ("up", "down")]))
        await self.a_while(0.1, 2)
        if self.dice.random() < 0.5:
            proxy.cut_some(0.5)
        proxy.go_on()

    async def rough(self) -> None:
        proxy = self.dice.choice(self.house.proxies)
        proxy.rough = True
        await self.a_while(0.3, 1.5)
        proxy.rough = False

    async def back_up(self) -> None:
        backup, into = self.checker.backup(), self.house.new_backup()
        await asyncio.to_thread(self.house.back_up, into)
        self.backups.append((backup, into))

    async def restore(self) -> None:
        """A backup is put back: one that was just made, so that numbers are soon used again; or any, perhaps from a
        history that was given up."""
        if not self.backups or self.dice.random() < 0.5:
            await self.back_up()
            await self.load()
            backup, path = self.backups[-1]
        else:
            backup, path = self.dice.choice(self.backups)
        servers = self.house.servers
        if self.dice.random() < 0.5:
            await self.house.kill(*servers)
            self.report.kills += len(servers)
        else:
            await self.house.stop(*servers)
        for proxy in self.house.proxies:
            proxy.go_on()
            proxy.cut_all()
        await asyncio.to_thread(self.house.restore, path)
        self.checker.restored(backup, await asyncio.to_thread(self.house.numbers))
        await self.house.start(*servers)

    async def database_killed(self) -> None:
        await self._end_database(hard=True)

    async def database_stopped(self) -> None:
        await self._end_database(hard=False)

    async def _end_database(self, hard: bool) -> None:
        assert isinstance(self.house, PostgresHouse)
        for server in self.house.servers:
            server.trouble()
        await self.a_while(0, 0.3)
        await asyncio.to_thread(self.house.kill_database, hard)
        await self._expect_ready(503)
        await self.a_while(0, 0.5)
        if self.dice.random() < 0.3:
            server = self.server
            await self.house.kill(server)
            self.report.kills += 1
            await asyncio.to_thread(self.house.start_database)
            await self.house.start(server)
        else:
            await asyncio.to_thread(self.house.start_database)

    async def _expect_ready(self, status: int) -> None:
        """Whoever asks a server whether people can play is told the truth."""
        server = self.server
        told, text = await http(server.address, "GET", "/readyz")
        if told != status:
            self.checker.unexpected(f"{server.name} answers {told} to /readyz, not {status}: {text!r}")

    # --- The end ----------------------------------------------------------------------------------------------------

    async def end(self) -> None:
        """Nothing goes wrong any more: everybody gets their answers, and all is compared."""
        for proxy in self.house.proxies:
            proxy.go_on()
        self.world.closing = True
        await asyncio.gather(*self._keepers)
        guests = [guest for party in self.world.parties for guest in party.guests]
        await self._all_answered(guests)
        for party in list(self.world.parties):
            for keys in {tuple(guest.keys) for guest in party.guests if not guest.over} | {()}:
                await self._listen_again(Guest(party, list(keys)))
        for party in list(self.world.parties):
            await party.end()
        await self._check_records()
        await self.house.stop(*self.house.servers)
        await asyncio.to_thread(self._audit)

    async def go_home(self) -> None:
        """Nobody is left."""
        self.world.closing = True
        for task in self._keepers:
            task.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        for party in list(self.world.parties):
            await party.end()

    def close_the_books(self) -> Report:
        """The report of the evening. Faults that had no effect would have tested nothing: that is wrong too."""
        report = self.report
        report.counts.update(self.checker.counts)
        report.counts.update(self.world.counts)
        report.wrong = [*self.checker.wrong, *self.house.wrong]
        for faults in self.house.faults:
            if self.house.on_disk and not (faults["writes"] and faults["syncs"]):
                report.wrong.append("chaos: the library that makes disks fail was not loaded into the server")
        if not report.counts["acknowledged"] or not report.counts["told"]:
            report.wrong.append("chaos: nobody has played")
        report.log = log_tails(self.house.servers)
        return report

    async def _all_answered(self, guests: list[Guest]) -> None:
        def waiting() -> int:
            return sum(bool(guest.waits) and not guest.over for guest in guests)

        try:
            await until(lambda: waiting() == 0, progress=waiting)
        except TimeoutError:
            for guest in guests:
                if guest.waits and not guest.over:
                    self.checker.unexpected(f"{guest} at {guest.party.code} was never answered: {guest.waits}")

    async def _listen_again(self, guest: Guest) -> None:
        """Somebody who knows nothing asks for everything, and gets what was told before, byte for byte."""
        for address in self.world.addresses:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._hear_all(guest, address)
            except (Gone, TimeoutError) as error:
                self.checker.unexpected(f"{guest} could not hear {guest.party.code} again: {error!r}")

    async def _hear_all(self, guest: Guest, address: tuple[str, int]) -> None:
        code, path = guest.party.code, f"/api/tables/{guest.party.code}/socket"
        hello: dict[str, Any] = {"do": "hello", "tokens": [key.token for key in guest.keys]}
        greeting = await greet(address, path, hello, lambda text: None)
        if greeting["type"] != "welcome":
            return  # the seat was given up in the last moment, or the table was closed
        after = max(0, greeting["number"] - MOST_RESUMED + 100)
        hello |= {"after": after}
        if "epoch" in greeting:
            hello["epoch"] = greeting["epoch"]
        held: Held = frozenset(greeting["seats"])
        numbers = []

        def hear(text: bytes) -> None:
            number = json.loads(text)["number"]
            numbers.append(number)
            self.checker.told(code, number, held, ANSWERED.sub(b"{", text), self.checker.generation, f"{guest} again")

        greeting = await greet(address, path, hello, hear)
        if greeting["type"] == "resumed" and numbers != list(range(after + 1, greeting["number"] + 1)):
            self.checker.unexpected(f"{guest} asked {code} for all after {after} and got lines {numbers}")
        if greeting["type"] == "welcome":
            self.checker.unexpected(f"{guest} asked {code} for all after {after}, {hello}, and was welcomed")

    async def _check_records(self) -> None:
        """Every game that was finished can be verified, shuffles included."""
        for code in self.checker.codes:
            status, results = await self.world.ask("GET", f"/api/tables/{code}/games")
            if status == 404:
                self.checker.table_gone(code, "somebody who asked for its games")
                continue
            for result in results["results"]:
                path = f"/api/tables/{code}/games/{result['match']}/record"
                status, record = await self.world.request("GET", path)
                if status != 200:
                    self.checker.unexpected(f"{path} was answered with {status}: {record}")
                    continue
                await asyncio.to_thread(self._check_record, path, record)

    def _check_record(self, path: str, record: bytes) -> None:
        verdict = check(enumerate(map(json.loads, record.splitlines()), start=1))
        self.report.counts["records"] += 1
        if verdict.error is not None or not verdict.finished or not verdict.proven:
            self.checker.unexpected(f"{path} does not hold: {verdict}")

    def _audit(self) -> None:
        kept, games = self.house.kept(), self.house.games()
        for code in self.checker.codes:
            spec = find(games[code]) if code in games else None

            def seen(number: int, body: str, held: Held, spec: Any = spec) -> bytes:
                return read_line(number, body, spec).encoded(held)

            self.checker.audit(code, kept.get(code), seen)


async def greet(
    address: tuple[str, int], path: str, hello: dict[str, Any], hear: Callable[[bytes], None]
) -> dict[str, Any]:
    """Say hello; gives the greeting, after all lines that come with it were heard."""
    socket = await Socket.open(address, path)
    try:
        await socket.send(hello)
        greeting: dict[str, Any] = json.loads(await socket.receive() or b"{}")
        number = hello.get("after", 0)
        while greeting["type"] == "resumed" and number < greeting["number"]:
            text = await socket.receive()
            if text is None:
                raise Gone("The server has closed the line.")
            if not text.startswith(b'{"type":"presence"'):
                number = json.loads(text)["number"]
                hear(text)
        return greeting
    finally:
        socket.close()


async def spend(kind: type[House], seed: int, library: Path, tables: int, faults: Iterable[str]) -> Report:
    """Spend an evening with these faults, and then look at everything once more."""
    with tempfile.TemporaryDirectory(prefix="tafelrunde-chaos-") as name:
        house = kind(Path(name), library, random.Random(seed))
        try:
            await house.open()
            evening = Evening(house, seed)
            try:
                await evening.begin(tables)
                for fault in faults:
                    await evening.next_fault(fault)
                await evening.end()
            except Exception as error:
                evening.checker.unexpected("".join(traceback.format_exception(error)))
            finally:
                await evening.go_home()
            return evening.close_the_books()
        finally:
            await house.close()


def for_seconds(seconds: float) -> Iterator[str]:
    """Any fault, until so much time has passed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield ANY
