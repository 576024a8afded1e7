"""Constants of chocolat and the layout of its state, a flat record of integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.kernel import ENTRY_HEAD, FIRST_VERB, VERB_SHIFT, kernel

VERSION = 1
MIN_SEATS, MAX_SEATS = 2, 6

INGREDIENTS = 5  # C1: eggs 0, fruit 1, nuts 2, chocolate 3, sugar 4
OF_EACH = 16  # C1
CARDS = INGREDIENTS * OF_EACH
LEAST_VALUE, MOST_VALUE = 3, 7  # C2
VALUES = MOST_VALUE - LEAST_VALUE + 1
LEAST_COINS, MOST_COINS = (1, 2, 3, 3, 1), (6, 7, 8, 8, 4)  # C2, by ingredient
COIN_STEPS = 8
KINDS = VALUES * INGREDIENTS * COIN_STEPS  # the code of a card is its kind: value, then ingredient, then coins
DEALT = 5  # C4
MARKET = MAX_SEATS + 2  # C5, and one more from the hamster

HELPERS = 7  # C3: ranks 1 ... 7
FOUR, COLOUR, VALUE, THREE, DIG, FETCH, COINS = range(1, HELPERS + 1)  # C15: powers; the deck says who has which
COINS_MORE = 3  # C15
POWERS_AT = 2  # index in the settings: after the options come the powers by rank, then the cards

NOTHING = -1  # no card, nobody

# Phases
SETUP, TURNING_UP, LAYING, DRAFTING, SCORING, FINISHED = range(6)

# Chances
NO_CHANCE, CHOOSE_PANTRY, SHUFFLE_INGREDIENTS, SHUFFLE_HELPERS = range(4)
MAX_CHANCE = CARDS

# Verbs in the log
V_DRAW, V_HELPERS, V_ROUND, V_MARKET, V_REVEAL, V_GAIN = range(FIRST_VERB, FIRST_VERB + 6)

# Decision codes: below the verb up to four cards, eight bits each (kind + 1; 0: none), and the use of the helper.
#   lay, dig, fetch   the card
#   draft             two or three cards to take, lowest first; with three, the fourth card is given
#   combine           the kept cards, lowest first, then the others in the order in which they are discarded
LAY, DRAFT, DIG_CARD, FETCH_CARD, COMBINE, PASS = (verb << VERB_SHIFT for verb in range(1, 7))
CARD_BITS, CARD_MASK = 8, 255
RANK_SHIFT = 32  # the helper that is used, or 0
KEPT_SHIFT = 36  # combine: how many cards are kept
CHANGED_SHIFT = 40  # combine: 1 + the place of the card that a helper changes, or 0
AS_SHIFT = 44  # combine: 1 + the ingredient that it counts as, or 0
CODE_END = 48
SMALL_MASK = 15  # the size of each of these four
LEGAL_ROOM = 1024  # enough for hands of people; larger hands may need more

# An upper limit for what one call adds to the log: the deal after the first shuffle
MAX_WORDS = 2 * CARDS + MAX_SEATS * (DEALT + 4 * ENTRY_HEAD) + 16 * ENTRY_HEAD

# Refusals (negative answers of act)
R_OVER, R_WAIT, R_NO_DECISION, R_NO_SEAT = range(1, 5)
R_NOT_LAYING, R_LAID, R_NOT_DRAFTING, R_DRAFTS_LATER, R_NOT_SCORING, R_SCORES_LATER = range(5, 11)
R_NOT_HELD, R_NOT_ON_MARKET, R_NOT_GIVEN = range(11, 14)
R_OTHER_HELPER, R_HELPER_USED, R_OTHER_POWER, R_TOO_FEW, R_NO_DISCARD = range(14, 19)
R_FOUR_CARDS, R_CHANGED, R_SAME_COLOUR, R_NO_EIGHT = range(19, 23)
R_NOT_IN_HAND, R_NO_COMBINATION, R_LAST_CARD, R_KEPT_COUNT, R_KEPT_WRONG = range(23, 28)

# What everybody sees. It comes first in the state and in every view, so that it can be copied as one block.
OPEN = [
    ("seats", "i8"),
    ("phase", "i8"),
    ("need", "i8"),  # the chance needed before play goes on
    ("number", "i8"),  # the round, from 1
    ("pantry", "i8"),  # C6: the seat beside the spare helpers, or -1 before it is known
    ("target", "i8"),  # C16
    ("waiting", "i8"),  # one bit for each seat that has to decide
    ("order", "i8", MAX_SEATS),  # C9, C10: who drafts, who scores, first to last
    ("turn", "i8"),  # how many of them are done
    ("digger", "i8"),  # C15: who still has to draw for the mole, or NOTHING
    ("power", "i8", HELPERS + 1),  # C15: the power of each rank
    ("helper", "i8", MAX_SEATS),  # the rank each seat holds
    ("used", "i8", MAX_SEATS),  # C15: 1 once it was openly used in this round
    ("spare", "i8", HELPERS),  # C6: leftmost first
    ("market", "i8", MARKET),  # oldest first
    ("market_size", "i8"),
    ("played", "i8", MAX_SEATS),  # C9: the revealed card of a seat that has not drafted yet, or NOTHING
    ("coins", "i8", MAX_SEATS),  # C9: the coins that it counts
    ("hand_size", "i8", MAX_SEATS),
    ("pile_left", "i8"),
    ("discard", "i8", CARDS),  # the top card last
    ("discard_size", "i8"),
    ("kept_card", "i8", CARDS),  # C11: every victory card so far, in order ...
    ("kept_seat", "i8", CARDS),  # ... and whose it is
    ("kept_size", "i8"),
    ("points", "i8", MAX_SEATS),  # C11
    ("known_card", "i8", CARDS),  # cards that everybody saw go to a hand and that are still there ...
    ("known_seat", "i8", CARDS),  # ... and whose hand; a face-down card still counts as in the hand
    ("known_size", "i8"),
    ("deck", "i8", CARDS),  # all cards of the deck, lowest first; NOTHING before they are known
]
OPEN_WORDS = np.dtype(OPEN).itemsize // 8

STATE = np.dtype(
    [
        *OPEN,
        ("laid", "i8", MAX_SEATS),  # C8: the face-down card, or NOTHING
        ("bold", "i8", MAX_SEATS),  # C15: 1 if the cockroach lies under it
        ("hand", "i8", (MAX_SEATS, CARDS)),  # lowest first
        ("pile", "i8", CARDS),  # the draw pile, its top last
    ]
)

VIEW = np.dtype(
    [
        *OPEN,
        ("seat", "i8"),  # whose view it is; -1: a spectator's
        ("hand", "i8", CARDS),  # the own hand, lowest first
        ("laid", "i8"),  # the own face-down card, or NOTHING
        ("bold", "i8"),  # and whether the cockroach lies under it
        ("has_laid", "i8", MAX_SEATS),
    ]
)

State = Any  # a record of layout STATE; Numba knows the fields, the type checker can not
View = Any  # a record of layout VIEW


# --- Material ----------------------------------------------------------------------------------------------------


def snack_value(card: int) -> int:
    """C2: the value, for which a card counts."""
    return LEAST_VALUE + card // (INGREDIENTS * COIN_STEPS)


value_of = kernel(snack_value)  # the plain function is for the notation


@kernel
def ingredient_of(card: int) -> int:
    return card // COIN_STEPS % INGREDIENTS


@kernel
def coins_of(card: int) -> int:
    return 1 + card % COIN_STEPS


# --- Decision codes ----------------------------------------------------------------------------------------------


@kernel
def card_in(code: int, place: int) -> int:
    """The card at one of the four places of a code, or NOTHING."""
    return (code >> CARD_BITS * place & CARD_MASK) - 1


@kernel
def part_of(code: int, shift: int) -> int:
    """One of the four small numbers of a code."""
    return code >> shift & SMALL_MASK


@kernel
def pack_cards(a: int, b: int, c: int, d: int) -> int:
    """Up to four cards as part of a code; NOTHING for none."""
    return a + 1 | b + 1 << CARD_BITS | c + 1 << 2 * CARD_BITS | d + 1 << 3 * CARD_BITS


# --- Hands -------------------------------------------------------------------------------------------------------


@kernel
def copies_in_hand(s: State, seat: int, card: int) -> int:
    count = 0
    for i in range(s.hand_size[seat]):
        count += s.hand[seat, i] == card
    return count


@kernel
def add_to_hand(s: State, seat: int, card: int) -> None:
    """Add a card; hands are sorted, so that equal cards and equal values are together."""
    i = s.hand_size[seat]
    while i > 0 and s.hand[seat, i - 1] > card:
        s.hand[seat, i] = s.hand[seat, i - 1]
        i -= 1
    s.hand[seat, i] = card
    s.hand_size[seat] += 1


@kernel
def take_from_hand(s: State, seat: int, card: int) -> None:
    """Remove a card; the rest of the array stays NOTHING, so that equal hands are equal bytes."""
    i = 0
    while s.hand[seat, i] != card:
        i += 1
    size = s.hand_size[seat] - 1
    s.hand_size[seat] = size
    while i < size:
        s.hand[seat, i] = s.hand[seat, i + 1]
        i += 1
    s.hand[seat, size] = NOTHING


@kernel
def remember(s: State, seat: int, card: int) -> None:
    """Note that everybody has seen this card go to a hand."""
    s.known_card[s.known_size] = card
    s.known_seat[s.known_size] = seat
    s.known_size += 1


@kernel
def forget(s: State, seat: int, card: int) -> None:
    """Remove a card that has openly left a hand from the known ones."""
    i = 0
    while i < s.known_size and (s.known_card[i] != card or s.known_seat[i] != seat):
        i += 1
    if i == s.known_size:
        return
    s.known_size -= 1
    while i < s.known_size:
        s.known_card[i] = s.known_card[i + 1]
        s.known_seat[i] = s.known_seat[i + 1]
        i += 1
    s.known_card[i] = NOTHING
    s.known_seat[i] = NOTHING
