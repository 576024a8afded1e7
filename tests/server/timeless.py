"""A game server in this process, in a time of its own: nothing waits, and everything happens when it should.

The clock of the loop stands still while there is anything to do, threads included, and then jumps to the next timer.
So an hour passes in no time, and two evenings with the same commands are the same to the millisecond.
"""

from __future__ import annotations

import asyncio
import json
import logging
import selectors
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

from picows import WSCloseCode, WSMsgType

from tafelrunde import wire
from tafelrunde.games import find
from tafelrunde.server.connection import Connection
from tafelrunde.server.game_server import GameServer
from tafelrunde.server.live import LiveTable
from tafelrunde.server.settings import Settings
from tafelrunde.server.writer import Writer
from tests.table.memory import MemoryStore
from tests.table.tables import NOON
from tests.waiting import PATIENCE_S

NAMES = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo")
GENEROUS = Settings(db="", keep_days=0, commands_per_second=100_000)


class Leaping(selectors.DefaultSelector):
    """Instead of waiting for the next timer it lets the loop's clock jump there, unless a thread is still at work."""

    loop: TimelessLoop

    def select(self, timeout: float | None = None) -> Any:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        if timeout is None or self.loop.is_at_work():
            woken = super().select(PATIENCE_S)
            assert woken, "Nothing will ever happen here."
            return woken
        self.loop.leap(timeout)
        return super().select(0)


class TimelessLoop(asyncio.SelectorEventLoop):
    """An event loop with such a clock."""

    def __init__(self) -> None:
        selector = Leaping()
        selector.loop = self
        self._seconds = 0.0
        self._in_threads = 0
        self.workers: list[Callable[[], bool]] = []
        """Who else may be at work in a thread of its own."""
        super().__init__(selector)

    def time(self) -> float:
        return self._seconds

    def leap(self, seconds: float) -> None:
        self._seconds += seconds

    def is_at_work(self) -> bool:
        return self._in_threads > 0 or any(works() for works in self.workers)

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        self._in_threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._is_back)
        return future

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Newer Pythons do not wait forever, which is no time at all here."""
        self._in_threads += 1
        try:
            await super().shutdown_default_executor()
        finally:
            self._in_threads -= 1

    def _is_back(self, _: object) -> None:
        self._in_threads -= 1

    def ms(self) -> int:
        """The time of day."""
        return NOON + int(self._seconds * 1000 + 1e-3)


@dataclass
class Frame:
    """A frame as picows hands it over."""

    msg_type: WSMsgType
    payload: bytes
    fin: bool = True

    def get_payload_as_bytes(self) -> bytes:
        return self.payload


class Guest:
    """A client and its line, which takes its time; keeps all that it was sent, byte for byte."""

    def __init__(
        self, server: GameServer, code: str, tokens: Sequence[str], after: int | None, lag_ms: float, **wishes: bool
    ) -> None:
        self.heard: list[bytes] = []
        self.heard_at_ms: list[float] = []
        """When each message has come to the other end of the line."""
        self.lag_s = lag_ms / 1000
        self.closed_with: WSCloseCode | None = None
        self._loop = server.runtime.loop
        self._connection = Connection(server.for_connections, code, "guest")
        self._connection.on_ws_connected(self)  # type: ignore[arg-type]
        self._asked = 0
        self._on_the_way: deque[Frame] = deque()
        epoch = None if after is None else server.store.epoch
        self.tell({"do": "hello", "tokens": list(tokens), "after": after, "epoch": epoch, **wishes})

    # --- What the server's end of the line calls ------------------------------------------------------------------

    def send(self, kind: WSMsgType, message: bytes) -> None:
        assert self.closed_with is None
        self.heard.append(bytes(message))
        self.heard_at_ms.append((self._loop.time() + self.lag_s) * 1000)

    def send_reuse_external_bytearray(self, kind: WSMsgType, message: bytearray, offset: int) -> None:
        self.send(kind, bytes(message[offset:]))

    def send_ping(self, payload: bytes) -> None:
        self._loop.call_later(2 * self.lag_s, self._frame, Frame(WSMsgType.PONG, payload))

    def send_close(self, code: WSCloseCode) -> None:
        self.closed_with = code

    def disconnect(self, graceful: bool = True) -> None:
        self._loop.call_soon(self.hang_up)

    # --- What a client does ---------------------------------------------------------------------------------------

    def tell(self, message: Mapping[str, Any] | bytes) -> None:
        """Send something; it arrives after the line's lag."""
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        self._on_the_way.append(Frame(WSMsgType.TEXT, text))
        if self.lag_s:
            self._loop.call_later(self.lag_s, self._arrives)
        else:
            self._arrives()

    def _arrives(self) -> None:
        """What was sent first arrives first; timers for the same moment would not see to that."""
        self._frame(self._on_the_way.popleft())

    def ask(self, do: str, **fields: Any) -> str:
        """Send a command; gives its id."""
        self._asked += 1
        id = fields.pop("id", f"{id_of(self)}{self._asked}")
        self.tell({"do": do, "id": id, **fields})
        return id

    def act(self, do: str, seat: int | None = None, **fields: Any) -> str:
        return self.ask("act", decision={"do": do, **fields}, **({} if seat is None else {"seat": seat}))

    def _frame(self, frame: Frame) -> None:
        self._connection.on_ws_frame(self, frame)  # type: ignore[arg-type]

    def hang_up(self) -> None:
        self._connection.on_ws_disconnected(self)  # type: ignore[arg-type]

    # --- What it was told -----------------------------------------------------------------------------------------

    def messages(self, type: str | None = None) -> list[dict[str, Any]]:
        told = [json.loads(message) for message in self.heard]
        return [message for message in told if type is None or message["type"] == type]

    def answer(self, id: str) -> dict[str, Any]:
        """The answer to a command; there is exactly one."""
        [answer] = [message for message in self.messages() if message.get("id") == id]
        return answer

    def house(self) -> list[str]:
        """What has happened in the house."""
        return [message["do"] for message in self.messages("house")]

    def entries(self) -> list[dict[str, Any]]:
        return [entry for step in self.messages("step") for entry in step["entries"]]


