"""Claims in real time: who was first, when lines are of different length.

A claim for a card (``take``) is held back for the table's window, less the time that its line is known to take one way,
but never more than the window. So two claims that arrive within the window are decided in the order in which they were
made, as far as that can be known; nobody gains more than the window, and nobody waits longer. With calm pace (D29) a
decision that comes while the hand is still busy waits until the hand is free: all hands take equally long, whatever
the line.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from tafelrunde import wire
from tafelrunde.errors import TafelrundeError, TooFast
from tafelrunde.games.contract import RealTime
from tafelrunde.server.jobs import ActJob

if TYPE_CHECKING:
    from tafelrunde.server.live import LiveTable

MOST_WAITING = 8
"""So many decisions of a hand may wait for their turn."""


class Claims:
    """Puts decisions of a game in real time into their order."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self._heap: list[tuple[float, int, int, ActJob]] = []
        self._order = count()
        self._behind: dict[int, deque[ActJob]] = {}
        """What waits behind a decision of the same hand that is held back."""
        self._timers: set[asyncio.TimerHandle] = set()

    def take(self, job: ActJob, on_time: bool = True) -> None:
        """A decision has arrived; or it has waited here, and not its line is what held it up."""
        try:
            seat = job.seat_at(self._live.table)
        except TafelrundeError:
            self._live.run(job)  # refuses it
            return
        hand = self._hand(seat, job)
        behind = self._behind.get(hand)
        if behind is None:
            self._admit(hand, job, on_time)
        elif len(behind) < MOST_WAITING:
            behind.append(job)
        else:
            job.refuse(TooFast("Too many decisions wait already."))

    @property
    def _rules(self) -> RealTime:
        rules = self._live.table.spec.real_time
        assert rules is not None
        return rules

    def _hand(self, seat: int, job: ActJob) -> int:
        """Whose turn it is to wait: two hands of one player (D24) do not wait for each other."""
        game = self._live.table.game
        each = 1 if game is None else game.hands // game.seats
        return seat * each + (self._rules.side_of(job.decision) if each > 1 else 0)

    def _admit(self, hand: int, job: ActJob, on_time: bool) -> None:
        wait = self._pace_wait(hand)
        if wait > 0:
            self._behind[hand] = deque()
            self._later(wait, lambda: self._free(hand, job))
        elif job.decision.get("do") == self._rules.claim:
            self._hold_back(hand, job, on_time)
        else:
            self._live.run(job)

    def _pace_wait(self, hand: int) -> int:
        """How long the hand is still busy with its card, in milliseconds (D29)."""
        table = self._live.table
        game = table.game
        if game is None or not table.view.options[self._rules.pace_option]:
            return 0
        return game.ready_at(hand) - table.clock(self._live.hall.clock())

    def _free(self, hand: int, job: ActJob) -> None:
        """The hand is free; the line has not held this decision up."""
        behind = self._behind.pop(hand)
        self._admit(hand, job, on_time=False)
        for other in behind:
            self.take(other, on_time=False)

    def _hold_back(self, hand: int, job: ActJob, on_time: bool) -> None:
        table, now = self._live.table, self._live.hall.clock()
        window = table.view.terms.window_ms
        rtt = self._live.rtt(job.seat_at(table)) if on_time and not job.by_bot else 0
        lag = min((rtt or 0) // 2, window)
        job.claim = {"arrived": table.clock(now), "lag": lag, "window": window}
        self._behind[hand] = deque()
        heapq.heappush(self._heap, (now - lag, next(self._order), hand, job))
        if lag == window:
            self._decide()  # nothing that comes later can have been earlier
        else:
            self._later(window - lag, self._decide)

    def _decide(self) -> None:
        """Let all claims through that no other can overtake any more."""
        now, window = self._live.hall.clock(), self._live.table.view.terms.window_ms
        while self._heap and self._heap[0][0] + window <= now:
            _, _, hand, job = heapq.heappop(self._heap)
            behind = self._behind.pop(hand)
            self._live.run(job)
            for other in behind:
                self.take(other, on_time=False)
        if self._heap:
            self._later(max(1, self._heap[0][0] + window - now), self._decide)

    def _later(self, ms: float, do: Callable[[], None]) -> None:
        def fire() -> None:
            self._timers.discard(timer)
            do()

        timer = self._live.hall.loop.call_later(ms / 1000, fire)
        self._timers.add(timer)

    def close(self) -> None:
        """Nothing is decided any more."""
        for timer in self._timers:
            timer.cancel()


def receipts_of(steps: list[dict[str, Any]]) -> wire.Receipts:
    """The contested claims of a finished game: who reached for the same card, when, and who got it."""
    receipts: list[wire.Receipt] = []
    last_at: dict[int, wire.Receipt] = {}
    for step in steps:
        if "claim" not in step:
            continue
        place = step["entries"][0]["place"]
        won = step["entries"][1]["do"] != "late"
        claim = wire.Claim(
            seat=step["by"],
            arrived_ms=step["claim"]["arrived"],
            lag_ms=step["claim"]["lag"],
            window_ms=step["claim"]["window"],
            number=step["number"],
            won=won,
        )
        if won or place not in last_at:
            last_at[place] = wire.Receipt(place=place, claims=[])
            receipts.append(last_at[place])
        last_at[place].claims.append(claim)
    return wire.Receipts(receipts=[one for one in receipts if len(one.claims) > 1])
