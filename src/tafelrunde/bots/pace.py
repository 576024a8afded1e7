"""Paces: how long players take in games without turns. The time of every step of a hand is drawn around these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tafelrunde.errors import BadPace
from tafelrunde.games.compiler import RecordArray, blank
from tafelrunde.games.contract import is_whole
from tafelrunde.games.hands import CHOOSES, OPENS, PACE, TURNS, WEIGHS, PaceRecord

LONGEST = 60_000
"""No time of a pace is longer than a minute, so that the clock of a long game does not overflow."""


@dataclass(frozen=True)
class Pace:
    """The times of one player, in milliseconds: each is the middle around which real times spread.

    The defaults are a quick but unhurried person: a card is looked at and decided upon in about two thirds of a second,
    a hand crosses the table in half a second. They are guesses, not measurements.
    """

    opening: int = 3000
    """Between the end of a round and the signal for the next one: the countdown."""
    turning: int = 150
    """Before the next card of the own stack is turned up."""
    choosing: int = 400
    """With an empty hand: what to do next?"""
    weighing: int = 650
    """Looking at a card and deciding about it."""
    reaching: int = 500
    """The way of the hand."""
    spread: int = 100
    """How much times vary, in percent of how much people's times vary; 0: not at all."""
    latency: int = 0
    """The network delay one way: the player sees everything this late, and claims arrive this late."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not is_whole(value) or not 0 <= value <= LONGEST:
                raise BadPace(f"{name} is a whole number from 0 to {LONGEST}, not {value!r}.")

    def fill(self, record: PaceRecord) -> None:
        """Copy the times into a record for compiled code."""
        record["thinks"][OPENS] = self.opening
        record["thinks"][TURNS] = self.turning
        record["thinks"][CHOOSES] = self.choosing
        record["thinks"][WEIGHS] = self.weighing
        record["reaches"] = self.reaching
        record["spread"] = self.spread
        record["latency"] = self.latency


HUMAN = Pace()
INSTANT = Pace(opening=0, turning=0, choosing=0, weighing=0, reaching=0, spread=0)
PACES = {"human": HUMAN, "instant": INSTANT}
"""``instant`` takes one millisecond for each decision, so that the hands still take turns."""


def find_pace(name: str) -> Pace:
    """The pace of this name.

    >>> find_pace("human").reaching
    500
    """
    try:
        return PACES[name]
    except KeyError:
        raise BadPace(f"There is no pace {name!r}; there is: {', '.join(PACES)}.") from None


def pace_records(paces: Sequence[Pace]) -> RecordArray:
    """These paces for compiled code."""
    records = blank(PACE, len(paces))
    for record, pace in zip(records, paces, strict=True):
        pace.fill(record)
    return records
