"""The rules of buffet (Schlacht am Buffet, Martin Wallace), 3 to 6 players, as compiled functions over a flat state.

In short; docs/rules/buffet.md has every rule with its id:

- Material: 110 mouse cards (B1), 36 plates (B2) of six ranked dishes (B3), a ring of 40 fields (B4).
- Setup: nine cards each, all mice on the start field (B5).
- Round: plates are laid out, best left (B6). Turn: everybody still racing lays a card (B7); cards are revealed from the
  start token on and move the mice (B8, B9); a mouse alone at the back is out with the rightmost plate (B10, B11).
- The first one out may exchange cards (B12, B28); the start token moves on (B13); the last two duel for the last
  plate (B14); empty hands are filled (B15); plates cover plates of the same dish (B16).
- Between rounds hands are filled (B17, B18), the token goes to the winner's left (B19), mice go back (B20).
- End: too few plates left (B21); visible plates count (B22); ties (B23).
- Three players: five plates in two parts (B24-B27).

Options (settings): 0 start_seat, the first holder of the token, or -1 to leave it to chance (B5).

Every game has the same parts: state (state.py), legal (legal.py), setup, chance, act with its consequences and score
(here), observe and imagine (observation.py).
"""

from __future__ import annotations

import numpy as np

from tafelrunde.games.buffet.legal import *
from tafelrunde.games.buffet.observation import imagine as imagine
from tafelrunde.games.buffet.observation import observe as observe
from tafelrunde.games.buffet.state import *
from tafelrunde.games.kernel import *

# --- Setup -------------------------------------------------------------------------------------------------------


@entry_point
def setup(table: RecordArray, seats: int, settings: Words, logs: RecordArray) -> int:
    """B5: a new game, before the first shuffle."""
    s = table[0]
    s.seats = seats
    s.phase = SETUP
    s.number = 0
    s.part = 1
    s.start = settings[0]
    s.need = CHOOSE_START if s.start < 0 else SHUFFLE_MICE
    s.exchange = NOTHING
    s.waiting = 0
    s.left_size = 0
    for seat in range(MAX_SEATS):
        s.racing[seat] = 0
        s.at[seat] = 0
        s.laid[seat] = NOTHING
        s.owed[seat] = 0
        s.hand_size[seat] = 0
        fill(s.hand[seat], 0)
        fill(s.shown[seat], NOTHING)
    fill(s.discard, COPIES)  # B1: all cards lie together, like a discard pile waiting to be shuffled
    s.pile_top = 0
    s.pile_size = 0
    s.queue_at = 0
    s.queue_size = 0
    s.plates_top = 0
    s.layout_size = 0
    s.taken = 0
    return moment(s, logs[0])


@kernel
def moment(s: State, log: Log) -> int:
    """The moment word: who may act, or which chance is needed."""
    to_act = s.waiting if s.need == NO_CHANCE else 0
    if log.on:
        for seat in range(s.seats):
            log.menus[seat] = menu(s, seat) if to_act >> seat & 1 else 0
    return moment_word(to_act, s.need, s.phase == FINISHED, log)


@kernel
def menu(s: State, seat: int) -> int:
    """An id of the list of cards that a seat can lay: one bit for each. Exchanges have no id: there are too many."""
    cards = 0
    if s.racing[seat]:
        for card in range(CARD_KINDS):
            cards |= (s.hand[seat, card] > 0) << card
    return cards


@entry_point
def current_moment(table: RecordArray, logs: RecordArray) -> int:
    """The moment word of a state that was not reached by playing, like an imagined one."""
    return moment(table[0], logs[0])


# --- Chance ------------------------------------------------------------------------------------------------------


@entry_point
def offer(table: RecordArray, out: Words) -> int:
    """List the content of the pile to shuffle, or the values to choose from; returns their number."""
    s = table[0]
    n = 0
    if s.need == CHOOSE_START:
        for seat in range(s.seats):
            out[seat] = seat
        n = s.seats
    elif s.need == SHUFFLE_MICE:
        for card in range(CARD_KINDS):
            for _ in range(s.discard[card]):
                out[n] = card
                n += 1
    elif s.need == SHUFFLE_PLATES:
        for plate in range(PLATES):
            out[plate] = plate
        n = PLATES
    return n


