"""Who sees to it that a table goes on: bots that decide at a human pace, clocks that run out, people who are away.

A table at which nobody looks stands still; whoever comes back finds it as it was.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Hashable, Iterable
from functools import partial
from typing import Protocol

from tafelrunde import bots
from tafelrunde.bots.pace import HUMAN
from tafelrunde.games.contract import Observation
from tafelrunde.games.hands import CHOOSES, OPENS, TURNS, WAITS, WEIGHS
from tafelrunde.server.jobs import BotJob, Chore, DecisionJob, Job
from tafelrunde.server.runtime import Runtime
from tafelrunde.stream import Stream
from tafelrunde.table import LogLine, Table
from tafelrunde.table.log import Held, House, Step

NONCE_MS = 3000
"""So long the table waits for nonces; whoever gives none takes no part in the shuffle."""
THINKS_MS = {OPENS: 1200, TURNS: HUMAN.turning, CHOOSES: HUMAN.choosing, WEIGHS: HUMAN.weighing}
SCORE_MS = 4000
"""So long the score of a round is left to be read, on average, before a bot opens the buffet again."""
TURN_MS = 1500
"""How long a bot takes over a decision in a game with turns, on average."""
INSTANT_MS = 5

Due = tuple[int, Callable[[], None]]


def human(middle_ms: float) -> float:
    """A time as people take it."""
    return min(middle_ms * 3, middle_ms * random.lognormvariate(0, 0.35))


class AttendedTable(Protocol):
    """What the attendant needs of a live table."""

    table: Table
    runtime: Runtime
    here: Held

    @property
    def connections(self) -> Collection[object]:
        """Everybody who is connected."""

    def run(self, job: Job) -> None:
        """Carry out a job now."""

    def submit(self, job: DecisionJob) -> None:
        """A decision in real time, to be carried out in its turn."""

    def bots_wait_ms(self, now: int) -> float:
        """How long bots have to wait."""

    def show_presence(self) -> None:
        """Tell everybody who is here and what is due."""


class Attendant:
    """Looks after one live table."""

    def __init__(self, live: AttendedTable) -> None:
        self._live = live
        self._stream: Stream | None = None
        """The dice of the bots; most tables never need any."""
        self._timers: dict[Hashable, asyncio.TimerHandle] = {}
        self._asked: dict[int, int] = {}
        """Since when each seat has a decision to take."""
        self._absent: dict[int, int] = {}
        """Since when each person is away."""
        self._busy: set[Hashable] = set()
        """Seats and hands for which a bot is thinking or reaching out."""
        self.due: dict[int, int] = {}
        """When a bot will decide for a person or stand in, as far as such a clock is running."""
        self._unneeded = False
        """Everybody is here and sees to everything themselves: nothing to do with every single move."""

    def attend(self) -> None:
        """Something has changed: who has to be seen to now?"""
        live = self._live
        if self._unneeded:
            return
        if not live.connections or live.runtime.closing:
            self._stand_still()
            return
        before, self.due = self.due, {}
        wanted = dict(self._wanted())
        if self.due != before:
            live.show_presence()
        for key in self._timers.keys() - wanted.keys():
            self._timers.pop(key).cancel()
        now = live.runtime.clock()
        for key, (due, do) in wanted.items():
            if key not in self._timers and key not in self._busy:
                self._at(key, due - now, do)
        self._unneeded = not wanted and self._all_by_themselves()

    def look_around(self) -> None:
        """People have come or gone, or something of the house has changed."""
        self._unneeded = False

    def _all_by_themselves(self) -> bool:
        table = self._live.table
        seats = enumerate(table.view.seats)
        people = all(one.kind == "person" and not one.stand_in and seat in self._live.here for seat, one in seats)
        return people and not table.spec.in_real_time and table.view.terms.decision_s is None

    def here(self, seat: int) -> None:
        """A person is back and takes the seat back."""
        self._absent.pop(seat, None)
        if self._live.table.view.seats[seat].stand_in:
            self._live.run(Chore(lambda table, now: table.back(seat, now)))

    def told(self, line: LogLine) -> None:
        """A seat has decided: its next decision is another one."""
        if isinstance(line.event, House):
            self.look_around()
        elif isinstance(line.event, Step) and line.by is not None:
            self._asked.pop(line.by, None)

    def close(self) -> None:
        """Stop."""
        self._stand_still()

    def _stand_still(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._asked.clear()
        self._absent.clear()
        self.due = {}

    def _at(self, key: Hashable, in_ms: float, do: Callable[[], None]) -> None:
        def fire() -> None:
            del self._timers[key]
            do()

        self._timers[key] = self._live.runtime.loop.call_later(max(0, in_ms) / 1000, fire)

    def _wanted(self) -> Iterable[tuple[Hashable, Due]]:
        table, now = self._live.table, self._live.runtime.clock()
        if table.view.phase == "shuffling":
            yield "begin", (table.last_at + NONCE_MS, lambda: self._chore(lambda table, now: table.begin(now)))
        if table.view.phase != "playing" or table.game is None:
            return
        if table.spec.in_real_time:
            yield from self._clocks()
            yield from self._bot_hands(now)
        else:
            yield from self._bot_seats(now)
        yield from self._people(now)

    def _chore(self, do: Callable[..., object]) -> None:
        self._live.run(Chore(do))  # type: ignore[arg-type]

    # --- People ---------------------------------------------------------------------------------------------------

    def _people(self, now: int) -> Iterable[tuple[Hashable, Due]]:
        """Those who are away, and those who take too long."""
        table = self._live.table
        terms, to_act = table.view.terms, table.to_act
        for seat in list(self._asked):
            if seat not in to_act:
                del self._asked[seat]
        for seat, one in enumerate(table.view.seats):
            if one.kind != "person" or one.stand_in:
                continue
            if seat in self._live.here:
                self._absent.pop(seat, None)
            elif terms.grace_s is not None and (seat in to_act or table.spec.in_real_time):
                due = self._absent.setdefault(seat, now) + terms.grace_s * 1000
                self.due[seat] = due
                yield ("away", seat, due), (due, partial(self._send_stand_in, seat))
            if terms.decision_s is not None and seat in to_act and not table.spec.in_real_time:
                due = self._asked.setdefault(seat, now) + terms.decision_s * 1000
                self.due[seat] = min(due, self.due.get(seat, due))
                yield ("late", seat, due), (due, partial(self._decide_for, seat, table.spec.stand_in))

    def _send_stand_in(self, seat: int) -> None:
        one = self._live.table.view.seats[seat]
        if one.kind == "person" and not one.stand_in and seat not in self._live.here:
            self._chore(lambda table, now: table.away(seat, now))

    # --- Bots in turn ---------------------------------------------------------------------------------------------

    def _pace(self, middle_ms: float) -> float:
        own = human(middle_ms) if self._live.table.view.terms.bot_pace == "human" else INSTANT_MS
        return max(own, self._live.bots_wait_ms(self._live.runtime.clock()))

    def _bot_seats(self, now: int) -> Iterable[tuple[Hashable, Due]]:
        table = self._live.table
        for seat in table.to_act:
            level = table.view.seats[seat].bot
            if level is not None:
                due = now + self._pace(TURN_MS)
                yield seat, (int(due), partial(self._decide_for, seat, level))

    def _dice(self) -> Stream:
        self._stream = self._stream or Stream()
        return self._stream

    def _decide_for(self, seat: int, level: str) -> None:
        """A bot decides for this seat, from what the seat sees now."""
        table = self._live.table
        if table.game is None or seat not in table.to_act or seat in self._busy:
            return
        self._busy.add(seat)
        self._live.runtime.spawn(self._think(seat, level, table.game.observe(seat)))

    async def _think(self, seat: int, level: str, seen: Observation) -> None:
        decision = await self._live.runtime.think(bots.find(seen.game.id, level), seen, self._dice())
        assert decision is not None

        def refused() -> None:
            self._busy.discard(seat)
            self.attend()

        job = Chore(lambda table, now: table.decide(seat, decision, now), lambda: self._busy.discard(seat), refused)
        self._live.run(job)

    # --- Bots in real time ----------------------------------------------------------------------------------------

    def _clocks(self) -> Iterable[tuple[Hashable, Due]]:
        table = self._live.table
        assert table.game is not None
        if table.opening is not None:
            key = ("open", table.opening)
            yield key, (table.opening[1], lambda: self._chore(lambda table, now: table.open_now(now)))
        deadline = table.game.deadline
        if deadline is not None:
            yield ("limit", deadline), (table.moment(deadline) + 1, self._run_out)

    def _run_out(self) -> None:
        # A timer may be early: then once more.
        self._live.run(Chore(lambda table, now: table.run_out(now), refused=self.attend))

    def _bot_hands(self, now: int) -> Iterable[tuple[Hashable, Due]]:
        table = self._live.table
        game = table.game
        assert game is not None
        if table.opening is not None:
            return
        for hand in range(game.hands):
            level = table.view.seats[game.owner(hand)].bot
            stance = game.stance(hand)
            if level is not None and stance != WAITS:
                after_a_round = stance == OPENS and game.time > 0
                due = now + self._pace(SCORE_MS if after_a_round else THINKS_MS[stance])
                yield ("hand", hand), (int(due), partial(self._decide_hand, hand, level))

    def _decide_hand(self, hand: int, level: str) -> None:
        """A hand has thought; it decides from what can be seen at this moment, and reaches out."""
        game = self._live.table.game
        key = ("hand", hand)
        if game is None or key in self._busy or hand >= game.hands or game.stance(hand) == WAITS:
            return
        seen = game.observe_hand(hand)
        if len(seen.legal):
            self._busy.add(key)
            self._live.runtime.spawn(self._reach(hand, level, seen))

    async def _reach(self, hand: int, level: str, seen: Observation) -> None:
        decision = await self._live.runtime.think(bots.find(seen.game.id, level), seen, self._dice())
        if decision is None:
            await asyncio.sleep(self._pace(HUMAN.choosing) / 1000)
            self._rest(hand)
            return
        real_time = seen.game.real_time
        if real_time is not None and decision.do not in real_time.direct:
            await asyncio.sleep(self._pace(HUMAN.reaching) / 1000)
        self._live.submit(
            BotJob(seen.seat or 0, decision, lambda: self._busy.discard(("hand", hand)), lambda: self._rest(hand))
        )

    def _rest(self, hand: int) -> None:
        self._busy.discard(("hand", hand))
        self.attend()
