"""The socket of a client at a table: picows does the framing, uvicorn hands connections over to it on the same port."""

from __future__ import annotations

import asyncio
import logging
import re
import struct
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from picows import WSAutoPingStrategy, WSCloseCode, WSListener, WSMsgType, WSTransport
from picows.common import WSUpgradeRequest, WSUpgradeResponse, WSUpgradeResponseWithListener
from picows.picows import WSFrame, WSProtocol, _validate_upgrade_request  # type: ignore[attr-defined]
from pydantic import ValidationError
from pydantic_core import to_json

from tafelrunde import wire
from tafelrunde.errors import BadMessage, NoSuchTable, TafelrundeError, TooFast, TooLarge
from tafelrunde.server.guard import HEADERS
from tafelrunde.server.limits import Bucket
from tafelrunde.table.lines import NOBODY, Held

if TYPE_CHECKING:
    from tafelrunde.server.hall import Hall
    from tafelrunde.server.live import LiveTable

PATH = re.compile(r"/api/tables/([^/?#]{1,40})/socket")
MOST_FRAME = 4 * wire.LONGEST_MESSAGE
"""What is larger than a message may be gets an answer; what is larger than this is not even read."""
MOST_QUEUED = 32
"""So many messages may come while a table is being loaded."""
STUCK_S = 10
"""A client that does not read for so long is let go; it can come back and resume."""
PARTING_S = 1
"""So long a client has to hang up after a goodbye."""
PING_S = 10
"""So often a connection is asked whether somebody is there …"""
FAST_PING_S = 2.5
"""… so often where milliseconds count and its lag has to be known …"""
FIRST_PING_S = 1
"""… and after so long for the first time, unless they count: who comes back after a crash comes with all others."""
CLIENT_TIMEOUT_S = 40
"""A client that leaves all questions of so long unanswered is gone, even if the network says nothing of it."""
MOST_NAGGING = 200
"""After so many messages in a row that came too fast the connection is closed."""


FIRST_ROOM = 1024
"""Bytes for what comes in, as long as nothing longer has come."""
SHORT = 1000
"""picows keeps room for messages of about this length for every connection anyway; longer ones would make it grow."""
HEADER = 14
"""The room that picows wants in front of a message that it need not copy."""