@entry_point
def resume(table: RecordArray, order: Words, n: int, logs: RecordArray) -> int:
    """Continue with the chance that was needed: the pile in its new order (top first), or the chosen value first."""
    s = table[0]
    log = logs[0]
    if s.need == CHOOSE_START:
        s.start = order[0]
        log_choice(log, s.need, s.start)
        s.need = SHUFFLE_MICE
        return moment(s, log)
    log_shuffle(log, s.need, order, n)
    if s.need == SHUFFLE_MICE:
        copy(s.pile, order, n)
        s.pile_top = 0
        s.pile_size = n
        fill(s.discard, 0)
        s.need = SHUFFLE_PLATES if s.phase == SETUP else NO_CHANCE
    else:
        copy(s.plates, order, n)
        s.need = NO_CHANCE
        s.phase = ROUND
        for seat in range(s.seats):
            owe(s, seat, FULL_HAND)  # B5
    if s.need == NO_CHANCE:
        advance(s, log)
    return moment(s, log)


@entry_point
def fits(table: RecordArray, order: Words, n: int) -> bool:
    """Is this a possible outcome of the chance that is needed?"""
    s = table[0]
    if s.need == CHOOSE_START:
        return n >= 1 and 0 <= order[0] < s.seats
    if s.need == SHUFFLE_PLATES:
        return n == PLATES and all_plates(order)
    return all_discarded(s, order, n)


@kernel
def all_plates(order: Words) -> bool:
    """B2: every plate once."""
    seen = 0
    for i in range(PLATES):
        if not 0 <= order[i] < PLATES:
            return False
        seen |= 1 << order[i]
    return seen == (1 << PLATES) - 1


@kernel
def all_discarded(s: State, order: Words, n: int) -> bool:
    """B18: exactly the cards of the discard pile."""
    rest = n
    for card in range(CARD_KINDS):
        count = 0
        for i in range(n):
            count += order[i] == card
        if count != s.discard[card]:
            return False
        rest -= count
    return rest == 0


# --- Act ---------------------------------------------------------------------------------------------------------


@entry_point
def act(table: RecordArray, seat: int, code: int, now: int, logs: RecordArray) -> int:
    """Take a decision and carry out its consequences, up to the next decision or chance."""
    s = table[0]
    log = logs[0]
    reason = refusal(s, seat, code)
    if reason:
        return -reason
    log_decision(log, seat, code, now)
    if code < EXCHANGE:
        lay(s, seat, code - LAY)
    else:
        exchange(s, seat, code - EXCHANGE)
    advance(s, log)
    return moment(s, log)


@kernel
def lay(s: State, seat: int, card: int) -> None:
    """B7: lay a card face down."""
    s.hand[seat, card] -= 1
    s.hand_size[seat] -= 1
    s.laid[seat] = card
    s.waiting ^= 1 << seat


@kernel
def exchange(s: State, seat: int, counts: int) -> None:
    """B12: discard these cards and draw as many."""
    total = 0
    for card in range(CARD_KINDS):
        count = counts >> COUNT_BITS * card & COUNT_MASK
        s.hand[seat, card] -= count
        s.discard[card] += count
        total += count
    s.hand_size[seat] -= total
    s.exchange = NOTHING
    s.waiting ^= 1 << seat
    owe(s, seat, total)


@kernel
def owe(s: State, seat: int, count: int) -> None:
    """Queue a seat to draw this many cards."""
    if s.queue_at == s.queue_size:
        s.queue_at = 0
        s.queue_size = 0
    s.queue[s.queue_size] = seat
    s.queue_size += 1
    s.owed[seat] = count


