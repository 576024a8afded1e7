"""Guests at a running server: some that play well and remember everything, and some without any manners."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

import picows

from tafelrunde import bots, wire
from tafelrunde.bots.pace import INSTANT
from tafelrunde.client import Answer, Client, RemoteTable
from tafelrunde.client.connection import Connection
from tafelrunde.games import find
from tafelrunde.remote import RealTimePlayer, TurnPlayer
from tafelrunde.verification import Verdict, check
from tests.waiting import PATIENCE_S, until

PATIENT = wire.Terms(grace_s=None, bot_pace="instant", countdown_s=0)
"""Nobody is played for by a bot however long they are away."""
ANSWERED = re.compile(rb'^\{"id":"[^"]*",')


def socket_of(url: str, code: str) -> str:
    return f"ws{url.removeprefix('http')}/api/tables/{code}/socket"


def verdict_on(record: str) -> Verdict:
    """What comes of checking the text of a record."""
    return check(enumerate(map(json.loads, record.splitlines()), start=1))


# --- Somebody who plays well ----------------------------------------------------------------------------------------


class Witness(RemoteTable):
    """A table as the client library sees it, and on top of that all that was said, to the byte."""

    def __init__(self, client: Client, code: str, tokens: Iterable[str], heard: Callable[[], None] = lambda: None):
        super().__init__(socket_of(client.url, code), list(tokens), client.nonces, PATIENCE_S, raw=True)
        self.lines: list[bytes] = []
        """The lines that were new, as everybody who holds the same seats gets them."""
        self.acknowledged: dict[str, int] = {}
        """The commands that were carried out, with the numbers of their lines."""
        self.connections = 0
        self.first = 0
        """The number of the last line before those that we have."""
        self._heard = heard

    def _receive(self, line: Connection, text: bytes) -> None:
        before = self.number
        super()._receive(line, text)
        if before is None and self.number is not None:
            self.first = self.number
        elif self.number != before:
            self.lines.append(ANSWERED.sub(b"{", text))

    def _greeted(self, line: Connection, message: wire.Welcome | wire.Resumed) -> bool:
        self.connections += 1
        return super()._greeted(line, message)

    def _answer(self, name: str, answer: Answer) -> None:
        sent = self._sent.get(name)
        if sent is not None and json.loads(sent.text)["do"] != "look":
            self.acknowledged[name] = answer.number
            self._heard()
        super()._answer(name, answer)


def point_to(table: RemoteTable, url: str) -> None:
    """From the next connection on it is looked for there."""
    table._url = socket_of(url, table._url.split("/")[-2])


async def sit_and_play(table: Witness, game: str, bot: str = "greedy", tell: Callable[[str], None] = str) -> None:
    """Play one game after another, as fast as the table allows."""
    spec = find(game)
    kind = RealTimePlayer if spec.in_real_time else TurnPlayer
    await kind(table, spec, bots.find(game, bot), INSTANT, tell).play(stay=True)


# --- Somebody without manners ---------------------------------------------------------------------------------------


class Raw(picows.WSListener):
    """A connection that says what it is told to, and keeps what comes."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.close_code: int | None = None
        self.epoch: str | None = None
        """As it was told last."""
        self.gone = False
        self.transport: picows.WSTransport
        self._news = asyncio.Event()
        self._read = 0

    def on_ws_connected(self, transport: Any) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        if frame.msg_type == picows.WSMsgType.CLOSE:
            self.close_code = int(frame.get_close_code())
            transport.disconnect()
        elif frame.msg_type == picows.WSMsgType.TEXT:
            self.heard.append(frame.get_payload_as_bytes())
        self._news.set()

    def on_ws_disconnected(self, transport: Any) -> None:
        self.gone = True
        self._news.set()

    def say(self, message: Mapping[str, Any] | str | bytes) -> None:
        text = message if isinstance(message, str | bytes) else json.dumps(message)
        self.transport.send(picows.WSMsgType.TEXT, text.encode() if isinstance(text, str) else text)

    async def hear(self, *types: str) -> dict[str, Any]:
        """The next message, of one of these types if any are named."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                while self._read < len(self.heard):
                    message: dict[str, Any] = json.loads(self.heard[self._read])
                    self._read += 1
                    self.epoch = message.get("epoch", self.epoch)
                    if not types or message["type"] in types:
                        return message
                assert not self.gone, f"the connection was closed with {self.close_code}"
                self._news.clear()
                await self._news.wait()

    def told(self, type: str) -> dict[str, Any]:
        """The message of this type that has come, which there is just one of."""
        [message] = [one for one in map(json.loads, self.heard) if one["type"] == type]
        return dict(message)

    def has(self, type: str) -> bool:
        """Has such a message come?"""
        return any(json.loads(one)["type"] == type for one in self.heard)

    async def answer(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self.say(command)
        while True:
            message = await self.hear()
            if message.get("id") == command["id"]:
                return message

    async def ends(self) -> dict[str, Any] | None:
        """Wait until the connection is closed; the goodbye, if one was said."""
        await until(lambda: self.gone)
        last = json.loads(self.heard[-1]) if self.heard else {}
        return last if last.get("type") == "bye" else None


@contextlib.asynccontextmanager
async def connection(url: str, code: str, headers: Mapping[str, str] | None = None, **more: Any) -> AsyncIterator[Raw]:
    """A connection that has not said anything yet."""
    _, raw = await picows.ws_connect(Raw, socket_of(url, code), extra_headers=headers, **more)
    assert isinstance(raw, Raw)
    try:
        yield raw
    finally:
        raw.transport.disconnect(graceful=False)
        await until(lambda: raw.gone)


@contextlib.asynccontextmanager
async def seated(
    url: str, code: str, *tokens: str, after: int | None = None, epoch: str | None = None
) -> AsyncIterator[Raw]:
    """A connection that has said hello and was welcomed."""
    async with connection(url, code) as raw:
        raw.say({"do": "hello", "tokens": tokens, "after": after, "epoch": epoch})
        await raw.hear("welcome", "resumed")
        yield raw


async def lines_again(url: str, code: str, tokens: Iterable[str], after: int, last: int) -> list[bytes]:
    """The lines that somebody gets who has heard nothing since that number."""
    async with seated(url, code) as spectator:
        epoch = spectator.epoch
    async with seated(url, code, *tokens, after=after, epoch=epoch) as raw:
        await until(lambda: sum(b'"number":' in text for text in raw.heard) > last - after)
        assert raw.heard[0].startswith(b'{"type":"resumed"')
        return [text for text in raw.heard[1:] if b'"presence"' not in text][: last - after]