class Connection(WSListener):
    """One client at one table. There are thousands, most of them quiet: so each keeps as little as possible."""

    __slots__ = (
        "_bucket", "_nagging", "_parts", "_queue", "_timer", "_transport", "_unanswered", "address", "closed", "code",
        "hall", "held", "keys", "live", "rtt_ms",
    )  # fmt: skip

    def __init__(self, hall: Hall, code: str, address: str) -> None:
        self.hall = hall
        self.code = code
        self.address = address
        self.live: LiveTable | None = None
        self.held: Held = NOBODY
        self.keys: dict[int, str] = {}
        """The hashes of the tokens by which the seats are held."""
        self.rtt_ms: float | None = None
        self.closed = False
        self._transport: WSTransport | None = None
        self._queue: list[bytes] | None = None
        self._parts: bytearray | None = None
        self._bucket = Bucket(2 * hall.settings.commands_per_second, hall.settings.commands_per_second, hall.clock())
        self._nagging = 0
        self._timer: asyncio.TimerHandle | None = None
        self._unanswered = 0
        """Pings since anything was heard."""

    # --- Sending --------------------------------------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """Send a message, as long as the line is open."""
        if self.closed or self._transport is None:
            return
        if len(message) <= SHORT:
            self._transport.send(WSMsgType.TEXT, message)
        else:
            self._transport.send_reuse_external_bytearray(WSMsgType.TEXT, bytearray(HEADER) + message, HEADER)

    def refuse(self, error: TafelrundeError, id: str | None) -> None:
        """Say why something was not done."""
        told = {"type": "refused", "id": id, "code": error.code, "rule": error.rule, "sentence": error.sentence}
        self.send(to_json(told))

    def bye(self, code: str, sentence: str, again: bool = False) -> None:
        """Say why, and close."""
        told = {"type": "bye", "code": code, "rule": None, "sentence": sentence, "again": again}
        self.send(to_json(told))
        self._close(WSCloseCode.SERVICE_RESTART if again else WSCloseCode.POLICY_VIOLATION)

    def _close(self, code: WSCloseCode) -> None:
        if not self.closed and self._transport is not None:
            self._gone()
            self._transport.send_close(code)
            # If we hung up before all that the client still says has come, it could not read why.
            self.hall.loop.call_later(PARTING_S, self._transport.disconnect)

    def ping(self) -> None:
        """Ask whether somebody is there, and again after a while; the answer tells when the question was asked.

        What counts is how many questions in a row had no answer, not how long ago something was heard: if it was our
        process that stood still, the answers have been waiting for us.
        """
        if self.closed or self._transport is None:
            return
        fast = self.in_real_time
        if self._unanswered * (FAST_PING_S if fast else PING_S) >= CLIENT_TIMEOUT_S:
            self.bye("silent", "Your line does not answer.", again=True)
            return
        self._unanswered += 1
        self._transport.send_ping(struct.pack("!q", self.hall.nanos()))
        (self.hall.fast_pings if fast else self.hall.pings).later(self)

    @property
    def in_real_time(self) -> bool:
        """Do milliseconds count?"""
        return self.live is not None and self.live.table.spec.in_real_time

    # --- picows calls ---------------------------------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The line is open; now the client has to say hello."""
        self._transport = transport
        self.hall.connected(self)
        self._timer = self.hall.loop.call_later(self.hall.settings.hello_s, self._no_hello)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Something came; what follows upon a goodbye is not heard any more."""
        kind = frame.msg_type
        if kind == WSMsgType.CLOSE:
            self._close(WSCloseCode.OK)
            transport.disconnect()
        if self.closed:
            return
        if kind == WSMsgType.TEXT and frame.fin:
            self._receive(frame.get_payload_as_bytes())
        elif kind == WSMsgType.PONG:
            self._measure(frame.get_payload_as_bytes())
        elif kind == WSMsgType.BINARY:
            self.bye("bad-message", "Messages are text.")
        elif kind in (WSMsgType.TEXT, WSMsgType.CONTINUATION):
            self._collect(frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The line is closed."""
        self._gone()

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        self._timer = self.hall.loop.call_later(STUCK_S, self._let_go)

    def resume_writing(self) -> None:
        """It has caught up."""
        if self._timer is not None:
            self._timer.cancel()

    # --- Receiving ------------------------------------------------------------------------------------------------

    def _collect(self, frame: WSFrame) -> None:
        """A message in several frames."""
        if self._parts is None:
            self._parts = bytearray()
        self._parts += frame.get_payload_as_bytes()
        if len(self._parts) > MOST_FRAME:
            self._close(WSCloseCode.MESSAGE_TOO_BIG)
        elif frame.fin:
            message, self._parts = bytes(self._parts), None
            self._receive(message)

    def _receive(self, message: bytes) -> None:
        """A whole message: hello first, then commands."""
        now = self.hall.clock()
        self._unanswered = 0
        if self.hall.closing:
            return  # goodbye is about to be said; a client sends again what has got no answer
        if not self._bucket.draw(now):
            self._too_fast(message)
            return
        self._nagging = 0
        if len(message) > wire.LONGEST_MESSAGE:
            self.refuse(TooLarge(f"A message has at most {wire.LONGEST_MESSAGE} bytes."), id_in(message))
        elif self.live is not None:
            self._command(message)
        elif self._queue is None:
            self._hello(message)
        elif len(self._queue) < MOST_QUEUED:
            self._queue.append(message)
        else:
            self.bye("too-fast", "Wait for the welcome.")

    def _too_fast(self, message: bytes) -> None:
        self._nagging += 1
        if self._nagging > MOST_NAGGING:
            self.bye("too-fast", "Too many messages.")
        else:
            self.refuse(TooFast("Too many messages; wait a moment."), id_in(message))

    def _hello(self, message: bytes) -> None:
        try:
            hello = wire.HELLO.validate_json(message)
        except ValidationError as error:
            self.bye("bad-message", f"The first message is hello. {explain(error)}")
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._queue = []
        self.hall.spawn(self._sit_down(hello))

    async def _sit_down(self, hello: wire.Hello) -> None:
        try:
            live = await self.hall.table(self.code)
            await live.welcome(self, hello)
        except NoSuchTable as error:
            self.hall.guessed_wrong(self.address)
            self.bye(error.code, error.sentence)
        except TafelrundeError as error:
            self.bye(error.code, error.sentence, again=error.code in ("unavailable", "store-error"))

    def follow(self, live: LiveTable) -> None:
        """The table has welcomed us; what came meanwhile is read now."""
        self.live = live
        if self.in_real_time:
            self.ping()
        else:
            self.hall.first_pings.later(self)
        queue, self._queue = self._queue or [], None
        for message in queue:
            if not self.closed:
                self._command(message)

    def _command(self, message: bytes) -> None:
        try:
            command = wire.COMMANDS.validator.validate_json(message)
        except ValidationError as error:
            self.refuse(BadMessage(explain(error)), id_in(message))
            return
        assert self.live is not None
        if command.do != "look" and self.hall.written_too_much(self.address):
            self.refuse(TooFast("Your address has written too much in this hour; wait a while."), command.id)
            return
        self.live.command(self, command)

    def _measure(self, payload: bytes) -> None:
        """How long a question took there and back; the best of the last ones, since delays only ever add up."""
        if len(payload) == 8:
            took = (self.hall.nanos() - struct.unpack("!q", payload)[0]) / 1e6
            if 0 <= took < 60_000:
                self._unanswered = 0
                before = took if self.rtt_ms is None else self.rtt_ms
                self.rtt_ms = took if took < before else 0.8 * before + 0.2 * took

    # --- Going ----------------------------------------------------------------------------------------------------

    def _no_hello(self) -> None:
        if self.live is None and self._queue is None:
            self.bye("bad-message", "Nothing was said for too long.")

    def _let_go(self) -> None:
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def _gone(self) -> None:
        if not self.closed:
            self.closed = True
            if self._timer is not None:
                self._timer.cancel()
            self.hall.disconnected(self)
            if self.live is not None:
                self.live.depart(self)


