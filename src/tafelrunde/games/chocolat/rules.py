"""The rules of chocolat (Maus au Chocolat, Christian Fiore and Knut Happel), 2 to 6 players, over a flat state.

In short; docs/rules/chocolat.md has every rule with its id:

- Material: 80 ingredient cards (C1) with a snack value and coins (C2), 7 helpers (C3).
- Setup: five cards each (C4), a market of one card more than players (C5), a helper each, the rest beside the pantry
  seat (C6).
- Round: the market is filled (C7, C14); everybody lays a card face down (C8); the most coins draft first, two cards for
  the one laid (C9); from the highest helper down everybody may lay out one combination (C10), which keeps some of its
  cards as points (C11) and must leave a card in hand (C12); helpers are passed on (C13).
- Once a round each may use the own helper's power (C15).
- End: somebody has reached the target, or the market can not be filled (C14, C16).

Options (settings): 0 pantry_seat, or -1 to leave it to chance (C6); 1 target (C16); then the powers of the ranks 1 to 7
and the 80 cards of the deck, lowest first, or NOTHING for a deck that only the first shuffle reveals.

Every game has the same parts: state (state.py), legal (legal.py), setup, chance, act with its consequences and score
(here), observe and imagine (observation.py).
"""

from __future__ import annotations

from tafelrunde.games.chocolat.legal import *
from tafelrunde.games.chocolat.observation import imagine as imagine
from tafelrunde.games.chocolat.observation import observe as observe
from tafelrunde.games.chocolat.state import *
from tafelrunde.games.kernel import *

# --- Setup -------------------------------------------------------------------------------------------------------


@entry_point
def setup(table: RecordArray, seats: int, settings: Words, logs: RecordArray) -> int:
    """A new game, before the first shuffle."""
    s = table[0]
    s.seats = seats
    s.phase = SETUP
    s.number = 0
    s.pantry = settings[0]
    s.target = settings[1]
    s.need = CHOOSE_PANTRY if s.pantry < 0 else SHUFFLE_INGREDIENTS
    s.waiting = 0
    s.turn = 0
    s.digger = NOTHING
    s.power[0] = NOTHING
    for rank in range(1, HELPERS + 1):
        s.power[rank] = settings[POWERS_AT + rank - 1]
    for seat in range(MAX_SEATS):
        s.order[seat] = NOTHING
        s.helper[seat] = 0
        s.used[seat] = 0
        s.played[seat] = NOTHING
        s.coins[seat] = 0
        s.hand_size[seat] = 0
        s.points[seat] = 0
        s.laid[seat] = NOTHING
        s.bold[seat] = 0
        fill(s.hand[seat], NOTHING)
    fill(s.spare, NOTHING)
    fill(s.market, NOTHING)
    s.market_size = 0
    s.pile_left = 0
    s.discard_size = 0
    s.kept_size = 0
    s.known_size = 0
    for i in range(CARDS):
        s.pile[i] = NOTHING
        s.discard[i] = NOTHING
        s.kept_card[i] = NOTHING
        s.kept_seat[i] = NOTHING
        s.known_card[i] = NOTHING
        s.known_seat[i] = NOTHING
        s.deck[i] = settings[POWERS_AT + HELPERS + i]
    return moment(s, logs[0])


@kernel
def moment(s: State, log: Log) -> int:
    """The moment word: who may act, or which chance is needed."""
    return moment_word(s.waiting if s.need == NO_CHANCE else 0, s.need, s.phase == FINISHED, log)


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
    if s.need == CHOOSE_PANTRY:
        n = s.seats
        for seat in range(n):
            out[seat] = seat
    elif s.need == SHUFFLE_HELPERS:
        n = HELPERS
        for rank in range(1, n + 1):
            out[rank - 1] = rank
    elif s.need == SHUFFLE_INGREDIENTS and s.phase != SETUP:
        n = s.discard_size
        copy(out, s.discard, n)
    elif s.need == SHUFFLE_INGREDIENTS and s.deck[0] != NOTHING:
        n = CARDS
        copy(out, s.deck, n)
    return n


