"""Views of buffet, and full states that are consistent with a view."""

from __future__ import annotations

import numpy as np

from tafelrunde.games.buffet.state import *
from tafelrunde.games.kernel import *

# --- Observe -----------------------------------------------------------------------------------------------------


@entry_point
def observe(table: RecordArray, seat: int, view: RecordArray) -> None:
    """Fill in the view of this seat; seat -1 is a spectator. Only what it may see is copied."""
    copy(view.view(np.int64), table.view(np.int64), OPEN_WORDS)
    s = table[0]
    v = view[0]
    v.seat = seat
    fill(v.hand, 0)
    v.laid = NOTHING
    if seat >= 0:
        copy(v.hand, s.hand[seat], CARD_KINDS)
        v.laid = s.laid[seat]
    for other in range(MAX_SEATS):
        v.has_laid[other] = s.laid[other] != NOTHING  # B7: others see that a card lies there, not which
    v.pile_left = s.pile_size - s.pile_top


# --- Imagine -----------------------------------------------------------------------------------------------------


@entry_point
def imagine(view: RecordArray, streams: RecordArray, table: RecordArray) -> None:
    """A random full state with exactly this view: hidden cards and plates are dealt out from the unseen ones."""
    copy(table.view(np.int64), view.view(np.int64), OPEN_WORDS)
    imagine_cards(view[0], streams[0], table[0])
    imagine_plates(view[0], streams[0], table[0])


@kernel
def imagine_cards(v: View, stream: Stream, s: State) -> None:
    """Deal the unseen cards to the other hands, the face-down cards and the draw pile."""
    unseen = np.empty(CARDS, np.int64)
    n = 0
    for card in range(CARD_KINDS):
        known = v.discard[card] + v.hand[card] + (v.laid == card)
        for _ in range(COPIES - known):
            unseen[n] = card
            n += 1
    shuffle(stream, unseen, n)
    for seat in range(MAX_SEATS):
        fill(s.hand[seat], 0)
        s.laid[seat] = NOTHING
    for seat in range(v.seats):
        if seat == v.seat:
            copy(s.hand[seat], v.hand, CARD_KINDS)
            s.laid[seat] = v.laid
            continue
        if v.has_laid[seat]:
            n -= 1
            s.laid[seat] = unseen[n]
        for _ in range(v.hand_size[seat]):
            n -= 1
            s.hand[seat, unseen[n]] += 1
    s.pile_top = 0
    s.pile_size = v.pile_left
    copy(s.pile, unseen, v.pile_left)


@kernel
def imagine_plates(v: View, stream: Stream, s: State) -> None:
    """Shuffle the plates that have not been turned up; the order of the others no longer matters."""
    for plate in range(PLATES):
        s.plates[plate] = plate
    seen = 0
    for i in range(v.taken):
        bring_forward(s, seen, v.taken_plate[i])
        seen += 1
    for i in range(v.layout_size):
        bring_forward(s, seen, v.layout[i])
        seen += 1
    for i in range(PLATES - 1, seen, -1):
        j = seen + below(stream, i - seen + 1)
        s.plates[i], s.plates[j] = s.plates[j], s.plates[i]


@kernel
def bring_forward(s: State, to: int, plate: int) -> None:
    """Swap a plate to this index of the pile."""
    i = to
    while s.plates[i] != plate:
        i += 1
    s.plates[i], s.plates[to] = s.plates[to], s.plates[i]
