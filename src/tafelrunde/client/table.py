"""A table over the network: commands, messages, and a connection that is restored when it breaks."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

import picows
from pydantic import ValidationError

from tafelrunde import wire
from tafelrunde.client.connection import Connection, backoff
from tafelrunde.client.errors import OtherVersion, RemoteRefusal, Unreachable, refusal_in
from tafelrunde.errors import NotYourMoment, TafelrundeError
from tafelrunde.nonces import commitment, fresh

BACKLOG = 10_000
"""The most messages kept for a slow reader; then the oldest are dropped."""

TEMPORARY = frozenset({408, 425, 429})
"""HTTP statuses that are worth a retry; others from 400 to 499 are final."""

Answer = wire.Line | wire.Accepted
"""How a command was accepted: with the line that it brought about, or without one."""

Nonces = MutableMapping[tuple[str, int], bytes]
"""The nonce of each seat for its next game, by code and seat."""


@dataclass
class Sent:
    """A command that has not been answered yet."""

    text: bytes
    answer: asyncio.Future[Answer]


class ToJson(Protocol):
    """A decision in words: ``tafelrunde.Decision`` is one."""

    def to_json(self) -> dict[str, Any]:
        """Verb and fields."""


class RemoteTable:
    """A table, followed over the network; ``client.table(code)`` makes one.

    Use it with ``async with``, which keeps the connection open. When the connection breaks, it is opened again, missed
    lines are requested by number, and unanswered commands are sent again; so nothing happens twice and nothing gets
    lost. It pledges and reveals the nonces of its seats by itself.

    The views of our seats come by themselves, with the steps that make them necessary: ``views`` has the newest ones,
    and ``legal`` what can be decided now.

    ``async for message in table`` gives every message of the table, the welcome first, except answers that are no
    lines. One reader at a time. Iteration ends when the table says goodbye for good.
    """

    def __init__(
        self,
        url: str,
        tokens: Sequence[str],
        nonces: Nonces,
        patience: float,
        recall: bool = False,
        raw: bool = False,
    ) -> None:
        self._url = url
        self._tokens = list(tokens)
        self._nonces = nonces
        self._patience = patience
        self._wishes = {"views": True} | ({"recall": True} if recall else {}) | ({"raw": True} if raw else {})
        self.number: int | None = None
        """Of the last line that we have; None before the welcome."""
        self.view: wire.TableView
        """The table as it is after that line."""
        self.seats: list[int] = []
        """Our seats."""
        self.to_act: list[int] = []
        """Who has a decision to take now."""
        self.views: dict[int | None, wire.View] = {}
        """The newest view of each of our seats, or a spectator's under None; none before the game has begun.

        That of a seat that has just decided is missing until the next one is here.
        """
        self.presence: wire.Presence | None = None
        self._connection: Connection | None = None
        self._reconnecting: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[None]
        self._end: TafelrundeError | None = None
        self._bye: wire.Bye | None = None
        self._inbox: deque[wire.Message] = deque(maxlen=BACKLOG)
        self._news = asyncio.Event()
        self._sent: dict[str, Sent] = {}
        self._prefix = secrets.token_hex(6)
        self._commands = 0
        self._resend_after: int | None = None
        self._epoch: str | None = None
        self._pledged: set[tuple[str, int, int]] = set()
        self._begun: float | None = None

    # --- Reading ------------------------------------------------------------------------------------------------

    async def receive(self, timeout: float | None = None) -> wire.Message | None:
        """The next message, or None if none comes in time; raises when the table is gone for good."""
        while not self._inbox:
            if self._end is not None:
                raise self._end
            self._news.clear()
            try:
                # Not wait_for, which in Python 3.11 forgets that it was cancelled if there is news at the same moment.
                async with asyncio.timeout(timeout):
                    await self._news.wait()
            except TimeoutError:
                return None
        return self._inbox.popleft()

    async def __aiter__(self) -> AsyncIterator[wire.Message]:
        while True:
            try:
                message = await self.receive()
            except RemoteRefusal:
                return  # the reader has had the goodbye
            assert message is not None
            yield message

    def legal(self, seat: int | None = None) -> list[dict[str, Any]]:
        """The decisions that a seat of ours may take, as far as we know; ``seat`` matters to those who have several."""
        seat = self.seats[0] if seat is None and self.seats else seat
        view = self.views.get(seat) if seat in self.to_act else None
        return [] if view is None else view.observation["legal"]

    @property
    def clock_ms(self) -> int | None:
        """In real time: milliseconds since the first entry, by the server's clock; rather behind it than ahead."""
        return None if self._begun is None else int((time.monotonic() - self._begun) * 1000)

    # --- Commands -----------------------------------------------------------------------------------------------
    # Each waits for its answer and raises RemoteRefusal if it was refused. ``seat`` matters to those who have several.

    async def act(self, decision: ToJson | Mapping[str, Any], seat: int | None = None) -> Answer:
        """Take a decision."""
        words = dict(decision) if isinstance(decision, Mapping) else decision.to_json()
        return await self._command("act", seat, decision=words)

    async def look(self, seat: int | None = None, raw: bool = False) -> wire.View:
        """What the seat sees now, with the decisions it may take; ``raw``: for compiled bots too."""
        answer = await self._command("look", seat, raw=raw)
        if isinstance(answer, wire.Accepted) and answer.views:
            return answer.views[0]
        raise NotYourMoment("There is nothing to see before the game has begun.")

    async def say(self, text: str, seat: int | None = None) -> Answer:
        """Say something to all."""
        return await self._command("say", seat, text=text)

    async def react(self, sign: wire.Reaction, seat: int | None = None) -> Answer:
        """Show a reaction to all."""
        return await self._command("react", seat, sign=sign)

    async def start(self, seat: int | None = None) -> Answer:
        """Host: begin the game."""
        return await self._command("start", seat)

    async def rematch(self, seat: int | None = None) -> Answer:
        """Host: another game with the same people."""
        return await self._command("rematch", seat)

    async def bot(self, on: int, level: str | None, seat: int | None = None) -> Answer:
        """Host: put a bot on a free seat; None frees it."""
        return await self._command("bot", seat, on=on, level=level)

    async def remove(self, whom: int, seat: int | None = None) -> Answer:
        """Host: ask a player to leave; during a game a bot plays on in the seat."""
        return await self._command("remove", seat, whom=whom)

    async def close_table(self, seat: int | None = None) -> Answer:
        """Host: close the table for everybody and for good."""
        return await self._command("close", seat)

    async def terms(self, terms: wire.Terms, seat: int | None = None) -> Answer:
        """Host: change what was agreed."""
        return await self._command("terms", seat, terms=terms.model_dump())

    async def leave(self, seat: int | None = None) -> Answer:
        """Get up for good."""
        return await self._command("leave", seat)

    async def pass_on(self, seat: int | None = None) -> str:
        """A pass with which another device takes the seat along: ``client.take(code, pass)``."""
        answer = await self._command("pass", seat)
        if isinstance(answer, wire.Accepted) and answer.pass_ is not None:
            return answer.pass_
        raise Unreachable("The pass was lost on its way; ask for another one.")  # it is told only once

    async def _command(self, do: str, seat: int | None, **fields: Any) -> Answer:
        name, answer = self._send(do, seat, fields)
        try:
            return await answer
        finally:
            self._sent.pop(name, None)  # the caller may have been cancelled

    def _send(self, do: str, seat: int | None, fields: Mapping[str, Any]) -> tuple[str, asyncio.Future[Answer]]:
        if self._end is not None:
            raise self._end
        self._commands += 1
        name = f"{self._prefix}-{self._commands}"
        command = {"do": do, "id": name, **fields} | ({} if seat is None else {"seat": seat})
        sent = Sent(json.dumps(command).encode(), asyncio.get_running_loop().create_future())
        self._sent[name] = sent
        if self._connection is not None and self._connection.welcomed and self._resend_after is None:
            self._connection.send(sent.text)
        return name, sent.answer

    # --- The connection -----------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._ready = asyncio.get_running_loop().create_future()
        self._reconnecting = asyncio.create_task(self._keep_connected())
        try:
            await self._ready
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Disconnect; the seats stay ours."""
        self._finish(Unreachable("The connection to the table was closed here."))
        if self._connection is not None:
            self._connection.close()
        if self._reconnecting is not None:
            self._reconnecting.cancel()
            await asyncio.gather(self._reconnecting, return_exceptions=True)

    async def _keep_connected(self) -> None:
        """Keep the connection open; an unexpected error must not leave callers waiting either."""
        try:
            await self._reconnect_until_closed()
        except Exception as error:
            self._finish(Unreachable(f"The connection failed: {error!r}."))

    async def _reconnect_until_closed(self) -> None:
        delays, lost_at = backoff(), time.monotonic()
        while self._end is None:
            connection = self._connection = Connection(self._hello(), self._receive)
            trouble = await self._run(connection)
            self._connection = None
            if connection.welcomed:
                delays, lost_at = backoff(), time.monotonic()
            elif not self._ready.done() or time.monotonic() - lost_at > self._patience:
                self._finish(RemoteRefusal(self._bye) if self._bye else Unreachable(trouble))
            if self._end is None:
                await asyncio.sleep(next(delays))

    async def _run(self, connection: Connection) -> str:
        """Run one connection until it ends; gives the reason."""
        try:
            await connection.run(self._url)
        except picows.WSHandshakeError as error:
            status = int(error.response.status) if error.response is not None else 0
            if 400 <= status < 500 and status not in TEMPORARY:
                self._finish(refusal_in(status, error.raw_body or b""))
            return f"The table can not be reached: {error}."
        except (OSError, picows.WSError, TimeoutError) as error:
            return f"The table can not be reached: {error or 'it does not answer'}."
        return "The table has closed the connection."

    def _hello(self) -> bytes:
        hello = {"do": "hello", "tokens": self._tokens, "after": self.number, "epoch": self._epoch}
        return json.dumps(hello | self._wishes).encode()

    def _finish(self, reason: TafelrundeError) -> None:
        """Closed for good: fail everything that waits."""
        if self._end is not None:
            return
        self._end = reason
        waiting: list[asyncio.Future[Any]] = [sent.answer for sent in self._sent.values()]
        if hasattr(self, "_ready"):
            waiting.append(self._ready)
        for future in waiting:
            if not future.done():
                future.set_exception(reason)
        self._news.set()

    # --- What the table tells -----------------------------------------------------------------------------------

    def _receive(self, connection: Connection, text: bytes) -> None:
        """A message has come."""
        if connection is not self._connection or self._end is not None:
            return  # from a connection that was replaced
        try:
            message = wire.MESSAGES.validate_json(text)
        except ValidationError:
            self._finish(OtherVersion("The table says something that this client does not understand."))
            connection.drop()
            return
        if isinstance(message, wire.Accepted):
            self._answer(message.id, message)
        elif isinstance(message, wire.Refused) and message.id is not None:
            self._refuse(message.id, message)
        elif self._follow(connection, message):
            self._inbox.append(message)
            self._news.set()
            if isinstance(message, wire.Bye) and not message.again:
                self._finish(RemoteRefusal(message))

    def _follow(self, connection: Connection, message: wire.Message) -> bool:
        """Update our copy of the table; is the message new?"""
        if isinstance(message, wire.Welcome | wire.Resumed):
            return self._greeted(connection, message)
        if isinstance(message, wire.Line):
            return self._next_line(connection, message)
        if isinstance(message, wire.Views):
            self._keep(message.views)
        elif isinstance(message, wire.Presence):
            self.presence = message
        elif isinstance(message, wire.Bye):
            self._bye = message
        return True

    def _greeted(self, connection: Connection, message: wire.Welcome | wire.Resumed) -> bool:
        if isinstance(message, wire.Welcome):
            if message.protocol != wire.PROTOCOL:
                self._finish(OtherVersion(f"The server speaks protocol {message.protocol}, we speak {wire.PROTOCOL}."))
                connection.drop()
                return False
            self.number = message.number
            self.view = message.table
            self.to_act = message.to_act
        self.seats = message.seats
        self.views = {}  # after a break they come behind what was missed
        self._keep(message.views if isinstance(message, wire.Welcome) else [])
        self._epoch = message.epoch
        self._bye = None
        self._begun = None  # the clock stands still while nobody is connected
        self._set_clock(message.clock_ms)
        self._resend_after = message.number
        connection.welcome()
        if not self._ready.done():
            self._ready.set_result(None)
        self._resend()
        self._pledge_and_reveal()
        return True

    def _keep(self, views: list[wire.View]) -> None:
        self.views |= {view.seat: view for view in views}

    def _next_line(self, connection: Connection, message: wire.Line) -> bool:
        """Take lines in order only: drop duplicates, and reconnect after a gap."""
        if self.number is None or message.number > self.number + 1:
            self._connection = None  # ignore the rest of it; the next connection requests what is missing
            connection.drop()
            return False
        if message.id is not None:
            self._answer(message.id, message)
        if message.number <= self.number:
            return False
        self.number = message.number
        if isinstance(message, wire.House):
            self._house(message)
        elif isinstance(message, wire.Step):
            self._step(message)
        elif isinstance(message, wire.Countdown):
            self.to_act = []  # until it is over nobody can do anything
        self._resend()
        return True

    def _house(self, message: wire.House) -> None:
        self.view = message.table
        if message.table.phase != "playing":
            self.to_act = []
            self._begun = None
        if message.do == "rematch":
            self.views = {}
        self._pledge_and_reveal()

    def _step(self, message: wire.Step) -> None:
        self.to_act = message.to_act
        self.views.pop(message.entries[0]["by"], None)
        for entry in message.entries:
            self._set_clock(entry.get("ms"))
            if entry["do"] == "end":
                self.view = self.view.model_copy(update={"phase": "over"})

    def _set_clock(self, ms: int | None) -> None:
        """Estimate when the game began from the server's clock in a message; delays only make it look later."""
        if ms is not None:
            begun = time.monotonic() - ms / 1000
            self._begun = begun if self._begun is None else min(self._begun, begun)

    def _resend(self) -> None:
        """Send unanswered commands again, once we have caught up: they may never have arrived."""
        if self._resend_after is None or self.number is None or self.number < self._resend_after:
            return
        self._resend_after = None
        for sent in self._sent.values():
            assert self._connection is not None
            self._connection.send(sent.text)

    def _answer(self, name: str, answer: Answer) -> None:
        sent = self._sent.pop(name, None)
        if sent is not None and not sent.answer.done():
            sent.answer.set_result(answer)

    def _refuse(self, name: str, refused: wire.Refused) -> None:
        sent = self._sent.pop(name, None)
        if sent is not None and not sent.answer.done():
            sent.answer.set_exception(RemoteRefusal(refused))

    # --- Proof of shuffles --------------------------------------------------------------------------------------

    def _pledge_and_reveal(self) -> None:
        """Promise a nonce for each of our seats before the game, and give it when all have pledged.

        A promise that is there already may be another device's, which then gives the nonce too.
        """
        for seat in self.seats:
            pledged = self.view.seats[seat].pledge
            key = (self.view.code, seat)
            if self.view.phase == "gathering" and pledged is None and self._is_first("pledge", seat):
                self._nonces[key] = fresh()
                self._send_and_forget("pledge", seat, hash=commitment(self._nonces[key]))
            elif self.view.phase == "shuffling" and key in self._nonces:
                nonce = self._nonces[key]
                if pledged == commitment(nonce) and self._is_first("nonce", seat):
                    self._send_and_forget("nonce", seat, nonce=nonce.hex())

    def _is_first(self, do: Literal["pledge", "nonce"], seat: int) -> bool:
        """Once for each game: unanswered commands are sent again anyway."""
        pledge = (do, seat, self.view.match)
        if pledge in self._pledged:
            return False
        self._pledged.add(pledge)
        return True

    def _send_and_forget(self, do: str, seat: int, **fields: str) -> None:
        """Send without waiting: if it is refused as too late, the game does without the nonce, as the record shows."""
        _, answer = self._send(do, seat, fields)
        answer.add_done_callback(asyncio.Future.exception)
