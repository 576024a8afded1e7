"""The rules of dash for three and more players, by their ids."""

from __future__ import annotations

from collections import Counter

import pytest

import tafelrunde
from tafelrunde import Game
from tafelrunde.errors import BadChance, BadOption, BadSeats
from tafelrunde.games.dash.menu import DRINKS, FOODS, items_of
from tafelrunde.games.dash.notation import card_code
from tests.games.dash.tables import (
    FOOD,
    NAMES,
    SPEC,
    did,
    display,
    do,
    grab,
    lay_out,
    lay_stack,
    new_table,
    play_round,
    ready_table,
    refused,
    score_of,
    table,
)

# --- Material ----------------------------------------------------------------------------------------------------


def test_D1_every_food_with_every_drink_once() -> None:
    shuffled = next(e for e in tafelrunde.new("dash", seats=3, seed=1).entries if e.get("pile") == "food")
    assert sorted(shuffled["order"]) == sorted(food + drink for food in "ABCDEFG" for drink in "1234567")


def test_D1_the_menu_names_seven_foods_and_seven_drinks_in_three_languages() -> None:
    assert [food.sign for food in FOODS] == list("ABCDEFG")
    assert [drink.sign for drink in DRINKS] == list("1234567")
    for column in range(1, 5):
        assert len({item[column] for item in (*FOODS, *DRINKS)}) == 14, "no name and no picture stands twice"
    assert [item.en for item in items_of("A7")] == ["pizza", "bubble tea"]


@pytest.mark.parametrize("card", ["H1", "A8", "A0", "a1", "", "A11", "x", None, 7, ["A1"]])
def test_D1_what_is_no_card_is_named(card: object) -> None:
    game = ready_table(keep=["A1"])
    assert refused(game, 0, do("return", card=card, place=60)) == ("malformed", "D1")


def test_D2_exit_cards_are_all_alike() -> None:
    shuffled = next(e for e in tafelrunde.new("dash", seats=9, seed=1).entries if e.get("pile") == "heap")
    assert Counter(shuffled["order"])["X"] == 5


# --- Setup -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "exits"), [(2, 3), (3, 2), (4, 3), (5, 4), (6, 5), (7, 5), (8, 5), (9, 5), (10, 5)])
def test_D3_one_exit_card_fewer_than_players_and_five_at_most(seats: int, exits: int) -> None:
    assert table(seats).observe(None).exits_left == exits


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_D3_two_to_ten_play(seats: int) -> None:
    with pytest.raises(BadSeats) as error:
        tafelrunde.new("dash", seats=seats)
    assert error.value.rule == "D3"


@pytest.mark.parametrize(("seats", "cards"), [(3, 3), (4, 3), (5, 3), (6, 3), (7, 2), (8, 2), (9, 2), (10, 2)])
def test_D4_three_cards_each_or_two_unseen(seats: int, cards: int) -> None:
    game = table(seats, stacks=[["A1", "B2"]], opened=False)
    dealt = did(list(game.entries), "deal")
    assert [entry["seat"] for entry in dealt] == list(range(seats))
    assert {len(entry["cards"]) for entry in dealt} == {cards}
    assert dealt[0]["cards"][:2] == ["A1", "B2"]
    for seat in (None, *range(seats)):
        seen = did(game.seen_by(seat), "deal")[0]
        assert seen == {"by": "table", "do": "deal", "seat": 0, "count": cards}
        assert "A1" not in str(game.observe(seat).to_json()), "not even the own stack"


@pytest.mark.parametrize(
    ("seats", "cards"), [(2, 40), (3, 42), (4, 40), (5, 38), (6, 36), (7, 40), (8, 38), (9, 36), (10, 34)]
)
def test_D5_all_other_cards_lie_on_the_heap_each_at_its_place(seats: int, cards: int) -> None:
    game = table(seats, heap=["C3", "X", "G7"])
    heap = game.observe(None).heap
    assert [spot["place"] for spot in heap] == list(range(cards))
    assert all(spot["card"] is None for spot in heap)
    for place, card in enumerate(["C3", "X", "G7"]):
        assert card_at(game, place) == card


