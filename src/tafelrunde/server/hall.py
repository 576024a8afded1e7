"""The hall: all tables of this process, who is connected, and the way to the store."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from urllib.parse import unquote

from tafelrunde import bots, wire
from tafelrunde.errors import BadMessage, NoSuchMatch, NoSuchTable, TooFast, Unavailable
from tafelrunde.games.contract import Decision, Observation
from tafelrunde.server import metrics
from tafelrunde.server.clock import Clock, steady_clock
from tafelrunde.server.hosts import Hosts
from tafelrunde.server.jobs import Visit
from tafelrunde.server.limits import Limit, network_of
from tafelrunde.server.live import MOST_MISSED, Elsewhere, LiveTable
from tafelrunde.server.logs import log
from tafelrunde.server.pings import Pings
from tafelrunde.server.replays import replay_of, replay_text
from tafelrunde.server.settings import Settings
from tafelrunde.server.socket import FAST_PING_S, FIRST_PING_S, PATH, PING_S, Connection, allowed_origin
from tafelrunde.server.turns import Turns
from tafelrunde.server.writer import Writer
from tafelrunde.store import CodeTaken, GameRow, Store, StoredTable, StoreError
from tafelrunde.stream import Stream
from tafelrunde.table import Line, Outcome, Table
from tafelrunde.table.codes import new_code, read_code
from tafelrunde.table.house import Head, new_head
from tafelrunde.table.lines import read_line

SWEEP_S = 2.5
FORGET_MS = 60_000
"""A table at which nobody is stays in memory for so long."""
PRUNE_S = 3600
SILENCE_MS = 8000
"""A process that does not say for so long who is connected to it has nobody, or has ended."""
TABLES_PER_NOTE = 100
LOBBY = 100
RECENT = 20
"""Games on a page of those that were played."""
WRONG_CODE = 20
"""So much of what an address may look up does a code cost that is no table's."""
READY_S = 2
"""A database that takes longer to answer is not well."""

Answer = TypeVar("Answer")


