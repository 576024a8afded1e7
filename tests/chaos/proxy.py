"""A line between guests and a server that can be cut, held up and shaken."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

from tests.chaos.client import Address, reset
from tests.chaos.pause import pause

TOWARDS = ("up", "down")


class Pipe:
    """One connection through the proxy."""

    def __init__(self, guest: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self.ends = guest, server

    def cut(self, hard: bool) -> None:
        """Close both ends: by a reset, or in peace."""
        for end in self.ends:
            transport = end.transport
            if hard:
                with suppress(OSError, AttributeError):
                    reset(transport.get_extra_info("socket"))
                transport.abort()
            else:
                transport.close()


class Proxy:
    """Listens on a port of its own for one server."""

    def __init__(self, dice: random.Random) -> None:
        self.upstream: Address | None = None
        """Where the server is; None: nobody gets through."""
        self.rough = False
        """Bytes come in small pieces, with pauses between them."""
        self._dice = dice
        self._pipes: set[Pipe] = set()
        self._free = {towards: asyncio.Event() for towards in TOWARDS}
        for event in self._free.values():
            event.set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=1 << 20)
        self.address: Address = self._server.sockets[0].getsockname()[:2]

    async def stop(self) -> None:
        self.upstream = None
        self._server.close()
        self.cut_all()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut_some(self, share: float) -> None:
        """Some connections end, hard or in peace."""
        for pipe in sorted(self._pipes, key=id):
            if self._dice.random() < share:
                pipe.cut(hard=self._dice.random() < 0.5)

    def cut_all(self) -> None:
        for pipe in list(self._pipes):
            pipe.cut(hard=True)

    def stall(self, *towards: str) -> None:
        """Nothing goes this way any more, and nobody is told."""
        for one in towards:
            self._free[one].clear()

    def go_on(self) -> None:
        for event in self._free.values():
            event.set()
        self.rough = False

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):  # that lines break is what it is for
                await self._connect(reader, writer)
        finally:
            writer.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.upstream is None:
            return
        far_reader, far_writer = await asyncio.open_connection(*self.upstream, limit=1 << 20)
        pipe = Pipe(writer, far_writer)
        self._pipes.add(pipe)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pump(reader, far_writer, "up"))
                both.create_task(self._pump(far_reader, writer, "down"))
        except* OSError:
            pass
        finally:
            self._pipes.discard(pipe)
            far_writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, towards: str) -> None:
        while data := await reader.read(1 << 16):
            await self._free[towards].wait()
            for piece in self._pieces(data) if self.rough else (data,):
                if writer.is_closing():
                    return
                writer.write(piece)
                await writer.drain()
                if self.rough:
                    await pause(self._dice, 0, 0.002)
        if writer.can_write_eof() and not writer.is_closing():
            writer.write_eof()

    def _pieces(self, data: bytes) -> list[bytes]:
        """The first bytes one by one or so, where heads of frames are; the rest as it is."""
        places = sorted({0, *(self._dice.randrange(min(len(data), 40)) for _ in range(4))})
        return [data[one:other] for one, other in zip(places, [*places[1:], len(data)], strict=True)]