def card_at(game: Game, place: int) -> str:
    """What the record says lies there at first."""
    shuffled = next(entry for entry in game.entries if entry.get("pile") == "heap")
    card: str = shuffled["order"][place]
    return card


@pytest.mark.parametrize("place", [-1, 64, 1.0, True, "0", None])
def test_D5_there_are_64_places(place: object) -> None:
    assert refused(ready_table(), 0, do("take", place=place)) == ("malformed", "D5")


@pytest.mark.parametrize("spoil", ["twice", "too few", "too many", "no exit"])
def test_D5_what_is_mixed_is_what_was_not_dealt(spoil: str) -> None:
    game = Game(SPEC, NAMES[:3], {"first_opener": 0}, stream=None)
    game.supply([card_code(card) for card in FOOD])
    heap = game.offer()
    assert Counter(heap)[49] == 2
    assert len(heap) == 49 - 9 + 2
    wrong = {
        "twice": [*heap[1:], heap[1]],
        "too few": heap[1:],
        "too many": [*heap, 0],
        "no exit": [*heap[:-2], 3, 4],
    }
    with pytest.raises(BadChance):
        game.supply(wrong[spoil])
    game.supply(heap)


def test_D6_nobody_acts_before_the_opener_gives_the_signal() -> None:
    game = table(4, opened=False, first_opener=2)
    assert game.to_act == (2,)
    assert [d.do for d in game.legal(2)] == ["open"]
    assert game.legal(0) == ()
    assert refused(game, 0, do("open")) == ("not-your-moment", "D6")
    assert refused(game, 2, do("look")) == ("not-your-moment", "D6")
    assert list(game.act(2, do("open"), 3000)) == [{"by": 2, "do": "open", "ms": 3000}]
    assert game.to_act == (0, 1, 2, 3)
    assert refused(game, 2, do("open")) == ("not-your-moment", "D6")


def test_D6_the_opener_moves_on_to_the_left() -> None:
    game = ready_table(3, heap=["X", "X"], first_opener=0)
    grab(game, 0, 0)
    grab(game, 1, 1)
    assert game.entries[-1] == {"by": "table", "do": "round", "number": 2, "opener": 1}
    lay_out(game, [], ["X", "X"])
    assert game.to_act == (1,)


def test_D6_the_first_opener_may_be_left_to_chance() -> None:
    game = Game(SPEC, NAMES[:3], {}, stream=None)
    assert game.needs is not None
    assert (game.needs.do, game.needs.of) == ("choose", "first_opener")
    with pytest.raises(BadChance):
        game.supply([3])
    entries = list(game.supply([2]))
    assert entries[0] == {"by": "table", "do": "choose", "option": "first_opener", "value": 2}
    assert entries[1] == {"by": "table", "do": "round", "number": 1, "opener": 2}


# --- Play --------------------------------------------------------------------------------------------------------


def test_D7_a_hand_that_holds_a_card_decides_about_it_first() -> None:
    game = table(3)
    game.act(0, do("look"))
    assert refused(game, 0, do("look")) == ("not-your-moment", "D7")
    game = ready_table(3, keep=["A1"])
    game.act(0, do("take", place=0))
    assert refused(game, 0, do("take", place=1)) == ("not-your-moment", "D7")
    assert refused(game, 0, do("return", card="A1", place=60)) == ("not-your-moment", "D7")
    game.act(0, do("keep"))
    for verb in (do("keep"), do("back", place=60), do("exit")):
        assert refused(game, 0, verb) == ("not-your-moment", "D7")


def test_D7_with_three_players_and_more_there_is_one_hand() -> None:
    assert refused(table(3), 0, do("look", hand="left")) == ("malformed", "D7")


@pytest.mark.parametrize(
    "wrong",
    [
        do("sing"),
        do("take"),
        do("take", place=1, card="A1"),
        do("open", hand="left"),
        do("keep", card="A1"),
        do("return", card="A1"),
        do("return", place=1),
    ],
)
def test_D7_what_is_no_decision_of_dash_is_told(wrong: tafelrunde.Decision) -> None:
    assert refused(ready_table(), 0, wrong) == ("malformed", "D7")


