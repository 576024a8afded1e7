"""What holds in every game of buffet, at every step."""

from __future__ import annotations

import random
from collections import Counter
from string import ascii_letters

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Decision, Game, Stream, TafelrundeError
from tafelrunde.games.buffet import state as b
from tafelrunde.games.buffet.notation import DISHES, PLATE_NAMES
from tafelrunde.testing import games, pick_any, random_walk
from tests.games.buffet.tables import SPEC

ROUNDS = {3: 7, 4: 12, 5: 9, 6: 7}
PER_ROUND = {3: 5, 4: 3, 5: 4, 6: 5}
RANK = {dish: rank for rank, dish in enumerate(DISHES)}
SIGNS = "-12345"


def cards_of(game: Game) -> Counter[int]:
    """B1: every card, wherever it is."""
    state = game._table[0]
    everywhere: Counter[int] = Counter()
    for card in range(b.CARD_KINDS):
        everywhere[card] += int(state["discard"][card]) + int(state["hand"][:, card].sum())
    everywhere.update(state["pile"][state["pile_top"] : state["pile_size"]].tolist())
    everywhere.update(card for card in state["laid"].tolist() if card != b.NOTHING)
    return everywhere


def plates_of(game: Game) -> Counter[int]:
    """B2: every plate, wherever it is."""
    state = game._table[0]
    return Counter(
        [
            *state["plates"][state["plates_top"] :].tolist(),
            *state["layout"][: state["layout_size"]].tolist(),
            *state["taken_plate"][: state["taken"]].tolist(),
        ]
    )


@given(seats=st.integers(3, 6), seed=st.integers(0, 2**32), walk=st.integers(0, 2**32))
def test_cards_and_plates_are_conserved_at_every_step(seats: int, seed: int, walk: int) -> None:
    game = tafelrunde.new("buffet", seats=seats, seed=seed)
    all_cards = Counter(dict.fromkeys(range(11), 10))
    all_plates = Counter(range(36))
    for moment in random_walk(game, random.Random(walk)):
        assert cards_of(moment) == all_cards
        assert plates_of(moment) == all_plates
    assert cards_of(game) == all_cards
    assert plates_of(game) == all_plates


@given(games("buffet", finished=True))
def test_every_round_gives_out_all_its_plates_and_the_game_ends_in_time(game: Game) -> None:
    given_out: Counter[int] = Counter()
    number = 0
    for entry in game.entries:
        if entry["do"] == "round":
            number = entry["number"]
        elif entry["do"] in ("out", "win") and entry["plate"] is not None:
            given_out[number] += 1
    assert given_out == dict.fromkeys(range(1, ROUNDS[game.seats] + 1), PER_ROUND[game.seats])


@given(games("buffet", finished=True))
def test_nobody_ever_lays_or_gives_away_a_card_not_held(game: Game) -> None:
    hands: list[Counter[int]] = [Counter() for _ in range(game.seats)]
    for entry in game.entries:
        if entry["do"] == "draw":
            hands[entry["seat"]].update(entry["cards"])
        elif entry["do"] == "lay":
            hands[entry["by"]][entry["card"]] -= 1
        elif entry["do"] == "exchange":
            hands[entry["by"]].subtract(entry["cards"])
        assert all(count >= 0 for hand in hands for count in hand.values())
        assert all(hand.total() <= 9 for hand in hands)


@given(games("buffet"), st.integers(0, 5), st.integers(-2, 10))
def test_legal_and_act_agree_on_laying(game: Game, seat: int, card: int) -> None:
    decision = Decision("lay", card=card)
    assert accepted(game, seat, decision) == (seat < game.seats and decision in game.legal(seat))


@given(games("buffet"), st.integers(0, 5), st.lists(st.integers(-1, 9), max_size=9))
def test_legal_and_act_agree_on_exchanging(game: Game, seat: int, cards: list[int]) -> None:
    decision = Decision("exchange", cards=sorted(cards))
    assert accepted(game, seat, decision) == (seat < game.seats and decision in game.legal(seat))


@given(games("buffet"))
def test_every_listed_decision_is_listed_once_and_accepted(game: Game) -> None:
    for seat in range(game.seats):
        listed = list(game.legal(seat))
        assert len(set(listed)) == len(listed)
        assert bool(listed) == (seat in game.to_act)
        for decision in listed[:: max(1, len(listed) // 20)]:
            assert accepted(game, seat, decision)


@given(games("buffet"), st.integers(0, 2), st.integers(-(2**63), 2**63 - 1))
def test_any_number_is_either_a_listed_code_or_refused(game: Game, seat: int, code: int) -> None:
    out = np.empty(b.LEGAL_ROOM + 1, np.int64)
    count = SPEC.rules.legal(game._table, seat, out)
    twin = game.copy()
    before = twin._table.tobytes()
    word = SPEC.rules.act(twin._table, seat, code, -1, twin._log)
    assert (word >= 0) == (code in out[:count].tolist())
    assert word >= 0 or twin._table.tobytes() == before


def accepted(game: Game, seat: int, decision: Decision) -> bool:
    """Would the decision be accepted? If not, nothing may change."""
    twin = game.copy(Stream(1))
    before = twin._table.tobytes()
    try:
        twin.act(seat, decision)
    except TafelrundeError:
        assert twin._table.tobytes() == before
        assert list(twin.entries) == list(game.entries)
        return False
    return True


@given(seats=st.integers(3, 6), seed=st.integers(0, 2**32), walk=st.integers(0, 2**32))
def test_what_a_plate_would_change_is_what_it_does_change(seats: int, seed: int, walk: int) -> None:
    game = tafelrunde.new("buffet", seats=seats, seed=seed)
    chooser = random.Random(walk)
    while not game.over:
        before, told = game.scores, [game.observe(seat) for seat in range(seats)]
        for entry in game.act(*pick_any(game, chooser)):
            if entry["do"] in ("out", "win") and entry["plate"]:
                seat = entry["seat"]
                gains = told[seat].gains
                assert gains is not None
                gain = gains[[*told[seat].plates, *told[seat].later].index(entry["plate"])]
                assert game.scores[seat] == before[seat] + gain


@given(games("buffet"))
def test_points_and_then_the_best_plate_give_the_places(game: Game) -> None:
    seats = game.observe(None).seats
    order = [None, *sorted(PLATE_NAMES, key=lambda name: (int(name.lstrip(ascii_letters)), -RANK[name.rstrip(SIGNS)]))]
    keys = [(seat["points"], order.index(seat["best"])) for seat in seats]
    assert list(game.places) == [1 + sum(other > key for other in keys) for key in keys]


@given(games("buffet", finished=True))
def test_scores_and_places_follow_from_the_plates(game: Game) -> None:
    keys = []
    for seat in game.observe(None).seats:
        tops = [(values[-1], -["cheese", "salami", "sausage", "pizza", "drumstick", "salad"].index(dish))
                for dish, values in seat["stacks"].items()]  # fmt: skip
        keys.append((sum(value for value, _ in tops), max(tops, default=(-9, 0))))
    assert list(game.scores) == [key[0] for key in keys]
    assert list(game.places) == [1 + sum(other > key for other in keys) for key in keys]
    assert game.entries[-1]["scores"] == list(game.scores)
    assert game.entries[-1]["places"] == list(game.places)
