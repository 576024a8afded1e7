"""Reads HTTP requests strictly one after the other, so that answers can not get out of order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httptools
from pydantic_core import to_json
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tafelrunde.server import metrics
from tafelrunde.server.headers import NO_STORE, SECURITY_HEADERS
from tafelrunde.server.refusals import refusal

MOST_HEAD = 15 * 1024
"""The most bytes that the head of a request may have; picows allows a little more."""
MOST_FIELDS = 100
"""The most fields that the head of a request may have."""
CLOSE_S = 5
"""How long a client has to close its end after our last answer."""
STUCK_S = 20
"""How long a client may read nothing at all before it is disconnected."""

END = b"\r\n\r\n"
"""Heads and chunked bodies end with this; the parser accepts nothing else."""


def http_protocol(head_timeout_s: float) -> type[HttpToolsProtocol]:
    """The protocol class for uvicorn; ``head_timeout_s`` is how long the head of a request may take."""

    class Protocol(SequentialProtocol):
        head_timeout = head_timeout_s

    return Protocol


class AmbiguousRequest(Exception):
    """The parser would accept it, but a proxy might read it differently."""


class LingeringTransport:
    """A transport for answers whose ``close`` waits until the client could read them."""

    def __init__(self, transport: asyncio.Transport, hang_up: Callable[[], None]) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.close = hang_up


class SequentialProtocol(HttpToolsProtocol):
    """uvicorn's protocol, but the parser gets a request only when the one before it has been answered.

    Until then it stays in ``_unparsed``, and reading is paused. So memory is bounded, answers can not overtake each
    other, and when a request wants to become a socket nothing else is in progress.
    """

    head_timeout = 10.0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._unparsed = bytearray()
        self._tail = b""
        """The last three bytes that the parser has got: an end may be split between packets."""
        self._head_size = 0
        self._in_body = False
        self._body_left = 0
        """How much of a body with known length is missing."""
        self._ended = False
        """The client has closed its sending end; it may still read."""
        self._done = False
        """Whatever arrives now is ignored."""
        self._waiting: asyncio.TimerHandle | None = None
        self._watching: asyncio.TimerHandle | None = None

    # --- Connection ---------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected, and has to send a request soon."""
        super().connection_made(transport)
        self._wait(self.head_timeout)

    def data_received(self, data: bytes) -> None:
        """Bytes have arrived."""
        if not self._done:
            self._unparsed += data
            self._read_on()

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client sends no more requests; we close when it has its answers."""
        self._ended = True
        self._read_on()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._done = True
        self._stop_waiting()
        self._unset_keepalive_if_required()
        self._stop_watching()
        super().connection_lost(exc)

    def _read_on(self) -> None:
        """Give the parser one request; what follows has to wait."""
        while self._unparsed and not self._is_over() and self._may_go_on():
            self._feed(self._next_piece())
        if self._is_over():
            self._unparsed.clear()
        elif self._unparsed and not self._ended:
            self.flow.pause_reading()
        if self._ended and not self._unparsed:
            self._end()

    def _end(self) -> None:
        """Everything the client has sent is handled."""
        if self._answering() and not self._in_body:
            self.cycle.keep_alive = False
        else:
            self.transport.close()

    def _may_go_on(self) -> bool:
        """A request is read to its end; the next one only when the client has read the answer."""
        return self._in_body or not (self._answering() or self.flow.write_paused)

    def _is_over(self) -> bool:
        return self._done or self.transport.is_closing()

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    # --- Parsing ------------------------------------------------------------------------------------------------------

    def _next_piece(self) -> bytes:
        """As much as certainly belongs to one request."""
        if self._body_left:
            size = min(self._body_left, len(self._unparsed))
            self._body_left -= size
        else:
            size = self._up_to_end()
        piece = bytes(self._unparsed[:size])
        del self._unparsed[:size]
        self._tail = (self._tail + piece[-3:])[-3:]
        return piece

    def _up_to_end(self) -> int:
        at = (self._tail + self._unparsed[:3]).find(END)
        if at >= 0:
            return at + len(END) - len(self._tail)
        at = self._unparsed.find(END)
        return len(self._unparsed) if at < 0 else at + len(END)

    def _feed(self, piece: bytes) -> None:
        if not self._in_body:
            self._head_size += len(piece)
            if self._head_size > MOST_HEAD:
                self._refuse(431, "too-large", f"The head of a request has at most {MOST_HEAD} bytes.")
                return
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:
            self._upgrade()
        except httptools.HttpParserError:
            self._refuse(400, "bad-message", "This is no request that can be understood.")

    def on_message_begin(self) -> None:
        """A request begins, and its head has to arrive soon."""
        super().on_message_begin()
        self._unset_keepalive_if_required()
        self._wait(self.head_timeout)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field of the head; trailers after a body are unchecked and therefore ignored."""
        if not self._in_body:
            if len(self.headers) == MOST_FIELDS:
                raise AmbiguousRequest
            super().on_header(name, value.strip())

    def on_headers_complete(self) -> None:
        """The head is complete."""
        self._stop_waiting()
        self._check_head()
        self._head_size = 0
        if not self.parser.should_upgrade():
            self._in_body = True
            self._body_left = int(self._only(b"content-length") or 0)
        super().on_headers_complete()
        if self._in_body:
            self.cycle.transport = LingeringTransport(self.transport, self._hang_up)  # type: ignore[assignment]

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request."""
        super().on_response_complete()
        self.loop.call_soon(self._read_on)

    def _check_head(self) -> None:
        """Refuse what two programs may read in two ways."""
        version, coding, host = self.parser.get_http_version(), self._only(b"transfer-encoding"), self._only(b"host")
        if version not in ("1.0", "1.1") or self.parser.get_method() == b"CONNECT":
            raise AmbiguousRequest
        if version == "1.1" and host is None:
            raise AmbiguousRequest
        if coding is not None and (version == "1.0" or coding.lower() != b"chunked"):
            raise AmbiguousRequest

    def _only(self, name: bytes) -> bytes | None:
        """The value of a field that may occur once."""
        values = [value for field, value in self.headers if field == name]
        if len(values) > 1:
            raise AmbiguousRequest
        return values[0] if values else None

    # --- Sockets ------------------------------------------------------------------------------------------------------

    def _should_upgrade(self) -> bool:
        """uvicorn leaves all upgrade requests to us."""
        return True

    def _upgrade(self) -> None:
        """The client wants to switch protocols. Ignored unless it is to WebSocket."""
        if self._wants_socket():
            self._hand_over()
        else:
            self.headers = [field for field in self.headers if field[0] != b"upgrade"]
            self.parser = httptools.HttpRequestParser(self)  # the old one parses no more requests
            self._feed(self._head_again())

    def _wants_socket(self) -> bool:
        wanted = [value.lower() for name, value in self.headers if name == b"upgrade"]
        with_body = {b"content-length", b"transfer-encoding"} & {name for name, _ in self.headers}
        asked = (self.scope["method"], self.scope["http_version"])
        return wanted == [b"websocket"] and asked == ("GET", "1.1") and not with_body

    def _head_again(self) -> bytes:
        head = b"%b %b HTTP/%b\r\n" % (self.scope["method"].encode(), self.url, self.scope["http_version"].encode())
        return head + b"".join(b"%b: %b\r\n" % field for field in self.headers) + b"\r\n"

    def _hand_over(self) -> None:
        """Give the connection to the socket protocol, with everything received so far."""
        self._done = True
        self._stop_watching()
        self.connections.discard(self)
        socket = self.ws_protocol_class(self.config, self.server_state, self.app_state)  # type: ignore[call-arg, misc]
        socket.connection_made(self.transport)
        self.transport.set_protocol(socket)
        socket.data_received(self._head_again())
        if self._unparsed and not self.transport.is_closing():
            socket.data_received(bytes(self._unparsed))
        if self._ended:
            self.transport.close()
        # Break the reference cycle with the parser: collecting many of them would stall the event loop.
        self.parser = self.cycle = self.scope = self.headers = None  # type: ignore[assignment]

    # --- Refusing and timeouts ----------------------------------------------------------------------------------------

    def _refuse(self, status: int, code: str, sentence: str) -> None:
        """Answer with an error and close: nobody knows where the next request begins."""
        metrics.BAD_REQUESTS.inc()
        if self._answering():
            if self.cycle.response_started:
                self._done = True  # such an early answer closes the connection anyway
                return
            self._forget_cycle()
        body = to_json(refusal(code, sentence))
        own = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        headers = [*SECURITY_HEADERS, NO_STORE, (b"connection", b"close"), *own]
        head = b"".join(b"%b: %b\r\n" % header for header in headers)
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + body)
        self._hang_up()

    def _forget_cycle(self) -> None:
        """Keep the application from answering."""
        self.cycle.disconnected = True
        self.cycle.waiting_for_100_continue = False
        self.cycle.message_event.set()

    def _hang_up(self) -> None:
        """Close, but first read what the client still sends; otherwise it could not read our answer."""
        self._done = True
        if self._ended or self.transport.is_closing():
            self.transport.close()
            return
        self.transport.write_eof()
        self.flow.resume_reading()
        self._wait(CLOSE_S)
        self._watch()

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()

    def pause_writing(self) -> None:
        """The client reads slowly; that is fine as long as it reads."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._stop_watching()
        super().resume_writing()
        self.loop.call_soon(self._read_on)

    def _watch(self) -> None:
        self._stop_watching()
        self._watching = self.loop.call_later(STUCK_S, self._abort_if_stuck, self.transport.get_write_buffer_size())

    def _stop_watching(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    def _abort_if_stuck(self, before: int) -> None:
        """Disconnect unless the client has read something meanwhile."""
        if self.transport.get_write_buffer_size() < before:
            self._watch()
        else:
            self.transport.abort()