@entry_point
def resume(table: RecordArray, order: Words, n: int, logs: RecordArray) -> int:
    """Continue with the chance that was needed: the pile in its new order (top first), or the chosen value first."""
    s = table[0]
    log = logs[0]
    if s.need == CHOOSE_PANTRY:
        s.pantry = order[0]
        log_choice(log, s.need, s.pantry)
        s.need = SHUFFLE_INGREDIENTS
        return moment(s, log)
    log_shuffle(log, s.need, order, n)
    if s.need == SHUFFLE_HELPERS:
        s.need = NO_CHANCE
        hand_out_helpers(s, order, log)
        open_round(s, log)
    else:
        for i in range(n):
            s.pile[i] = order[n - 1 - i]
        s.pile_left = n
        s.discard_size = 0
        s.need = NO_CHANCE
        if s.phase == SETUP:
            deal(s, log)
            s.need = SHUFFLE_HELPERS
        elif s.phase == TURNING_UP:
            fill_market(s, log)
        else:
            draw_for_digger(s, log)
    return moment(s, log)


@entry_point
def fits(table: RecordArray, order: Words, n: int) -> bool:
    """Is this a possible outcome of the chance that is needed?"""
    s = table[0]
    if s.need == CHOOSE_PANTRY:
        return n >= 1 and 0 <= order[0] < s.seats
    if s.need == SHUFFLE_HELPERS:
        return n == HELPERS and each_rank_once(order)
    if s.phase != SETUP:
        return n == s.discard_size and same_cards(order, s.discard, n)
    if n != CARDS:
        return False
    return within_limits(order) if s.deck[0] == NOTHING else same_cards(order, s.deck, n)


@kernel
def each_rank_once(order: Words) -> bool:
    """C3: are these all helpers?"""
    seen = 0
    for i in range(HELPERS):
        if not 1 <= order[i] <= HELPERS:
            return False
        seen |= 1 << order[i]
    return seen == (1 << HELPERS + 1) - 2


@kernel
def same_cards(one: Words, other: Words, n: int) -> bool:
    """Are these the same cards, in any order?"""
    for i in range(n):
        surplus = 0
        for j in range(n):
            surplus += one[j] == one[i]
            surplus -= other[j] == one[i]
        if surplus:
            return False
    return True


@kernel
def within_limits(order: Words) -> bool:
    """C1, C2: could these be the cards of a deck?"""
    for ingredient in range(INGREDIENTS):
        count = 0
        for i in range(CARDS):
            card = order[i]
            if not 0 <= card < KINDS:
                return False
            if ingredient_of(card) == ingredient:
                count += 1
                if not LEAST_COINS[ingredient] <= coins_of(card) <= MOST_COINS[ingredient]:
                    return False
        if count != OF_EACH:
            return False
    return True


@kernel
def deal(s: State, log: Log) -> None:
    """C4: deal five cards each. If the deck was unknown, the first shuffle has revealed it."""
    if s.deck[0] == NOTHING:
        for i in range(CARDS):
            j = i
            while j > 0 and s.deck[j - 1] > s.pile[i]:
                s.deck[j] = s.deck[j - 1]
                j -= 1
            s.deck[j] = s.pile[i]
    for seat in range(s.seats):
        draw(s, seat, DEALT, log)


@kernel
def draw(s: State, seat: int, count: int, log: Log) -> None:
    """Draw cards from the top of the pile; nobody else sees them."""
    begin(log, V_DRAW, TABLE, NO_TIME)
    put(log, seat)
    for _ in range(count):
        card = next_card(s)
        add_to_hand(s, seat, card)
        put(log, card)


@kernel
def next_card(s: State) -> int:
    s.pile_left -= 1
    return s.pile[s.pile_left]


@kernel
def hand_out_helpers(s: State, order: Words, log: Log) -> None:
    """C6: one helper for each seat, the others beside the pantry seat."""
    for i in range(HELPERS):
        if i < s.seats:
            s.helper[i] = order[i]
        else:
            s.spare[i - s.seats] = order[i]
    log_helpers(s, log)


@kernel
def log_helpers(s: State, log: Log) -> None:
    begin(log, V_HELPERS, TABLE, NO_TIME)
    put(log, s.seats)
    for seat in range(s.seats):
        put(log, s.helper[seat])
    for i in range(HELPERS - s.seats):
        put(log, s.spare[i])


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
    verb = code >> VERB_SHIFT << VERB_SHIFT
    if verb == LAY:
        lay(s, seat, code, log)
    elif verb == DRAFT:
        draft(s, seat, code)
        end_turn(s, log)
    elif verb == DIG_CARD:
        dig(s, seat, card_in(code, 0), log)
    elif verb == FETCH_CARD:
        fetch(s, seat, card_in(code, 0), log)
    else:
        if verb == COMBINE:
            combine(s, seat, code)
        end_turn(s, log)
    return moment(s, log)


