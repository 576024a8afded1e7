"""A bot at a table over the network: the same function that plays in ``simulate`` sits down like a person."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from tafelrunde import bots, wire
from tafelrunde.bots.pace import HUMAN, Pace, pace_records
from tafelrunde.client import Client, OtherVersion, RemoteRefusal, RemoteTable
from tafelrunde.errors import Illegal
from tafelrunde.game import Choices, codes_of
from tafelrunde.games import find, hands
from tafelrunde.games.compiler import blank
from tafelrunde.games.contract import Decision, Entry, GameSpec, Observation
from tafelrunde.stream import Stream

LONGEST_NAME = 24
PASSING = frozenset({"not-your-moment", "illegal", "game-over", "wrong-phase", "too-fast", "unavailable"})
"""Refusals that are nobody's fault: between looking and acting the table has moved on, or has much to do."""
STUMBLE_S = 0.2
"""So long it takes to look again after such a refusal."""

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
"""What is told of the house; the rest goes without saying."""


def say_nothing(line: str) -> None:
    """Tell nobody."""


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

    It sits down, or has a seat already if a ``token`` is given. ``pace`` matters in real time only. With ``stay`` it
    waits for rematches after a game, otherwise it leaves. What happens is told line by line.
    """
    async with Client(url) as client:
        spec = find((await client.look_at(code)).table.game)
        check_rules(spec, await client.games())
        bot = bot or spec.stand_in
        player = bots.find(spec.id, bot)
        if token is None:
            seated = await client.sit(code, name or bot.rpartition(":")[2][:LONGEST_NAME], seat)
            code, token = seated.code, seated.token
        async with client.table(code, [token]) as table:
            kind = HandsOn if spec.in_real_time else InTurn
            return await kind(table, spec, player, pace, tell).play(stay)


def check_rules(spec: GameSpec, games: wire.Games) -> None:
    """A flat view can be read only by those who play by the same version of the rules."""
    theirs = next((game.rules for game in games.games if game.id == spec.id), None)
    if theirs != spec.rules.VERSION:
        raise OtherVersion(f"The server plays {spec.id} by version {theirs} of its rules, we by {spec.rules.VERSION}.")


def observation_of(spec: GameSpec, view: wire.View) -> Observation:
    """What a seat sees, as bots get it, from what the table has sent."""
    raw = blank(spec.rules.VIEW)
    raw[:] = np.frombuffer(base64.b64decode(view.raw or ""), spec.rules.VIEW)
    codes = [Decision.from_json(words).code(spec.notation) for words in view.observation["legal"]]
    return spec.observation(spec, raw, Choices(np.array(codes, np.int64), spec.notation))


class Guest(ABC):
    """A bot on a seat: follows the table, and decides when it is asked."""

    def __init__(
        self, table: RemoteTable, spec: GameSpec, player: bots.Bot, pace: Pace, tell: Callable[[str], None]
    ) -> None:
        self.table = table
        self.spec = spec
        self.seat = table.seats[0]
        self.result: Entry | None = None
        self._player = player
        self._pace = pace
        self._tell = tell
        self._stream = Stream(lane=self.seat + 1)

    async def play(self, stay: bool) -> Entry | None:
        """Play a game, or with ``stay`` one after another until the seat is ours no longer."""
        while self.table.view.seats[self.seat].kind == "person":
            message = await self.table.receive(self._patience())
            if message is not None:
                self._report(message)
            if self.table.view.phase == "playing":
                await self._go_on(message)
            elif self.result is not None and not stay:
                with contextlib.suppress(RemoteRefusal):  # the table may be done with us already
                    await self.table.leave(self.seat)
                break
        return self.result

    def _patience(self) -> float | None:
        """How many seconds to wait for a message; None: until there is one."""
        return None

    @abstractmethod
    async def _go_on(self, message: wire.Message | None) -> None:
        """This has happened; None: it is time to do what was planned."""

    async def _look(self) -> Observation:
        return observation_of(self.spec, await self.table.look(self.seat, raw=True))

    async def _ask(self, seen: Observation) -> Decision | None:
        """Let the bot decide, in another thread: while it thinks the connection has to be looked after."""
        decision = await asyncio.to_thread(self._player, seen, self._stream)
        notation = self.spec.notation
        if decision is not None and decision.code(notation) not in codes_of(seen.legal, notation):
            raise Illegal(f"The bot wants to {in_words(decision.to_json())}, which is not legal now.")
        return decision

    # --- Telling ------------------------------------------------------------------------------------------------

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


class InTurn(Guest):
    """A bot in a game with turns: whenever it is asked it decides at once."""

    async def _go_on(self, message: wire.Message | None) -> None:
        while self.seat in self.table.to_act:
            try:
                seen = await self._look()
                if not seen.legal:
                    return  # somebody else has decided for us meanwhile, and the line that says so is on its way
                decision = await self._ask(seen)
                if decision is None:
                    raise Illegal(f"{self.spec.id} has turns: a bot that is asked has to decide.")
                await self.table.act(decision, self.seat)
            except RemoteRefusal as refusal:
                await stumble(refusal)


class HandsOn(Guest):
    """A bot in a game in real time: its hands think and reach as in simulated time, but by the clock on the wall."""

    def __init__(
        self, table: RemoteTable, spec: GameSpec, player: bots.Bot, pace: Pace, tell: Callable[[str], None]
    ) -> None:
        super().__init__(table, spec, player, pace, tell)
        self._paces = pace_records([pace])
        self._clock = Stream(lane=hands.CLOCK_LANE).raw
        self._agenda = blank(hands.AGENDA)
        self._intents: dict[int, Decision] = {}
        self._before: list[int] = []  # who could act when we last looked what there is to do
        self._lost = False  # have we to look again before anything else?
        hands.clear_agenda(self._agenda)

    def _patience(self) -> float | None:
        """Until the first hand has something to do."""
        if self._lost:
            return 0
        at = int(self._agenda["key"][0].min())
        return None if at == hands.NEVER else max(0, (at >> hands.ORDER_BITS) - now_ms()) / 1000

    async def _go_on(self, message: wire.Message | None) -> None:
        try:
            if self._lost or (message is not None and self._is_turning_point(message)):
                await self._attend()
            elif message is None:
                await self._do_next()
        except RemoteRefusal as refusal:
            self._lost = True
            await stumble(refusal)

    def _is_turning_point(self, message: wire.Message) -> bool:
        """May something else be asked of our hands? What others do with theirs does not change that."""
        if isinstance(message, wire.Step):
            return self.table.to_act != self._before or message.entries[0]["by"] == "table"
        return isinstance(message, wire.House | wire.Countdown | wire.Welcome | wire.Resumed)

    async def _attend(self) -> None:
        """Let each of our hands begin to think if something new has come up for it."""
        self._before = self.table.to_act
        if self.seat in self._before:
            seen = await self._look()
            for hand in self._own_hands(seen):
                stance = self.spec.rules.stance(seen.raw, hand)
                hands.attend(self._agenda, hand, 0, stance, now_ms(), self._paces, self._clock)
        else:
            hands.clear_agenda(self._agenda)
        self._lost = False

    def _own_hands(self, seen: Observation) -> range:
        each = int(seen.raw["hands"][0] // seen.raw["seats"][0])
        return range(self.seat * each, (self.seat + 1) * each)

    async def _do_next(self) -> None:
        """The first hand has thought and decides, or has reached out and arrives."""
        hand = int(hands.first_hand(self._agenda, self._agenda["key"].shape[1]))
        if self._agenda["intent"][0, hand] or await self._decide(hand):
            await self._arrive(hand)

    async def _decide(self, hand: int) -> bool:
        """The hand decides, from what can be seen now; is it there at once?"""
        seen = asked_for(await self._look(), hand)
        decision = await self._ask(seen) if seen.legal else None  # the round may have moved on
        if decision is None:
            hands.pause(self._agenda, hand, 0, self._paces, self._clock)
            return False
        self._intents[hand] = decision
        code = decision.code(self.spec.notation)
        ready_at = now_ms() + self._until(int(seen.raw["ready_at"][0, hand]))
        return bool(hands.reach(self._agenda, hand, 0, code, ready_at, self._paces, self._clock))

    def _until(self, ms: int) -> int:
        """How long it takes until the game's clock shows this."""
        return max(0, ms - (self.table.clock_ms or 0))

    async def _arrive(self, hand: int) -> None:
        """The table decides; whoever comes too late thinks again."""
        hands.rest(self._agenda, hand)
        await self.table.act(self._intents.pop(hand), self.seat)
        await self._attend()


def asked_for(seen: Observation, hand: int) -> Observation:
    """What the owner sees, asked for a decision of one hand."""
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


async def stumble(refusal: RemoteRefusal) -> None:
    """Pass over a refusal that is nobody's fault, after a moment."""
    if refusal.code not in PASSING:
        raise refusal
    await asyncio.sleep(STUMBLE_S)


def now_ms() -> int:
    """A clock that never goes back."""
    return time.monotonic_ns() // 1_000_000