def id_of(guest: Guest) -> str:
    """Ids need not be told apart between seats, but it is nice to."""
    return "c" + "-".join(map(str, sorted(guest._connection.held))) + "-"


@dataclass
class Round:
    """A table of the server, with the keys to its seats."""

    house: House
    code: str
    tokens: dict[int, str]
    live: LiveTable

    def guest(self, *seats: int, after: int | None = None, lag_ms: float = 0, **wishes: bool) -> Guest:
        """Somebody connects who has these seats and such wishes; with no seats they watch."""
        return Guest(self.house.server, self.code, [self.tokens[seat] for seat in seats], after, lag_ms, **wishes)

    @property
    def view(self) -> wire.TableView:
        return self.live.table.view


class House:
    """The server with what tests like to do there."""

    def __init__(self, server: GameServer, store: MemoryStore) -> None:
        self.server = server
        self.store = store
        self.runtime = server.runtime
        self.registry = server.registry
        self.service = server.service

    async def table(
        self,
        game: str = "buffet",
        seats: int = 3,
        people: int | None = None,
        bots: Mapping[int, str] | None = None,
        options: Mapping[str, Any] | None = None,
        **terms: Any,
    ) -> Round:
        """A table of people, with bots where they are wanted."""
        wanted = wire.NewTable(
            game=game,
            seats=seats,
            name=NAMES[0],
            options=dict(find(game).quick) | dict(options or {}),
            bots=[wire.BotSeat(seat=seat, level=level) for seat, level in (bots or {}).items()],
            terms=wire.Terms(**terms),
        )
        host = await self.service.create(wanted)
        tokens = {host.seat: host.token}
        for name in NAMES[1 : seats - len(bots or {}) if people is None else people]:
            seated = await self.service.sit(host.code, wire.Sit(name=name))
            tokens[seated.seat] = seated.token
        return Round(self, host.code, tokens, await self.registry.table(host.code))


async def moment(seconds: float = 0.005) -> None:
    """Let time pass, and everything happen that is due by then: at least what is done as soon as it is written."""
    await asyncio.sleep(seconds)


@contextmanager
def nothing_goes_wrong() -> Iterator[None]:
    """What the server logs as an error is one, whether or not a client notices."""
    errors: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: errors.append(logging.Formatter().format(record))  # type: ignore[method-assign]
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
    assert not errors, "\n".join(errors)


def watch(writer: Writer) -> Callable[[], bool]:
    """Gives whether the thread of a writer has something to write, or has written what nobody knows of yet."""
    hand_over, settle = writer._hand_over, writer._settle
    batches = 0

    def handing_over() -> None:
        nonlocal batches
        batches += bool(writer._waiting)
        hand_over()

    def settling(*args: Any) -> None:
        nonlocal batches
        batches -= 1
        settle(*args)

    writer._hand_over, writer._settle = handing_over, settling  # type: ignore[method-assign]
    return lambda: batches > 0


@asynccontextmanager
async def open_house(settings: Settings = GENEROUS) -> AsyncIterator[House]:
    """A server on the running loop, which has to be a timeless one."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, TimelessLoop)
    store = MemoryStore(epoch="timeless")
    server = GameServer(store, settings, loop.ms)  # type: ignore[arg-type]
    server.runtime.nanos = lambda: int(loop.time() * 1e9)
    loop.workers.append(watch(server.writer))
    try:
        yield House(server, store)
    finally:
        await server.close()


def spend(story: Callable[[House], Awaitable[Any]], settings: Settings = GENEROUS) -> Any:
    """An evening in the house, from its beginning to its end."""

    async def evening() -> Any:
        async with open_house(settings) as house:
            return await story(house)

    with nothing_goes_wrong(), asyncio.Runner(loop_factory=TimelessLoop) as runner:
        return runner.run(evening())


def timeless(story: Callable[[House], Awaitable[None]]) -> Callable[[], None]:
    """A test that is an evening in the house."""

    def test() -> None:
        spend(story)

    test.__name__ = getattr(story, "__name__", "test")
    test.__doc__ = story.__doc__
    return test
