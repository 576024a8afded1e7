"""One WebSocket connection of a client at a table."""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass

from picows import WSCloseCode, WSListener, WSMsgType, WSTransport
from picows.picows import WSFrame
from pydantic import ValidationError
from pydantic_core import to_json

from tafelrunde import wire
from tafelrunde.errors import BadMessage, NoSuchTable, TafelrundeError, TooFast, TooLarge
from tafelrunde.server.admission import Admission
from tafelrunde.server.heartbeat import FAST_PING_S, PING_S, Heartbeat
from tafelrunde.server.limits import Bucket
from tafelrunde.server.peer import FollowedTable
from tafelrunde.server.refusals import refusal, refusal_of
from tafelrunde.server.registry import TableRegistry
from tafelrunde.server.runtime import Runtime
from tafelrunde.server.settings import Settings
from tafelrunde.server.welcome import welcome
from tafelrunde.table.log import NOBODY, Held

MOST_FRAME = 4 * wire.LONGEST_MESSAGE
"""A message that is too long is refused; one that is longer than this closes the connection."""
MOST_QUEUED = 32
"""How many messages may arrive while the table is being loaded."""
STUCK_S = 10
"""How long a client may not read before it is disconnected; it can reconnect and resume."""
CLOSE_S = 1
"""How long a client has to close its end after we have said why."""
CLIENT_TIMEOUT_S = 40
"""How long a client may leave pings unanswered before we take it for gone."""
MOST_TOO_FAST = 200
"""How many messages in a row may come too fast before the connection is closed."""
SHORT = 1000
"""picows keeps a send buffer of about this size per connection anyway; longer messages would make it grow."""
HEADER = 14
"""The space that picows needs in front of a message to send it without copying."""


@dataclass(frozen=True, slots=True)
class ConnectionServices:
    """What a connection needs from the server."""

    settings: Settings
    runtime: Runtime
    registry: TableRegistry
    admission: Admission
    heartbeat: Heartbeat


