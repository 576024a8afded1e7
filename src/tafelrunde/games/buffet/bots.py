"""Bots for buffet.

``greedy`` estimates for every card that it could lay how likely it ends up alone at the back and, if not, how many are
behind it. Going out at a certain point is worth what that plate would add to its points; a plate that covers a better
one has negative worth. The cards of the others are estimated from the cards that nobody has shown yet.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.buffet.state import *
from tafelrunde.games.kernel import *

NAMES = ("random", "greedy")
RANDOM, GREEDY = range(2)

# Weights in points, tuned by playing against itself and against random
TRUST = 0.4  # how far the current order on the track predicts the order of going out
STEP_PRICE = 0.04  # the price of a card for each field it moves: it can not be used later
HIGH_PRICE, HIGH = 0.2, 9  # an additional price for the two highest cards
EXCHANGE_PRIZE = 0.5  # B12: what the exchange is worth to the first one out
KEPT_FROM = 6  # B12: cards from value five on are kept (codes are value + 1)

# Rows of the array in which greedy calculates
WORTH = 0  # what it is worth to go out after 0, 1, 2 ... of the others
BEHIND = 1  # the probability that 0, 1, 2 ... others are behind after this turn
LOWER = 2  # the probability that somebody else's card is lower than this one
Paper = Any


@kernel
def gain(v: View, plate: int) -> float:
    """B16: what a plate adds to the own points, minus what it covers."""
    covered = v.shown[v.seat, dish_of(plate)]
    return 1.0 * value_of(plate) - (0 if covered == NOTHING else value_of(covered))


@kernel
def weigh_leaving(v: View, paper: Paper) -> int:
    """Fill the row WORTH; returns how many still race."""
    racing = 0
    for seat in range(v.seats):
        racing += v.racing[seat]
    best = 2 if v.seats == 3 and v.part == 1 else 0  # B25: the two best plates wait for part two
    for before in range(racing - 1):
        plate = v.layout_size - 1 - before
        paper[WORTH, before] = gain(v, v.layout[plate]) if plate > best else 0.0  # B14: the loser gets nothing
    paper[WORTH, racing - 1] = gain(v, v.layout[best])
    if v.left_size == 0 and v.part == 1:
        paper[WORTH, 0] += EXCHANGE_PRIZE
    return racing


@kernel
def weigh_unseen(v: View, paper: Paper) -> None:
    """Fill the row LOWER from the cards that nobody has shown."""
    for card in range(CARD_KINDS):
        paper[LOWER, card + 1] = paper[LOWER, card] + COPIES - v.hand[card] - v.discard[card]
    for card in range(CARD_KINDS + 1):
        paper[LOWER, card] /= paper[LOWER, CARD_KINDS]


@kernel
def chance_lower(paper: Paper, card: int) -> float:
    """The probability that somebody else's card is lower than this one, which may be outside the deck."""
    if card <= 0:
        return 0.0
    return paper[LOWER, card] if card < CARD_KINDS else 1.0


@kernel
def weigh_order(v: View, card: int, paper: Paper, racing: int) -> float:
    """Fill the row BEHIND for this card; returns the probability of being alone at the back."""
    alone = 1.0
    for k in range(racing):
        paper[BEHIND, k] = 0.0
    paper[BEHIND, 0] = 1.0
    for seat in range(v.seats):
        if seat != v.seat and v.racing[seat]:
            level = v.at[v.seat] + card - v.at[seat]  # the card that moves this mouse level with mine
            lower = chance_lower(paper, level)
            at_most = chance_lower(paper, level + 1)
            alone *= 1.0 - at_most
            chance = (lower + at_most) / 2
            for k in range(racing - 1, 0, -1):
                paper[BEHIND, k] += (paper[BEHIND, k - 1] - paper[BEHIND, k]) * chance
            paper[BEHIND, 0] *= 1.0 - chance
    return alone


@kernel
def weigh_card(v: View, card: int, paper: Paper, racing: int) -> float:
    """What laying this card is worth, in points."""
    alone = weigh_order(v, card, paper, racing)
    if racing == 2:
        return alone * paper[WORTH, 0] + (1.0 - alone) * paper[WORTH, 1]  # B14
    average = 0.0
    for k in range(racing):
        average += paper[WORTH, k] / racing
    expected = alone * paper[WORTH, 0]
    paper[BEHIND, 0] -= alone  # B11: what remains is nobody behind, but not alone either
    for k in range(racing):
        expected += paper[BEHIND, k] * (TRUST * paper[WORTH, k] + (1.0 - TRUST) * average)
    return expected


@kernel
def greedy_lay(v: View) -> int:
    """The card with the highest expected worth."""
    paper = np.zeros((3, CARD_KINDS + 1))
    racing = weigh_leaving(v, paper)
    weigh_unseen(v, paper)
    best = NOTHING
    most = 0.0
    for card in range(CARD_KINDS):
        if v.hand[card]:
            value = weigh_card(v, card, paper, racing) - STEP_PRICE * card
            if card >= HIGH:
                value -= HIGH_PRICE
            if best == NOTHING or value > most:
                best = card
                most = value
    return LAY + best


@kernel
def greedy_exchange(v: View) -> int:
    """B12: exchange all cards that are below the average of the pile."""
    code = EXCHANGE
    for card in range(KEPT_FROM):
        code += v.hand[card] << COUNT_BITS * card
    return code


@kernel
def decide(kind: int, v: View, choices: Words, n: int, stream: Stream) -> int:
    """The decision of a bot, from its view, its n legal decisions and its random stream."""
    if kind == RANDOM:
        return choices[below(stream, n)]
    return greedy_exchange(v) if v.exchange == v.seat else greedy_lay(v)


@release_gil
def choose(kind: int, view: RecordArray, choices: Words, n: int, streams: RecordArray) -> int:
    """``decide`` for callers in Python."""
    return decide(kind, view[0], choices, n, streams[0])
