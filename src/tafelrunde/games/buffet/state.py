"""Constants of buffet and the layout of its state, a flat record of integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.kernel import ENTRY_HEAD, FIRST_VERB, VERB_SHIFT, kernel

VERSION = 1
MIN_SEATS, MAX_SEATS = 3, 6

CARD_KINDS = 11  # B1: the values -1, 0 ... 9; the code of a card is value + 1
COPIES = 10  # B1
CARDS = CARD_KINDS * COPIES
DISHES = 6  # B2, B3: cheese 0 ... salad 5; the code of a plate is dish * 6 + (value, or 0 for -1)
PLATES = 36
FULL_HAND = 9  # B5, B15, B17
MAX_LAYOUT = 5  # B6 with six players, B24 with three

NOTHING = -9  # no card, no plate, nobody

# Phases
SETUP, ROUND, TURN, LAYING, FINISHED = range(5)

# Chances
NO_CHANCE, CHOOSE_START, SHUFFLE_MICE, SHUFFLE_PLATES = range(4)
MAX_CHANCE = CARDS

# Verbs in the log
V_DRAW, V_ROUND, V_REVEAL, V_OUT, V_WIN, V_START = range(FIRST_VERB, FIRST_VERB + 6)

# Decision codes: below the verb the card, or for an exchange the number of each card, four bits each
LAY = 1 << VERB_SHIFT
EXCHANGE = 2 << VERB_SHIFT
COUNT_BITS, COUNT_MASK = 4, 15
LEGAL_ROOM = 2**FULL_HAND  # B12: every subset of nine different cards

# An upper limit for what one call adds to the log: setup has two shuffles, a full deal and a round
MAX_WORDS = CARDS + PLATES + MAX_SEATS * (FULL_HAND + 2 * ENTRY_HEAD) + 16 * ENTRY_HEAD

# Refusals (negative answers of act)
R_OVER, R_WAIT, R_OUT, R_LAID, R_NOT_HELD = range(1, 6)
R_NO_EXCHANGE, R_NO_EXCHANGE_PART_TWO, R_EXCHANGE_DONE, R_EXCHANGED_NOT_HELD = range(6, 10)
R_NO_DECISION, R_NO_SEAT = range(10, 12)

# What everybody sees. It comes first in the state and in every view, so that it can be copied as one block.
OPEN = [
    ("seats", "i8"),
    ("phase", "i8"),
    ("need", "i8"),  # the chance needed before play goes on
    ("number", "i8"),  # the round, from 1
    ("part", "i8"),  # B24: 1 or 2; always 1 with four players and more
    ("start", "i8"),  # who has the start token, or -1 before it is known
    ("waiting", "i8"),  # one bit for each seat that has to decide
    ("racing", "i8", MAX_SEATS),  # 1 while the mouse is on the track
    ("at", "i8", MAX_SEATS),  # B9: distance run
    ("exchange", "i8"),  # B12: who still has to decide, or NOTHING
    ("hand_size", "i8", MAX_SEATS),
    ("left", "i8", MAX_SEATS),  # B17: who is out in this part, in order
    ("left_size", "i8"),
    ("discard", "i8", CARD_KINDS),  # how many of each card are on the discard pile; all of them were shown before
    ("queue", "i8", MAX_SEATS),  # who draws next, in order
    ("queue_at", "i8"),
    ("queue_size", "i8"),
    ("owed", "i8", MAX_SEATS),  # how many cards each seat has yet to draw
    ("plates_top", "i8"),  # how many plates have been turned up
    ("layout", "i8", MAX_LAYOUT),  # plates on the table, best first
    ("layout_size", "i8"),
    ("taken_plate", "i8", PLATES),  # every plate won so far, in order ...
    ("taken_seat", "i8", PLATES),  # ... and who has it; B16 makes stacks of them
    ("taken", "i8"),
    ("shown", "i8", (MAX_SEATS, DISHES)),  # B16: the top of each stack, or NOTHING
]
OPEN_WORDS = np.dtype(OPEN).itemsize // 8

STATE = np.dtype(
    [
        *OPEN,
        ("laid", "i8", MAX_SEATS),  # the face-down card, or NOTHING
        ("hand", "i8", (MAX_SEATS, CARD_KINDS)),  # how many of each card
        ("pile", "i8", CARDS),  # draw pile, top first ...
        ("pile_top", "i8"),  # ... its first index
        ("pile_size", "i8"),  # ... and its end
        ("plates", "i8", PLATES),  # plate pile, top first, from plates_top on
    ]
)

VIEW = np.dtype(
    [
        *OPEN,
        ("seat", "i8"),  # whose view it is; -1: a spectator's
        ("hand", "i8", CARD_KINDS),  # the own hand
        ("laid", "i8"),  # the own face-down card, or NOTHING
        ("has_laid", "i8", MAX_SEATS),
        ("pile_left", "i8"),
    ]
)

State = Any  # a record of layout STATE; Numba knows the fields, the type checker can not
View = Any  # a record of layout VIEW


# --- Material ----------------------------------------------------------------------------------------------------


@kernel
def dish_of(plate: int) -> int:
    """B3: the dish, from 0."""
    return plate // 6


@kernel
def value_of(plate: int) -> int:
    """B2: the points of a plate."""
    value = plate % 6
    return value if value else -1


def worth_of(plate: int) -> int:
    """B6, B23: a number to sort plates by, higher is better: the value first, then the dish rank of B3."""
    return (plate % 6) * DISHES + DISHES - 1 - plate // 6


worth = kernel(worth_of)  # the plain function is for the notation


def plates_for(seats: int) -> int:
    """B6, and with three players B24: the number of plates in a round."""
    return MAX_LAYOUT if seats == 3 else seats - 1


plates_per_round = kernel(plates_for)  # the plain function is for the notation


@kernel
def rounds_of(seats: int) -> int:
    """B21: as many rounds as there are whole layouts in 36 plates."""
    return PLATES // plates_per_round(seats)


@kernel
def left_of(s: State, seat: int) -> int:
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.seats else 0


@kernel
def racers(s: State) -> int:
    """How many mice are on the track."""
    count = 0
    for seat in range(s.seats):
        count += s.racing[seat]
    return count
