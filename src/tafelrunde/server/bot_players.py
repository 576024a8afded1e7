"""The bots at a live table: a driver of hands, stepped by one timer of the event loop.

Bots think in a thread. Meanwhile the table may change: then their decision is refused, and they think again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import Protocol

from tafelrunde import bots
from tafelrunde.bots.driver import HandDriver
from tafelrunde.bots.pace import HUMAN, Pace
from tafelrunde.game import Game
from tafelrunde.games.contract import Decision, Observation
from tafelrunde.games.hands import CHOOSES, CLOCK_LANE, WAITS
from tafelrunde.server.jobs import BotJob, Job
from tafelrunde.server.runtime import Runtime
from tafelrunde.stream import Stream
from tafelrunde.table import Table

FIRST_MS = 1200
"""How long a bot takes to open the first round, on average."""
SCORE_MS = 4000
"""How long the score of a round stays before a bot opens the next one, on average, so that people can read it."""
TURN_MS = 1500
"""How long a bot takes over a decision in a game with turns, on average."""
INSTANT_MS = 5
"""How long everything takes where bots are to be instant."""

FIRST_ROUND = replace(HUMAN, opening=FIRST_MS)
LATER_ROUNDS = replace(HUMAN, opening=SCORE_MS)
IN_TURN = replace(HUMAN, choosing=TURN_MS)
INSTANT = Pace(INSTANT_MS, INSTANT_MS, INSTANT_MS, INSTANT_MS, INSTANT_MS, spread=0)


class BotTable(Protocol):
    """What bots need of a live table."""

    @property
    def table(self) -> Table:
        """The table in memory; it may be ahead of what is durable."""

    @property
    def runtime(self) -> Runtime:
        """The server."""

    def run(self, job: Job) -> None:
        """Attempt a job now."""

    def submit(self, job: BotJob) -> None:
        """A decision in real time: it is attempted when it is its turn."""

    def bots_wait_ms(self, now: int) -> float:
        """How long bots have to wait because they have written a lot."""


class BotPlayers:
    """Lets all bots of one table play, each at its pace. In a game with turns a seat is one hand."""

    def __init__(self, live: BotTable, refresh: Callable[[], None]) -> None:
        self._live = live
        self._refresh_all = refresh
        """Called when a decision was refused; after a durable one the live table refreshes by itself."""
        self._driver: HandDriver | None = None
        """None while there is nothing to do for bots: most tables never need one."""
        self._dice: Stream | None = None
        """What bots draw from."""
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0
        """The time of the step that the timer is set for."""
        self._standing_in: set[int] = set()
        """People for whom a bot is thinking about one decision."""

    def refresh(self, now: int) -> None:
        """The game has changed: see what each bot has to do, and set the timer."""
        table = self._live.table
        game = table.game
        if game is None or table.view.phase != "playing" or all(seat.bot is None for seat in table.view.seats):
            self.stop()
            return
        stances = self._stances(table, game)
        paces = (pace_of(table.view.terms.bot_pace, game),) * len(stances)
        if self._driver is None or len(self._driver.paces) != len(paces):
            self._driver = HandDriver(table.spec.notation, paces, Stream(lane=CLOCK_LANE), began=now)
        elif self._driver.paces != paces:
            self._driver.set_paces(paces)
        self._driver.refresh(stances, now)
        self._set_timer(now)

    def _stances(self, table: Table, game: Game) -> list[tuple[int, int]]:
        """What each hand has to do; hands of people have nothing to do for us."""
        is_bot = [seat.bot is not None for seat in table.view.seats]
        if not table.spec.in_real_time:
            to_act = table.to_act
            return [(seat, CHOOSES if bot and seat in to_act else WAITS) for seat, bot in enumerate(is_bot)]
        if table.opening is not None:
            return [(hand, WAITS) for hand in range(game.hands)]
        return [(hand, game.stance(hand) if is_bot[game.owner(hand)] else WAITS) for hand in range(game.hands)]

    def stop(self) -> None:
        """Let no bot play any more; what one of them is still thinking about is dropped."""
        self._driver = None
        self._cancel_timer()

    def decide_once(self, seat: int, level: str) -> None:
        """Let a bot take one decision for a person, in a game with turns."""
        table = self._live.table
        if table.game is not None and seat in table.to_act and seat not in self._standing_in:
            self._standing_in.add(seat)
            self._live.runtime.spawn(self._think_once(seat, level, table.game.observe(seat)))

    async def _think_once(self, seat: int, level: str, seen: Observation) -> None:
        decision = await self._think(level, seen)
        assert decision is not None
        self._act(seat, decision, lambda: self._standing_in.discard(seat))

    # --- Steps ----------------------------------------------------------------------------------------------------

    def _set_timer(self, now: int) -> None:
        step = None if self._driver is None else self._driver.next_step()
        if step is None:
            self._cancel_timer()
        elif self._timer is None or step.at != self._timer_at:
            self._set_timer_in(step.at - now, step.at)

    def _set_timer_in(self, ms: int, at: int) -> None:
        self._cancel_timer()
        self._timer_at = at
        self._timer = self._live.runtime.loop.call_later(max(0, ms) / 1000, self._take_step)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _take_step(self) -> None:
        self._timer = None
        driver = self._driver
        step = None if driver is None else driver.next_step()
        if driver is None or step is None:
            return
        now = self._live.runtime.clock()
        wait = max(step.at - now, ceil(self._live.bots_wait_ms(now)))  # a timer may be early
        if wait > 0:
            self._set_timer_in(wait, step.at)
            return
        driver.start(step.hand)
        if step.decision is None:
            self._decide(driver, step.hand)
        else:
            self._arrive(driver, step.hand, step.decision)
        self._set_timer(now)

    def _decide(self, driver: HandDriver, hand: int) -> None:
        """Let a bot think about what can be seen at this moment."""
        table = self._live.table
        seen = self._observe(table, hand)
        level = None if seen is None else table.view.seats[seen.seat or 0].bot
        if seen is None or level is None or not seen.legal:
            driver.done(hand)  # the table is ahead of the last refresh; the next one says what the hand has to do
        else:
            self._live.runtime.spawn(self._think_for(driver, hand, level, seen))

    def _observe(self, table: Table, hand: int) -> Observation | None:
        game = table.game
        if game is None:
            return None
        if not table.spec.in_real_time:
            return game.observe(hand)
        return game.observe_hand(hand) if hand < game.hands else None

    async def _think_for(self, driver: HandDriver, hand: int, level: str, seen: Observation) -> None:
        decision = await self._think(level, seen)
        if driver is not self._driver:
            return  # bots were stopped meanwhile
        now = self._live.runtime.clock()
        real_time = seen.game.real_time
        if decision is None:
            driver.paused(hand, now)
        elif driver.decided(hand, decision, now, direct=real_time is None or decision.do in real_time.direct):
            self._arrive(driver, hand, decision)
        self._set_timer(now)

    async def _think(self, level: str, seen: Observation) -> Decision | None:
        self._dice = self._dice or Stream()
        return await self._live.runtime.think(bots.find(seen.game.id, level), seen, self._dice)

    def _arrive(self, driver: HandDriver, hand: int, decision: Decision) -> None:
        game = self._live.table.game
        seat = game.owner(hand) if game is not None and game.spec.in_real_time else hand
        self._act(seat, decision, lambda: driver.done(hand))

    def _act(self, seat: int, decision: Decision, done: Callable[[], None]) -> None:
        def refused() -> None:
            done()
            self._refresh_all()

        job = BotJob(seat, decision, done, refused)
        if self._live.table.spec.in_real_time:
            self._live.submit(job)
        else:
            self._live.run(job)


def pace_of(bot_pace: str, game: Game) -> Pace:
    """How fast bots are at this moment of the game."""
    if bot_pace == "instant":
        return INSTANT
    if not game.spec.in_real_time:
        return IN_TURN
    return LATER_ROUNDS if game.time > 0 else FIRST_ROUND
