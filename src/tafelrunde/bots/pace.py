"""Simulated time for games without turns: how long hands take, and whose hand is next.

Each hand first thinks: it looks at its card, or chooses what to do. Then it takes its decision, from what can be seen
at that moment, and reaches out. When it arrives, the table decides: somebody else may have been there first. All times
are drawn from a ``Pace`` and one stream, so that a game is exactly reproducible from its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tafelrunde.errors import BadPace
from tafelrunde.games.contract import is_whole
from tafelrunde.games.kernel import (
    CHOOSES,
    MOST_SEATS,
    OPENS,
    TURNS,
    WAITS,
    WEIGHS,
    Stream,
    Table,
    blank,
    entry_point,
    kernel,
    next_word,
)

CLOCK_LANE = MOST_SEATS + 1
"""The lane of a game's randomness from which all times are drawn: who plays how does not change a bot's own dice."""

MOST_DECISIONS = 5_000_000
"""A game of bots that goes on for longer is given up: those that lose points on average never reach a target."""

LONGEST = 60_000
"""No time of a pace is longer than a minute, so that the times of a long game can be counted."""

STANCES = 5
PACE = np.dtype([("thinks", "i8", STANCES), ("reaches", "i8"), ("spread", "i8"), ("latency", "i8")])
PaceRecord = Any  # a record of layout PACE


@dataclass(frozen=True)
class Pace:
    """The times of one player, in milliseconds: each is the middle around which real times spread.

    The defaults are a quick but unhurried person: a card is looked at and decided upon in about two thirds of a second,
    a hand crosses the table in half a second. They are set by feeling, not by measuring people.
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
    """How much times differ, in percent of how much people's do; 0: not at all."""
    latency: int = 0
    """How long the line takes one way: what is seen comes late, and so do claims."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not is_whole(value) or not 0 <= value <= LONGEST:
                raise BadPace(f"{name} is a whole number from 0 to {LONGEST}, not {value!r}.")

    def fill(self, record: PaceRecord) -> None:
        """Write the times down for compiled code."""
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
"""``instant`` takes no time but the millisecond that keeps hands acting in turn, one decision each."""


def find_pace(name: str) -> Pace:
    """The pace of this name.

    >>> find_pace("human").reaching
    500
    """
    try:
        return PACES[name]
    except KeyError:
        raise BadPace(f"There is no pace {name!r}; there is: {', '.join(PACES)}.") from None


def pace_records(paces: Sequence[Pace]) -> Table:
    """The paces of all seats for compiled code."""
    records = blank(PACE, len(paces))
    for record, pace in zip(records, paces, strict=True):
        pace.fill(record)
    return records


# --- Times -------------------------------------------------------------------------------------------------------

# How people's times spread around their middle, in thousandths: seventeen quantiles of a lognormal distribution with
# sigma 0.35. Integers, so that every machine gives the same times.
QUANTILES = (395, 585, 669, 733, 790, 843, 894, 946, 1000, 1057, 1118, 1187, 1266, 1364, 1496, 1711, 2530)


@kernel
def drawn(middle: int, spread: int, stream: Stream) -> int:
    """One time around this middle."""
    if middle == 0 or spread == 0:
        return middle
    word = next_word(stream)
    i = word >> 28
    low = QUANTILES[i]
    quantile = low + ((QUANTILES[i + 1] - low) * (word >> 18 & 1023) >> 10)
    return middle * (100_000 + (quantile - 1000) * spread) // 100_000


# --- The agenda --------------------------------------------------------------------------------------------------
# When each hand does its next step. What falls on the same millisecond happens in the order in which it was planned.

ORDER_BITS = 24
ORDER_MASK = (1 << ORDER_BITS) - 1
NEVER = 1 << 62
AGENDA = np.dtype(
    [
        ("count", "i8"),  # steps planned so far
        ("key", "i8", MOST_SEATS),  # time of the next step, then its number in the order of planning; or NEVER
        ("stance", "i8", MOST_SEATS),  # what the hand was up to when it was planned
        ("intent", "i8", MOST_SEATS),  # the decision with which the hand is on its way, or 0: it is still thinking
    ]
)
Agenda = Any  # a record of layout AGENDA


@entry_point
def clear_agenda(agendas: Table) -> None:
    """Nobody has anything to do."""
    agendas[0].count = 0
    for hand in range(MOST_SEATS):
        rest(agendas, hand)


@entry_point
def rest(agendas: Table, hand: int) -> None:
    """This hand has done its step."""
    agenda = agendas[0]
    agenda.key[hand] = NEVER
    agenda.stance[hand] = WAITS
    agenda.intent[hand] = 0


@kernel
def enter(agenda: Agenda, hand: int, at: int) -> None:
    agenda.key[hand] = at << ORDER_BITS | agenda.count & ORDER_MASK
    agenda.count += 1


@kernel
def time_of(agenda: Agenda, hand: int) -> int:
    """When this hand does its next step."""
    return agenda.key[hand] >> ORDER_BITS


@kernel
def think(agenda: Agenda, hand: int, now: int, pace: PaceRecord, stream: Stream) -> None:
    """Begin to think; even the fastest hand needs a millisecond, else it would keep all others from acting."""
    enter(agenda, hand, now + max(1, drawn(pace.thinks[agenda.stance[hand]], pace.spread, stream)))


@entry_point
def first_hand(agendas: Table, hands: int) -> int:
    """Whose step is next."""
    agenda = agendas[0]
    first = 0
    for hand in range(1, hands):
        if agenda.key[hand] < agenda.key[first]:
            first = hand
    return first


@entry_point
def attend(agendas: Table, hand: int, seat: int, stance: int, now: int, paces: Table, clock: Table) -> None:
    """Let a hand begin to think if something new has come up for it."""
    agenda = agendas[0]
    if stance != agenda.stance[hand]:
        agenda.stance[hand] = stance
        agenda.intent[hand] = 0
        if stance == WAITS:
            agenda.key[hand] = NEVER
        else:
            think(agenda, hand, now, paces[seat], clock[0])


@entry_point
def reach(agendas: Table, hand: int, seat: int, code: int, ready_at: int, paces: Table, clock: Table) -> bool:
    """The hand has decided and reaches out, not to arrive before it may; is it there at once?

    What it decided upon it saw one latency ago, and its claim travels another one.
    """
    agenda = agendas[0]
    pace = paces[seat]
    now = time_of(agenda, hand)
    at = max(now + drawn(pace.reaches, pace.spread, clock[0]) + 2 * pace.latency, ready_at)
    agenda.intent[hand] = code
    if at == now:
        return True
    enter(agenda, hand, at)
    return False


@entry_point
def pause(agendas: Table, hand: int, seat: int, paces: Table, clock: Table) -> None:
    """Nothing to do for now: the hand thinks again, a moment later."""
    think(agendas[0], hand, time_of(agendas[0], hand), paces[seat], clock[0])
