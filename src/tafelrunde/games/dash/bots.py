"""Bots for dash.

``random`` picks what to do, then with which card and where, all equally likely.

``greedy`` collects without doubles: it keeps every card that fits its display, takes fitting cards whose place it
knows, and otherwise looks at cards that it has not seen. With enough cards it looks for an exit and leaves. How many
are enough depends on how many cards could still fit, how many exits are left and how many others are about to leave. It
remembers every card that it has seen and could follow since then, because its view does.
"""

from __future__ import annotations

from tafelrunde.games.dash.legal import stance_of
from tafelrunde.games.dash.state import *
from tafelrunde.games.kernel import *

NAMES = ("random", "greedy")
RANDOM, GREEDY = range(2)

WAIT = 0  # no decision now

ABOUT_TO_GO = 25  # others whose display is worth this much look for an exit too; tuned by playing against itself


@kernel
def asked_hand(v: View) -> int:
    """The hand that has to decide: the one that was asked, or the seat's first one that may act."""
    if v.hand >= 0:
        return v.hand
    first = v.seat * hands_each(v.seats)
    return first if stance_of(v, first) != WAITS or v.seats > 2 else first + 1


@kernel
def free_place(v: View, stream: Stream) -> int:
    """A random free place on the heap."""
    return v.spots[v.heap_size + below(stream, PLACES - v.heap_size)]


@kernel
def decide(kind: int, v: View, choices: Words, n: int, stream: Stream) -> int:
    """The decision of a bot for one hand, from its view and its random stream; ``choices`` is not used."""
    hand = asked_hand(v)
    stance = stance_of(v, hand)
    if stance == OPENS:
        return OPEN_BUFFET
    if stance == WEIGHS:
        code = random_weigh(v, hand, stream) if kind == RANDOM else greedy_weigh(v, hand, stream)
    elif stance == CHOOSES:
        code = random_choose(v, hand, stream) if kind == RANDOM else greedy_choose(v, hand, stream)
    else:
        code = LOOK if stance == TURNS else WAIT
    return code | side_of(v, hand) << HAND_SHIFT if code else WAIT


@release_gil
def choose(kind: int, view: RecordArray, choices: Words, n: int, streams: RecordArray) -> int:
    """``decide`` for callers in Python."""
    return decide(kind, view[0], choices, n, streams[0])


# --- random ------------------------------------------------------------------------------------------------------


@kernel
def random_weigh(v: View, hand: int, stream: Stream) -> int:
    if below(stream, 2):
        return LEAVE if v.held[hand] == EXIT else KEEP
    return BACK | free_place(v, stream)


@kernel
def random_choose(v: View, hand: int, stream: Stream) -> int:
    shown = 0 if v.keep_for_good else count_bits(v.display[hand])
    if v.heap_size and (shown == 0 or below(stream, 2)):
        return TAKE | v.spots[below(stream, v.heap_size)]
    if shown == 0:
        return WAIT
    return RETURN | nth_card(v.display[hand], below(stream, shown)) << CARD_SHIFT | free_place(v, stream)


@kernel
def nth_card(display: int, n: int) -> int:
    """The n-th card of a display, from 0."""
    card = 0
    while True:
        if display >> card & 1:
            if n == 0:
                return card
            n -= 1
        card += 1


# --- greedy ------------------------------------------------------------------------------------------------------


@kernel
def fitting_cards(display: int) -> int:
    """D18: the food cards that double nothing in this display, one bit each."""
    blocked = 0
    drinks = 0
    for food in range(KINDS):
        row = row_of(display, food)
        drinks |= row
        if row:
            blocked |= ROW << KINDS * food
    return ALL_FOOD & ~(blocked | drinks * COLUMN)


@kernel
def is_enough(v: View, hand: int) -> bool:
    """Is it time to leave? Compares what could be lost with what could be won.

    To lose: the square of the number of cards (D19), at a risk that grows with the rivals about to leave. To win: what
    one more card adds, with a chance that grows with the cards that still fit and the exits that are left. If no card
    fits, there is no reason to stay.
    """
    rivals = 0
    shown = 0
    for other in range(v.hands):
        shown |= v.display[other]
        rivals += other != hand and v.gone[other] == 0 and points_of(v.display[other], True) >= ABOUT_TO_GO
    cards = count_bits(v.display[hand])
    fitting = count_bits(fitting_cards(v.display[hand]) & ~shown)
    return fitting == 0 or cards * cards * (1 + rivals) > (2 * cards + 1) * fitting * v.exits_left


@kernel
def greedy_weigh(v: View, hand: int, stream: Stream) -> int:
    card = v.held[hand]
    if card == EXIT:
        return LEAVE if is_enough(v, hand) else BACK | free_place(v, stream)
    return BACK | free_place(v, stream) if doubles(v.display[hand], card) else KEEP


@kernel
def greedy_choose(v: View, hand: int, stream: Stream) -> int:
    """Take a known card that helps, otherwise an unknown one."""
    leaving = is_enough(v, hand)
    fitting = NOTHING
    exit_at = NOTHING
    for i in range(v.heap_size):
        card = v.face[v.spots[i]]
        if card == EXIT:
            exit_at = v.spots[i]
        elif card != UNKNOWN and not doubles(v.display[hand], card):
            fitting = v.spots[i]
    if leaving and exit_at != NOTHING:
        return TAKE | exit_at
    if fitting != NOTHING:
        return TAKE | fitting
    place = unseen_place(v, SURELY_FOOD if leaving else 0, stream)
    if place == NOTHING:
        place = exit_at if exit_at != NOTHING else unseen_place(v, 0, stream)
    return WAIT if place == NOTHING else TAKE | place


@kernel
def unseen_place(v: View, without: int, stream: Stream) -> int:
    """A random place with a card that this seat has not seen and that is not marked ``without``, or NOTHING."""
    n = 0
    for i in range(v.heap_size):
        n += may_hide(v, v.spots[i], without)
    if n == 0:
        return NOTHING
    n = below(stream, n)
    for i in range(v.heap_size):
        if may_hide(v, v.spots[i], without):
            if n == 0:
                return v.spots[i]
            n -= 1
    return NOTHING


@kernel
def may_hide(v: View, place: int, without: int) -> bool:
    """Is the card at this place unknown and without this mark?"""
    return v.face[place] == UNKNOWN and v.known[place] & without == 0