class Connection(WSListener):
    """One client at one table. There are thousands, most of them idle, so each keeps as little as possible."""

    __slots__ = (
        "_bucket", "_parts", "_queue", "_services", "_table", "_timer", "_too_fast", "_transport", "_unanswered",
        "address", "closed", "code", "held", "keys", "rtt_ms", "wants_raw", "wants_views",
    )  # fmt: skip

    def __init__(self, services: ConnectionServices, code: str, address: str) -> None:
        self.code = code
        self.address = address
        self.held: Held = NOBODY
        self.keys: dict[int, str] = {}
        """The hashes of the tokens that opened the seats."""
        self.wants_views = False
        self.wants_raw = False
        self.rtt_ms: float | None = None
        self.closed = False
        self._services = services
        self._table: FollowedTable | None = None
        self._transport: WSTransport | None = None
        self._queue: list[bytes] | None = None
        """Messages that arrive between hello and welcome."""
        self._parts: bytearray | None = None
        per_second = services.settings.commands_per_second
        self._bucket = Bucket(2 * per_second, per_second, services.runtime.clock())
        self._too_fast = 0
        self._timer: asyncio.TimerHandle | None = None
        self._unanswered = 0
        """Pings since anything was received."""

    # --- Sending --------------------------------------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """Send a message if the connection is open."""
        if self.closed or self._transport is None:
            return
        if len(message) <= SHORT:
            self._transport.send(WSMsgType.TEXT, message)
        else:
            self._transport.send_reuse_external_bytearray(WSMsgType.TEXT, bytearray(HEADER) + message, HEADER)

    def refuse(self, error: TafelrundeError, id: str | None) -> None:
        """Refuse the command of this id."""
        self.send(to_json({"type": "refused", "id": id} | refusal_of(error)))

    def close_with(self, code: str, sentence: str, reconnect: bool = False) -> None:
        """Send the reason, then close the connection."""
        self.send(to_json({"type": "bye"} | refusal(code, sentence) | {"again": reconnect}))
        self._close(WSCloseCode.SERVICE_RESTART if reconnect else WSCloseCode.POLICY_VIOLATION)

    def _close(self, code: WSCloseCode) -> None:
        if not self.closed and self._transport is not None:
            self._closed()
            self._transport.send_close(code)
            # If we disconnected before reading everything the client has sent, it could not read the reason.
            self._services.runtime.loop.call_later(CLOSE_S, self._transport.disconnect)

    def ping(self) -> None:
        """Send a ping that carries the time, and schedule the next one.

        A client is gone after too many unanswered pings, not after too much time: if our own process was stalled, the
        answers are waiting for us.
        """
        if self.closed or self._transport is None:
            return
        fast = self._table is not None and self._table.in_real_time
        if self._unanswered * (FAST_PING_S if fast else PING_S) >= CLIENT_TIMEOUT_S:
            self.close_with("silent", "Your line does not answer.", reconnect=True)
            return
        self._unanswered += 1
        self._transport.send_ping(struct.pack("!q", self._services.runtime.nanos()))
        heartbeat = self._services.heartbeat
        (heartbeat.fast if fast else heartbeat.regular).add(self)

    # --- Called by picows -----------------------------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        """The connection is open; the client has to say hello."""
        services = self._services
        self._transport = transport
        services.admission.connected(self)
        self._timer = services.runtime.loop.call_later(services.settings.hello_s, self._no_hello)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """A frame has arrived; after we have closed everything is ignored."""
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
            self.close_with("bad-message", "Messages are text.")
        elif kind in (WSMsgType.TEXT, WSMsgType.CONTINUATION):
            self._collect(frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """The connection is closed."""
        self._closed()

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        self._timer = self._services.runtime.loop.call_later(STUCK_S, self._abort)

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
        runtime = self._services.runtime
        self._unanswered = 0
        if runtime.closing:
            return  # the connection is about to be closed; clients send unanswered commands again
        if not self._bucket.draw(runtime.clock()):
            self._refuse_too_fast(message)
            return
        self._too_fast = 0
        if len(message) > wire.LONGEST_MESSAGE:
            self.refuse(TooLarge(f"A message has at most {wire.LONGEST_MESSAGE} bytes."), id_in(message))
        elif self._table is not None:
            self._command(self._table, message)
        elif self._queue is None:
            self._hello(message)
        elif len(self._queue) < MOST_QUEUED:
            self._queue.append(message)
        else:
            self.close_with("too-fast", "Wait for the welcome.")

    def _refuse_too_fast(self, message: bytes) -> None:
        self._too_fast += 1
        if self._too_fast > MOST_TOO_FAST:
            self.close_with("too-fast", "Too many messages.")
        else:
            self.refuse(TooFast("Too many messages; wait a moment."), id_in(message))

    def _hello(self, message: bytes) -> None:
        try:
            hello = wire.HELLO.validate_json(message)
        except ValidationError as error:
            self.close_with("bad-message", f"The first message is hello. {explain(error)}")
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._queue = []
        self._services.runtime.spawn(self._enter(hello))

    async def _enter(self, hello: wire.Hello) -> None:
        registry, admission = self._services.registry, self._services.admission
        try:
            live = await registry.table(self.code)
            await welcome(live, registry.tables, self, hello)
        except NoSuchTable as error:
            admission.charge_wrong_code(self.address)
            self.close_with(error.code, error.sentence)
        except TafelrundeError as error:
            self.close_with(error.code, error.sentence, reconnect=error.code in ("unavailable", "store-error"))

    def follow(self, table: FollowedTable) -> None:
        """The client has been welcomed; messages that arrived meanwhile are handled now."""
        self._table = table
        if table.in_real_time:
            self.ping()
        else:
            self._services.heartbeat.first.add(self)
        queue, self._queue = self._queue or [], None
        for message in queue:
            if not self.closed:
                self._command(table, message)

    def _command(self, table: FollowedTable, message: bytes) -> None:
        try:
            command = wire.COMMANDS.validator.validate_json(message)
        except ValidationError as error:
            self.refuse(BadMessage(explain(error)), id_in(message))
            return
        if not isinstance(command, wire.Look) and self._services.admission.over_line_quota(self.address):
            self.refuse(TooFast("Your address has written too much in this hour; wait a while."), command.id)
            return
        table.command(self, command)

    def _measure(self, payload: bytes) -> None:
        """Update the round trip time: drop to a shorter one at once, approach longer ones slowly."""
        if len(payload) == 8:
            took = (self._services.runtime.nanos() - struct.unpack("!q", payload)[0]) / 1e6
            if 0 <= took < 60_000:
                self._unanswered = 0
                before = took if self.rtt_ms is None else self.rtt_ms
                self.rtt_ms = took if took < before else 0.8 * before + 0.2 * took

    # --- Closing --------------------------------------------------------------------------------------------------

    def _no_hello(self) -> None:
        if self._table is None and self._queue is None:
            self.close_with("bad-message", "Nothing was said for too long.")

    def _abort(self) -> None:
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def _closed(self) -> None:
        if not self.closed:
            self.closed = True
            if self._timer is not None:
                self._timer.cancel()
            self._services.admission.disconnected(self)
            if self._table is not None:
                self._table.depart(self)


def explain(error: ValidationError) -> str:
    """What is wrong with a message, in one line; what was sent is not repeated, it may be a token."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "union_tag_invalid":
        return "do: There is no such command."
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}." if where else f"{first['msg']}."


def id_in(message: bytes) -> str | None:
    """The id of a command that can not be read otherwise."""
    try:
        return wire.IDENTIFIED.validate_json(message).id
    except ValidationError:
        return None
