"""What a seat of buffet sees, and full states that it can not tell from the real one."""

from __future__ import annotations

import numpy as np

from tafelrunde.games.buffet.state import *
from tafelrunde.games.kernel import *

# --- Observe -----------------------------------------------------------------------------------------------------


@entry_point
def observe(table: RecordArray, seat: int, view: RecordArray) -> None:
    """What this seat may see, built up from permitted pieces; seat -1 is a spectator."""
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
        v.has_laid[other] = s.laid[other] != NOTHING  # B7: that a card lies there, not which
    v.pile_left = s.pile_size - s.pile_top


# --- Imagine -----------------------------------------------------------------------------------------------------


@entry_point
def imagine(view: RecordArray, streams: RecordArray, table: RecordArray) -> None:
    """A full state that gives exactly this view: what is hidden is dealt out at random from what nobody has shown."""
    copy(table.view(np.int64), view.view(np.int64), OPEN_WORDS)
    imagine_cards(view[0], streams[0], table[0])
    imagine_plates(view[0], streams[0], table[0])


@kernel
def imagine_cards(v: View, stream: Stream, s: State) -> None:
    """Deal the unseen cards to the other hands, the cards lying face down and the draw pile."""
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
    """Plates that have not been turned up lie in the pile in any order; the order of the others no longer matters."""
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
    i = to
    while s.plates[i] != plate:
        i += 1
    s.plates[i], s.plates[to] = s.plates[to], s.plates[i]
