"""The rules of dash (Ich bin dann mal weg!, Chu-Lan Kao), 2 to 10 players in real time, over a flat state.

In short; docs/rules/dash.md has every rule with its id:

- Material: 49 food cards, 7 foods by 7 drinks (D1), exit cards (D2, D3).
- Setup of a round: a small stack for everybody (D4), all other cards face down on a heap with places (D5, D14); one
  player opens the buffet (D6).
- Everybody at once, one hand and one card at a time (D7): first the own stack (D8), then the heap (D9); a card is kept
  or put back, an exit card ends the round for its player (D10); cards of the display may go back (D11, D22). Everybody
  sees where cards are taken and put, not what they are (D12). Who comes too late has taken nothing (D13).
- End: the last exit card (D15); the display counts (D16-D20); target and number of rounds (D21).
- Two players have two hands with a stack, a display and points each (D23-D28).
- Calm pace (D29) and a time limit (D30). The caller passes the time, in milliseconds; rules have no clock.

Options (settings): 0 target, 1 keep_for_good, 2 pace_ms, 3 round_limit_s, 4 max_rounds, 5 first_opener (-1: chance).

Every game has the same parts: state (state.py), legal (legal.py), setup, chance, act with its consequences and score
(here), observe and imagine (observation.py). A game in real time also has hands with a stance, and a deadline.
"""

from __future__ import annotations

from tafelrunde.games.dash.legal import *
from tafelrunde.games.dash.observation import imagine as imagine
from tafelrunde.games.dash.observation import observe as observe
from tafelrunde.games.dash.state import *
from tafelrunde.games.kernel import *

# --- Setup -------------------------------------------------------------------------------------------------------


@entry_point
def setup(table: RecordArray, seats: int, settings: Words, logs: RecordArray) -> int:
    """A new game, before the first shuffle."""
    s = table[0]
    s.seats = seats
    s.hands = seats * hands_each(seats)
    s.target = settings[0]
    s.keep_for_good = settings[1]
    s.pace = settings[2]
    s.limit = settings[3] * 1000
    s.max_rounds = settings[4]
    s.opener = settings[5]
    s.number = 0
    s.reached = 0
    s.now = 0
    fill(s.totals, 0)
    clear(s)
    if s.opener < 0:
        s.need = CHOOSE_OPENER
    else:
        begin_round(s, logs[0])
    return moment(s, logs[0])


@entry_point
def current_moment(table: RecordArray, logs: RecordArray) -> int:
    """The moment word of a state that was not reached by playing, like an imagined one."""
    return moment(table[0], logs[0])


@kernel
def moment(s: State, log: Log) -> int:
    """The moment word: who may act, or which chance is needed."""
    return moment_word(s.waiting, s.need, s.phase == FINISHED, log)


@kernel
def clear(s: State) -> None:
    """Clear the table before a round."""
    s.phase = SETUP
    s.waiting = 0
    s.deadline = NO_TIME
    s.exits_left = exits_of(s.seats)  # D3, D23
    s.heap_size = 0
    for hand in range(MAX_HANDS):
        s.unlaid[hand] = 0
        s.holds[hand] = 0
        s.held_known[hand] = 0
        s.ready_at[hand] = 0
        s.gone[hand] = 0
        s.display[hand] = 0
        s.held[hand] = NOTHING
        fill(s.stack[hand], NOTHING)
    for place in range(PLACES):
        s.spots[place] = place
        s.spot_of[place] = place
        s.emptied_by[place] = NOTHING
        s.known[place] = 0
        s.face[place] = NOTHING


@kernel
def begin_round(s: State, log: Log) -> None:
    """D6: the opener is announced before the cards are shuffled."""
    clear(s)
    s.number += 1
    s.need = SHUFFLE_FOOD
    begin(log, V_ROUND, TABLE, NO_TIME)
    put(log, s.number)
    put(log, s.opener)


# --- Chance ------------------------------------------------------------------------------------------------------


@entry_point
def offer(table: RecordArray, out: Words) -> int:
    """List the content of the pile to shuffle, or the values to choose from; returns their number."""
    s = table[0]
    if s.need == CHOOSE_OPENER:
        for seat in range(s.seats):
            out[seat] = seat
        return s.seats
    dealt = dealt_cards(s)
    n = 0
    for card in range(FOOD_CARDS):
        if not dealt >> card & 1:
            out[n] = card
            n += 1
    if s.need == SHUFFLE_HEAP:
        for _ in range(s.exits_left):  # D14: added after dealing
            out[n] = EXIT
            n += 1
    return n if s.need != NO_CHANCE else 0


@kernel
def dealt_cards(s: State) -> int:
    """The food cards in the stacks, one bit each."""
    dealt = 0
    for hand in range(s.hands):
        for i in range(s.unlaid[hand]):
            dealt |= 1 << s.stack[hand, i]
    return dealt


