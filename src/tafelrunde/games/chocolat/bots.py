"""Bots for chocolat.

``random`` takes any of its legal decisions, all equally likely.

``greedy`` estimates the points that a hand will bring: every card has a worth by its value, and more beside cards with
which it could become a combination, above all in one colour. A combination is worth its points minus what its cards
would be worth later. It drafts the cards that make its hand worth most, given its helper; bids enough that these are
likely still there; lays out a combination if that is better than waiting for the next helper, which it knows; and is
less patient near the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.chocolat.state import *
from tafelrunde.games.kernel import *

NAMES = ("random", "greedy")
RANDOM, GREEDY = range(2)

# Weights in points, tuned by playing against itself
EACH = 0.75  # a card, for each point of its value above the lowest value
TWIN, TWIN_COLOUR = 0.045, 0.16  # two cards of the same value, for each point of the value
NEAR, NEAR_COLOUR = 0.145, 0.46  # two cards of neighbouring values
APART, APART_COLOUR = 0.11, 0.25  # two cards with one value between them
AHEAD = 1.5  # a point with the next helper; more than a point now, because the hand grows until then
IN_SIGHT = 0.27  # up to this share of the target the end of the game does not matter
VICTORY = 15.0  # ending the game as the winner
DEFEAT = -7.0  # ending it as a loser

MOST_CARDS = 24  # the most cards of a hand that greedy looks at; only hands taken over from others can be larger
PAIRS = 28  # pairs of cards in a market of eight
Cards = Any
Paper = Any


# --- What a hand is worth ----------------------------------------------------------------------------------------


@kernel
def bond(a: int, b: int) -> float:
    """The additional worth of two cards in one hand, the lower one first."""
    gap = value_of(b) - value_of(a)
    alike = ingredient_of(a) == ingredient_of(b)
    if gap == 0:
        return (TWIN_COLOUR if alike else TWIN) * value_of(a)
    if gap == 1:
        return NEAR_COLOUR if alike else NEAR
    if gap == 2:
        return APART_COLOUR if alike else APART
    return 0.0


@kernel
def weigh(cards: Cards, n: int, share: Paper) -> float:
    """The worth of a hand for later rounds; fills in the share of each card."""
    total = 0.0
    for i in range(n):
        share[i] = EACH * (value_of(cards[i]) - LEAST_VALUE)
        total += share[i]
    for i in range(n):
        for j in range(i + 1, n):
            between = bond(cards[i], cards[j])
            share[i] += between
            share[j] += between
            total += between
    return total


@kernel
def points_of_three(a: int, b: int, c: int, power: int) -> int:
    """C10, C11: the points of three cards, lowest first, with this power; 0 if they are no combination."""
    low, middle, high = value_of(a), value_of(b), value_of(c)
    red, green, blue = ingredient_of(a), ingredient_of(b), ingredient_of(c)
    one_colour = red == green and green == blue
    if power == COLOUR:
        one_colour = red == green or green == blue or red == blue
    if low == high:
        return 2 * high if one_colour else high
    if middle == low + 1 and high == low + 2:
        return high if one_colour else low
    if power != VALUE:
        return 0
    if low + 1 == middle and middle == high:
        return 2 * high if one_colour else high  # the lowest is raised to a set
    if (low + 2 == middle and middle + 1 == high) or (low == middle and low + 2 == high):
        return high if one_colour else low  # the lowest, or one of the two low ones, is raised to a run
    return 0


@kernel
def points_of_four(a: int, b: int, c: int, d: int) -> int:
    """C15: the points of four cards, lowest first, with the ant; 0 if they are no combination."""
    one_colour = ingredient_of(a) == ingredient_of(b) == ingredient_of(c) == ingredient_of(d)
    low = value_of(a)
    if low == value_of(d):
        return 3 * low if one_colour else 2 * low
    if value_of(b) == low + 1 and value_of(c) == low + 2 and value_of(d) == low + 3:
        return value_of(c) + value_of(d) if one_colour else low + value_of(b)
    return 0


@kernel
def best_outcome(cards: Cards, n: int, power: int, now: float, later: float, share: Paper) -> float:
    """The worth of a hand if its best combination, or none, is laid out and the rest is kept for later.

    ``now`` is the weight of a point of the combination, ``later`` the weight of future points.
    """
    total = later * weigh(cards, n, share)
    best = 0.0
    for i in range(n if n > 3 else 0):  # C12
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                if value_of(cards[k]) > value_of(cards[i]) + 3:
                    break
                gone = share[i] + share[j] + share[k]
                gone -= bond(cards[i], cards[j]) + bond(cards[i], cards[k]) + bond(cards[j], cards[k])
                points = points_of_three(cards[i], cards[j], cards[k], power)
                if points:
                    best = max(best, now * points - later * gone)
                if power == FOUR and n > 4:
                    for m in range(k + 1, n):
                        points = points_of_four(cards[i], cards[j], cards[k], cards[m])
                        if points:
                            best = max(best, now * points - later * (gone + share[m]))
    return total + best


# --- Cards in hand -----------------------------------------------------------------------------------------------


@kernel
def pick_up(v: View, cards: Cards) -> int:
    """Copy the own hand, or the highest cards of a very large one; returns how many."""
    size = v.hand_size[v.seat]
    n = min(size, MOST_CARDS - 4)
    for i in range(n):
        cards[i] = v.hand[size - n + i]
    return n


@kernel
def insert(cards: Cards, n: int, card: int) -> int:
    """Add a card to a sorted hand; returns how many there are."""
    i = n
    while i > 0 and cards[i - 1] > card:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = card
    return n + 1


@kernel
def remove(cards: Cards, n: int, card: int) -> int:
    """Remove a card, if it is there; returns how many are left."""
    i = 0
    while i < n and cards[i] != card:
        i += 1
    while i + 1 < n:
        cards[i] = cards[i + 1]
        i += 1
    return i


# --- The end in sight --------------------------------------------------------------------------------------------


@kernel
def patience(v: View) -> float:
    """The weight of future points: 1 at the beginning, 0 once somebody has reached the target."""
    most = 0
    for seat in range(v.seats):
        most = max(most, v.points[seat])
    left = 1.0 - most / v.target
    return min(1.0, max(0.0, left / (1.0 - IN_SIGHT)))


@kernel
def finish(v: View, points: int) -> float:
    """C16: what it is worth to end the game with this many more points."""
    own = (v.points[v.seat] + points) * (HELPERS + 1) + v.helper[v.seat]
    for seat in range(v.seats):
        if seat != v.seat and v.points[seat] * (HELPERS + 1) + v.helper[seat] > own:
            return DEFEAT
    return VICTORY


@kernel
def outlook(v: View, cards: Cards, n: int, now: bool, power: int, share: Paper) -> float:
    """The expected worth of a hand: with the next helper or, if ``now``, with this power in this round."""
    later = patience(v)
    best = 0.0
    for way in range(1 + now):
        helper = power if way else power_to_come(v)
        point = 1.0 if way else AHEAD * later
        best = max(best, best_outcome(cards, n, helper, point, later, share))
    return best


@kernel
def power_at_hand(v: View) -> int:
    """The power of the own helper, or 0 if it was used in this round."""
    return 0 if v.used[v.seat] else v.power[v.helper[v.seat]]


@kernel
def power_to_come(v: View) -> int:
    """C13: the power of the helper of the next round."""
    right = v.seat - 1 if v.seat else v.seats - 1
    return v.power[v.spare[0] if right == v.pantry else v.helper[right]]


# --- Deciding ----------------------------------------------------------------------------------------------------


@kernel
def greedy_score(v: View, choices: Words, n: int, cards: Cards, share: Paper) -> int:
    """C10: the best of passing, digging, fetching and all combinations; equivalent ones are tried once."""
    best = PASS
    most = -1e9
    before = 0
    for i in range(n):
        gist = gist_of(choices[i])
        if gist == before:
            continue
        before = gist
        worth = weigh_scoring(v, choices[i], cards, share)
        if worth > most:
            best = choices[i]
            most = worth
    return best


@kernel
def points_of(code: int) -> int:
    """C11: the points of a combination."""
    points = 0
    for place in range(part_of(code, KEPT_SHIFT)):
        points += value_of(card_in(code, place))
    return points


@kernel
def gist_of(code: int) -> int:
    """The same number for the same cards with the same points, in any order and with any help."""
    squares = 1
    for place in range(4):
        squares += (card_in(code, place) + 1) ** 2
    return squares << 8 | points_of(code)


@kernel
def weigh_scoring(v: View, code: int, cards: Cards, share: Paper) -> float:
    """Points now, and the worth of the hand after it; averages the mole's draw over every fourth card of the deck."""
    verb = code >> VERB_SHIFT << VERB_SHIFT
    changes_hand = verb == DIG_CARD or verb == FETCH_CARD
    points = points_of(code)
    if not changes_hand and (patience(v) == 0.0 or v.points[v.seat] + points >= v.target):
        return points + finish(v, points)
    worth = 0.0
    draws = CARDS // 4 if verb == DIG_CARD else 1
    for i in range(draws):
        held = pick_up(v, cards)
        for place in range(4):
            held = remove(cards, held, card_in(code, place))
        if changes_hand:
            held = insert(cards, held, v.deck[4 * i] if verb == DIG_CARD else v.discard[v.discard_size - 1])
        worth += outlook(v, cards, held, changes_hand, 0, share)
    return points + worth / draws