class Hall:
    """Made and used on one event loop."""

    def __init__(self, store: Store, settings: Settings, clock: Clock | None = None) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock or steady_clock()
        self.nanos = time.perf_counter_ns
        self.loop = asyncio.get_running_loop()
        self.first_pings, self.fast_pings, self.pings = (
            Pings(self.loop, every) for every in (FIRST_PING_S, FAST_PING_S, PING_S)
        )
        self.writer = Writer(store, self.clock)
        self.closing = False
        self.hosts = Hosts(settings.hosts, settings.behind_proxy)
        self.creating = Limit(settings.creates_per_minute)
        self.joining = Limit(settings.joins_per_minute)
        self.looking_back = Limit(settings.joins_per_minute)
        self.looking_up = Limit(settings.lookups_per_minute)
        """Codes of tables, right or wrong: else somebody could try them one after the other."""
        self.connecting = Limit(2 * settings.connections_per_address)
        self.lines = Limit(settings.lines_per_hour, 3600)
        """What is written for an address, by its people and by bots that play for it."""
        self._tables: dict[int, LiveTable] = {}
        self._ids: dict[str, int] = {}
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        self._connections: set[Connection] = set()
        self._per_address: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._reader = ThreadPoolExecutor(2, "reader")
        self._thinker = ThreadPoolExecutor(1, "thinker")
        self._archivist = ThreadPoolExecutor(1, "archivist")
        self._turns = Turns()
        self._checking: asyncio.Task[None] | None = None
        store.listen(self._from_thread(self._hear), self._from_thread(self._overhear))
        self.spawn(self._sweep())
        if settings.keep_days:
            self.spawn(self._prune())

    # --- Help -----------------------------------------------------------------------------------------------------

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Let something run by itself; what goes wrong is logged."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task failed", exc_info=error)

    async def read(self, ask: Callable[..., Answer], *args: Any) -> Answer:
        """Ask the store, off the event loop."""
        return await self.loop.run_in_executor(self._reader, ask, *args)

    async def think(self, bot: bots.Bot, seen: Observation, stream: Stream) -> Decision | None:
        """Let a bot decide, off the event loop."""
        with metrics.BOT_SECONDS.time():
            return await self.loop.run_in_executor(self._thinker, bot, seen, stream)

    # --- Tables ---------------------------------------------------------------------------------------------------

    async def create(self, wanted: wire.NewTable) -> wire.Seated:
        """Set up a table; the host has a seat."""
        while True:
            code = new_code()
            head, token = new_head(wanted, code)
            try:
                await self.read(self.store.create, code, head.model_dump_json(), head.listed, self.clock())
            except CodeTaken:
                continue
            log.info("table created", extra={"game": wanted.game, "seats": wanted.seats})
            return wire.Seated(code=code, seat=wanted.seat, token=token)

    async def table(self, code: str) -> LiveTable:
        """The table of this code, loaded if need be."""
        code = read_code(code)
        known = self._tables.get(self._ids.get(code, -1))
        if known is not None:
            return known
        loading = self._loading.get(code)
        if loading is None:
            loading = self._loading[code] = asyncio.ensure_future(self._load(code))
            loading.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(loading)

    async def _load(self, code: str) -> LiveTable:
        table = await self.read(self._read_table, code)
        live = LiveTable(self, table)
        self._tables[table.id] = live
        self._ids[code] = table.id
        metrics.TABLES.set(len(self._tables))
        if self.store.shared:
            live.hear(table.number + 1)  # what was written while we read was told to nobody
        return live

    def _read_table(self, code: str) -> Table:
        stored = self.store.find(code)
        if stored is None:
            raise NoSuchTable(f"There is no table {code!r}, or not any more.")
        return Table.load(*self._consistent(stored, Table.read_after(stored)))

    def _consistent(self, stored: StoredTable, after: int) -> tuple[StoredTable, list[tuple[int, str]]]:
        """The head of a table and its lines at the same moment, while another process may be writing."""
        while True:
            lines = self.store.lines(stored.id, after)
            again = self.store.load(stored.id)
            if again is None:
                raise NoSuchTable("The table is gone.")
            if again.number == stored.number:
                return stored, lines
            stored = again

    async def load_again(self, table: Table, durable: int) -> tuple[Table, list[Line]]:
        """The table as it is in the store, and the lines that are new."""

        def read() -> tuple[Table, list[Line]]:
            again = self._read_table(table.view.code)
            missed = self.store.between(table.id, durable + 1, again.number)
            return again, [read_line(number, body, again.spec) for number, body in missed]

        return await self.read(read)

    async def follow(self, table: Table) -> list[Line]:
        """Take over what another process has written."""

        def read() -> tuple[StoredTable, list[tuple[int, str]]]:
            stored = self.store.load(table.id)
            if stored is None:
                raise NoSuchTable("The table is gone.")
            return self._consistent(stored, table.number)

        return table.follow(*await self.read(read))  # on the event loop, where others look at the table

    async def read_lines(self, table: Table, after: int, last: int) -> list[tuple[int, str]] | None:
        """Older lines for somebody who was away; None if they are too many, or not all there."""
        if last - after > MOST_MISSED:
            return None
        kept = await self.read(self.store.between, table.id, after + 1, last)
        return kept if len(kept) == last - after else None

    def forget(self, live: LiveTable) -> None:
        """A table need not be kept in memory."""
        live.close()
        self._tables.pop(live.table.id, None)
        self._ids.pop(live.table.view.code, None)
        metrics.TABLES.set(len(self._tables))

    async def visit(self, code: str, do: Callable[[Table, int], Outcome]) -> Outcome:
        """Do something at a table for somebody who is not connected to it."""
        live = await self.table(code)
        job = Visit(do)
        live.run(job)
        return await job.done

    async def state(self, code: str) -> wire.TableState:
        """A table from outside; like everybody, a visitor is told only what is durable."""
        seen: list[wire.TableState] = []

        def look(table: Table, now: int) -> Outcome:
            seen.append(table.state().model_copy(deep=True))
            return Outcome(table.number, [], [])

        await self.visit(code, look)
        return seen[-1]

    async def sit(self, code: str, wanted: wire.Sit) -> wire.Seated:
        """Somebody sits down."""
        return self._seated(code, await self.visit(code, lambda table, now: table.sit(wanted, now)))

    async def take(self, code: str, wanted: wire.Take) -> wire.Seated:
        """Somebody takes a seat along to another device."""
        return self._seated(code, await self.visit(code, lambda table, now: table.take(wanted, now)))

    def _seated(self, code: str, outcome: Outcome) -> wire.Seated:
        assert outcome.seat is not None
        assert outcome.secret is not None
        return wire.Seated(code=read_code(code), seat=outcome.seat, token=outcome.secret)

    async def lobby(self) -> wire.Lobby:
        """Tables that wait for people."""
        stored = await self.read(self.store.listed, LOBBY)
        return wire.Lobby(tables=[_in_lobby(Head.read(one.head).view) for one in stored])

    # --- Games that are over --------------------------------------------------------------------------------------

    async def results(self, code: str) -> wire.Results:
        """The games that were finished at a table."""
        rows = await self._rows(code)
        return wire.Results(
            results=[
                wire.Result(match=row.game, ended=row.ended, **json.loads(row.result))
                for row in rows
                if row.result is not None and row.ended is not None
            ]
        )

    async def finished(self, code: str, match: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The header of a finished game and its steps as they were kept."""
        row = next((row for row in await self._rows(code) if row.game == match), None)
        if row is None or row.last is None:
            raise NoSuchMatch(f"No game {match} was finished at this table.")
        table = (await self.table(code)).table
        kept = await self.read(self.store.between, table.id, row.first, row.last)
        steps = [step for _, body in kept if (step := json.loads(body))["type"] == "step"]
        return json.loads(row.header), steps

    async def recent(self, before: int) -> wire.RecentGames:
        """Finished games of tables that were public then and are so now."""
        rows = await self.read(self.store.recent, before, RECENT)
        views = [Head.read(row.head).view for row in rows]
        games = [
            wire.RecentGame(code=row.code, match=row.game, game=view.game, ended=row.ended, **json.loads(row.result))
            for row, view in zip(rows, views, strict=True)
            if view.terms.public
        ]
        return wire.RecentGames(games=games, before=rows[-1].ended if len(rows) >= RECENT else None)

    async def replay(self, code: str, match: int, address: str) -> bytes:
        """A finished game with what everybody saw, as JSON."""
        header, steps = await self.finished(code, match)
        return await self._look_back(address, lambda: replay_of(header, steps))

    async def replay_record(self, text: str, address: str) -> bytes:
        """The same for a record that somebody has."""
        return await self._look_back(address, lambda: replay_text(text))

    async def _look_back(self, address: str, work: Callable[[], bytes]) -> bytes:
        """Long work, one piece after the other, off the event loop and out of the way of bots."""
        return await self._turns.take(address, lambda: self.loop.run_in_executor(self._archivist, work))

    async def _rows(self, code: str) -> list[GameRow]:
        table = (await self.table(code)).table
        return await self.read(self.store.games, table.id)

    # --- Connections ----------------------------------------------------------------------------------------------

    def address(self, peer: str, forwarded: Sequence[str]) -> str:
        """Where somebody is: the last address that our own proxy has seen, or the other end of the line."""
        if self.settings.behind_proxy and forwarded:
            peer = forwarded[-1].rpartition(",")[2].strip()
        return network_of(peer)

    def look_up(self, address: str) -> None:
        """Somebody asks for a table by its code, whether there is one or not; raises TooFast."""
        self.looking_up.draw(address, self.clock())

    def guessed_wrong(self, address: str) -> None:
        """There was none."""
        self.looking_up.charge(address, self.clock(), WRONG_CODE - 1)

    def written_too_much(self, address: str) -> bool:
        """Has so much been written for this address that it has to wait?"""
        now = self.clock()
        return self.lines.of(address, now).wait_ms(now) > 0

    def admit(self, path: str, headers: Mapping[str, str], address: str) -> str:
        """May this request become a socket? Gives the code of the table."""
        found = PATH.fullmatch(path.partition("?")[0])
        if found is None:
            raise NoSuchTable("Sockets are at /api/tables/CODE/socket.")
        self.hosts.check([] if headers.get("Host") is None else [headers["Host"]])
        if not allowed_origin(headers.get("Origin"), headers.get("Host"), self.settings.origins):
            raise BadMessage("Pages of another server may not open a socket here.")
        if self.closing:
            raise Unavailable("The server stops; it will be back.")
        if self._per_address[address] >= self.settings.connections_per_address:
            raise TooFast("There are too many connections from your address.")
        self.connecting.draw(address, self.clock())
        self.look_up(address)
        return read_code(unquote(found[1]))

    def connected(self, connection: Connection) -> None:
        """A line is open."""
        self._connections.add(connection)
        self._per_address[connection.address] += 1
        metrics.CONNECTIONS.set(len(self._connections))

    def disconnected(self, connection: Connection) -> None:
        """A line is closed."""
        self._connections.discard(connection)
        self._per_address[connection.address] -= 1
        if not self._per_address[connection.address]:
            del self._per_address[connection.address]
        metrics.CONNECTIONS.set(len(self._connections))

    # --- By itself ------------------------------------------------------------------------------------------------

    def _from_thread(self, do: Callable[..., None]) -> Callable[..., None]:
        """For the store, which calls from a thread of its own."""

        def call(*args: object) -> None:
            if not self.loop.is_closed():
                self.loop.call_soon_threadsafe(do, *args)

        return call

    def _overhear(self, process: str, note: str) -> None:
        """Another process says who is connected to it, table by table."""
        until = self.clock() + SILENCE_MS
        for table, here, watching in json.loads(note):
            if table in self._tables:
                self._tables[table].present_elsewhere(process, Elsewhere(frozenset(here), watching, until))

    async def _announce(self) -> None:
        """Tell other processes who is connected to this one."""
        tables = [
            [table, sorted({seat for one in live.connections for seat in one.held}), live.watching]
            for table, live in self._tables.items()
            if live.connections
        ]
        for first in range(0, len(tables), TABLES_PER_NOTE):
            note = json.dumps(tables[first : first + TABLES_PER_NOTE], separators=(",", ":"))
            try:
                await self.read(self.store.announce, note)
            except StoreError as error:
                log.warning("other processes can not be told", extra={"reason": str(error)})

    def _hear(self, heard: list[tuple[int, int]]) -> None:
        """Other processes have written; an empty list says that anything may have been missed."""
        if self.closing:
            return
        for table, number in heard or [(table, 1 << 62) for table in self._tables]:
            if table in self._tables:
                self._tables[table].hear(number)

    async def _sweep(self) -> None:
        """Tell other processes who is here, forget tables at which nobody is."""
        while True:
            await asyncio.sleep(SWEEP_S)
            now = self.clock()
            if self.store.shared:
                self.spawn(self._announce())
            for live in list(self._tables.values()):
                live.forget_silent(now)
                if live.idle and now - live.idle_since > FORGET_MS:
                    self.forget(live)
                elif live.table.spec.in_real_time and live.connections:
                    live.show_rtt()

    async def _prune(self) -> None:
        while True:
            before = self.clock() - self.settings.keep_days * 86_400_000
            try:
                deleted = await self.read(self.store.prune, before)
                if deleted:
                    log.info("old tables deleted", extra={"tables": deleted})
            except StoreError as error:
                log.warning("old tables can not be deleted", extra={"reason": str(error)})
            await asyncio.sleep(PRUNE_S)

    async def check_ready(self) -> None:
        """Does the database answer? Raises Unavailable if it does not, or if the server is about to stop."""
        if self._checking is None:
            self._checking = self.loop.create_task(self.read(self.store.check))
            self._checking.add_done_callback(self._checked)
        try:
            await asyncio.wait_for(asyncio.shield(self._checking), READY_S)
        except (StoreError, TimeoutError):
            raise Unavailable("The database does not answer.") from None
        if self.closing:
            raise Unavailable("The server stops; it will be back.")

    def _checked(self, check: asyncio.Task[None]) -> None:
        """One question at a time, however many ask us; what it came to is for those who wait for it."""
        self._checking = None
        if not check.cancelled():
            check.exception()

    async def close(self) -> None:
        """Stop: clients are told, what was attempted is written, nothing new begins."""
        self.closing = True
        for live in self._tables.values():
            live.close()
        await self.writer.close()
        for connection in list(self._connections):
            connection.bye("server-stops", "The server stops; it will be back.", again=True)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._reader.shutdown()
        self._thinker.shutdown()
        self._archivist.shutdown(cancel_futures=True)
        await asyncio.to_thread(self.store.close)


def _in_lobby(view: wire.TableView) -> wire.LobbyTable:
    people = [seat.name or "" for seat in view.seats if seat.kind == "person"]
    host = view.seats[view.host].name if view.host is not None else None
    free = sum(seat.kind == "free" for seat in view.seats)
    return wire.LobbyTable(
        code=view.code, game=view.game, host=host or "", seats=len(view.seats), free=free, people=people
    )