@entry_point
def resume(table: RecordArray, order: Words, n: int, logs: RecordArray) -> int:
    """Continue with the chance that was needed: the pile in its new order (top first), or the chosen value first."""
    s = table[0]
    log = logs[0]
    if s.need == CHOOSE_OPENER:
        s.opener = order[0]
        log_choice(log, s.need, s.opener)
        begin_round(s, log)
        return moment(s, log)
    log_shuffle(log, s.need, order, n)
    if s.need == SHUFFLE_FOOD:
        deal(s, order, log)
        s.need = SHUFFLE_HEAP
    else:
        copy(s.face, order, n)  # D5: the card order[i] lies at place i
        s.heap_size = n
        s.need = NO_CHANCE
        s.phase = OPENING
        s.waiting = 1 << s.opener
    return moment(s, log)


@kernel
def deal(s: State, order: Words, log: Log) -> None:
    """D4, D23: a small stack for each hand, unseen."""
    size = stack_of(s.seats)
    for hand in range(s.hands):
        s.unlaid[hand] = size
        begin_at(s, log, V_DEAL, hand)
        for i in range(size):
            s.stack[hand, i] = order[hand * size + i]
            put(log, s.stack[hand, i])


@kernel
def begin_at(s: State, log: Log, verb: int, hand: int) -> None:
    """Begin the log entry of a consequence for one hand."""
    begin(log, verb, TABLE, NO_TIME)
    put(log, seat_of(s, hand))
    put(log, side_of(s, hand))


@entry_point
def fits(table: RecordArray, order: Words, n: int) -> bool:
    """Is this a possible outcome of the chance that is needed?"""
    s = table[0]
    if s.need == CHOOSE_OPENER:
        return n >= 1 and 0 <= order[0] < s.seats
    seen = dealt_cards(s)
    exits = 0
    for i in range(n):
        card = order[i]
        if card == EXIT:
            exits += 1
        elif 0 <= card < FOOD_CARDS and not seen >> card & 1:
            seen |= 1 << card
        else:
            return False
    return seen == ALL_FOOD and exits == (s.exits_left if s.need == SHUFFLE_HEAP else 0)


# --- Act ---------------------------------------------------------------------------------------------------------


@entry_point
def act(table: RecordArray, seat: int, code: int, now: int, logs: RecordArray) -> int:
    """Take a decision and carry out its consequences; NO_TIME is the earliest possible moment (D29)."""
    s = table[0]
    log = logs[0]
    reason = refusal(s, seat, code)
    if reason:
        return -reason
    hand = hand_in(s, seat, code)
    if now == NO_TIME:
        now = max(s.now, s.ready_at[hand])
    reason = untimely(s, hand, now)
    if reason:
        return -reason
    s.now = now
    log_decision(log, seat, code, now)
    carry_out(s, seat, hand, code, log)
    return moment(s, log)


@kernel
def carry_out(s: State, seat: int, hand: int, code: int, log: Log) -> None:
    """Carry out a legal decision."""
    verb = code >> VERB_SHIFT << VERB_SHIFT
    place = code & PLACE_MASK
    if verb == TAKE:
        take(s, seat, hand, place, log)
    elif verb == BACK:
        put_back(s, hand, place)
    elif verb == KEEP:
        keep(s, hand, log)
    elif verb == RETURN:
        give_back(s, hand, code >> CARD_SHIFT & CARD_MASK, place)
    elif verb == LOOK:
        look_at_top(s, seat, hand, log)
    elif verb == LEAVE:
        leave(s, seat, hand, log)
    else:
        open_buffet(s)


@kernel
def open_buffet(s: State) -> None:
    """D6: from now on everybody may act. D30: the time limit starts."""
    s.phase = EATING
    s.waiting = (1 << s.seats) - 1
    if s.limit:
        s.deadline = s.now + s.limit


@kernel
def look_at_top(s: State, seat: int, hand: int, log: Log) -> None:
    """D8: take the top card of the own stack into the hand."""
    top = stack_of(s.seats) - s.unlaid[hand]
    card = s.stack[hand, top]
    s.stack[hand, top] = NOTHING
    see(s, seat, hand, card, SURELY_FOOD, log)  # D14


@kernel
def see(s: State, seat: int, hand: int, card: int, known: int, log: Log) -> None:
    """D9, D12: take a card into the hand and look at it; ``known`` is who knew it before."""
    s.held[hand] = card
    s.holds[hand] = 1
    s.held_known[hand] = known | 1 << seat
    s.ready_at[hand] = s.now + s.pace  # D29
    begin_at(s, log, V_SEE, hand)
    put(log, card)