@kernel
def greedy_draft(v: View, choices: Words, n: int, cards: Cards, share: Paper) -> int:
    """C9: the cards that make the hand worth most."""
    best = choices[0]
    most = -1e9
    for i in range(n):
        code = choices[i]
        helped = part_of(code, RANK_SHIFT) > 0
        held = pick_up(v, cards)
        for place in range(3 if helped else 2):
            held = insert(cards, held, card_in(code, place))
        if helped:
            held = remove(cards, held, card_in(code, 3))
        worth = outlook(v, cards, held, True, 0 if helped else power_at_hand(v), share)
        if worth > most:
            best = code
            most = worth
    return best


@kernel
def greedy_lay(v: View, choices: Words, n: int, cards: Cards, share: Paper, pairs: Paper) -> int:
    """C8: the card with the best outlook, given the cards of the market that its coins are likely to buy."""
    best = choices[0]
    most = -1e9
    for i in range(n):
        card = card_in(choices[i], 0)
        bold = part_of(choices[i], RANK_SHIFT) > 0
        if bold != (power_at_hand(v) == COINS):
            continue  # C15: three more coins never hurt
        count = weigh_market(v, card, cards, share, pairs)
        worth = expect(v, coins_of(card) + COINS_MORE * bold, pairs, count, share)
        if worth > most:
            best = choices[i]
            most = worth
    return best


