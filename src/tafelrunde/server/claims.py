"""The order of claims in real time: who was first, when connections have different lags.

A claim (like ``take`` in dash) is held for the table's window, less the one-way lag of its connection. So claims that
arrive within the window are decided in the order in which they were made, as far as that can be known. Nobody gains
more than the window, and nobody waits longer. With a calm pace (D29) a decision that arrives while its hand is still
busy waits until the hand is free.

This is a pure value: time comes in as an argument, and nothing is carried out here.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import Generic, Literal, TypeVar

MOST_WAITING = 8
"""How many decisions may wait behind another one of the same hand."""

Item = TypeVar("Item")

Arrival = Literal["free", "held", "full"]
"""``free``: carry it out now. ``held``: ``next_due`` says when to look again. ``full``: too many wait already."""


@dataclass(frozen=True, slots=True)
class LagCredit:
    """How much earlier than its arrival a claim counts as made, at most the window."""

    lag_ms: int
    window_ms: int

    @classmethod
    def measured(cls, rtt_ms: int | None, window_ms: int) -> LagCredit:
        """Half of the round trip time, if it is known."""
        return cls(min((rtt_ms or 0) // 2, window_ms), window_ms)


@dataclass(frozen=True, slots=True)
class Due(Generic[Item]):
    """A decision that has been held long enough."""

    item: Item
    decided: bool
    """True: carry it out. False: it waited for its hand, and arrives again now."""
    behind: tuple[Item, ...]
    """What arrived for the same hand meanwhile: it arrives again, after this one and without lag credit."""


class ClaimOrder(Generic[Item]):
    """The decisions of one table that are being held. At most one per hand; others wait behind it."""

    def __init__(self) -> None:
        self._claims: list[tuple[int, int, int, int, Item]] = []  # made at, sequence, due at, hand, item
        self._resting: list[tuple[int, int, int, Item]] = []  # free at, sequence, hand, item
        self._behind: dict[int, deque[Item]] = {}
        self._sequence = count()

    def arrive(self, now: int, hand: int, item: Item, busy_ms: int = 0, claim: LagCredit | None = None) -> Arrival:
        """A decision arrives. ``busy_ms``: how long its hand is still busy. ``claim``: its credit, if it is a claim."""
        behind = self._behind.get(hand)
        if behind is not None:
            if len(behind) >= MOST_WAITING:
                return "full"
            behind.append(item)
            return "held"
        if busy_ms > 0:
            heapq.heappush(self._resting, (now + busy_ms, next(self._sequence), hand, item))
        elif claim is not None:
            made = now - min(claim.lag_ms, claim.window_ms)
            heapq.heappush(self._claims, (made, next(self._sequence), made + claim.window_ms, hand, item))
        else:
            return "free"
        self._behind[hand] = deque()
        return "held"

    def pop_due(self, now: int) -> Due[Item] | None:
        """The next decision whose time has come, claims in the order in which they were made."""
        if self._resting and self._resting[0][0] <= now:
            _, _, hand, item = heapq.heappop(self._resting)
            return Due(item, False, tuple(self._behind.pop(hand)))
        if self._claims and self._claims[0][2] <= now:
            _, _, _, hand, item = heapq.heappop(self._claims)
            return Due(item, True, tuple(self._behind.pop(hand)))
        return None

    def next_due(self) -> int | None:
        """When ``pop_due`` will have something next; None: nothing is held."""
        due = [heap[0][at] for heap, at in ((self._resting, 0), (self._claims, 2)) if heap]
        return min(due, default=None)  # type: ignore[type-var, return-value]