# --- A round -----------------------------------------------------------------------------------------------------


@kernel
def open_round(s: State, log: Log) -> None:
    """C5, C7: begin a round by filling the market."""
    s.number += 1
    for seat in range(s.seats):
        s.used[seat] = 0
    begin(log, V_ROUND, TABLE, NO_TIME)
    put(log, s.number)
    s.phase = TURNING_UP
    fill_market(s, log)


@kernel
def fill_market(s: State, log: Log) -> None:
    """C5, C7: one card more than players. If the pile runs out, the discards are shuffled first."""
    while s.market_size <= s.seats:
        if s.pile_left == 0:
            s.need = SHUFFLE_INGREDIENTS
            return
        put_on_market(s, next_card(s))
    left = 0 if s.number == 1 else 1  # C14
    begin(log, V_MARKET, TABLE, NO_TIME)
    put(log, left)
    for i in range(s.market_size):
        put(log, s.market[i])
    s.phase = LAYING
    s.waiting = (1 << s.seats) - 1


@kernel
def put_on_market(s: State, card: int) -> None:
    s.market[s.market_size] = card
    s.market_size += 1


@kernel
def take_from_market(s: State, card: int) -> None:
    """Remove a card from the market; of equal cards the first one."""
    i = 0
    while s.market[i] != card:
        i += 1
    s.market_size -= 1
    while i < s.market_size:
        s.market[i] = s.market[i + 1]
        i += 1
    s.market[i] = NOTHING


@kernel
def lay(s: State, seat: int, code: int, log: Log) -> None:
    """C8: lay a card face down; C15: with or without the cockroach. After the last one all cards are revealed."""
    take_from_hand(s, seat, card_in(code, 0))
    s.laid[seat] = card_in(code, 0)
    s.bold[seat] = part_of(code, RANK_SHIFT) > 0
    s.waiting ^= 1 << seat
    if s.waiting == 0:
        reveal(s, log)


@kernel
def reveal(s: State, log: Log) -> None:
    """C9: reveal all cards; the most coins draft first, then the higher helper."""
    for seat in range(s.seats):
        s.played[seat] = s.laid[seat]
        s.laid[seat] = NOTHING
        s.used[seat] = s.bold[seat]
        s.bold[seat] = 0
        s.coins[seat] = coins_of(s.played[seat]) + COINS_MORE * s.used[seat]  # C15
        forget(s, seat, s.played[seat])
    begin_turns(s, DRAFTING)
    for i in range(s.seats):
        seat = s.order[i]
        begin(log, V_REVEAL, TABLE, NO_TIME)
        put(log, seat)
        put(log, s.played[seat])
        put(log, s.coins[seat])
        put(log, s.helper[seat] if s.used[seat] else 0)


@kernel
def begin_turns(s: State, phase: int) -> None:
    """Set the order of turns. C9: by coins, then by helper. C10: by helper alone."""
    s.phase = phase
    for seat in range(s.seats):
        i = seat
        while i > 0 and urgency(s, s.order[i - 1]) < urgency(s, seat):
            s.order[i] = s.order[i - 1]
            i -= 1
        s.order[i] = seat
    s.turn = 0
    s.waiting = 1 << s.order[0]


@kernel
def urgency(s: State, seat: int) -> int:
    """C9, C10: a number to sort turns by, highest first."""
    return (s.coins[seat] if s.phase == DRAFTING else 0) * (HELPERS + 1) + s.helper[seat]


@kernel
def end_turn(s: State, log: Log) -> None:
    """Pass the turn to the next seat; after the last one begin the next phase."""
    s.turn += 1
    if s.turn < s.seats:
        s.waiting = 1 << s.order[s.turn]
        return
    s.waiting = 0
    if s.phase == DRAFTING:
        begin_turns(s, SCORING)
    elif is_last_round(s):
        finish(s, log)
    else:
        pass_on(s, log)
        open_round(s, log)


@kernel
def draft(s: State, seat: int, code: int) -> None:
    """C9: swap the played card for cards of the market; C15: with the hamster one more of each."""
    taken = 3 if part_of(code, RANK_SHIFT) else 2
    for place in range(taken):
        card = card_in(code, place)
        take_from_market(s, card)
        add_to_hand(s, seat, card)
        remember(s, seat, card)
    put_on_market(s, s.played[seat])
    s.played[seat] = NOTHING
    if taken == 3:
        s.used[seat] = 1
        give_up(s, seat, card_in(code, 3))
        put_on_market(s, card_in(code, 3))


