"""How requests are read: one after the other, so that answers go out in their order, whatever comes in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tafelrunde.server import metrics
from tafelrunde.server.guard import HEADERS, refusal

MOST_HEAD = 15 * 1024
"""So many bytes may come before the body; picows takes a little more."""
MOST_FIELDS = 100
"""So many fields may a head have."""
PARTING_S = 5
"""So long a client has to hang up when we have nothing more to say."""
STUCK_S = 20
"""A client that reads nothing at all for so long is let go."""

END = b"\r\n\r\n"
"""Heads and chunked bodies end with this; the parser takes nothing else for it."""


def http_protocol(patience_s: float) -> type[HttpToolsProtocol]:
    """What uvicorn makes of a connection; ``patience_s`` is how long the head of a request may take."""

    class Patient(OneByOne):
        patience = patience_s

    return Patient


class NoRequest(Exception):
    """The parser would take it, we do not: others on the way here may read something else in it."""


class Parting:
    """What an answer is written to. Its end may be the end of the line, but not before the client could read it."""

    def __init__(self, transport: asyncio.Transport, hang_up: Callable[[], None]) -> None:
        self.write = transport.write
        self.is_closing = transport.is_closing
        self.close = hang_up


class OneByOne(HttpToolsProtocol):
    """uvicorn's protocol, but the parser sees a request only when the one before it is answered.

    Until then it stays in ``_rest``, and nothing more is read from the line. So little waits in memory, answers can not
    overtake each other, and when a request wants to become a socket nothing else is going on.
    """

    patience = 10.0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._rest = bytearray()
        self._tail = b""
        """The last three bytes that the parser has seen: an end may come in two packets."""
        self._head_size = 0
        self._in_body = False
        self._body_left = 0
        """What is missing of a body that has told its length."""
        self._ended = False
        """The client sends no more; it may still read."""
        self._done = False
        """Whatever comes now is not for us."""
        self._waiting: asyncio.TimerHandle | None = None
        self._watching: asyncio.TimerHandle | None = None

    # --- The line -------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there, and has to ask for something soon."""
        super().connection_made(transport)
        self._wait(self.patience)

    def data_received(self, data: bytes) -> None:
        """Something came."""
        if not self._done:
            self._rest += data
            self._read_on()

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client has asked for all that it wants; we close when it has its answers."""
        self._ended = True
        self._read_on()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._done = True
        self._wait_no_longer()
        self._unset_keepalive_if_required()
        self._watch_no_longer()
        super().connection_lost(exc)

    def _read_on(self) -> None:
        """Let the parser see one request; what comes behind it has to wait."""
        while self._rest and not self._is_over() and self._may_go_on():
            self._feed(self._next_piece())
        if self._is_over():
            self._rest.clear()
        elif self._rest and not self._ended:
            self.flow.pause_reading()
        if self._ended and not self._rest:
            self._end()

    def _end(self) -> None:
        """The client has said its last word."""
        if self._answering() and not self._in_body:
            self.cycle.keep_alive = False
        else:
            self.transport.close()

    def _may_go_on(self) -> bool:
        """A request is read to its end; the next one when the client has got and read what it asked for before."""
        return self._in_body or not (self._answering() or self.flow.write_paused)

    def _is_over(self) -> bool:
        return self._done or self.transport.is_closing()

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    # --- The parser -----------------------------------------------------------------------------------------------

    def _next_piece(self) -> bytes:
        """As much as belongs to one request for sure."""
        if self._body_left:
            size = min(self._body_left, len(self._rest))
            self._body_left -= size
        else:
            size = self._up_to_end()
        piece = bytes(self._rest[:size])
        del self._rest[:size]
        self._tail = (self._tail + piece[-3:])[-3:]
        return piece

    def _up_to_end(self) -> int:
        at = (self._tail + self._rest[:3]).find(END)
        if at >= 0:
            return at + len(END) - len(self._tail)
        at = self._rest.find(END)
        return len(self._rest) if at < 0 else at + len(END)

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
        """A request begins, and its head has to come soon."""
        super().on_message_begin()
        self._unset_keepalive_if_required()
        self._wait(self.patience)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field of the head; those that follow upon a body nobody has looked at, so they count for nothing."""
        if not self._in_body:
            if len(self.headers) == MOST_FIELDS:
                raise NoRequest
            super().on_header(name, value.strip())

    def on_headers_complete(self) -> None:
        """The head is there; now it is known what the request is about."""
        self._wait_no_longer()
        self._check_head()
        self._head_size = 0
        if not self.parser.should_upgrade():
            self._in_body = True
            self._body_left = int(self._only(b"content-length") or 0)
        super().on_headers_complete()
        if self._in_body:
            self.cycle.transport = Parting(self.transport, self._hang_up)  # type: ignore[assignment]

    def on_message_complete(self) -> None:
        """The request is there as a whole."""
        self._in_body = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The next one, please."""
        super().on_response_complete()
        self.loop.call_soon(self._read_on)

    def _check_head(self) -> None:
        """What two programs may read in two ways is not read at all."""
        version, coding, host = self.parser.get_http_version(), self._only(b"transfer-encoding"), self._only(b"host")
        if version not in ("1.0", "1.1") or self.parser.get_method() == b"CONNECT":
            raise NoRequest
        if version == "1.1" and host is None:
            raise NoRequest
        if coding is not None and (version == "1.0" or coding.lower() != b"chunked"):
            raise NoRequest

    def _only(self, name: bytes) -> bytes | None:
        """The value of a field that may be there once."""
        values = [value for field, value in self.headers if field == name]
        if len(values) > 1:
            raise NoRequest
        return values[0] if values else None

    # --- Sockets --------------------------------------------------------------------------------------------------

    def _should_upgrade(self) -> bool:
        """uvicorn leaves all who want something else than HTTP to us."""
        return True

    def _upgrade(self) -> None:
        """The client wants to go on with another protocol. If it is not the one that we know, we may ignore that."""
        if self._wants_socket():
            self._hand_over()
        else:
            self.headers = [field for field in self.headers if field[0] != b"upgrade"]
            self.parser = httptools.HttpRequestParser(self)  # the old one may have seen its last request
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
        """From now on the line belongs to the socket, with all that has come already."""
        self._done = True
        self._watch_no_longer()
        self.connections.discard(self)
        socket = self.ws_protocol_class(self.config, self.server_state, self.app_state)  # type: ignore[call-arg, misc]
        socket.connection_made(self.transport)
        self.transport.set_protocol(socket)
        socket.data_received(self._head_again())
        if self._rest and not self.transport.is_closing():
            socket.data_received(bytes(self._rest))
        if self._ended:
            self.transport.close()
        # The parser and we hold each other. There are many of us, and collecting them would make everybody wait.
        self.parser = self.cycle = self.scope = self.headers = None  # type: ignore[assignment]

    # --- Refusing, and waiting for people -------------------------------------------------------------------------

    def _refuse(self, status: int, code: str, sentence: str) -> None:
        """Say what is wrong, and hang up; where requests begin and end can not be known any more."""
        metrics.BAD_REQUESTS.inc()
        if self._answering():
            if self.cycle.response_started:
                self._done = True  # nobody answers that early without hanging up afterwards
                return
            self._forget_cycle()
        body = refusal(code, sentence)
        own = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        headers = [*HEADERS, (b"cache-control", b"no-store"), (b"connection", b"close"), *own]
        head = b"".join(b"%b: %b\r\n" % header for header in headers)
        self.transport.write(STATUS_LINE[status] + head + b"\r\n" + body)
        self._hang_up()

    def _forget_cycle(self) -> None:
        """The application need not answer any more, and shall not."""
        self.cycle.disconnected = True
        self.cycle.waiting_for_100_continue = False
        self.cycle.message_event.set()

    def _hang_up(self) -> None:
        """Close, but not before all that the client still says has come: it could not read our last word."""
        self._done = True
        if self._ended or self.transport.is_closing():
            self.transport.close()
            return
        self.transport.write_eof()
        self.flow.resume_reading()
        self._wait(PARTING_S)
        self._watch()

    def _wait(self, seconds: float) -> None:
        self._wait_no_longer()
        self._waiting = self.loop.call_later(seconds, self.transport.close)

    def _wait_no_longer(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()

    def pause_writing(self) -> None:
        """The client reads too slowly; that is fine as long as it reads."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._watch_no_longer()
        super().resume_writing()
        self.loop.call_soon(self._read_on)

    def _watch(self) -> None:
        self._watch_no_longer()
        self._watching = self.loop.call_later(STUCK_S, self._let_go, self.transport.get_write_buffer_size())

    def _watch_no_longer(self) -> None:
        if self._watching is not None:
            self._watching.cancel()

    def _let_go(self, before: int) -> None:
        """Has anything been read meanwhile?"""
        if self.transport.get_write_buffer_size() < before:
            self._watch()
        else:
            self.transport.abort()