def explain(error: ValidationError) -> str:
    """What is wrong with a message, in one line; what was sent is not repeated, it may be a token."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "union_tag_invalid":
        return "do: There is no such command."
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}." if where else f"{first['msg']}."


def id_in(message: bytes) -> str | None:
    """The id of a command that can not be understood otherwise."""
    try:
        return wire.IDENTIFIED.validate_json(message).id
    except ValidationError:
        return None


def allowed_origin(origin: str | None, host: str | None, others: tuple[str, ...]) -> bool:
    """A page may open a socket only to the server it came from; programs that are no pages name no origin."""
    if origin is None or origin in others:
        return True
    try:
        return bool(host) and urlsplit(origin).netloc == host
    except ValueError:
        return False


def socket_protocol(hall: Hall) -> type:
    """What uvicorn makes of a connection that wants to become a socket."""
    logger = logging.LoggerAdapter(logging.getLogger("picows"))  # of a plain one picows makes a child per connection

    class Socket(WSProtocol):  # type: ignore[misc]
        """picows' protocol, begun with the request that uvicorn has read already."""

        __slots__ = ("_peer",)

        def __init__(self, config: Any, server_state: Any, app_state: Any) -> None:
            super().__init__(
                None, None, False, self._listener, logger, True, 5, False, 20, 20,
                WSAutoPingStrategy.PING_WHEN_IDLE, True, MOST_FRAME, None, FIRST_ROOM,
            )  # fmt: skip
            self._peer = ""

        def connection_made(self, transport: asyncio.Transport) -> None:
            peer = transport.get_extra_info("peername")
            self._peer = str(peer[0]) if peer else "local"
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            """What has come so far, from whoever had the line before; then the transport fills our buffer directly."""
            while data:
                room = self.get_buffer(len(data))
                count = min(len(room), len(data))
                room[:count] = data[:count]
                data = data[count:]
                self.buffer_updated(count)
            if self.listener is not None:  # picows would keep the headers as long as the line is open
                self.transport.request.headers.clear()
                self.transport.response.headers.clear()
            # The transport looks anew at how its protocol wants to be fed when it begins to read again.
            transport = self.transport.underlying_transport
            if not transport.is_closing():
                transport.pause_reading()
                hall.loop.call_soon(resume, transport)

        def _listener(self, request: WSUpgradeRequest) -> Connection | WSUpgradeResponseWithListener:
            request.headers["Connection"] = "Upgrade"  # uvicorn has read it; some browsers add "keep-alive"
            address = hall.address(self._peer, request.headers.getall("X-Forwarded-For", []))
            if not _is_handshake(request):
                return _refused(BadMessage("This is no handshake of a WebSocket."), 400)
            try:
                code = hall.admit(request.path.decode("latin-1"), request.headers, address)
            except TafelrundeError as error:
                return _refused(error)
            return Connection(hall, code, address)

    return Socket


def resume(transport: asyncio.Transport) -> None:
    """Read on, if there is still somebody to read from."""
    if not transport.is_closing():
        transport.resume_reading()


def _is_handshake(request: WSUpgradeRequest) -> bool:
    """picows looks at this too, but would answer in its own words."""
    try:
        _validate_upgrade_request(request)
    except RuntimeError:
        return False
    return True


def _refused(error: TafelrundeError, status: int | None = None) -> WSUpgradeResponseWithListener:
    told = {"code": error.code, "rule": None, "sentence": error.sentence}
    codes = {"no-such-table": 404, "too-fast": 429, "unavailable": 503, "wrong-host": 421}
    status = status or codes.get(error.code, 403)
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    headers |= {name.decode(): value.decode() for name, value in HEADERS}
    response = WSUpgradeResponse.create_error_response(status, to_json(told), headers)
    return WSUpgradeResponseWithListener(response, None)
