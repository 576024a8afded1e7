"""Views of chocolat, and full states that are consistent with a view."""

from __future__ import annotations

import numpy as np

from tafelrunde.games.chocolat.state import *
from tafelrunde.games.kernel import *

# --- Observe -----------------------------------------------------------------------------------------------------


@entry_point
def observe(table: RecordArray, seat: int, view: RecordArray) -> None:
    """Fill in the view of this seat; seat -1 is a spectator. Only what it may see is copied."""
    copy(view.view(np.int64), table.view(np.int64), OPEN_WORDS)
    s = table[0]
    v = view[0]
    v.seat = seat
    v.laid = NOTHING
    v.bold = 0
    if seat >= 0:
        copy(v.hand, s.hand[seat], CARDS)
        v.laid = s.laid[seat]
        v.bold = s.bold[seat]
    else:
        fill(v.hand, NOTHING)
    for other in range(MAX_SEATS):
        v.has_laid[other] = s.laid[other] != NOTHING  # C8: others see that a card lies there, not which


# --- Imagine -----------------------------------------------------------------------------------------------------


@entry_point
def imagine(view: RecordArray, streams: RecordArray, table: RecordArray) -> None:
    """A random full state with exactly this view: hidden cards are dealt out from the unseen ones."""
    copy(table.view(np.int64), view.view(np.int64), OPEN_WORDS)
    v = view[0]
    s = table[0]
    stream = streams[0]
    unseen = np.empty(CARDS, np.int64)
    n = unseen_cards(v, unseen)
    shuffle(stream, unseen, n)
    for seat in range(MAX_SEATS):
        s.laid[seat] = NOTHING
        s.bold[seat] = 0
        fill(s.hand[seat], NOTHING)
        if seat == v.seat:
            copy(s.hand[seat], v.hand, CARDS)
            s.laid[seat] = v.laid
            s.bold[seat] = v.bold
        elif seat < v.seats:
            n = imagine_hand(v, seat, stream, s, unseen, n)
    fill(s.pile, NOTHING)
    copy(s.pile, unseen, v.pile_left)


@kernel
def unseen_cards(v: View, unseen: Words) -> int:
    """List the cards of the deck whose position this seat does not know; returns their number."""
    copy(unseen, v.deck, CARDS)
    n = CARDS
    for i in range(v.market_size):
        n = strike(unseen, n, v.market[i])
    for i in range(v.discard_size):
        n = strike(unseen, n, v.discard[i])
    for i in range(v.kept_size):
        n = strike(unseen, n, v.kept_card[i])
    for i in range(v.known_size):
        if v.known_seat[i] != v.seat:
            n = strike(unseen, n, v.known_card[i])
    for seat in range(v.seats):
        n = strike(unseen, n, v.played[seat])
    for i in range(CARDS):
        n = strike(unseen, n, v.hand[i])
    return strike(unseen, n, v.laid)


@kernel
def strike(unseen: Words, n: int, card: int) -> int:
    """Remove a seen card from the list; returns how many are left."""
    if card == NOTHING:
        return n
    i = 0
    while unseen[i] != card:
        i += 1
    unseen[i] = unseen[n - 1]
    return n - 1


@kernel
def imagine_hand(v: View, seat: int, stream: Stream, s: State, unseen: Words, n: int) -> int:
    """Fill a hand: its known cards, then unseen ones; any may be the face-down card. Returns how many are left."""
    size = v.hand_size[seat] + v.has_laid[seat]
    s.hand_size[seat] = 0
    for i in range(v.known_size):
        if v.known_seat[i] == seat:
            add_to_hand(s, seat, v.known_card[i])
    while s.hand_size[seat] < size:
        n -= 1
        add_to_hand(s, seat, unseen[n])
    if v.has_laid[seat]:
        s.laid[seat] = s.hand[seat, below(stream, size)]
        take_from_hand(s, seat, s.laid[seat])
        if v.power[v.helper[seat]] == COINS:
            s.bold[seat] = below(stream, 2)
    return n
