"""One connection to a table, from ``hello`` until it breaks; and how long to wait before the next one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from typing import Any

import picows

SHORTEST_WAIT_S = 0.1
QUICK_WAIT_S = 1.0
QUICK_S = 30.0
"""A server that is started again is back soon: for so long we do not wait longer than that between attempts."""
LONGEST_WAIT_S = 10.0
IDLE_S = 20.0
"""After so long without a word from the table we ask whether it is still there."""
PATIENCE_FOR_A_WORD_S = 10.0
"""So long it may take to answer that, or our ``hello``."""
MOMENT_S = 1.0
"""So long a connection that nobody wants any more may take to be made, so that it can be closed."""


def waits() -> Iterator[float]:
    """Seconds to wait before each new attempt: longer and longer, and never the same for all who lost their table."""
    longest, waited = SHORTEST_WAIT_S, 0.0
    while True:
        wait = random.uniform(0, longest)  # noqa: S311 - nobody gains anything by guessing it
        yield wait
        waited += wait
        longest = min(2 * longest, QUICK_WAIT_S if waited < QUICK_S else LONGEST_WAIT_S)


async def _abandon(connecting: asyncio.Future[tuple[picows.WSTransport, picows.WSListener]]) -> None:
    """End a connection that is just being made; picows would leave it open if it were cancelled halfway."""
    await asyncio.wait([connecting], timeout=MOMENT_S)
    if not connecting.done():
        connecting.cancel()
    elif connecting.exception() is None:
        connecting.result()[0].disconnect(graceful=False)


class Line(picows.WSListener):
    """A connection. Whole messages are handed to ``receive``."""

    def __init__(self, hello: bytes, receive: Callable[[Line, bytes], None]) -> None:
        self._hello = hello
        self._receive = receive
        self._parts: list[bytes] = []
        self._transport: picows.WSTransport | None = None
        self.answered = asyncio.Event()
        """The table has answered our hello, or never will."""
        self.welcomed = False

    async def hold(self, url: str) -> None:
        """Connect, and return when the connection has ended; raises OSError, WSError or TimeoutError."""
        connecting = asyncio.ensure_future(
            picows.ws_connect(
                lambda: self,
                url,
                enable_auto_ping=True,
                auto_ping_idle_timeout=IDLE_S,
                auto_ping_reply_timeout=PATIENCE_FOR_A_WORD_S,
                websocket_handshake_timeout=PATIENCE_FOR_A_WORD_S,
            )
        )
        try:
            transport, _ = await asyncio.shield(connecting)
        except asyncio.CancelledError:
            await _abandon(connecting)
            raise
        try:
            async with asyncio.timeout(PATIENCE_FOR_A_WORD_S):
                await self.answered.wait()
            await transport.wait_disconnected()
        finally:
            transport.disconnect(graceful=False)

    def send(self, text: bytes) -> None:
        """Send a message; nothing happens if the connection is gone, which the table will notice by itself."""
        if self._transport is not None:
            self._transport.send(picows.WSMsgType.TEXT, text)

    def welcome(self) -> None:
        """The table has answered our hello."""
        self.welcomed = True
        self.answered.set()

    def drop(self) -> None:
        """End the connection without a word."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def hang_up(self) -> None:
        """End the connection properly."""
        if self._transport is not None:
            self._transport.send_close(picows.WSCloseCode.OK)
            self._transport.disconnect()

    # What picows calls; its callbacks have no types of their own

    def on_ws_connected(self, transport: Any) -> None:
        """Say hello."""
        self._transport = transport
        self.send(self._hello)

    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        """Put messages together; whatever lies between us and the table may have cut them up."""
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
