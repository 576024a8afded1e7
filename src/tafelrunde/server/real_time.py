"""Carries out decisions in real time in their fair order: timers and jobs around ``ClaimOrder``."""

from __future__ import annotations

import asyncio
from typing import Protocol

from tafelrunde.errors import TafelrundeError, TooFast
from tafelrunde.games.contract import RealTime
from tafelrunde.server.claims import ClaimOrder, LagCredit
from tafelrunde.server.jobs import DecisionJob, Job
from tafelrunde.server.runtime import Runtime
from tafelrunde.table import Table


class RealTimeTable(Protocol):
    """What the queue needs of a live table."""

    table: Table
    runtime: Runtime

    def run(self, job: Job) -> None:
        """Carry out a job now."""

    def rtt(self, seat: int) -> int | None:
        """The round trip time of a seat's connection in milliseconds."""


class DecisionQueue:
    """The decisions that arrive at one table in real time."""

    def __init__(self, live: RealTimeTable) -> None:
        self._live = live
        self._order: ClaimOrder[DecisionJob] = ClaimOrder()
        self._timer: asyncio.TimerHandle | None = None

    def submit(self, job: DecisionJob) -> None:
        """A decision arrives over the network or from a bot."""
        self._arrive(job, credited=not job.by_bot)
        self._run_due()

    def _arrive(self, job: DecisionJob, credited: bool = False) -> None:
        table, now = self._live.table, self._live.runtime.clock()
        try:
            seat = job.seat_at(table)
        except TafelrundeError:
            self._live.run(job)  # refuses it
            return
        hand = self._hand(seat, job)
        claim = None
        if job.verb == self._rules.claim:
            claim = LagCredit.measured(self._live.rtt(seat) if credited else None, table.view.terms.window_ms)
            job.claim = {"arrived": table.clock(now), "lag": claim.lag_ms, "window": claim.window_ms}
        arrival = self._order.arrive(now, hand, job, self._busy_ms(hand, now), claim)
        if arrival == "free":
            self._live.run(job)
        elif arrival == "full":
            job.refuse(TooFast("Too many decisions wait already."))

    @property
    def _rules(self) -> RealTime:
        rules = self._live.table.spec.real_time
        assert rules is not None
        return rules

    def _hand(self, seat: int, job: DecisionJob) -> int:
        """The hand that decides: two hands of one player (D24) do not wait for each other."""
        game = self._live.table.game
        each = 1 if game is None else game.hands // game.seats
        return seat * each + (self._rules.side_of(job.fields) if each > 1 else 0)

    def _busy_ms(self, hand: int, now: int) -> int:
        """How long the hand is still busy with its card (D29)."""
        table = self._live.table
        game = table.game
        if game is None or not table.view.options[self._rules.pace_option]:
            return 0
        return game.ready_at(hand) - table.clock(now)

    def _run_due(self) -> None:
        """Carry out all decisions that are due, and set the timer for the next one."""
        while (due := self._order.pop_due(self._live.runtime.clock())) is not None:
            if due.decided:
                self._live.run(due.item)
            else:
                self._arrive(due.item)
            for job in due.behind:
                self._arrive(job)
        self.close()
        at = self._order.next_due()
        if at is not None:
            wait_ms = at - self._live.runtime.clock()
            self._timer = self._live.runtime.loop.call_later(max(0, wait_ms) / 1000, self._run_due)

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
