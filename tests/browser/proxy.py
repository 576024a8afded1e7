"""A piece of line between the browser and the server that tests can cut, hold up and mend."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine
from typing import Any


class Line:
    """Passes on bytes both ways, as long as it is let; runs in a thread of its own."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._whole = True
        self._connections: set[asyncio.StreamWriter] = set()
        self._running: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._heard = self._do(self._begin())
        """Whether answers of the server get through."""
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    # --- What tests do ------------------------------------------------------------------------------------------------

    def cut(self) -> None:
        """All connections break, what was held up is lost, and no new connection comes through."""
        self._now(self._cut)

    def hold(self) -> None:
        """What is said still arrives at the server; its answers are held up. Nobody is told of it."""
        self._now(self._heard.clear)

    def mend(self) -> None:
        """What was held up arrives, and new connections come through again."""
        self._now(self._mend)

    def close(self) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    # --- In the thread ------------------------------------------------------------------------------------------------

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def _now(self, change: Callable[[], None]) -> None:
        async def work() -> None:
            change()

        self._do(work())

    async def _begin(self) -> asyncio.Event:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        heard = asyncio.Event()
        heard.set()
        return heard

    def _cut(self) -> None:
        self._whole = False
        for writer in list(self._connections):
            writer.transport.abort()
        self._heard.set()

    def _mend(self) -> None:
        self._whole = True
        self._heard.set()

    async def _end(self) -> None:
        self._server.close()
        self._cut()
        await asyncio.gather(*self._running)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        self._connections.add(writer)
        try:
            if self._whole:
                await self._join(reader, writer)
        finally:
            writer.transport.abort()
            self._connections.discard(writer)
            self._running.discard(task)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            return
        self._connections.add(to_server)
        await asyncio.gather(self._pass_on(reader, to_server), self._pass_back(from_server, writer))
        self._connections.discard(to_server)

    @staticmethod
    async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.transport.abort()

    async def _pass_back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._heard.wait()
                writer.write(data)
                await writer.drain()
        writer.transport.abort()