@kernel
def advance(s: State, log: Log) -> None:
    """Carry out all consequences until somebody has to decide or chance is needed."""
    while draw_cards(s, log):
        if s.phase == ROUND:
            open_round(s, log)
        elif s.phase == TURN:
            open_turn(s)
        elif s.phase == LAYING and s.waiting == 0:
            reveal(s, log)
            end_turn(s, log)
        else:
            return


@kernel
def draw_cards(s: State, log: Log) -> bool:
    """Let all queued seats draw; returns False if the discard pile has to be shuffled first (B18)."""
    while s.queue_at < s.queue_size:
        seat = s.queue[s.queue_at]
        if s.owed[seat] == 0:
            s.queue_at += 1
            continue
        count = min(s.owed[seat], s.pile_size - s.pile_top)
        if count == 0:
            s.need = SHUFFLE_MICE
            return False
        top = s.pile_top
        for i in range(top, top + count):
            s.hand[seat, s.pile[i]] += 1
        if log.on:
            begin(log, V_DRAW, TABLE, NO_TIME)
            put(log, seat)
            for i in range(top, top + count):
                put(log, s.pile[i])
        s.pile_top += count
        s.hand_size[seat] += count
        s.owed[seat] -= count
    return True


@kernel
def open_round(s: State, log: Log) -> None:
    """B6, B20, B24, B26: lay out plates (in part two they are there already); all mice go to the start field."""
    if s.layout_size == 0:
        s.number += 1
        s.part = 1
        lay_out_plates(s)
    else:
        s.part = 2
    for seat in range(s.seats):
        s.racing[seat] = 1
        s.at[seat] = 0
    s.left_size = 0
    s.phase = TURN
    first = s.layout_size - 3 if s.seats == 3 and s.part == 1 else 0  # B25
    begin(log, V_ROUND, TABLE, NO_TIME)
    put(log, s.number)
    put(log, s.part)
    put(log, s.start)
    put(log, first)
    for i in range(s.layout_size):
        put(log, s.layout[i])


@kernel
def lay_out_plates(s: State) -> None:
    """B6: sorted by value, highest first; equal values by dish rank."""
    for _ in range(plates_per_round(s.seats)):
        plate = s.plates[s.plates_top]
        s.plates_top += 1
        i = s.layout_size
        while i > 0 and worth(s.layout[i - 1]) < worth(plate):
            s.layout[i] = s.layout[i - 1]
            i -= 1
        s.layout[i] = plate
        s.layout_size += 1


@kernel
def open_turn(s: State) -> None:
    """B7, B28: everybody racing has to lay. B15: empty hands draw nine, clockwise from the start token."""
    seat = s.start
    for _ in range(s.seats):
        if s.racing[seat]:
            s.waiting |= 1 << seat
            if s.hand_size[seat] == 0:
                owe(s, seat, FULL_HAND)
        seat = left_of(s, seat)
    s.phase = LAYING


@kernel
def reveal(s: State, log: Log) -> None:
    """B8, B9: clockwise from the start token, each card moves its mouse and goes to the discard pile."""
    seat = s.start
    for _ in range(s.seats):
        if s.racing[seat]:
            card = s.laid[seat]
            s.laid[seat] = NOTHING
            s.discard[card] += 1
            s.at[seat] += card - 1
            begin(log, V_REVEAL, TABLE, NO_TIME)
            put(log, seat)
            put(log, card)
            put(log, s.at[seat])
        seat = left_of(s, seat)


@kernel
def end_turn(s: State, log: Log) -> None:
    """B10, B11, B14, B25, B27: a mouse alone at the back is out; with two left, that decides the race."""
    last = NOTHING
    alone = True
    for seat in range(s.seats):
        if s.racing[seat]:
            if last == NOTHING or s.at[seat] < s.at[last]:
                last = seat
                alone = True
            elif s.at[seat] == s.at[last]:
                alone = False
    s.phase = TURN
    if not alone:
        return  # B11, and B14's tie
    if racers(s) == 2:
        decide_duel(s, last, log)
        return
    go_out(s, last, take_plate(s, last), log)
    if s.left_size == 1 and s.part == 1:
        s.exchange = last  # B12; not in part two: B27
        s.waiting |= 1 << last
    if s.start == last:
        pass_token(s, log)


