"""Hands in real time, for compiled code: what a hand is up to, how long it takes, and whose hand is next.

A hand first thinks: it looks at its card, or chooses what to do. Then it decides from what can be seen at that moment
and reaches out. When it arrives, the rules decide: somebody else may have been there first. All times are drawn from
one stream, so that a game is exactly reproducible from its seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.compiler import RecordArray, entry_point, kernel
from tafelrunde.games.log import MOST_SEATS
from tafelrunde.games.streams import Stream, next_word

CLOCK_LANE = MOST_SEATS + 1
"""The lane of a game's randomness from which all times are drawn: who plays how does not change a bot's own dice."""

MOST_DECISIONS = 5_000_000
"""A game of bots that goes on for longer is given up: those that lose points on average never reach a target."""

# What a hand is up to. How long it takes over that is the caller's business: a ``Pace`` (bots/pace.py).
WAITS = 0  # it has nothing to decide
OPENS = 1  # it gives the signal to begin
TURNS = 2  # it turns up the next card of its own
CHOOSES = 3  # it is empty and chooses what to do
WEIGHS = 4  # it holds a card and decides about it

STANCES = 5
PACE = np.dtype([("thinks", "i8", STANCES), ("reaches", "i8"), ("spread", "i8"), ("latency", "i8")])
PaceRecord = Any  # a record of layout PACE

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
def clear_agenda(agendas: RecordArray) -> None:
    """Nobody has anything to do."""
    agendas[0].count = 0
    for hand in range(MOST_SEATS):
        rest(agendas, hand)


@entry_point
def rest(agendas: RecordArray, hand: int) -> None:
    """This hand has done its step."""
    agenda = agendas[0]
    agenda.key[hand] = NEVER
    agenda.stance[hand] = WAITS
    agenda.intent[hand] = 0


@kernel
def enter(agenda: Agenda, hand: int, at: int) -> None:
    """Plan the next step of a hand."""
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
def first_hand(agendas: RecordArray, hands: int) -> int:
    """Whose step is next."""
    agenda = agendas[0]
    first = 0
    for hand in range(1, hands):
        if agenda.key[hand] < agenda.key[first]:
            first = hand
    return first


@entry_point
def attend(
    agendas: RecordArray, hand: int, seat: int, stance: int, now: int, paces: RecordArray, clock: RecordArray
) -> None:
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
def reach(
    agendas: RecordArray, hand: int, seat: int, code: int, ready_at: int, paces: RecordArray, clock: RecordArray
) -> bool:
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
def pause(agendas: RecordArray, hand: int, seat: int, paces: RecordArray, clock: RecordArray) -> None:
    """Nothing to do for now: the hand thinks again, a moment later."""
    think(agendas[0], hand, time_of(agendas[0], hand), paces[seat], clock[0])