@kernel
def take(s: State, seat: int, hand: int, place: int, log: Log) -> None:
    """D9, D13: take the card, or come too late and take nothing."""
    if not has_card(s, place):
        begin_at(s, log, V_LATE, hand)
        put(log, place)
        return
    card = s.face[place]
    known = s.known[place]
    s.face[place] = NOTHING
    s.known[place] = 0
    s.emptied_by[place] = hand
    s.heap_size -= 1
    swap_spots(s, place, s.heap_size)
    see(s, seat, hand, card, known, log)


@kernel
def lay_down(s: State, place: int, card: int, known: int) -> None:
    """D5, D12: put a card face down at a place; who knew it still does."""
    s.face[place] = card
    s.known[place] = known
    swap_spots(s, place, s.heap_size)
    s.heap_size += 1


@kernel
def swap_spots(s: State, place: int, spot: int) -> None:
    """Swap a place to this index of ``spots``."""
    other = s.spots[spot]
    s.spots[s.spot_of[place]] = other
    s.spot_of[other] = s.spot_of[place]
    s.spots[spot] = place
    s.spot_of[place] = spot


@kernel
def let_go(s: State, hand: int) -> int:
    """D7: empty the hand; returns its card."""
    card = s.held[hand]
    s.held[hand] = NOTHING
    s.holds[hand] = 0
    s.held_known[hand] = 0
    if s.unlaid[hand]:
        s.unlaid[hand] -= 1  # D8: it came from the own stack
    return card


@kernel
def put_back(s: State, hand: int, place: int) -> None:
    """D8, D9, D10: put the card in hand face down on the heap."""
    known = s.held_known[hand]
    lay_down(s, place, let_go(s, hand), known)


@kernel
def keep(s: State, hand: int, log: Log) -> None:
    """D8, D9: put the card in hand into the own display."""
    card = let_go(s, hand)
    s.display[hand] |= 1 << card
    begin_at(s, log, V_SHOW, hand)
    put(log, card)


@kernel
def give_back(s: State, hand: int, card: int, place: int) -> None:
    """D11: put a card of the display face down on the heap; everybody has seen it (D12)."""
    s.display[hand] ^= 1 << card
    lay_down(s, place, card, EVERYBODY | SURELY_FOOD)


@kernel
def leave(s: State, seat: int, hand: int, log: Log) -> None:
    """D10, D26: this hand is finished. D15: the last exit card ends the round."""
    let_go(s, hand)
    s.gone[hand] = 1
    s.exits_left -= 1
    if s.seats > 2 or s.gone[hand ^ 1]:
        s.waiting ^= 1 << seat
    if s.exits_left == 0:
        end_round(s, BY_EXITS, NO_TIME, log)


# --- Time --------------------------------------------------------------------------------------------------------


@entry_point
def deadline(table: RecordArray) -> int:
    """D30: the last moment at which a decision counts, or NO_TIME."""
    return table[0].deadline


@entry_point
def lapse(table: RecordArray, now: int, logs: RecordArray) -> int:
    """D30: end the round because its time has run out."""
    s = table[0]
    if s.deadline == NO_TIME or now < s.deadline:
        return -R_NOT_YET
    s.now = now
    end_round(s, BY_LIMIT, now, logs[0])
    return moment(s, logs[0])


# --- Score -------------------------------------------------------------------------------------------------------


@kernel
def end_round(s: State, why: int, now: int, log: Log) -> None:
    """D15 to D20, D27: score every display, then begin another round or end the game."""
    begin(log, V_SCORE, TABLE, now)
    put(log, why)
    put(log, s.hands)
    for hand in range(s.hands):
        points = points_of(s.display[hand], s.gone[hand])
        s.totals[seat_of(s, hand)] += points
        put(log, points)
    for seat in range(s.seats):
        put(log, s.totals[seat])
    if is_decided(s):
        finish(s, log)
    else:
        s.opener = s.opener + 1 if s.opener + 1 < s.seats else 0  # D6
        begin_round(s, log)


@kernel
def is_decided(s: State) -> bool:
    """D21, D28: is the game over after this round?"""
    for seat in range(s.seats):
        if s.totals[seat] >= s.target:
            s.reached = 1
    if s.max_rounds and s.number >= s.max_rounds:
        return True
    return s.reached == 1 and (s.seats > 2 or s.totals[0] != s.totals[1])


@kernel
def finish(s: State, log: Log) -> None:
    """D21: the game is over; the table stays as it is."""
    s.phase = FINISHED
    s.waiting = 0
    s.deadline = NO_TIME
    begin(log, V_END, TABLE, NO_TIME)
    for seat in range(s.seats):
        put(log, s.totals[seat])
    for seat in range(s.seats):
        put(log, place_among(s.totals, s.seats, seat))


@entry_point
def score(table: RecordArray, scores: Words, places: Words) -> None:
    """The current points and places."""
    s = table[0]
    for seat in range(s.seats):
        scores[seat] = s.totals[seat]
        places[seat] = place_among(s.totals, s.seats, seat)
