"""One connection to a table, and how long to wait before the next one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from typing import Any

import picows

SHORTEST_WAIT_S = 0.1
QUICK_WAIT_S = 1.0
QUICK_S = 30.0
"""A restarted server is back soon: for this long, wait at most ``QUICK_WAIT_S`` between attempts."""
LONGEST_WAIT_S = 10.0
IDLE_S = 20.0
"""Ping the server after this long without a message."""
REPLY_TIMEOUT_S = 10.0
"""How long the answer to that, or to ``hello``, may take."""
ABANDON_S = 1.0
"""How long to wait for a connection attempt that was cancelled, so that it can be closed."""


def backoff() -> Iterator[float]:
    """Seconds to wait before each new attempt: random and growing, so that clients do not come back all at once."""
    longest, waited = SHORTEST_WAIT_S, 0.0
    while True:
        wait = random.uniform(0, longest)  # noqa: S311 - nobody gains anything by guessing it
        yield wait
        waited += wait
        longest = min(2 * longest, QUICK_WAIT_S if waited < QUICK_S else LONGEST_WAIT_S)


async def _abandon(connecting: asyncio.Future[tuple[picows.WSTransport, picows.WSListener]]) -> None:
    """Cancel a connection attempt; picows would leave the connection open if it were cancelled halfway."""
    await asyncio.wait([connecting], timeout=ABANDON_S)
    if not connecting.done():
        connecting.cancel()
    elif connecting.exception() is None:
        connecting.result()[0].disconnect(graceful=False)


class Connection(picows.WSListener):
    """A WebSocket connection; whole messages are passed to ``receive``."""

    def __init__(self, hello: bytes, receive: Callable[[Connection, bytes], None]) -> None:
        self._hello = hello
        self._receive = receive
        self._parts: list[bytes] = []
        self._transport: picows.WSTransport | None = None
        self.answered = asyncio.Event()
        """Set when the hello was answered, or the connection has ended."""
        self.welcomed = False

    async def run(self, url: str) -> None:
        """Connect, and return when the connection has ended; raises OSError, WSError or TimeoutError."""
        connecting = asyncio.ensure_future(
            picows.ws_connect(
                lambda: self,
                url,
                enable_auto_ping=True,
                auto_ping_idle_timeout=IDLE_S,
                auto_ping_reply_timeout=REPLY_TIMEOUT_S,
                websocket_handshake_timeout=REPLY_TIMEOUT_S,
            )
        )
        try:
            transport, _ = await asyncio.shield(connecting)
        except asyncio.CancelledError:
            await _abandon(connecting)
            raise
        try:
            async with asyncio.timeout(REPLY_TIMEOUT_S):
                await self.answered.wait()
            await transport.wait_disconnected()
        finally:
            transport.disconnect(graceful=False)

    def send(self, text: bytes) -> None:
        """Send a message; ignored if the connection is gone, because the table notices that by itself."""
        if self._transport is not None:
            self._transport.send(picows.WSMsgType.TEXT, text)

    def welcome(self) -> None:
        """Note that the hello was answered."""
        self.welcomed = True
        self.answered.set()

    def drop(self) -> None:
        """Abort the connection."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def close(self) -> None:
        """Close the connection with a handshake."""
        if self._transport is not None:
            self._transport.send_close(picows.WSCloseCode.OK)
            self._transport.disconnect()

    # Callbacks of picows, which have no types of their own

    def on_ws_connected(self, transport: Any) -> None:
        """Say hello."""
        self._transport = transport
        self.send(self._hello)

    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        """Assemble messages: a proxy may have split them into several frames."""
        if frame.msg_type == picows.WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()
        elif frame.msg_type in (picows.WSMsgType.TEXT, picows.WSMsgType.CONTINUATION):
            self._parts.append(frame.get_payload_as_bytes())
            if frame.fin:
                text = b"".join(self._parts)
                self._parts.clear()
                self._receive(self, text)

    def on_ws_disconnected(self, transport: Any) -> None:
        """The connection is gone."""
        self._transport = None
        self.answered.set()
