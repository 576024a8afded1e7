"""Turns an HTTP request into a WebSocket: uvicorn reads the request, then hands the connection over to picows."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from picows import WSAutoPingStrategy
from picows.common import WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener
from picows.picows import WSProtocol, _validate_upgrade_request  # type: ignore[attr-defined]
from pydantic_core import to_json

from tafelrunde.errors import BadMessage, TafelrundeError
from tafelrunde.server.connection import MOST_FRAME, Connection, ConnectionServices
from tafelrunde.server.headers import NO_STORE, SECURITY_HEADERS
from tafelrunde.server.refusals import refusal_of, status_of

FIRST_BUFFER = 1024
"""The size of the receive buffer until a longer message arrives."""


def socket_protocol(services: ConnectionServices) -> type:
    """The protocol class that takes over connections that become sockets."""
    logger = logging.LoggerAdapter(logging.getLogger("picows"))  # for a plain one picows makes a child per connection

    class Socket(WSProtocol):  # type: ignore[misc]
        """picows' protocol, started with a request that uvicorn has already read."""

        __slots__ = ("_peer",)

        def __init__(self, config: Any, server_state: Any, app_state: Any) -> None:
            super().__init__(
                None, None, False, self._listener, logger, True, 5, False, 20, 20,
                WSAutoPingStrategy.PING_WHEN_IDLE, True, MOST_FRAME, None, FIRST_BUFFER,
            )  # fmt: skip
            self._peer = ""

        def connection_made(self, transport: asyncio.Transport) -> None:
            peer = transport.get_extra_info("peername")
            self._peer = str(peer[0]) if peer else "local"
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            """What the HTTP protocol had already received; later the transport fills our buffer directly."""
            while data:
                buffer = self.get_buffer(len(data))
                count = min(len(buffer), len(data))
                buffer[:count] = data[:count]
                data = data[count:]
                self.buffer_updated(count)
            if self.listener is not None:  # picows would keep the headers as long as the connection is open
                self.transport.request.headers.clear()
                self.transport.response.headers.clear()
            # The transport notices only when it resumes reading that its protocol has buffers now.
            transport = self.transport.underlying_transport
            if not transport.is_closing():
                transport.pause_reading()
                services.runtime.loop.call_soon(_resume, transport)

        def _listener(self, request: WSUpgradeRequest) -> Connection | WSUpgradeResponseWithListener:
            request.headers["Connection"] = "Upgrade"  # uvicorn has checked it; some browsers add "keep-alive"
            admission = services.admission
            address = admission.address(self._peer, request.headers.getall("X-Forwarded-For", []))
            if not _is_handshake(request):
                return _refused(BadMessage("This is no handshake of a WebSocket."), 400)
            try:
                code = admission.admit(request.path.decode("latin-1"), request.headers, address)
            except TafelrundeError as error:
                return _refused(error, status_of(error, default=403))
            return Connection(services, code, address)

    return Socket


def _resume(transport: asyncio.Transport) -> None:
    if not transport.is_closing():
        transport.resume_reading()


def _is_handshake(request: WSUpgradeRequest) -> bool:
    """picows checks this too, but would answer in its own words."""
    try:
        _validate_upgrade_request(request)
    except RuntimeError:
        return False
    return True


def _refused(error: TafelrundeError, status: int) -> WSUpgradeResponseWithListener:
    headers = {name.decode(): value.decode() for name, value in (*SECURITY_HEADERS, NO_STORE)}
    headers["Content-Type"] = "application/json"
    response = WSUpgradeResponse.create_error_response(status, to_json(refusal_of(error)), headers)
    return WSUpgradeResponseWithListener(response, None)
