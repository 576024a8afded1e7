"""The rules of dash for two players, by their ids."""

from __future__ import annotations

from tafelrunde import Game
from tests.games.dash.tables import (
    did,
    display,
    do,
    grab,
    lay_out,
    lay_stack,
    new_table,
    ready_table,
    refused,
    score_of,
    table,
)


def test_D23_three_exit_cards_and_four_stacks_of_three() -> None:
    game = table(2, opened=False)
    assert game.observe(None).exits_left == 3
    dealt = did(list(game.entries), "deal")
    assert [(entry["seat"], entry["hand"], len(entry["cards"])) for entry in dealt] == [
        (0, "left", 3),
        (0, "right", 3),
        (1, "left", 3),
        (1, "right", 3),
    ]


def test_D24_each_hand_has_its_own_stack_display_and_card() -> None:
    game = table(2, stacks=[["A1"], ["A2"]])
    assert refused(game, 0, do("look")) == ("malformed", "D24")
    assert refused(game, 0, do("look", hand="both")) == ("malformed", "D24")
    game.act(0, do("look", hand="left"), 2000)
    game.act(0, do("look", hand="right"), 2000)
    assert [hand["card"] for hand in game.observe(0).seats[0]["hands"]] == ["A1", "A2"]
    assert list(game.act(0, do("keep", hand="right"), 2500)) == [
        {"by": 0, "do": "keep", "hand": "right", "ms": 2500},
        {"by": "table", "do": "show", "seat": 0, "hand": "right", "card": "A2"},
    ]
    game.act(0, do("keep", hand="left"))
    assert display(game, 0, "left") == ["A1"]
    assert display(game, 0, "right") == ["A2"]
    for seat in (0, 1):
        for hand in ("left", "right"):
            lay_stack(game, seat, hand=hand)
    assert refused(game, 0, do("return", card="A2", place=60, hand="left")) == ("illegal", "D11")
    game.act(0, do("return", card="A2", place=game.observe(0).free[0], hand="right"))


def test_D24_a_player_may_be_late_against_the_own_other_hand() -> None:
    game = ready_table(2, heap=["C4"])
    game.act(0, do("take", place=0, hand="left"))
    entries = list(game.act(0, do("take", place=0, hand="right"), 30_000))
    assert entries == [
        {"by": 0, "do": "take", "hand": "right", "place": 0, "ms": 30_000},
        {"by": "table", "do": "late", "seat": 0, "hand": "right", "place": 0},
    ]
    assert refused(game, 0, do("take", place=0, hand="left")) == ("not-your-moment", "D7")


def test_D25_the_heap_only_when_both_own_stacks_are_laid() -> None:
    game = table(2, stacks=[["A1", "B2", "C3"]])
    lay_stack(game, 0, ["A1"], hand="left")
    assert refused(game, 0, do("take", place=0, hand="left")) == ("not-your-moment", "D25")
    assert refused(game, 0, do("return", card="A1", place=60, hand="left")) == ("not-your-moment", "D25")
    assert refused(game, 0, do("take", place=0, hand="right")) == ("not-your-moment", "D8")
    for _ in range(2):
        game.act(0, do("look", hand="right"))
        game.act(0, do("keep", hand="right"))
    game.act(0, do("look", hand="right"))
    assert refused(game, 0, do("take", place=0, hand="left")) == ("not-your-moment", "D25"), "seen, but not laid"
    game.act(0, do("back", place=game.observe(0).free[0], hand="right"))
    game.act(0, do("take", place=0, hand="left"))
    game.act(0, do("take", place=1, hand="right"))


def test_D26_an_exit_card_finishes_one_hand() -> None:
    game = ready_table(2, heap=["X", "X", "X", "A1", "B2"])
    grab(game, 0, 0, hand="left")
    assert refused(game, 0, do("take", place=3, hand="left")) == ("not-your-moment", "D10")
    grab(game, 0, 3, 1, hand="right")
    assert game.to_act == (1,), "both hands are gone"
    grab(game, 1, 4, hand="left")
    grab(game, 1, 2, hand="right")
    assert score_of(game)["points"] == [[0, 1], [-1, 0]]


def test_D27_left_and_right_are_scored_apart_and_count_together() -> None:
    cards = ["A1", "B2", "C3", "D4", "A2", "A3", "B4", "C5"]
    game = ready_table(2, heap=["X", "X", "X", *cards])
    grab(game, 0, 3, 4, 5, 6, 0, hand="left")
    grab(game, 0, 7, 8, 1, hand="right")
    grab(game, 1, 9, 10, hand="right")
    grab(game, 1, 2, hand="left")
    assert score_of(game) == {
        "by": "table",
        "do": "score",
        "points": [[16, -1], [0, -2]],
        "totals": [15, -2],
        "why": "exits",
    }


def two_handed_round(game: Game, left: int, right: int, other: int) -> None:
    """Seat 0 leaves with so many cards on the left, on the right; seat 1 with its left hand."""
    cards = [f"{food}{(i + j) % 7 + 1}" for j in range(3) for i, food in enumerate("ABCDEFG")]
    lay_out(game, [], ["X", "X", "X", *cards])
    game.act(game.to_act[0], do("open"))
    for seat in (0, 1):
        for hand in ("left", "right"):
            lay_stack(game, seat, hand=hand)
    grab(game, 0, *range(3, 3 + left), 0, hand="left")
    grab(game, 0, *range(10, 10 + right), 1, hand="right")
    grab(game, 1, *range(17, 17 + other), 2, hand="left")


def test_D28_two_players_play_to_100() -> None:
    game = new_table(2)
    assert game.options["target"] == 100
    assert new_table(3).options["target"] == 75
    two_handed_round(game, 7, 5, 3)
    assert not game.over
    assert game.scores == (74, 9)
    two_handed_round(game, 5, 0, 6)
    assert not game.over, "99 are not enough"
    two_handed_round(game, 1, 0, 0)
    assert game.over
    assert game.scores == (100, 45)
    assert game.places == (1, 2)


def test_D28_a_tie_is_decided_by_more_rounds_even_below_the_target() -> None:
    game = new_table(2, target=9)
    two_handed_round(game, 3, 0, 3)
    assert game.scores == (9, 9)
    assert not game.over
    two_handed_round(game, 1, 1, 0)
    assert game.over
    game = new_table(2, target=9)
    two_handed_round(game, 3, 0, 3)
    two_handed_round(game, 2, 2, 0)
    assert game.scores == (17, 9)
    assert game.over
    below = new_table(2, target=9)
    two_handed_round(below, 3, 0, 3)
    lay_out(below, [], ["X", "X", "X", "A1", "A2"])
    below.act(1, do("open"))
    for seat in (0, 1):
        for hand in ("left", "right"):
            lay_stack(below, seat, hand=hand)
    grab(below, 0, 3, 4, 0, hand="left")
    grab(below, 1, 1, hand="left")
    grab(below, 1, 2, hand="right")
    assert below.scores == (8, 9)
    assert below.over


def test_D28_after_the_greatest_number_of_rounds_a_tie_is_shared() -> None:
    game = new_table(2, target=9, max_rounds=1)
    two_handed_round(game, 3, 0, 3)
    assert game.over
    assert game.places == (1, 1)
