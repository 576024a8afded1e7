"""Puts the parts of the server together, and shuts them down in the right order."""

from __future__ import annotations

import asyncio

from tafelrunde.server.admission import Admission
from tafelrunde.server.clock import Clock
from tafelrunde.server.connection import ConnectionServices
from tafelrunde.server.heartbeat import Heartbeat
from tafelrunde.server.limits import Limit
from tafelrunde.server.registry import TableRegistry
from tafelrunde.server.runtime import Runtime
from tafelrunde.server.service import TableService
from tafelrunde.server.settings import Settings
from tafelrunde.server.writer import Writer
from tafelrunde.store import Store


class GameServer:
    """All parts of one server process. Created and used on one event loop."""

    def __init__(self, store: Store, settings: Settings, clock: Clock | None = None) -> None:
        self.store = store
        self.runtime = Runtime(clock)
        self.writer = Writer(store, self.runtime.clock)
        line_quota = Limit(settings.lines_per_hour, 3600)
        self.admission = Admission(settings, self.runtime, line_quota)
        self.registry = TableRegistry(store, self.runtime, self.writer, line_quota, settings.keep_days)
        self.service = TableService(store, self.runtime, self.registry)
        self.for_connections = ConnectionServices(
            settings, self.runtime, self.registry, self.admission, Heartbeat(self.runtime.loop)
        )

    async def close(self) -> None:
        """Shut down: begin nothing new, write what was attempted, tell the clients, and let go of everything."""
        self.runtime.closing = True
        self.registry.close()
        await self.writer.close()
        for connection in list(self.admission.connections):
            connection.close_with("server-stops", "The server stops; it will be back.", reconnect=True)
        await self.runtime.close()
        await asyncio.to_thread(self.store.close)
