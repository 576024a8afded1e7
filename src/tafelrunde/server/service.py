"""What clients ask for over HTTP: creating and joining tables, the lobby, and finished games."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tafelrunde import wire
from tafelrunde.errors import NoSuchMatch, Unavailable
from tafelrunde.server.fair_queue import FairQueue
from tafelrunde.server.jobs import Visit
from tafelrunde.server.logs import log
from tafelrunde.server.receipts import receipts_of
from tafelrunde.server.registry import TableRegistry
from tafelrunde.server.replays import replay_of, replay_text
from tafelrunde.server.runtime import Runtime
from tafelrunde.store import CodeTaken, GameRow, Store, StoreError
from tafelrunde.table import Outcome, Table
from tafelrunde.table.codes import new_code, read_code
from tafelrunde.table.head import Head, new_head

LOBBY = 100
"""How many tables the lobby shows."""
RECENT = 20
"""How many games are on a page of recent games."""
READY_S = 2
"""A database that takes longer to answer is not ready."""


class TableService:
    """Used on one event loop."""

    def __init__(self, store: Store, runtime: Runtime, registry: TableRegistry) -> None:
        self._store = store
        self._runtime = runtime
        self._registry = registry
        self._replays = FairQueue()
        self._check: asyncio.Task[None] | None = None

    # --- Tables ---------------------------------------------------------------------------------------------------

    async def create(self, wanted: wire.NewTable) -> wire.Seated:
        """Create a table; the host gets a seat."""
        while True:
            code = new_code()
            head, token = new_head(wanted, code)
            text, now = head.model_dump_json(), self._runtime.clock()
            try:
                await self._runtime.read(self._store.create, code, text, head.listed, now)
            except CodeTaken:
                continue
            log.info("table created", extra={"game": wanted.game, "seats": wanted.seats})
            return wire.Seated(code=code, seat=wanted.seat, token=token)

    async def state(self, code: str) -> wire.TableState:
        """A table as everybody may see it. Like all answers it waits until what it shows is durable."""
        seen: list[wire.TableState] = []

        def look(table: Table, now: int) -> Outcome:
            seen.append(table.state().model_copy(deep=True))
            return Outcome(table.number)

        await self._visit(code, look)
        return seen[-1]

    async def sit(self, code: str, wanted: wire.Sit) -> wire.Seated:
        """Take a free seat."""
        return self._seated(code, await self._visit(code, lambda table, now: table.sit(wanted, now)))

    async def take(self, code: str, wanted: wire.Take) -> wire.Seated:
        """Move a seat to another device."""
        return self._seated(code, await self._visit(code, lambda table, now: table.take(wanted, now)))

    def _seated(self, code: str, outcome: Outcome) -> wire.Seated:
        assert outcome.seat is not None
        assert outcome.secret is not None
        return wire.Seated(code=read_code(code), seat=outcome.seat, token=outcome.secret)

    async def _visit(self, code: str, do: Callable[[Table, int], Outcome]) -> Outcome:
        live = await self._registry.table(code)
        job = Visit(do)
        live.run(job)
        return await job.done

    async def lobby(self) -> wire.Lobby:
        """Tables that wait for people."""
        stored = await self._runtime.read(self._store.listed, LOBBY)
        return wire.Lobby(tables=[_in_lobby(Head.read(one.head).view) for one in stored])

    # --- Finished games -------------------------------------------------------------------------------------------

    async def results(self, code: str) -> wire.Results:
        """The games that were finished at a table."""
        rows = await self._games(code)
        return wire.Results(
            results=[
                wire.Result(match=row.game, ended=row.ended, **json.loads(row.result))
                for row in rows
                if row.result is not None and row.ended is not None
            ]
        )

    async def finished(self, code: str, match: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The header of a finished game, and its steps as they are stored."""
        row = next((row for row in await self._games(code) if row.game == match), None)
        if row is None or row.last is None:
            raise NoSuchMatch(f"No game {match} was finished at this table.")
        table = (await self._registry.table(code)).table
        lines = await self._runtime.read(self._store.between, table.id, row.first, row.last)
        steps = [step for _, body in lines if (step := json.loads(body))["type"] == "step"]
        return json.loads(row.header), steps

    async def receipts(self, code: str, match: int) -> wire.Receipts:
        """The contested claims of a finished game in real time."""
        _, steps = await self.finished(code, match)
        return receipts_of(steps)

    async def recent(self, before: int) -> wire.RecentGames:
        """Finished games of tables that were public then and still are."""
        rows = await self._runtime.read(self._store.recent, before, RECENT)
        views = [Head.read(row.head).view for row in rows]
        games = [
            wire.RecentGame(code=row.code, match=row.game, game=view.game, ended=row.ended, **json.loads(row.result))
            for row, view in zip(rows, views, strict=True)
            if view.terms.public
        ]
        return wire.RecentGames(games=games, before=rows[-1].ended if len(rows) >= RECENT else None)

    async def replay(self, code: str, match: int, address: str) -> bytes:
        """A finished game with what every seat saw, as JSON."""
        header, steps = await self.finished(code, match)
        return await self._replay(address, lambda: replay_of(header, steps))

    async def replay_record(self, text: str, address: str) -> bytes:
        """The same for the text of a record."""
        return await self._replay(address, lambda: replay_text(text))

    async def _replay(self, address: str, work: Callable[[], bytes]) -> bytes:
        return await self._replays.run(address, lambda: self._runtime.compute(work))

    async def _games(self, code: str) -> list[GameRow]:
        table = (await self._registry.table(code)).table
        return await self._runtime.read(self._store.games, table.id)

    # --- Health ---------------------------------------------------------------------------------------------------

    async def check_ready(self) -> None:
        """Raises Unavailable if the database does not answer, or if the server is shutting down."""
        if self._check is None:
            self._check = self._runtime.loop.create_task(self._runtime.read(self._store.check))
            self._check.add_done_callback(self._checked)
        try:
            async with asyncio.timeout(READY_S):
                await asyncio.shield(self._check)
        except (StoreError, TimeoutError):
            raise Unavailable("The database does not answer.") from None
        if self._runtime.closing:
            raise Unavailable("The server stops; it will be back.")

    def _checked(self, check: asyncio.Task[None]) -> None:
        """One query at a time, however many ask. Its exception goes to those who wait for it."""
        self._check = None
        if not check.cancelled():
            check.exception()


def _in_lobby(view: wire.TableView) -> wire.LobbyTable:
    people = [seat.name or "" for seat in view.seats if seat.kind == "person"]
    host = view.seats[view.host].name if view.host is not None else None
    free = sum(seat.kind == "free" for seat in view.seats)
    return wire.LobbyTable(
        code=view.code, game=view.game, host=host or "", seats=len(view.seats), free=free, people=people
    )
