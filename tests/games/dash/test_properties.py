"""What holds in every game of dash, at every moment."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Game, Stream, bots, imagine
from tafelrunde.bots.pace import HUMAN, INSTANT, Pace
from tafelrunde.errors import BadPace
from tafelrunde.games.dash.notation import CARD_NAMES
from tafelrunde.testing import games, random_walk
from tests.games.dash.tables import FOOD, do, ready_table

WALKS = st.builds(lambda game, seed: (game, random.Random(seed)), games("dash"), st.integers(0, 2**32))


def cards_of(game: Game) -> Counter[str]:
    """All cards on the table, wherever they are; an exit card that was kept lies with its hand."""
    state = game._table[0]
    names = [card for field in ("face", "held", "stack") for card in state[field].ravel().tolist()]
    found = Counter(CARD_NAMES[card] for card in names if card >= 0)
    for display in state["display"].tolist():
        found.update(card for bit, card in enumerate(FOOD) if display >> bit & 1)
    found["X"] += int(state["gone"].sum())
    return found


def played(game: Game, chooser: random.Random, steps: int = 120) -> Iterator[Game]:
    """The game at some further moments."""
    for number, moment in enumerate(random_walk(game, chooser)):
        yield moment
        if number == steps:
            return


@given(WALKS)
def test_all_cards_are_there_at_every_instant(walk: tuple[Game, random.Random]) -> None:
    game, chooser = walk
    exits = {2: 3}.get(game.seats, min(game.seats - 1, 5))
    for moment in played(game, chooser):
        assert cards_of(moment) == Counter(FOOD) + Counter(X=exits)


@given(WALKS)
def test_a_hand_holds_one_card_at_most_and_no_heap_before_the_stack(walk: tuple[Game, random.Random]) -> None:
    game, chooser = walk
    for moment in played(game, chooser, 40):
        state = moment._table[0]
        held = state["held"].tolist()
        assert [card != -9 for card in held] == [bool(holds) for holds in state["holds"].tolist()]
        for seat in range(moment.seats):
            hands = moment.observe(seat).seats[seat]["hands"]
            verbs = {decision.do for decision in moment.legal(seat)}
            if any(hand["stack"] for hand in hands):
                assert not verbs & {"take", "return"}, "D8, D25"
            if len(hands) == 1 and hands[0]["holds"]:
                assert verbs <= {"keep", "exit", "back"}, "D7"


@given(games("dash", finished=True))
def test_points_follow_from_displays_and_exits(game: Game) -> None:
    """D16 to D19, computed once more from the entries alone."""
    displays: dict[tuple[int, str | None], set[str]] = {}
    gone: set[tuple[int, str | None]] = set()
    totals = [0] * game.seats
    for entry in game.entries:
        if entry["do"] == "round":
            displays, gone = {}, set()
        elif entry["do"] == "show":
            displays.setdefault((entry["seat"], entry.get("hand")), set()).add(entry["card"])
        elif entry["do"] == "return":
            displays[entry["by"], entry.get("hand")].remove(entry["card"])
        elif entry["do"] == "exit":
            gone.add((entry["by"], entry.get("hand")))
        elif entry["do"] == "score":
            for seat, points in enumerate(entry["points"]):
                sides = {None: points} if game.seats > 2 else dict(zip(("left", "right"), points, strict=True))
                for side, given_points in sides.items():
                    assert given_points == worth(displays.get((seat, side), set()), (seat, side) in gone)
                    totals[seat] += given_points
            assert entry["totals"] == totals
    assert game.entries[-1]["scores"] == totals


def worth(display: set[str], gone: bool) -> int:
    """D17, D18, D19 in the plainest words."""
    if not gone:
        return -len(display)
    foods, drinks = {card[0] for card in display}, {card[1] for card in display}
    return len(display) ** 2 if len(foods) == len(drinks) == len(display) else -1


@given(games("dash", finished=True))
def test_after_the_last_exit_nothing_moves(game: Game) -> None:
    """D15: the last exit is followed by the score, and after a score nobody acts before the next opening."""
    all_exits = 3 if game.seats == 2 else min(game.seats - 1, 5)
    exits = 0
    eating = False
    for entry, after in pairwise(game.entries):
        exits += entry["do"] == "exit"
        if entry["do"] == "score":
            assert (entry["why"] == "exits") == (exits == all_exits)
            exits = 0
            eating = False
        assert (after["do"] == "score" and after["why"] == "exits") == (entry["do"] == "exit" and exits == all_exits)
        eating |= entry["do"] == "open"
        assert eating or after["by"] == "table" or after["do"] == "open"


@given(WALKS)
def test_the_heap_lists_places_with_a_card_and_free_ones(walk: tuple[Game, random.Random]) -> None:
    game, chooser = walk
    for moment in played(game, chooser, 60):
        view = moment.observe(None)
        covered = [spot["place"] for spot in view.heap]
        assert sorted(covered + view.free) == list(range(64))
        face = moment._table["face"][0]
        assert [place for place in range(64) if face[place] >= 0] == covered


def seen_faces(game: Game, seat: int | None) -> dict[int, str]:
    """Where this seat can know a face, followed through the entries as this seat was sent them (D12)."""
    place_of: dict[int, str] = {}
    held: dict[tuple[int, str | None], str | None] = {}
    for entry in game.seen_by(seat):
        who = (entry.get("seat", entry["by"]), entry.get("hand"))
        if entry["do"] == "round":
            place_of, held = {}, {}
        elif entry["do"] == "take":
            held[who] = place_of.pop(entry["place"], None)
        elif entry["do"] == "look":
            held[who] = None
        elif entry["do"] == "see" and "card" in entry:
            held[who] = entry["card"]
        elif entry["do"] == "back":
            card = held.get(who)
            if card is not None:
                place_of[entry["place"]] = card
        elif entry["do"] == "return":
            place_of[entry["place"]] = entry["card"]
    return place_of


@given(games("dash"))
def test_a_seat_knows_exactly_the_faces_it_could_follow(game: Game) -> None:
    """The observation remembers for a seat what it could have noted down from what it was sent, and no more."""
    for seat in (None, *range(game.seats)):
        known = {spot["place"]: spot["card"] for spot in game.observe(seat).heap if spot["card"] is not None}
        assert known == seen_faces(game, seat)


@given(games("dash"), st.integers(0, 2**32))
def test_secrecy_unseen_places_and_hands_may_hide_anything_that_is_missing(game: Game, seed: int) -> None:
    for seat in (None, *range(game.seats)):
        seen = game.observe(seat)
        world = imagine(seen, Stream(seed))
        assert cards_of(world) == cards_of(game)
        assert world.observe(seat).raw.tobytes() == seen.raw.tobytes()


def test_secrecy_every_unseen_place_is_an_exit_sometimes() -> None:
    game = ready_table(3, heap=["X", "X"])
    view = game.observe(2)
    hidden = {spot["place"] for spot in view.heap if spot["card"] is None and not spot["surely_food"]}
    found = set()
    for seed in range(400):
        world = imagine(view, Stream(seed))
        found |= {place for place in range(64) if world._table["face"][0, place] == 49}
    assert found == hidden


def test_a_card_that_all_have_seen_is_known_in_every_imagined_hand() -> None:
    game = ready_table(4, keep=["A1"])
    place = game.observe(0).free[0]
    game.act(0, do("return", card="A1", place=place))
    game.act(3, do("take", place=place))
    for seed in range(20):
        assert imagine(game.observe(1), Stream(seed)).observe(3).seats[3]["hands"][0]["card"] == "A1"


# --- Simulated time ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 5, 10])
@pytest.mark.parametrize("paces", [(HUMAN,), (INSTANT,), (Pace(latency=150),)], ids=["human", "instant", "slow line"])
def test_a_simulated_game_is_the_same_from_the_same_seed(seats: int, paces: tuple[Pace, ...]) -> None:
    texts = set()
    for _ in range(2):
        game = tafelrunde.new("dash", seats=seats, seed=5, max_rounds=1)
        bots.play(game, [bots.find("dash", "greedy")] * seats, seed=5, paces=paces)
        texts.add(game.record().text())
    assert len(texts) == 1


def test_every_decision_has_its_time_and_people_take_theirs() -> None:
    game = tafelrunde.new("dash", seats=5, seed=5, max_rounds=1)
    bots.play(game, [bots.find("dash", "greedy")] * 5, seed=5)
    decisions = [entry for entry in game.entries if entry["by"] != "table"]
    times = [entry["ms"] for entry in decisions]
    assert times == sorted(times)
    own = [[entry["ms"] for entry in decisions if entry["by"] == seat] for seat in range(5)]
    waits = [after - before for times in own for before, after in pairwise(times)]
    assert min(waits) >= 150, "no hand is faster than a hand"


def test_two_hands_reach_for_one_card_and_the_first_one_has_it() -> None:
    """With a whole table of bots claims cross all the time; each is answered, by the card or by being late."""
    game = tafelrunde.new("dash", seats=10, seed=4, max_rounds=2)
    bots.play(game, [bots.find("dash", "greedy")] * 10, seed=4)
    entries = list(game.entries)
    answers = Counter(after["do"] for entry, after in pairwise(entries) if entry["do"] == "take")
    assert answers.keys() == {"see", "late"}


def test_a_line_costs_its_latency_both_ways() -> None:
    """Without spread every time is exact: a card of the own stack is weighed, then the hand moves."""
    game = tafelrunde.new("dash", seats=4, seed=1, max_rounds=1)
    exact = Pace(spread=0)
    bots.play(game, [bots.find("dash", "greedy")] * 4, seed=1, paces=[replace(exact, latency=700), exact, exact, exact])
    looked: dict[int, int] = {}
    waits: dict[int, set[int]] = {seat: set() for seat in range(4)}
    for entry in game.entries:
        if entry["do"] == "look":
            looked[entry["by"]] = entry["ms"]
        elif entry["by"] in looked:
            waits[entry["by"]].add(entry["ms"] - looked.pop(entry["by"]))
    by_hand = exact.weighing + exact.reaching
    assert waits == {0: {by_hand + 2 * 700}, 1: {by_hand}, 2: {by_hand}, 3: {by_hand}}


def test_calm_pace_and_limit_hold_for_bots() -> None:
    game = tafelrunde.new("dash", seats=4, seed=3, pace_ms=1500, round_limit_s=20, max_rounds=2)
    bots.play(game, [bots.find("dash", "random")] * 4, seed=3)
    assert tafelrunde.replay(game.record()).over
    assert {entry["why"] for entry in game.entries if entry["do"] == "score"} == {"limit"}


@pytest.mark.parametrize("time", [-1, 60_001, 0.5, True, "fast", None])
def test_a_pace_has_times_that_a_hand_can_have(time: Any) -> None:
    with pytest.raises(BadPace, match="reaching"):
        Pace(reaching=time)
