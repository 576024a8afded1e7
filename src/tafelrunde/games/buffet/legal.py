"""What a seat of buffet may decide: the one authority, and the list of everything it lets pass."""

from __future__ import annotations

import numpy as np

from tafelrunde.games.buffet.state import *
from tafelrunde.games.kernel import *


@kernel
def not_now(s: State, seat: int, verb: int) -> int:
    """Why this seat can not lay or exchange anything at this moment, or 0."""
    if not 0 <= seat < s.seats:
        return R_NO_SEAT
    if s.phase == FINISHED:
        return R_OVER  # B21
    if s.need != NO_CHANCE:
        return R_WAIT  # B18
    if verb == LAY:
        if not s.racing[seat]:
            return R_OUT  # B10
        return 0 if s.laid[seat] == NOTHING else R_LAID  # B7
    if verb == EXCHANGE:
        if s.exchange == seat:
            return 0
        if s.part == 2:
            return R_NO_EXCHANGE_PART_TWO  # B27
        first_out = s.left_size > 0 and s.left[0] == seat
        return R_EXCHANGE_DONE if first_out else R_NO_EXCHANGE  # B12
    return R_NO_DECISION


@kernel
def refusal(s: State, seat: int, code: int) -> int:
    """The one authority on legality: 0, or the reason why this decision is refused."""
    verb = code >> VERB_SHIFT << VERB_SHIFT
    reason = not_now(s, seat, verb)
    if reason:
        return reason
    if verb == LAY:
        card = code - LAY
        return 0 if card < CARD_KINDS and s.hand[seat, card] > 0 else R_NOT_HELD  # B7
    counts = code - EXCHANGE
    for card in range(CARD_KINDS):
        if counts >> COUNT_BITS * card & COUNT_MASK > s.hand[seat, card]:
            return R_EXCHANGED_NOT_HELD  # B12
    return 0 if counts >> COUNT_BITS * CARD_KINDS == 0 else R_NO_DECISION


@entry_point
def legal(table: RecordArray, seat: int, out: Words) -> int:
    """List the decisions that this seat may take now, exactly those that are not refused; returns how many."""
    s = table[0]
    n = 0
    if not_now(s, seat, LAY) == 0:
        for card in range(CARD_KINDS):
            out[n] = LAY + card  # written always, counted if held: no branch to guess wrong
            n += s.hand[seat, card] > 0
    if not_now(s, seat, EXCHANGE) == 0:
        out[0] = EXCHANGE  # B12: none at all is always possible
        n = 1
        for card in range(CARD_KINDS):  # every choice so far, with one, two ... of this card added
            more = n * (1 + s.hand[seat, card])
            step = 1 << COUNT_BITS * card
            for i in range(n, more):
                out[np.uint64(i)] = out[np.uint64(i - n)] + step  # unsigned: no check for a negative index
            n = more
    return n