@kernel
def weigh_market(v: View, laid: int, cards: Cards, share: Paper, pairs: Paper) -> int:
    """List the worth of the hand without the laid card and with each pair of market cards, best first."""
    power = power_at_hand(v)
    count = 0
    for i in range(v.market_size):
        for j in range(i + 1, v.market_size):
            held = remove(cards, pick_up(v, cards), laid)
            held = insert(cards, held, v.market[i])
            held = insert(cards, held, v.market[j])
            worth = outlook(v, cards, held, True, power, share)
            at = count
            while at > 0 and pairs[at - 1] < worth:
                pairs[at] = pairs[at - 1]
                at -= 1
            pairs[at] = worth
            count += 1
    return count


@kernel
def expect(v: View, coins: int, pairs: Paper, count: int, ahead: Paper) -> float:
    """The expected worth of the best pair left with this many coins; earlier drafters take two random cards each."""
    weigh_order(v, coins, ahead)
    total = 0.0
    there = 1.0  # the probability that a given pair is still there
    for before in range(v.seats):
        expected = 0.0
        left = 1.0
        for r in range(count - 1):
            expected += left * there * pairs[r]
            left *= 1.0 - there
        total += ahead[before] * (expected + left * pairs[count - 1])
        cards = v.market_size - 2 * before
        there *= (cards - 2) * (cards - 3) / (cards * (cards - 1.0)) if cards > 3 else 0.0
    return total


@kernel
def weigh_order(v: View, coins: int, ahead: Paper) -> None:
    """The probabilities that 0, 1, 2 ... others draft first, if they lay random cards of the deck."""
    more = 0
    same = 0
    for i in range(CARDS):
        more += coins_of(v.deck[i]) > coins
        same += coins_of(v.deck[i]) == coins
    for k in range(v.seats):
        ahead[k] = 0.0
    ahead[0] = 1.0
    for seat in range(v.seats):
        if seat != v.seat:
            chance = (more + (same if v.helper[seat] > v.helper[v.seat] else 0)) / CARDS
            for k in range(v.seats - 1, 0, -1):
                ahead[k] += (ahead[k - 1] - ahead[k]) * chance
            ahead[0] *= 1.0 - chance


@kernel
def decide(kind: int, v: View, choices: Words, n: int, stream: Stream) -> int:
    """The decision of a bot, from its view, its n legal decisions and its random stream."""
    if kind == RANDOM:
        return choices[below(stream, n)]
    cards = np.empty(MOST_CARDS, np.int64)
    share = np.empty(MOST_CARDS)
    if v.phase == LAYING:
        return greedy_lay(v, choices, n, cards, share, np.empty(PAIRS))
    if v.phase == DRAFTING:
        return greedy_draft(v, choices, n, cards, share)
    return greedy_score(v, choices, n, cards, share)


@release_gil
def choose(kind: int, view: RecordArray, choices: Words, n: int, streams: RecordArray) -> int:
    """``decide`` for callers in Python."""
    return decide(kind, view[0], choices, n, streams[0])
