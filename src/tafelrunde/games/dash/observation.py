"""Views of dash, and full states that are consistent with a view."""

from __future__ import annotations

import numpy as np

from tafelrunde.games.dash.state import *
from tafelrunde.games.kernel import *

# --- Observe -----------------------------------------------------------------------------------------------------


@entry_point
def observe(table: RecordArray, seat: int, view: RecordArray) -> None:
    """Fill in the view of this seat; seat -1 is a spectator. Only what it may see is copied.

    D12: a seat knows a face-down or held card if it has seen it and could follow it since then. The view remembers
    these cards, as a good player would.
    """
    copy(view.view(np.int64), table.view(np.int64), OPEN_WORDS)
    s = table[0]
    v = view[0]
    v.seat = seat
    v.hand = -1
    bit = seat if seat >= 0 else SPECTATOR
    for hand in range(MAX_HANDS):
        known = s.holds[hand] == 0 or s.held_known[hand] >> bit & 1 == 1
        v.held[hand] = s.held[hand] if known else UNKNOWN
    for place in range(PLACES):
        known = s.spot_of[place] >= s.heap_size or s.known[place] >> bit & 1 == 1
        v.face[place] = s.face[place] if known else UNKNOWN


# --- Imagine -----------------------------------------------------------------------------------------------------

# Slots number all spots where an unseen card may be: at a place, in a hand, or in a stack
IN_HAND = PLACES
IN_STACK = PLACES + MAX_HANDS
SLOTS = IN_STACK + MAX_HANDS * MAX_STACK


@entry_point
def imagine(view: RecordArray, streams: RecordArray, table: RecordArray) -> None:
    """A random full state with exactly this view; exit cards only go where they can be (D14)."""
    copy(table.view(np.int64), view.view(np.int64), OPEN_WORDS)
    v = view[0]
    s = table[0]
    copy(s.held, v.held, MAX_HANDS)
    copy(s.face, v.face, PLACES)
    for spot in range(PLACES):
        s.spot_of[s.spots[spot]] = spot
    for hand in range(MAX_HANDS):
        fill(s.stack[hand], NOTHING)
    slots = np.empty(SLOTS, np.int64)
    cards = np.empty(FOOD_CARDS + EXITS, np.int64)
    open_slots = find_open_slots(s, slots)
    exits = unseen_exits(s)
    shuffle(streams[0], slots, open_slots)
    n = find_food_slots(s, slots, open_slots)
    foods = unseen_foods(s, cards)
    shuffle(streams[0], cards, foods)
    for i in range(n):
        put_in(s, slots[i], EXIT if i < exits else cards[i - exits])


@kernel
def find_open_slots(s: State, slots: Words) -> int:
    """List the slots of unseen cards that may be exit cards; returns their number."""
    n = 0
    for place in range(PLACES):
        slots[n] = place
        n += s.face[place] == UNKNOWN and not s.known[place] & SURELY_FOOD
    for hand in range(s.hands):
        slots[n] = IN_HAND + hand
        n += s.held[hand] == UNKNOWN and not s.held_known[hand] & SURELY_FOOD
    return n


@kernel
def find_food_slots(s: State, slots: Words, n: int) -> int:
    """Add the slots of unseen cards that are certainly food (D14) to a list of n; returns the new length."""
    for place in range(PLACES):
        if s.face[place] == UNKNOWN and s.known[place] & SURELY_FOOD:
            slots[n] = place
            n += 1
    for hand in range(s.hands):
        if s.held[hand] == UNKNOWN and s.held_known[hand] & SURELY_FOOD:
            slots[n] = IN_HAND + hand
            n += 1
        size = stack_of(s.seats)
        for i in range(size - stack_left(s, hand), size):
            slots[n] = IN_STACK + hand * MAX_STACK + i
            n += 1
    return n


@kernel
def unseen_exits(s: State) -> int:
    """The number of exit cards that this seat has not seen; none before the heap is laid out (D14)."""
    exits = 0 if s.phase == SETUP else s.exits_left
    for place in range(PLACES):
        exits -= s.face[place] == EXIT
    for hand in range(s.hands):
        exits -= s.held[hand] == EXIT
    return exits


@kernel
def unseen_foods(s: State, cards: Words) -> int:
    """List the food cards that this seat does not know the position of; returns their number."""
    seen = 0
    for hand in range(s.hands):
        seen |= s.display[hand]
        if 0 <= s.held[hand] < FOOD_CARDS:
            seen |= 1 << s.held[hand]
    for place in range(PLACES):
        if 0 <= s.face[place] < FOOD_CARDS:
            seen |= 1 << s.face[place]
    n = 0
    for card in range(FOOD_CARDS):
        cards[n] = card
        n += not seen >> card & 1
    return n


@kernel
def put_in(s: State, slot: int, card: int) -> None:
    """Put a card into a slot."""
    if slot < IN_HAND:
        s.face[slot] = card
    elif slot < IN_STACK:
        s.held[slot - IN_HAND] = card
    else:
        s.stack[(slot - IN_STACK) // MAX_STACK, (slot - IN_STACK) % MAX_STACK] = card
