"""What the hands of bots do and when, without a clock: whoever has one asks for the next step and carries it out.

``bots.steps`` takes the steps in simulated time, ``remote`` by the wall clock over the network, and a live table with a
timer of its event loop. A hand thinks, decides, reaches out and arrives:

>>> from tafelrunde import Decision, Stream, games
>>> from tafelrunde.bots.pace import Pace
>>> from tafelrunde.games.hands import WEIGHS
>>> driver = HandDriver(games.find("dash").notation, [Pace(weighing=600, reaching=500, spread=0)], Stream(1))
>>> driver.refresh([(0, WEIGHS)], now=1000)
>>> driver.next_step()
Step(at=1600, hand=0, decision=None)
>>> driver.decided(0, Decision("take", place=3), now=1600)
False
>>> driver.next_step()
Step(at=2100, hand=0, decision=Decision('take', place=3))
>>> driver.done(0)
>>> driver.next_step() is None
True

In a game with turns each seat counts as one hand that never has to reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tafelrunde.bots.pace import Pace, pace_records
from tafelrunde.games import hands
from tafelrunde.games.compiler import blank
from tafelrunde.games.contract import Decision, Notation
from tafelrunde.stream import Stream


class Step(NamedTuple):
    """What a hand does next."""

    at: int
    """When, in milliseconds of the caller's clock."""
    hand: int
    decision: Decision | None
    """What it arrives with; None: it has finished thinking and has to decide."""


class HandDriver:
    """The hands of one game, numbered from 0, with one pace for each.

    ``began`` is a time before all others by the caller's clock: the agenda has no room for milliseconds since 1970.
    """

    def __init__(self, notation: Notation, paces: Sequence[Pace], clock: Stream, began: int = 0) -> None:
        self._notation = notation
        self._began = began
        self._clock = clock.raw
        """All times are drawn from here."""
        self._agenda = blank(hands.AGENDA)
        self._keys = self._agenda["key"][0]
        self._stances = self._agenda["stance"][0]
        self._intents = self._agenda["intent"][0]
        self._busy: set[int] = set()
        self.set_paces(paces)
        self.clear()

    def set_paces(self, paces: Sequence[Pace]) -> None:
        """How fast each hand is from now on; what is planned already stays."""
        self.paces = tuple(paces)
        self._paces = pace_records(paces)

    def clear(self) -> None:
        """Drop everything: no hand has anything to do."""
        self._busy.clear()
        hands.clear_agenda(self._agenda)

    def refresh(self, stances: Iterable[tuple[int, int]], now: int) -> None:
        """What these hands have to do now: pairs of hand and stance. A hand with something new begins to think."""
        for hand, stance in stances:
            if stance != self._stances.item(hand) and hand not in self._busy:  # saves most calls into compiled code
                hands.refresh(self._agenda, hand, hand, stance, now - self._began, self._paces, self._clock)

    def next_step(self) -> Step | None:
        """The earliest step of all hands that are not busy; None if there is none."""
        hand = int(hands.first_hand(self._agenda, self._paces.size))
        key = self._keys.item(hand)
        if key == hands.NEVER:
            return None
        code = self._intents.item(hand)
        at = self._began + (key >> hands.ORDER_BITS)
        return Step(at, hand, Decision.coded(code, self._notation) if code else None)

    def start(self, hand: int) -> None:
        """The hand is taking its step, which lasts: it is busy until it has decided, paused or is done."""
        self._busy.add(hand)
        self._keys[hand] = hands.NEVER

    def decided(self, hand: int, decision: Decision, now: int, ready_at: int = 0, *, direct: bool = False) -> bool:
        """The hand reaches out, unless the decision is carried out directly. It arrives at ``ready_at`` or later.

        True if it arrives at once: then carry the decision out.
        """
        if direct:
            return True
        code, now, ready_at = decision.code(self._notation), now - self._began, ready_at - self._began
        if hands.reach(self._agenda, hand, hand, code, now, ready_at, self._paces, self._clock):
            return True
        self._busy.discard(hand)
        return False

    def paused(self, hand: int, now: int) -> None:
        """The hand has decided to do nothing for now: it thinks again."""
        self._busy.discard(hand)
        hands.pause(self._agenda, hand, hand, now - self._began, self._paces, self._clock)

    def done(self, hand: int) -> None:
        """The hand has arrived, whether or not it got what it wanted. ``refresh`` says what it has to do next."""
        self._busy.discard(hand)
        hands.finish(self._agenda, hand)