def test_D8_first_the_own_stack_card_by_card() -> None:
    game = table(3, stacks=[["A1", "B2", "C3"]])
    assert refused(game, 0, do("take", place=0)) == ("not-your-moment", "D8")
    entries = list(game.act(0, do("look"), 1500))
    assert entries == [{"by": 0, "do": "look", "ms": 1500}, {"by": "table", "do": "see", "seat": 0, "card": "A1"}]
    assert list(game.act(0, do("keep"), 2000)) == [
        {"by": 0, "do": "keep", "ms": 2000},
        {"by": "table", "do": "show", "seat": 0, "card": "A1"},
    ]
    assert refused(game, 0, do("return", card="A1", place=60)) == ("not-your-moment", "D8")
    game.act(0, do("look"), 2100)
    assert list(game.act(0, do("back", place=63), 2500)) == [{"by": 0, "do": "back", "place": 63, "ms": 2500}]
    game.act(0, do("look"))
    assert refused(game, 0, do("back", place=63)) == ("illegal", "D8"), "a card lies there already"
    game.act(0, do("keep"))
    assert refused(game, 0, do("look")) == ("not-your-moment", "D8")
    assert display(game, 0) == ["A1", "C3"]
    game.act(0, do("take", place=0))


def test_D9_any_card_of_the_heap_only_its_taker_sees_it() -> None:
    game = ready_table(3, heap=["C4", "D5"])
    entries = list(game.act(1, do("take", place=0)))
    assert entries[1] == {"by": "table", "do": "see", "seat": 1, "card": "C4"}
    assert game.seen_by(1)[-1] == entries[1]
    for other in (None, 0, 2):
        assert game.seen_by(other)[-1] == {"by": "table", "do": "see", "seat": 1}
        assert game.observe(other).seats[1]["hands"][0]["card"] is None
        assert game.observe(other).seats[1]["hands"][0]["holds"]
    assert game.observe(1).seats[1]["hands"][0]["card"] == "C4"
    assert [d.do for d in game.legal(1)].count("keep") == 1
    game.act(1, do("back", place=0))
    assert game.observe(1).heap[0]["card"] == "C4"


def test_D10_who_keeps_an_exit_card_is_finished() -> None:
    game = ready_table(4, heap=["X", "A1"], keep=["B2"])
    game.act(0, do("take", place=0))
    assert refused(game, 0, do("keep")) == ("illegal", "D10")
    assert list(game.act(0, do("exit"), 9000)) == [{"by": 0, "do": "exit", "ms": 9000}]
    assert game.to_act == (1, 2, 3)
    assert game.observe(None).exits_left == 2
    for verb in (do("take", place=1), do("return", card="B2", place=60), do("look"), do("exit")):
        assert refused(game, 0, verb) == ("not-your-moment", "D10")
    game.act(1, do("take", place=1))
    assert refused(game, 1, do("exit")) == ("illegal", "D10")


def test_D10_an_exit_card_may_be_put_back_and_found_again() -> None:
    game = ready_table(4, heap=["X"])
    game.act(0, do("take", place=0))
    game.act(0, do("back", place=50))
    assert game.observe(None).exits_left == 3
    assert next(spot for spot in game.observe(0).heap if spot["place"] == 50)["card"] == "X"
    assert next(spot for spot in game.observe(1).heap if spot["place"] == 50)["card"] is None
    game.act(1, do("take", place=50))
    game.act(1, do("exit"))
    assert game.to_act == (0, 2, 3)


def test_D11_cards_of_the_display_go_back_one_at_a_time() -> None:
    game = ready_table(3, keep=["A1", "B2"])
    entry = {"by": 0, "do": "return", "card": "A1", "place": 63, "ms": 1000}
    free = game.observe(0).free
    assert game.act(0, do("return", card="A1", place=free[0]), 5000)[0] == entry | {"place": free[0], "ms": 5000}
    assert display(game, 0) == ["B2"]
    assert refused(game, 0, do("return", card="A1", place=free[1])) == ("illegal", "D11")
    assert refused(game, 0, do("return", card="X", place=free[1])) == ("illegal", "D11")
    assert refused(game, 0, do("return", card="B2", place=0)) == ("illegal", "D8")


