"""What happens at a live table by itself: bots play, clocks run out, a bot stands in for people who are away.

While nobody is connected nothing happens, and the table stays as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Iterable
from functools import partial
from typing import NamedTuple, Protocol

from tafelrunde.server.bot_players import BotPlayers, BotTable
from tafelrunde.server.jobs import Chore
from tafelrunde.table import Outcome, Table

NONCE_MS = 3000
"""How long the table waits for nonces; people who send none take no part in the shuffle."""


class ScheduledTable(BotTable, Protocol):
    """What the scheduler needs of a live table."""

    @property
    def connections(self) -> Collection[object]:
        """All clients that are connected to this process."""

    @property
    def here(self) -> Collection[int]:
        """The seats whose holders are connected, to this process or another one."""

    def show_presence(self) -> None:
        """Send everybody who is here and what is due."""


class Task(NamedTuple):
    """Something to do at a certain time."""

    key: Hashable
    """Tells tasks apart: a timer is set once for each key."""
    at: int
    do: Callable[[], None]


class Scheduler:
    """The timers of one live table."""

    def __init__(self, live: ScheduledTable) -> None:
        self._live = live
        self._bots = BotPlayers(live, self.refresh)
        self._timers: dict[Hashable, asyncio.TimerHandle] = {}
        self._asked_since: dict[int, int] = {}
        """Since when each seat has had its present decision to take."""
        self._absent_since: dict[int, int] = {}
        """Since when each person has been away."""
        self.due: dict[int, int] = {}
        """When a bot will decide for a person or stand in, where such a clock is running."""
        self._idle = False
        """No move can give us anything to do, until the seats change."""

    def refresh(self) -> None:
        """The table has changed: set the timers that are needed now and cancel all others."""
        live = self._live
        if self._idle:
            return
        if not live.connections or live.runtime.closing:
            self._stop()
            return
        now = live.runtime.clock()
        before, self.due = self.due, {}
        tasks = {task.key: task for task in self._tasks(now)}
        if self.due != before:
            live.show_presence()
        for key in self._timers.keys() - tasks.keys():
            self._timers.pop(key).cancel()
        for key in tasks.keys() - self._timers.keys():
            self._set_timer(tasks[key], now)
        self._bots.refresh(now)
        self._idle = not tasks and self._only_people_without_clocks()

    def seats_changed(self) -> None:
        """People have come or gone, or the seats or terms are different."""
        self._idle = False

    def seat_decided(self, seat: int) -> None:
        """This seat has taken its decision: the time for the next one starts anew."""
        self._asked_since.pop(seat, None)

    def person_is_here(self, seat: int) -> None:
        """The person of this seat is connected and gets it back from a stand-in."""
        self._absent_since.pop(seat, None)
        if self._live.table.view.seats[seat].stand_in:
            self._run(lambda table, now: table.back(seat, now))

    def close(self) -> None:
        """Cancel everything."""
        self._stop()

    def _only_people_without_clocks(self) -> bool:
        table, here = self._live.table, self._live.here
        seats = enumerate(table.view.seats)
        people = all(one.kind == "person" and not one.stand_in and seat in here for seat, one in seats)
        return people and not table.spec.in_real_time and table.view.terms.decision_s is None

    def _stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._asked_since.clear()
        self._absent_since.clear()
        self.due = {}
        self._bots.stop()

    def _set_timer(self, task: Task, now: int) -> None:
        def fire() -> None:
            del self._timers[task.key]
            task.do()

        self._timers[task.key] = self._live.runtime.loop.call_later(max(0, task.at - now) / 1000, fire)

    def _run(self, do: Callable[[Table, int], Outcome]) -> None:
        self._live.run(Chore(do))

    # --- Tasks ----------------------------------------------------------------------------------------------------

    def _tasks(self, now: int) -> Iterable[Task]:
        """All that has to happen at some time, unless something else happens first; bots have their own timer."""
        table = self._live.table
        if table.view.phase == "shuffling":
            yield Task("begin", table.last_at + NONCE_MS, lambda: self._run(lambda table, now: table.begin(now)))
        if table.view.phase == "playing" and table.game is not None:
            if table.spec.in_real_time:
                yield from self._game_clocks()
            self._forget_decided()
            for seat, one in enumerate(table.view.seats):
                if one.kind == "person" and not one.stand_in:
                    yield from self._person_clocks(seat, now)

    def _game_clocks(self) -> Iterable[Task]:
        """In real time: the countdown to a round, and the deadline of a round."""
        table = self._live.table
        assert table.game is not None
        if table.opening is not None:
            open_now = partial(self._run, lambda table, now: table.open_now(now))
            yield Task(("open", table.opening), table.opening[1], open_now)
        deadline = table.game.deadline
        if deadline is not None:
            yield Task(("limit", deadline), table.moment(deadline) + 1, self._run_out)

    def _run_out(self) -> None:
        # The timer may be early: then this is refused, and the timer is set again.
        self._live.run(Chore(lambda table, now: table.run_out(now), refused=self.refresh))

    def _forget_decided(self) -> None:
        to_act = self._live.table.to_act
        for seat in [seat for seat in self._asked_since if seat not in to_act]:
            del self._asked_since[seat]

    def _person_clocks(self, seat: int, now: int) -> Iterable[Task]:
        """A person who is away, or takes too long."""
        table, terms = self._live.table, self._live.table.view.terms
        in_real_time, may_act = table.spec.in_real_time, seat in table.to_act
        if seat in self._live.here:
            self._absent_since.pop(seat, None)
        elif terms.grace_s is not None and (may_act or in_real_time):
            at = self._absent_since.setdefault(seat, now) + terms.grace_s * 1000
            self.due[seat] = at
            yield Task(("away", seat, at), at, partial(self._stand_in, seat))
        if terms.decision_s is not None and may_act and not in_real_time:
            at = self._asked_since.setdefault(seat, now) + terms.decision_s * 1000
            self.due[seat] = min(at, self.due.get(seat, at))
            yield Task(("late", seat, at), at, partial(self._bots.decide_once, seat, table.spec.stand_in))

    def _stand_in(self, seat: int) -> None:
        one = self._live.table.view.seats[seat]
        if one.kind == "person" and not one.stand_in and seat not in self._live.here:
            self._run(lambda table, now: table.away(seat, now))
