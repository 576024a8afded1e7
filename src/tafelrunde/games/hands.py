"""The agenda of hands in real time, for compiled code: what each hand is doing, how long that takes, and who is next.

A hand first thinks: it looks at its card, or chooses what to do. Then it decides from what can be seen at that moment
and reaches out. When it arrives, the rules decide: somebody else may have been there first. All times are drawn from
one stream, so that a game is exactly reproducible from its seed.

``games/playout.py`` runs whole games on this agenda in compiled code; ``bots/driver.py`` is its face for Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.compiler import RecordArray, entry_point, kernel
from tafelrunde.games.log import MOST_SEATS
from tafelrunde.games.streams import Stream, next_word

CLOCK_LANE = MOST_SEATS + 1
"""The lane of a game's randomness from which all times are drawn, so that the pace does not change a bot's own dice."""

MOST_DECISIONS = 5_000_000
"""A game of bots that takes more is given up: bots that lose points on average never reach a target."""

# What a hand is doing: its stance. A ``Pace`` (bots/pace.py) says how long each takes.
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
# When each hand takes its next step. Steps at the same millisecond happen in the order in which they were planned.

ORDER_BITS = 24
ORDER_MASK = (1 << ORDER_BITS) - 1
NEVER = 1 << 62
AGENDA = np.dtype(
    [
        ("count", "i8"),  # steps planned so far
        ("key", "i8", MOST_SEATS),  # time of the next step, then its number in the order of planning; or NEVER
        ("stance", "i8", MOST_SEATS),  # what the hand was doing when the step was planned
        ("intent", "i8", MOST_SEATS),  # the code of the decision that the hand reaches out for; 0: it is still thinking
    ]
)
Agenda = Any  # a record of layout AGENDA


@entry_point
def clear_agenda(agendas: RecordArray) -> None:
    """No hand has anything to do."""
    agendas[0].count = 0
    for hand in range(MOST_SEATS):
        finish(agendas, hand)


@entry_point
def finish(agendas: RecordArray, hand: int) -> None:
    """This hand has arrived; it has nothing planned."""
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
    """When this hand takes its next step."""
    return agenda.key[hand] >> ORDER_BITS


@kernel
def think(agenda: Agenda, hand: int, now: int, pace: PaceRecord, stream: Stream) -> None:
    """Begin to think. Even the fastest hand needs a millisecond, else no other hand would ever have its turn."""
    enter(agenda, hand, now + max(1, drawn(pace.thinks[agenda.stance[hand]], pace.spread, stream)))


@entry_point
def first_hand(agendas: RecordArray, hands: int) -> int:
    """The hand that takes the next step."""
    agenda = agendas[0]
    first = 0
    for hand in range(1, hands):
        if agenda.key[hand] < agenda.key[first]:
            first = hand
    return first


@entry_point
def refresh(
    agendas: RecordArray, hand: int, seat: int, stance: int, now: int, paces: RecordArray, clock: RecordArray
) -> None:
    """This is what the hand has to do now. If that is new, it begins to think, and drops what it was doing."""
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
    agendas: RecordArray,
    hand: int,
    seat: int,
    code: int,
    now: int,
    ready_at: int,
    paces: RecordArray,
    clock: RecordArray,
) -> bool:
    """The hand has decided and reaches out; it arrives at ``ready_at`` or later. Does it arrive at once?

    It has seen the table with one latency of delay, and its claim takes another one.
    """
    agenda = agendas[0]
    pace = paces[seat]
    at = max(now + drawn(pace.reaches, pace.spread, clock[0]) + 2 * pace.latency, ready_at)
    agenda.intent[hand] = code
    if at == now:
        return True
    enter(agenda, hand, at)
    return False


@entry_point
def pause(agendas: RecordArray, hand: int, seat: int, now: int, paces: RecordArray, clock: RecordArray) -> None:
    """The hand does nothing for now: it thinks again."""
    think(agendas[0], hand, now, paces[seat], clock[0])
