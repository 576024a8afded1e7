"""A plain client on asyncio's streams. It shares no code with what it tests: HTTP, and WebSocket as RFC 6455 has it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import socket
import struct
from typing import Any

Address = tuple[str, int]

ANSWER_S = 120.0
"""A request, or a line that says nothing at all, not even a ping, is given up after so long."""
LINES_APART_S = 120.0
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Gone(Exception):
    """The line broke, or there is nobody at the other end."""


class Turned(Exception):
    """The server did not open a socket."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"{status} {body!r}")
        self.status = status
        self.body = body


class Line:
    """A connection; whatever goes wrong with it is Gone."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, address: Address) -> Line:
        try:
            async with asyncio.timeout(ANSWER_S):
                return cls(*await asyncio.open_connection(*address, limit=1 << 20))
        except (OSError, TimeoutError) as error:
            raise Gone(str(error)) from error

    async def read(self, size: int, seconds: float = ANSWER_S) -> bytes:
        """So many bytes; -1: all until the other end closes."""
        try:
            async with asyncio.timeout(seconds):
                return await (self._reader.read() if size < 0 else self._reader.readexactly(size))
        except (OSError, EOFError, TimeoutError) as error:
            raise Gone(str(error)) from error

    async def head(self) -> tuple[int, dict[str, str]]:
        """The head of an HTTP answer: status and headers."""
        try:
            async with asyncio.timeout(ANSWER_S):
                text = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except (OSError, EOFError, TimeoutError) as error:
            raise Gone(str(error)) from error
        first, *rest = text.strip().split("\r\n")
        pairs = (one.split(":", 1) for one in rest)
        return int(first.split()[1]), {name.strip().lower(): value.strip() for name, value in pairs}

    async def write(self, data: bytes) -> None:
        if self._writer.is_closing():
            raise Gone("This end has hung up.")
        try:
            self._writer.write(data)
            async with asyncio.timeout(ANSWER_S):
                await self._writer.drain()
        except (OSError, TimeoutError) as error:
            raise Gone(str(error)) from error

    def close(self, at_once: bool = True) -> None:
        transport = self._writer.transport
        if at_once:
            transport.abort()
        else:
            transport.close()


async def http(address: Address, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
    """One request on a connection of its own: status and body."""
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nConnection: close\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    line = await Line.to(address)
    try:
        await line.write(f"{head}\r\n".encode() + data)
        status, headers = await line.head()
        if "content-length" in headers:
            return status, await line.read(int(headers["content-length"]))
        return status, await line.read(-1)
    finally:
        line.close()


class Socket:
    """A WebSocket; made by ``open``."""

    def __init__(self, line: Line) -> None:
        self._line = line

    @classmethod
    async def open(cls, address: Address, path: str) -> Socket:
        key = base64.b64encode(os.urandom(16))
        line = await Line.to(address)
        try:
            await line.write(
                f"GET {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n"
                f"Upgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            status, headers = await line.head()
            if status != 101:
                raise Turned(status, await line.read(int(headers.get("content-length", "0"))))
            proof = base64.b64encode(hashlib.sha1(key + MAGIC).digest()).decode()
            assert headers["sec-websocket-accept"] == proof, headers
        except BaseException:
            line.close()
            raise
        return cls(line)

    async def send(self, message: Any) -> None:
        await self._send(TEXT, json.dumps(message).encode())

    async def receive(self) -> bytes | None:
        """The next message; None when the other end says that it was the last."""
        parts = b""
        while True:
            final, kind, data = await self._frame()
            if kind == PING:
                await self._send(PONG, data)
            elif kind == CLOSE:
                return None
            elif kind in (TEXT, CONTINUATION):
                parts += data
                if final:
                    return parts
            elif kind != PONG:
                raise AssertionError(f"a frame of kind {kind}")

    def close(self, at_once: bool = True) -> None:
        self._line.close(at_once)

    async def _frame(self) -> tuple[bool, int, bytes]:
        first, second = await self._line.read(2, LINES_APART_S)
        length = second & 127
        if length > 125:
            size = 2 if length == 126 else 8
            length = int.from_bytes(await self._line.read(size))
        assert not second & 128, "a server does not mask"
        assert not first & 112, "no extension was agreed upon"
        return bool(first & 128), first & 15, await self._line.read(length)

    async def _send(self, kind: int, data: bytes) -> None:
        length = len(data)
        if length < 126:
            head = struct.pack("!BB", 128 | kind, 128 | length)
        elif length < 1 << 16:
            head = struct.pack("!BBH", 128 | kind, 128 | 126, length)
        else:
            head = struct.pack("!BBQ", 128 | kind, 128 | 127, length)
        mask = os.urandom(4)
        stretched = int.from_bytes((mask * (length // 4 + 1))[:length])
        masked = (int.from_bytes(data) ^ stretched).to_bytes(length)
        await self._line.write(head + mask + masked)


def reset(sock: socket.socket) -> None:
    """Let the next close be a reset, as when a machine vanishes."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