@kernel
def give_up(s: State, seat: int, card: int) -> None:
    """Remove a card from a hand, openly."""
    take_from_hand(s, seat, card)
    forget(s, seat, card)


# --- Scoring -----------------------------------------------------------------------------------------------------


@kernel
def put_on_discard(s: State, card: int) -> None:
    s.discard[s.discard_size] = card
    s.discard_size += 1


@kernel
def dig(s: State, seat: int, card: int, log: Log) -> None:
    """C15: the mole discards a card and draws one, which nobody else sees."""
    s.used[seat] = 1
    give_up(s, seat, card)
    put_on_discard(s, card)
    s.digger = seat
    if s.pile_left == 0:
        s.need = SHUFFLE_INGREDIENTS
    else:
        draw_for_digger(s, log)


@kernel
def draw_for_digger(s: State, log: Log) -> None:
    draw(s, s.digger, 1, log)
    s.digger = NOTHING


@kernel
def fetch(s: State, seat: int, card: int, log: Log) -> None:
    """C15: the dung beetle exchanges a card for the top of the discard pile."""
    s.used[seat] = 1
    give_up(s, seat, card)
    gained = s.discard[s.discard_size - 1]
    s.discard[s.discard_size - 1] = card
    add_to_hand(s, seat, gained)
    remember(s, seat, gained)
    begin(log, V_GAIN, TABLE, NO_TIME)
    put(log, seat)
    put(log, gained)


@kernel
def combine(s: State, seat: int, code: int) -> None:
    """C11: kept cards count their printed values, the others go to the discard pile."""
    if part_of(code, RANK_SHIFT):
        s.used[seat] = 1
    kept = part_of(code, KEPT_SHIFT)
    place = 0
    while place < 4 and card_in(code, place) >= 0:
        card = card_in(code, place)
        give_up(s, seat, card)
        if place < kept:
            s.kept_card[s.kept_size] = card
            s.kept_seat[s.kept_size] = seat
            s.kept_size += 1
            s.points[seat] += value_of(card)
        else:
            put_on_discard(s, card)
        place += 1


@kernel
def pass_on(s: State, log: Log) -> None:
    """C13: helpers move one seat left; the pantry seat's joins the spare ones at the right, the leftmost leaves."""
    spares = HELPERS - s.seats
    leftmost = s.spare[0]
    for i in range(spares - 1):
        s.spare[i] = s.spare[i + 1]
    s.spare[spares - 1] = s.helper[s.pantry]
    seat = s.pantry
    for _ in range(s.seats - 1):  # from the pantry seat counterclockwise, each gets its right neighbour's helper
        right = seat - 1 if seat else s.seats - 1
        s.helper[seat] = s.helper[right]
        seat = right
    s.helper[seat] = leftmost
    log_helpers(s, log)


# --- Score -------------------------------------------------------------------------------------------------------


@kernel
def is_last_round(s: State) -> bool:
    """C16: has somebody reached the target? C14: or can the market not be filled any more?"""
    if s.pile_left + s.discard_size < s.seats:
        return True
    for seat in range(s.seats):
        if s.points[seat] >= s.target:
            return True
    return False


@kernel
def standing(s: State, seat: int) -> int:
    """C16: a number to rank players by: the points first, then the helper."""
    return s.points[seat] * (HELPERS + 1) + s.helper[seat]


@kernel
def finish(s: State, log: Log) -> None:
    """C16: the game is over."""
    s.phase = FINISHED
    if log.on:
        begin(log, V_END, TABLE, NO_TIME)
        for seat in range(s.seats):
            put(log, s.points[seat])
        for seat in range(s.seats):
            place = 1
            for other in range(s.seats):
                place += standing(s, other) > standing(s, seat)
            put(log, place)


@entry_point
def score(table: RecordArray, scores: Words, places: Words) -> None:
    """The current points and places."""
    s = table[0]
    for seat in range(s.seats):
        scores[seat] = standing(s, seat)
    for seat in range(s.seats):
        places[seat] = place_among(scores, s.seats, seat)
    for seat in range(s.seats):
        scores[seat] = s.points[seat]
