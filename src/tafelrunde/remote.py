"""A bot that plays over the network: the same function that plays in ``simulate`` takes a seat like a person."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from tafelrunde import bots, wire
from tafelrunde.bots.driver import HandDriver, Step
from tafelrunde.bots.pace import HUMAN, Pace
from tafelrunde.client import Client, OtherVersion, RemoteRefusal, RemoteTable
from tafelrunde.errors import Illegal, NotYourMoment
from tafelrunde.game import Choices, codes_of
from tafelrunde.games import find
from tafelrunde.games.compiler import blank
from tafelrunde.games.contract import Decision, Entry, GameSpec, Observation
from tafelrunde.games.hands import CLOCK_LANE
from tafelrunde.games.log import MOST_SEATS
from tafelrunde.stream import Stream

LONGEST_NAME = 24
TRANSIENT = frozenset({"not-your-moment", "illegal", "game-over", "wrong-phase", "too-fast", "unavailable"})
"""Refusals to retry after: the table has changed since we were told what we see, or the server is busy."""
RETRY_S = 0.2
"""How long to wait before the next attempt after such a refusal."""

HOUSE = {
    "sit": "{name} sits down.",
    "leave": "{name} leaves.",
    "remove": "{name} was asked to leave.",
    "bot": "Seat {seat} is for {bot}.",
    "begin": "The game begins.",
    "away": "{name} is away; a bot plays.",
    "back": "{name} is back.",
    "rematch": "There will be another game.",
}
"""Events at the table that are reported, and how; others are not."""


def say_nothing(line: str) -> None:
    """Report nothing."""


async def play_remote(
    url: str,
    code: str,
    bot: str | None = None,
    *,
    seat: int | None = None,
    name: str | None = None,
    token: str | None = None,
    pace: Pace = HUMAN,
    stay: bool = False,
    tell: Callable[[str], None] = say_nothing,
) -> Entry | None:
    """Let a bot play at a table: one of ours by name, or ``module:function``. Gives the ``end`` entry of its last game.

    It takes a seat, or has one already if a ``token`` is given. ``pace`` matters in real time only. With ``stay`` it
    waits for rematches after a game, otherwise it leaves. What happens is reported to ``tell``, line by line.
    """
    async with Client(url) as client:
        spec = find((await client.look_at(code)).table.game)
        check_rules(spec, await client.games())
        bot = bot or spec.stand_in
        player = bots.find(spec.id, bot)
        if token is None:
            seated = await client.sit(code, name or bot.rpartition(":")[2][:LONGEST_NAME], seat)
            code, token = seated.code, seated.token
        async with client.table(code, [token], raw=True) as table:
            kind = RealTimePlayer if spec.in_real_time else TurnPlayer
            return await kind(table, spec, player, pace, tell).play(stay)


def check_rules(spec: GameSpec, games: wire.Games) -> None:
    """A raw view can be read only with the version of the rules that wrote it."""
    theirs = next((game.rules for game in games.games if game.id == spec.id), None)
    if theirs != spec.rules.VERSION:
        raise OtherVersion(f"The server plays {spec.id} by version {theirs} of its rules, we by {spec.rules.VERSION}.")


def observation_of(spec: GameSpec, view: wire.View) -> Observation:
    """What a seat sees, as bots get it, from a view that the server has sent."""
    raw = blank(spec.rules.VIEW)
    raw[:] = np.frombuffer(base64.b64decode(view.raw or ""), spec.rules.VIEW)
    codes = [Decision.from_json(words).code(spec.notation) for words in view.observation["legal"]]
    return spec.observation(spec, raw, Choices(np.array(codes, np.int64), spec.notation))


class RemotePlayer(ABC):
    """A bot on a seat: follows the table, and decides when it is asked."""

    def __init__(
        self, table: RemoteTable, spec: GameSpec, player: bots.Bot, pace: Pace, tell: Callable[[str], None]
    ) -> None:
        self.table = table
        self.spec = spec
        self.seat = table.seats[0]
        self.result: Entry | None = None
        self._player = player
        self._tell = tell
        self._stream = Stream(lane=self.seat + 1)

    async def play(self, stay: bool) -> Entry | None:
        """Play a game, or with ``stay`` one after another until the seat is taken from us."""
        while self.table.view.seats[self.seat].kind == "person":
            message = await self.table.receive(self._timeout())
            if message is not None:
                self._report(message)
            if self.table.view.phase == "playing":
                await self._react(message)
                continue
            self._rest()
            if self.result is not None and not stay:
                with contextlib.suppress(RemoteRefusal):  # the table may have closed the game already
                    await self.table.leave(self.seat)
                break
        return self.result

    def _timeout(self) -> float | None:
        """How many seconds to wait for a message; None: until there is one."""
        return None

    @abstractmethod
    async def _react(self, message: wire.Message | None) -> None:
        """React to a message; None: no message has come before the timeout."""

    @abstractmethod
    def _rest(self) -> None:
        """No game is being played: forget what was planned for it."""

    async def _ask(self, seen: Observation) -> Decision | None:
        """Let the bot decide, in another thread so that the connection stays alive meanwhile."""
        decision = await asyncio.to_thread(self._player, seen, self._stream)
        notation = self.spec.notation
        if decision is not None and decision.code(notation) not in codes_of(seen.legal, notation):
            raise Illegal(f"The bot wants to {in_words(decision.to_json())}, which is not legal now.")
        return decision

    # --- Reporting ------------------------------------------------------------------------------------------------

    def _report(self, message: wire.Message) -> None:
        if isinstance(message, wire.Welcome):
            players = ", ".join(filter(None, map(self._name, range(len(message.table.seats)))))
            self._tell(f"At table {message.table.code}, {self.spec.id}, on seat {self.seat}. Here are: {players}.")
        elif isinstance(message, wire.House) and message.do in HOUSE:
            seat = message.seat if message.seat is not None else self.seat
            bot = message.table.seats[seat].bot or "whoever comes"
            self._tell(HOUSE[message.do].format(name=self._name(seat) or f"Seat {seat}", seat=seat, bot=bot))
        elif isinstance(message, wire.Chat):
            self._tell(f"{self._name(message.seat)} says: {message.text}")
        elif isinstance(message, wire.Step):
            for entry in message.entries:
                self._report_entry(entry)

    def _report_entry(self, entry: Entry) -> None:
        if entry["by"] == self.seat:
            self._tell(f"{self._name(self.seat)}: {in_words(entry)}")
        elif entry["do"] == "end":
            self.result = entry
            order = sorted(range(len(entry["places"])), key=entry["places"].__getitem__)
            ranks = (f"{entry['places'][seat]}. {self._name(seat)} {entry['scores'][seat]}" for seat in order)
            self._tell(f"The game is over: {', '.join(ranks)}")

    def _name(self, seat: int) -> str | None:
        return self.table.view.seats[seat].name


def in_words(entry: Entry) -> str:
    """A decision on one line.

    >>> in_words({"by": 2, "do": "exchange", "cards": [0, 1], "ms": 17})
    'exchange 0 1'
    """
    words = [entry["do"]]
    for key, value in entry.items():
        if key not in ("by", "do", "ms"):
            words += value if isinstance(value, list) else [value]
    return " ".join(map(str, words))


class TurnPlayer(RemotePlayer):
    """A bot in a game with turns: decides at once whenever it may act."""

    def _rest(self) -> None:
        """Nothing is ever planned."""

    async def _react(self, message: wire.Message | None) -> None:
        while self.table.legal(self.seat):
            try:
                decision = await self._ask(observation_of(self.spec, self.table.views[self.seat]))
                if decision is None:
                    raise Illegal(f"{self.spec.id} has turns: a bot that is asked has to decide.")
                await self.table.act(decision, self.seat)
            except RemoteRefusal as refusal:
                await wait_to_retry(refusal)
                await self._look_again()

    async def _look_again(self) -> None:
        """Perhaps we decided from an old view."""
        before = self.table.views.get(self.seat)
        with contextlib.suppress(RemoteRefusal, NotYourMoment):  # the game may have ended meanwhile
            seen = await self.table.look(self.seat, raw=True)
            if self.table.views.get(self.seat) is before:  # else a newer one has come together with the answer
                self.table.views[self.seat] = seen


class RealTimePlayer(RemotePlayer):
    """A bot in a game in real time: takes the steps of its hands by the wall clock."""

    def __init__(
        self, table: RemoteTable, spec: GameSpec, player: bots.Bot, pace: Pace, tell: Callable[[str], None]
    ) -> None:
        super().__init__(table, spec, player, pace, tell)
        self._driver = HandDriver(spec.notation, [pace] * MOST_SEATS, Stream(lane=CLOCK_LANE))
        self._outdated = False
        """Must the driver be refreshed before anything else?"""

    def _timeout(self) -> float | None:
        """Until the next step of a hand."""
        if self._outdated:
            return 0
        step = self._driver.next_step()
        return None if step is None else max(0, step.at - now_ms()) / 1000

    async def _react(self, message: wire.Message | None) -> None:
        try:
            if self._outdated or isinstance(message, wire.Views | wire.Countdown | wire.Welcome):
                self._refresh()
            elif message is None and (step := self._driver.next_step()) is not None:
                await self._take(step)
        except RemoteRefusal as refusal:
            self._outdated = True
            await wait_to_retry(refusal)

    def _rest(self) -> None:
        self._outdated = False
        self._driver.clear()

    def _refresh(self) -> None:
        """Let each of our hands begin to think that has something new to do. A view tells of every such change."""
        self._outdated = False
        view = self.table.views.get(self.seat)
        if self.seat not in self.table.to_act:
            self._driver.clear()
        elif view is not None:
            seen = observation_of(self.spec, view)
            stances = [(hand, int(self.spec.rules.stance(seen.raw, hand))) for hand in self._own_hands(seen)]
            self._driver.refresh(stances, now_ms())

    def _own_hands(self, seen: Observation) -> range:
        each = int(seen.raw["hands"][0] // seen.raw["seats"][0])
        return range(self.seat * each, (self.seat + 1) * each)

    async def _take(self, step: Step) -> None:
        """Take the next step: a hand decides, or arrives with what it has decided."""
        decision = step.decision or await self._decide(step.hand, step.at)
        if decision is not None:
            await self._arrive(step.hand, decision)

    async def _decide(self, hand: int, at: int) -> Decision | None:
        """Let the hand decide from what can be seen now; gives the decision if the hand arrives at once.

        The hand reaches out from when it had to decide: the delay of the network does not make it slower.
        """
        view = await self.table.look(self.seat, raw=True)  # others may have changed the table since the last view
        seen = for_hand(observation_of(self.spec, view), hand)
        decision = await self._ask(seen) if seen.legal else None  # the round may have moved on
        if decision is None:
            self._driver.paused(hand, now_ms())
            return None
        busy_ms = max(0, int(seen.raw["ready_at"][0, hand]) - (self.table.clock_ms or 0))
        return decision if self._driver.decided(hand, decision, at, now_ms() + busy_ms) else None

    async def _arrive(self, hand: int, decision: Decision) -> None:
        """Act; the table may refuse because somebody was faster, then the hand thinks again."""
        self._driver.done(hand)
        await self.table.act(decision, self.seat)


def for_hand(seen: Observation, hand: int) -> Observation:
    """What the owner of a hand sees, asked for a decision of this hand."""
    seen.raw["hand"] = hand
    real_time = seen.game.real_time
    assert real_time is not None
    each = int(seen.raw["hands"][0] // seen.raw["seats"][0])
    legal = [
        decision
        for decision in seen.legal
        if real_time.side_of(decision.fields) == hand % each or decision.do == real_time.signal
    ]
    return seen.game.observation(seen.game, seen.raw, legal)


async def wait_to_retry(refusal: RemoteRefusal) -> None:
    """Wait a moment before another attempt; raises the refusal if another attempt would not help."""
    if refusal.code not in TRANSIENT:
        raise refusal
    await asyncio.sleep(RETRY_S)


def now_ms() -> int:
    """A clock that never goes back."""
    return time.monotonic_ns() // 1_000_000
