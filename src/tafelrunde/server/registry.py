"""The tables in the memory of this process, and what other processes announce about them."""

from __future__ import annotations

import asyncio
import json

from tafelrunde.server import metrics
from tafelrunde.server.limits import Limit
from tafelrunde.server.live import LiveTable, RemotePresence, TableServices
from tafelrunde.server.logs import log
from tafelrunde.server.runtime import Runtime
from tafelrunde.server.table_store import TableStore
from tafelrunde.server.writer import Writer
from tafelrunde.store import Store, StoreError
from tafelrunde.table.codes import read_code

SWEEP_S = 2.5
FORGET_MS = 60_000
"""How long a table without connections stays in memory."""
PRUNE_S = 3600
PEER_TIMEOUT_MS = 8000
"""How long the announcement of another process is valid; by then it has announced again, or has ended."""
TABLES_PER_NOTE = 100


class TableRegistry:
    """Finds live tables by code, loads them when they are needed and forgets them when they are idle."""

    def __init__(self, store: Store, runtime: Runtime, writer: Writer, line_quota: Limit, keep_days: int) -> None:
        self.tables = TableStore(store, runtime)
        self._store = store
        self._runtime = runtime
        self._services = TableServices(runtime, self.tables, writer, line_quota, self.forget)
        self._live: dict[int, LiveTable] = {}
        self._ids: dict[str, int] = {}
        self._loading: dict[str, asyncio.Future[LiveTable]] = {}
        store.listen(runtime.from_thread(self._lines_announced), runtime.from_thread(self._presence_announced))
        runtime.spawn(self._sweep())
        if keep_days:
            runtime.spawn(self._prune(keep_days))

    async def table(self, code: str) -> LiveTable:
        """The table with this code, loaded if necessary; raises NoSuchTable."""
        code = read_code(code)
        known = self._live.get(self._ids.get(code, -1))
        if known is not None:
            return known
        loading = self._loading.get(code)
        if loading is None:
            loading = self._loading[code] = asyncio.ensure_future(self._load(code))
            loading.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(loading)

    async def _load(self, code: str) -> LiveTable:
        table = await self.tables.load(code)
        live = LiveTable(self._services, table)
        self._live[table.id] = live
        self._ids[code] = table.id
        metrics.TABLES.set(len(self._live))
        if self.tables.shared:
            live.catch_up(table.number + 1)  # we ignored announcements about this table while we read it
        return live

    def forget(self, live: LiveTable) -> None:
        """Remove a table from memory."""
        live.close()
        self._live.pop(live.table.id, None)
        self._ids.pop(live.table.view.code, None)
        metrics.TABLES.set(len(self._live))

    def close(self) -> None:
        """Stop bots and timers of all tables."""
        for live in self._live.values():
            live.close()

    # --- Other processes ------------------------------------------------------------------------------------------

    def _lines_announced(self, announced: list[tuple[int, int]]) -> None:
        """Other processes have written up to these lines; an empty list: announcements may have been missed."""
        if self._runtime.closing:
            return
        for table, number in announced or [(table, 1 << 62) for table in self._live]:
            if table in self._live:
                self._live[table].catch_up(number)

    def _presence_announced(self, process: str, note: str) -> None:
        """Another process says who is connected to it, table by table."""
        until = self._runtime.clock() + PEER_TIMEOUT_MS
        for table, here, watching in json.loads(note):
            if table in self._live:
                self._live[table].present_elsewhere(process, RemotePresence(frozenset(here), watching, until))

    async def _announce_presence(self) -> None:
        """Tell other processes who is connected to this one."""
        tables = [
            [table, sorted(live.held_here), live.watching] for table, live in self._live.items() if live.connections
        ]
        for first in range(0, len(tables), TABLES_PER_NOTE):
            note = json.dumps(tables[first : first + TABLES_PER_NOTE], separators=(",", ":"))
            try:
                await self._runtime.read(self._store.announce, note)
            except StoreError as error:
                log.warning("other processes can not be told", extra={"reason": str(error)})

    # --- Housekeeping ---------------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Every few seconds: announce presence, forget idle tables, send round trip times."""
        while True:
            await asyncio.sleep(SWEEP_S)
            now = self._runtime.clock()
            if self.tables.shared:
                self._runtime.spawn(self._announce_presence())
            for live in list(self._live.values()):
                live.expire_presence(now)
                if live.idle and now - live.idle_since > FORGET_MS:
                    self.forget(live)
                elif live.in_real_time and live.connections:
                    live.show_rtt()

    async def _prune(self, keep_days: int) -> None:
        """Delete old tables from the store, once an hour."""
        while True:
            before = self._runtime.clock() - keep_days * 86_400_000
            try:
                deleted = await self._runtime.read(self._store.prune, before)
                if deleted:
                    log.info("old tables deleted", extra={"tables": deleted})
            except StoreError as error:
                log.warning("old tables can not be deleted", extra={"reason": str(error)})
            await asyncio.sleep(PRUNE_S)