@kernel
def go_out(s: State, seat: int, plate: int, log: Log) -> None:
    """B10: a mouse leaves the track."""
    leave(s, seat)
    begin(log, V_OUT, TABLE, NO_TIME)
    put(log, seat)
    put(log, plate)


@kernel
def leave(s: State, seat: int) -> None:
    """B17: note the order in which mice leave the track."""
    s.racing[seat] = 0
    s.left[s.left_size] = seat
    s.left_size += 1


@kernel
def take_plate(s: State, seat: int) -> int:
    """B10, B16: the rightmost plate goes to this seat, on top of its stack; returns the plate."""
    s.layout_size -= 1
    plate = s.layout[s.layout_size]
    s.taken_plate[s.taken] = plate
    s.taken_seat[s.taken] = seat
    s.taken += 1
    s.shown[seat, dish_of(plate)] = plate
    return plate


@kernel
def pass_token(s: State, log: Log) -> None:
    """B13: the start token goes clockwise to the next one still racing."""
    while not s.racing[s.start]:
        s.start = left_of(s, s.start)
    begin(log, V_START, TABLE, NO_TIME)
    put(log, s.start)


@kernel
def decide_duel(s: State, loser: int, log: Log) -> None:
    """B14: the loser gets nothing, or in part one with three players the middle plate (B25)."""
    part_one_of_three = s.seats == 3 and s.part == 1
    go_out(s, loser, take_plate(s, loser) if part_one_of_three else NOTHING, log)
    winner = 0
    while not s.racing[winner]:
        winner += 1
    leave(s, winner)
    begin(log, V_WIN, TABLE, NO_TIME)
    put(log, winner)
    put(log, take_plate(s, winner))
    s.phase = ROUND
    if part_one_of_three:
        return  # B26: nobody draws, the token stays
    s.start = left_of(s, winner)  # B19
    if s.number == rounds_of(s.seats):
        finish(s, log)
    else:
        for i in range(s.left_size):  # B17
            owe(s, s.left[i], FULL_HAND - s.hand_size[s.left[i]])


@kernel
def finish(s: State, log: Log) -> None:
    """B21: the game is over."""
    s.phase = FINISHED
    if log.on:
        standings = np.empty(MAX_SEATS, np.int64)
        begin(log, V_END, TABLE, NO_TIME)
        for seat in range(s.seats):
            standings[seat] = standing(s, seat)
            put(log, points(s, seat))
        for seat in range(s.seats):
            put(log, place_among(standings, s.seats, seat))


# --- Score -------------------------------------------------------------------------------------------------------


@kernel
def points(s: State, seat: int) -> int:
    """B22: the sum of the visible plates."""
    total = 0
    for dish in range(DISHES):
        if s.shown[seat, dish] != NOTHING:
            total += value_of(s.shown[seat, dish])
    return total


@kernel
def best_plate(s: State, seat: int) -> int:
    """B23: the most valuable visible plate, or NOTHING."""
    best = NOTHING
    for dish in range(DISHES):
        plate = s.shown[seat, dish]
        if plate != NOTHING and (best == NOTHING or worth(plate) > worth(best)):
            best = plate
    return best


@kernel
def standing(s: State, seat: int) -> int:
    """B22, B23: a number to rank players by: the points first, then the best visible plate, if any."""
    best = best_plate(s, seat)
    return points(s, seat) * (PLATES + 1) + (0 if best == NOTHING else 1 + worth(best))


@entry_point
def score(table: RecordArray, scores: Words, places: Words) -> None:
    """The current points and places."""
    s = table[0]
    for seat in range(s.seats):
        scores[seat] = standing(s, seat)
    for seat in range(s.seats):
        places[seat] = place_among(scores, s.seats, seat)
    for seat in range(s.seats):
        scores[seat] = points(s, seat)
