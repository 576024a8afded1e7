"""Constants of dash and the layout of its state, a flat record of integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.kernel import ENTRY_HEAD, FIRST_VERB, VERB_SHIFT, kernel

VERSION = 1
MIN_SEATS, MAX_SEATS = 2, 10
MAX_HANDS = 10  # D7, D24: everybody has one hand, two players have two each; seat by seat, left before right

KINDS = 7  # D1: seven foods, seven drinks; the code of a food card is food * 7 + drink
FOOD_CARDS = KINDS * KINDS
EXITS = 5  # D2
EXIT = FOOD_CARDS  # exit cards are all alike
PLACES = 64  # D5: more than there are cards, so that one is always free
MAX_STACK = 3  # D4, D23

NOTHING = -9  # no card, nobody
UNKNOWN = -8  # in a view: a card whose face this seat does not know

# Phases: cards are laid out, the opener has to open (D6), the buffet is open, the game is over
SETUP, OPENING, EATING, FINISHED = range(4)

# Chances
NO_CHANCE, CHOOSE_OPENER, SHUFFLE_FOOD, SHUFFLE_HEAP = range(4)
MAX_CHANCE = FOOD_CARDS + EXITS

# Verbs in the log
V_ROUND, V_DEAL, V_SEE, V_LATE, V_SHOW, V_SCORE = range(FIRST_VERB, FIRST_VERB + 6)

# Why a round ended
BY_EXITS, BY_LIMIT = range(2)  # D15, D30

# Decision codes: the verb above bit 56; below it the hand (0: the only one, 1: left, 2: right), the card, the place
HAND_SHIFT, CARD_SHIFT = 48, 8
SIDE_MASK, CARD_MASK, PLACE_MASK = 3, 63, 63
OPEN_BUFFET = 1 << VERB_SHIFT
LOOK = 2 << VERB_SHIFT
TAKE = 3 << VERB_SHIFT
KEEP = 4 << VERB_SHIFT
BACK = 5 << VERB_SHIFT
LEAVE = 6 << VERB_SHIFT
RETURN = 7 << VERB_SHIFT

# The longest list: a hand that has kept all food cards can return each of them to each free place
LEGAL_ROOM = MAX_CHANCE + FOOD_CARDS * PLACES + PLACES

# An upper limit for what one call adds to the log: a shuffle with all deals
MAX_WORDS = MAX_CHANCE + MAX_HANDS * (MAX_STACK + 2 + ENTRY_HEAD) + 16 * ENTRY_HEAD

# Refusals (negative answers of act and lapse)
R_OVER, R_WAIT, R_NOT_OPEN, R_NOT_OPENER, R_OPENED, R_GONE, R_HOLDS, R_HOLDS_NOTHING = range(1, 9)
R_STACK_USED, R_STACK_FIRST, R_BOTH_STACKS, R_NEVER, R_EMPTIED, R_NOT_FREE = range(9, 15)
R_KEEPS_EXIT, R_NO_EXIT, R_FOR_GOOD, R_NOT_SHOWN, R_PACE, R_LIMIT, R_PAST = range(15, 22)
R_WHICH_HAND, R_ONE_HAND, R_NO_DECISION, R_NO_SEAT, R_NOT_YET = range(22, 27)
OVERTAKEN = R_NOT_FREE  # the only refusal of a decision that was legal when the hand began to move

# Who knows a card (D12), one bit each: seats, spectators; and a bit if all know that it is food (D14)
SPECTATOR = MAX_SEATS
EVERYBODY = (1 << SPECTATOR + 1) - 1
SURELY_FOOD = 1 << SPECTATOR + 1

# What everybody sees. It comes first in the state and in every view, so that it can be copied as one block.
# Everybody sees who looks at which card, so who knows which card is open too; only the faces are hidden.
OPEN = [
    ("seats", "i8"),
    ("hands", "i8"),  # D24: four with two players, else one each
    ("phase", "i8"),
    ("need", "i8"),  # the chance needed before play goes on
    ("number", "i8"),  # the round, from 1
    ("opener", "i8"),  # D6, or -1 before it is known
    ("waiting", "i8"),  # one bit for each seat that may act
    ("now", "i8"),  # the time of the last decision, in milliseconds
    ("deadline", "i8"),  # D30: the last moment of this round, or NO_TIME
    ("exits_left", "i8"),  # D15: exit cards that nobody has kept yet
    ("target", "i8"),  # D21, D28
    ("keep_for_good", "i8"),  # D22
    ("pace", "i8"),  # D29, in milliseconds
    ("limit", "i8"),  # D30, in milliseconds
    ("max_rounds", "i8"),  # D21
    ("reached", "i8"),  # D28: 1 once somebody has reached the target; then the first difference decides
    ("totals", "i8", MAX_SEATS),  # D20
    ("unlaid", "i8", MAX_HANDS),  # D8: cards of the own stack that are not laid yet, including one in hand
    ("holds", "i8", MAX_HANDS),  # D7: 1 while a card is in hand
    ("held_known", "i8", MAX_HANDS),  # who knows the card in hand
    ("ready_at", "i8", MAX_HANDS),  # D29: this hand can not decide before
    ("gone", "i8", MAX_HANDS),  # D10: 1 once this hand has kept an exit card
    ("display", "i8", MAX_HANDS),  # one bit for each food card
    ("heap_size", "i8"),
    ("spots", "i8", PLACES),  # all places, those with a card first: makes it fast to pick a random one of either kind
    ("emptied_by", "i8", PLACES),  # D13: which hand emptied this place last, or NOTHING
    ("known", "i8", PLACES),  # who knows the card at this place
]
OPEN_WORDS = np.dtype(OPEN).itemsize // 8

STATE = np.dtype(
    [
        *OPEN,
        ("stack", "i8", (MAX_HANDS, MAX_STACK)),  # top first; NOTHING for cards that have been taken
        ("held", "i8", MAX_HANDS),  # the card in hand, or NOTHING
        ("face", "i8", PLACES),  # the card at each place, or NOTHING
        ("spot_of", "i8", PLACES),  # the index of each place in spots
    ]
)

VIEW = np.dtype(
    [
        *OPEN,
        ("seat", "i8"),  # whose view it is; -1: a spectator's
        ("hand", "i8"),  # which hand is asked for a decision, or -1: any
        ("held", "i8", MAX_HANDS),  # the card in hand, UNKNOWN or NOTHING
        ("face", "i8", PLACES),  # the card at each place, UNKNOWN or NOTHING
    ]
)

State = Any  # a record of layout STATE; Numba knows the fields, the type checker can not
View = Any  # a record of layout VIEW


# --- Material ----------------------------------------------------------------------------------------------------


@kernel
def hands_each(seats: int) -> int:
    """D7, D24: the number of hands of each player."""
    return 2 if seats == 2 else 1


def exits_for(seats: int) -> int:
    """D3, D23: the number of exit cards in the game."""
    return 3 if seats == 2 else min(seats - 1, EXITS)


exits_of = kernel(exits_for)  # the plain function is for the notation


@kernel
def stack_of(seats: int) -> int:
    """D4, D23: the number of cards dealt to each hand."""
    return 3 if seats <= 6 else 2


# Bit masks in the 7 x 7 grid of food cards: COLUMN is one drink with every food, ROW one food with every drink
COLUMN = sum(1 << KINDS * food for food in range(KINDS))
ROW = (1 << KINDS) - 1
ALL_FOOD = (1 << FOOD_CARDS) - 1


@kernel
def row_of(display: int, food: int) -> int:
    """The drinks of the cards with this food, one bit each."""
    return display >> KINDS * food & ROW


@kernel
def doubles(display: int, card: int) -> int:
    """D18: the cards of this display that have the food or the drink of this card."""
    return display & (ROW << card // KINDS * KINDS | COLUMN << card % KINDS)


@kernel
def count_bits(bits: int) -> int:
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def points_of(display: int, gone: bool) -> int:
    """D16 to D19: the points of a display."""
    cards = 0
    foods = 0
    drinks = 0
    for food in range(KINDS):
        row = row_of(display, food)
        cards += count_bits(row)
        foods += row != 0
        drinks |= row
    if not gone:
        return -cards  # D17
    if cards > foods or cards > count_bits(drinks):
        return -1  # D18
    return cards * cards  # D19


# --- The table ---------------------------------------------------------------------------------------------------


@kernel
def seat_of(s: State, hand: int) -> int:
    """The seat of a hand."""
    return hand // 2 if s.seats == 2 else hand


@kernel
def side_of(s: State, hand: int) -> int:
    """The side of a hand, as in a decision code: 0 the only hand, 1 left, 2 right."""
    return 1 + hand % 2 if s.seats == 2 else 0


@kernel
def stack_left(s: State, hand: int) -> int:
    """Cards of the own stack that nobody has looked at. Until the stack is laid, a card in hand comes from it."""
    return s.unlaid[hand] - s.holds[hand] if s.unlaid[hand] else 0


@kernel
def other_stack_waits(s: State, hand: int) -> bool:
    """D25: does the seat's other hand still have a stack to lay?"""
    return s.seats == 2 and s.unlaid[hand ^ 1] > 0