def test_D12_everybody_knows_a_card_returned_from_a_display() -> None:
    game = ready_table(3, keep=["A1"])
    place = game.observe(0).free[0]
    game.act(0, do("return", card="A1", place=place))
    for seat in (None, 0, 1, 2):
        assert next(spot for spot in game.observe(seat).heap if spot["place"] == place)["card"] == "A1"
    game.act(2, do("take", place=place))
    for seat in (None, 0, 1):
        assert game.observe(seat).seats[2]["hands"][0]["card"] == "A1", "they saw where it lay"


def test_D12_who_has_seen_a_card_can_follow_it() -> None:
    game = ready_table(4, heap=["C4"])
    game.act(0, do("take", place=0))
    game.act(0, do("back", place=0))
    game.act(1, do("take", place=0))
    assert game.observe(0).seats[1]["hands"][0]["card"] == "C4"
    assert game.observe(2).seats[1]["hands"][0]["card"] is None
    free = game.observe(1).free[0]
    game.act(1, do("back", place=free))
    spots = {seat: next(s for s in game.observe(seat).heap if s["place"] == free) for seat in range(4)}
    assert [spots[seat]["card"] for seat in range(4)] == ["C4", "C4", None, None]
    assert spots[3]["seen_by"] == [0, 1]


def test_D13_the_first_one_there_has_the_card_the_other_is_late() -> None:
    game = ready_table(3, heap=["C4", "D5"])
    game.act(0, do("take", place=0), 9000)
    entries = list(game.act(1, do("take", place=0), 9000))
    assert entries == [
        {"by": 1, "do": "take", "place": 0, "ms": 9000},
        {"by": "table", "do": "late", "seat": 1, "place": 0},
    ]
    game.act(1, do("take", place=1), 9000)
    assert game.observe(1).seats[1]["hands"][0]["card"] == "D5", "it goes on at once"


def test_D13_some_places_can_not_be_reached_for() -> None:
    game = ready_table(3, heap=["C4", "D5"])
    assert refused(game, 0, do("take", place=game.observe(0).free[0])) == ("illegal", "D13"), "never a card there"
    game.act(0, do("take", place=0))
    game.act(0, do("keep"))
    assert refused(game, 0, do("take", place=0)) == ("illegal", "D13"), "emptied by itself"
    assert [e["do"] for e in game.act(1, do("take", place=0))] == ["take", "late"]
    place = game.observe(0).free[-1]
    game.act(0, do("return", card="C4", place=place))
    game.act(1, do("take", place=place))
    assert [e["do"] for e in game.act(0, do("take", place=place))] == ["take", "late"], "who emptied it last counts"


def test_D13_late_claims_are_listed_as_legal() -> None:
    game = ready_table(3, heap=["C4", "D5"])
    game.act(0, do("take", place=0))
    assert do("take", place=0) in game.legal(1)
    game.act(0, do("keep"))
    assert do("take", place=0) not in game.legal(0)


def test_D14_no_exit_card_in_a_stack_and_everybody_knows() -> None:
    game = table(3, heap=["X"])
    game.act(0, do("look"))
    place = game.observe(0).free[0]
    game.act(0, do("back", place=place))
    heap = {spot["place"]: spot for spot in game.observe(1).heap}
    assert heap[place]["surely_food"]
    assert not heap[0]["surely_food"]
    for seed in range(30):
        world = tafelrunde.imagine(game.observe(1), tafelrunde.Stream(seed))
        assert world._table["face"][0, place] != 49
        assert 49 not in world._table["stack"]


# --- End of a round ----------------------------------------------------------------------------------------------


def test_D15_the_last_exit_card_ends_the_round_at_once() -> None:
    game = ready_table(3, heap=["X", "X", "A1"])
    grab(game, 0, 0)
    game.act(2, do("take", place=2))
    game.act(1, do("take", place=1))
    entries = list(game.act(1, do("exit"), 20_000))
    assert [entry["do"] for entry in entries] == ["exit", "score", "round"]
    assert entries[1] == {"by": "table", "do": "score", "points": [0, 0, 0], "totals": [0, 0, 0], "why": "exits"}
    assert refused(game, 2, do("keep")) == ("not-your-moment", "D5")
    lay_out(game, [], [])
    assert refused(game, 2, do("keep")) == ("not-your-moment", "D6")


