"""Legal decisions of dash: the check of one decision, and the list of all legal ones."""

from __future__ import annotations

from tafelrunde.games.dash.state import *
from tafelrunde.games.kernel import *


@kernel
def stance_of(s: State, hand: int) -> int:
    """What a hand can do now: D6 to D10, D25."""
    if s.need != NO_CHANCE or s.phase == FINISHED:
        return WAITS
    if s.phase == OPENING:
        return OPENS if hand == s.opener * hands_each(s.seats) else WAITS
    if s.gone[hand]:
        return WAITS
    if s.holds[hand]:
        return WEIGHS
    if s.unlaid[hand]:
        return TURNS
    return WAITS if other_stack_waits(s, hand) else CHOOSES


@entry_point
def stance(table: RecordArray, hand: int) -> int:
    """What a hand can do now: wait, open the buffet, look at its stack, choose at the heap, or decide about a card."""
    return stance_of(table[0], hand)


@kernel
def has_card(s: State, place: int) -> bool:
    """Does a card lie at this place?"""
    return s.spot_of[place] < s.heap_size


@kernel
def hand_in(s: State, seat: int, code: int) -> int:
    """The hand that a decision names; ``open`` and players with one hand name none."""
    side = code >> HAND_SHIFT & SIDE_MASK
    return seat * hands_each(s.seats) + (side - 1 if side else 0)


@kernel
def refusal(s: State, seat: int, code: int) -> int:
    """0 if this decision is legal, or the reason why it is refused; the only place that decides this."""
    if not 0 <= seat < s.seats:
        return R_NO_SEAT
    if s.phase == FINISHED:
        return R_OVER  # D21
    if s.need != NO_CHANCE:
        return R_WAIT  # D5
    verb = code >> VERB_SHIFT << VERB_SHIFT
    if verb == OPEN_BUFFET:
        if seat != s.opener:
            return R_NOT_OPENER  # D6
        return 0 if s.phase == OPENING else R_OPENED
    side = code >> HAND_SHIFT & SIDE_MASK
    if s.seats == 2 and side == 0:
        return R_WHICH_HAND  # D24
    if s.seats > 2 and side > 0:
        return R_ONE_HAND  # D7
    if s.phase == OPENING:
        return R_NOT_OPEN  # D6
    hand = hand_in(s, seat, code)
    if s.gone[hand]:
        return R_GONE  # D10, D26
    if verb in (KEEP, BACK, LEAVE):
        return refusal_holding(s, hand, verb, code & PLACE_MASK)
    if s.holds[hand]:
        return R_HOLDS  # D7
    if verb == LOOK:
        return 0 if s.unlaid[hand] else R_STACK_USED  # D8
    if s.unlaid[hand]:
        return R_STACK_FIRST  # D8
    if other_stack_waits(s, hand):
        return R_BOTH_STACKS  # D25
    if verb == TAKE:
        return refusal_taking(s, hand, code & PLACE_MASK)
    return refusal_returning(s, hand, code) if verb == RETURN else R_NO_DECISION


@kernel
def refusal_holding(s: State, hand: int, verb: int, place: int) -> int:
    """D7 to D10: may this be done with the card in hand?"""
    if not s.holds[hand]:
        return R_HOLDS_NOTHING
    if verb == BACK:
        return R_NOT_FREE if has_card(s, place) else 0
    if verb == KEEP:
        return R_KEEPS_EXIT if s.held[hand] == EXIT else 0
    return 0 if s.held[hand] == EXIT else R_NO_EXIT


@kernel
def refusal_taking(s: State, hand: int, place: int) -> int:
    """D13: one may reach for a place that another hand has emptied, and comes too late."""
    if has_card(s, place):
        return 0
    if s.emptied_by[place] == NOTHING:
        return R_NEVER
    return R_EMPTIED if s.emptied_by[place] == hand else 0


@kernel
def refusal_returning(s: State, hand: int, code: int) -> int:
    """D11, D22, D24: may this card of the display go back?"""
    if s.keep_for_good:
        return R_FOR_GOOD
    if not s.display[hand] >> (code >> CARD_SHIFT & CARD_MASK) & 1:
        return R_NOT_SHOWN
    return R_NOT_FREE if has_card(s, code & PLACE_MASK) else 0


@kernel
def untimely(s: State, hand: int, now: int) -> int:
    """Check the time of a legal decision: 0, or the reason why it is refused."""
    if now < s.now:
        return R_PAST
    if s.deadline != NO_TIME and now > s.deadline:
        return R_LIMIT  # D30
    return R_PACE if now < s.ready_at[hand] else 0  # D29


@entry_point
def legal(table: RecordArray, seat: int, out: Words) -> int:
    """List all legal decisions of this seat: exactly those that ``refusal`` accepts. Returns their number.

    With calm pace (D29) a hand may have to wait until ``ready_at`` before it takes them.
    """
    s = table[0]
    n = 0
    if 0 <= seat < s.seats:
        each = hands_each(s.seats)
        for hand in range(seat * each, seat * each + each):
            n = list_hand(s, hand, out, n)
    return n


@entry_point
def legal_hand(table: RecordArray, hand: int, out: Words) -> int:
    """List the decisions of one hand."""
    return list_hand(table[0], hand, out, 0)


@kernel
def list_hand(s: State, hand: int, out: Words, n: int) -> int:
    """Add the decisions of one hand to a list of n; returns the new length."""
    side = side_of(s, hand) << HAND_SHIFT
    stance = stance_of(s, hand)
    if stance == OPENS:
        out[n] = OPEN_BUFFET
        return n + 1
    if stance == TURNS:
        out[n] = LOOK | side
        return n + 1
    if stance == WEIGHS:
        out[n] = (LEAVE if s.held[hand] == EXIT else KEEP) | side
        return list_free(s, BACK | side, out, n + 1)
    if stance == CHOOSES:
        return list_choices(s, hand, side, out, n)
    return n


@kernel
def list_free(s: State, code: int, out: Words, n: int) -> int:
    """Add a decision for every free place."""
    spot_of, heap_size = s.spot_of, s.heap_size
    for place in range(PLACES):
        out[n] = code | place  # always written, counted only if free: faster than a branch
        n += spot_of[place] >= heap_size
    return n


@kernel
def list_choices(s: State, hand: int, side: int, out: Words, n: int) -> int:
    """D9, D11, D13: taking a card, returning one, and coming too late."""
    spot_of, heap_size, emptied_by = s.spot_of, s.heap_size, s.emptied_by
    for place in range(PLACES):
        out[n] = TAKE | side | place
        n += spot_of[place] < heap_size
    if not s.keep_for_good:
        display = s.display[hand]
        for card in range(FOOD_CARDS):
            if display >> card & 1:
                n = list_free(s, RETURN | side | card << CARD_SHIFT, out, n)
    for place in range(PLACES):
        emptied = emptied_by[place]
        out[n] = TAKE | side | place
        n += spot_of[place] >= heap_size and emptied != NOTHING and emptied != hand
    return n
