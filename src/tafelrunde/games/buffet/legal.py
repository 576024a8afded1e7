"""Legal decisions of buffet: the check of one decision, and the list of all legal ones."""

from __future__ import annotations

import numpy as np

from tafelrunde.games.buffet.state import *
from tafelrunde.games.kernel import *


@kernel
def not_now(s: State, seat: int, verb: int) -> int:
    """The reason why this seat can not lay or exchange now, or 0."""
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
    """0 if this decision is legal, or the reason why it is refused; the only place that decides this."""
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
    """List all legal decisions of this seat: exactly those that ``refusal`` accepts. Returns their number."""
    s = table[0]
    n = 0
    if not_now(s, seat, LAY) == 0:
        for card in range(CARD_KINDS):
            out[n] = LAY + card  # always written, counted only if held: faster than a branch
            n += s.hand[seat, card] > 0
    if not_now(s, seat, EXCHANGE) == 0:
        out[0] = EXCHANGE  # B12: exchanging no card is always possible
        n = 1
        for card in range(CARD_KINDS):  # all choices so far, with 1, 2 ... of this card added
            more = n * (1 + s.hand[seat, card])
            step = 1 << COUNT_BITS * card
            for i in range(n, more):
                out[np.uint64(i)] = out[np.uint64(i - n)] + step  # unsigned: no check for a negative index
            n = more
    return n