def test_D16_neither_the_card_in_hand_nor_the_stack_counts() -> None:
    game = table(3, heap=["X", "X", "A1"])
    for seat in (0, 1):
        lay_stack(game, seat)
    game.act(2, do("look"))
    grab(game, 0, 2, 0)
    grab(game, 1, 1)
    assert score_of(game)["points"] == [1, 0, 0]


def test_D17_without_exit_card_every_card_costs_a_point() -> None:
    game = ready_table(3, heap=["X", "X", "A1", "B2", "C3", "A4"])
    grab(game, 2, 2, 3, 4, 5)
    grab(game, 0, 0)
    grab(game, 1, 1)
    assert score_of(game)["points"] == [0, 0, -4]


@pytest.mark.parametrize("cards", [["A1", "A2"], ["A1", "B1"], ["A1", "B2", "C3", "D4", "E5", "F6", "G6"]])
def test_D18_with_a_double_minus_one_point(cards: list[str]) -> None:
    game = ready_table(3, heap=["X", "X", *cards])
    grab(game, 0, *range(2, 2 + len(cards)), 0)
    grab(game, 1, 1)
    assert score_of(game)["points"] == [-1, 0, 0]


@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16), (5, 25), (6, 36), (7, 49)])
def test_D19_the_square_of_the_food_cards(count: int, points: int) -> None:
    cards = ["A3", "B1", "C7", "D2", "E6", "F5", "G4"][:count]
    game = ready_table(3, heap=["X", "X", *cards])
    grab(game, 0, *range(2, 2 + count), 0)
    grab(game, 1, 1)
    assert score_of(game)["points"] == [points, 0, 0]


def test_D20_points_add_up() -> None:
    game = new_table(3)
    play_round(game, {0: 7, 1: 3})
    play_round(game, {1: 2, 2: 5})
    assert score_of(game)["points"] == [0, 4, 25]
    assert score_of(game)["totals"] == [49, 13, 25]
    assert game.scores == (49, 13, 25)
    assert game.places == (1, 3, 2)


def test_D21_the_game_ends_with_75_points() -> None:
    game = new_table(3)
    play_round(game, {0: 7, 1: 5})
    play_round(game, {0: 5, 1: 5})
    assert not game.over, "74 are not enough"
    play_round(game, {0: 1, 2: 1})
    assert game.over
    assert game.entries[-1] == {"by": "table", "do": "end", "scores": [75, 50, 1], "places": [1, 2, 3]}
    assert refused(game, 0, do("open")) == ("game-over", "D21")


def test_D21_a_tie_is_a_shared_win() -> None:
    game = new_table(3, target=9)
    play_round(game, {0: 3, 2: 3})
    assert game.over
    assert game.places == (1, 3, 1)


def test_D21_another_target_and_a_greatest_number_of_rounds() -> None:
    game = new_table(3, target=50)
    play_round(game, {0: 7, 1: 7})
    assert not game.over
    game = new_table(3, max_rounds=2)
    play_round(game, {0: 2, 1: 1})
    assert not game.over
    play_round(game, {0: 1, 1: 1})
    assert game.over
    assert game.places == (1, 2, 3)
    for target in (0, -5, 7.5, True, None, "75"):
        with pytest.raises(BadOption) as error:
            tafelrunde.new("dash", seats=3, target=target)
        assert error.value.rule == "D21"


# --- Variant -----------------------------------------------------------------------------------------------------


def test_D22_eat_with_purpose_what_lies_in_a_display_stays_there() -> None:
    game = ready_table(3, keep=["A1"], keep_for_good=True)
    assert refused(game, 0, do("return", card="A1", place=60)) == ("illegal", "D22")
    assert {decision.do for decision in game.legal(0)} == {"take"}
    two = ready_table(2, keep=["A1"], keep_for_good=True)
    assert refused(two, 0, do("return", card="A1", place=60, hand="left")) == ("illegal", "D22")
