"""The rules of dash about time, by their ids."""

from __future__ import annotations

import pytest

from tafelrunde.errors import Malformed, NotYourMoment
from tests.games.dash.tables import (
    do,
    grab,
    ready_table,
    refused,
    table,
)


def test_D29_calm_pace_the_next_decision_of_a_hand_waits() -> None:
    game = table(3, stacks=[["A1"]], pace_ms=1500)
    game.act(0, do("look"), 2000)
    assert game.observe(1).seats[0]["hands"][0]["ready_at"] == 3500
    assert refused(game, 0, do("keep"), 3499) == ("not-your-moment", "D29")
    game.act(1, do("look"), 3499)
    game.act(0, do("keep"), 3500)
    game.act(0, do("look"), 3500)
    assert game.act(0, do("keep"))[0]["ms"] == 5000, "without a time it happens as soon as it may"


def test_D29_a_lost_claim_costs_no_time_and_hands_wait_apart() -> None:
    game = ready_table(3, heap=["C4", "D5"], pace_ms=1000)
    at = game.time
    game.act(0, do("take", place=0), at)
    game.act(1, do("take", place=0), at)
    game.act(1, do("take", place=1), at)
    assert refused(game, 1, do("keep"), at + 999) == ("not-your-moment", "D29")
    two = table(2, pace_ms=1000)
    two.act(0, do("look", hand="left"), 2000)
    two.act(0, do("look", hand="right"), 2500)
    two.act(0, do("keep", hand="left"), 3000)
    assert refused(two, 0, do("keep", hand="right"), 3400) == ("not-your-moment", "D29")


def test_D30_a_round_ends_when_its_time_is_over() -> None:
    game = ready_table(3, heap=["X", "X", "A1", "B2"], keep=["C3"], round_limit_s=60)
    assert game.deadline == 61_000
    grab(game, 1, 2, 0)
    game.act(2, do("take", place=3), 61_000)
    assert refused(game, 2, do("keep"), 61_001) == ("not-your-moment", "D30")
    assert list(game.wait(61_000)) == [], "a decision at exactly the limit still counts"
    game.act(2, do("keep"), 61_000)
    entries = list(game.wait(61_001))
    assert entries[0] == {
        "by": "table",
        "do": "score",
        "points": [-1, 1, -1],
        "totals": [-1, 1, -1],
        "why": "limit",
        "ms": 61_000,
    }
    assert entries[1]["do"] == "round"
    assert game.deadline is None


def test_D30_the_limit_counts_from_the_opening_and_can_be_the_end_of_the_game() -> None:
    game = table(3, opened=False, round_limit_s=10, max_rounds=1)
    assert game.deadline is None
    assert list(game.wait(1_000_000)) == []
    game.act(0, do("open"), 500_000)
    assert game.deadline == 510_000
    with pytest.raises(NotYourMoment):
        game.run_out(509_999)
    assert [entry["do"] for entry in game.wait(600_000)] == ["score", "end"]
    assert game.over
    with pytest.raises(NotYourMoment):
        game.run_out(700_000)


def test_D30_time_does_not_run_backwards() -> None:
    game = table(3)
    game.act(0, do("look"), 5000)
    assert refused(game, 1, do("look"), 4999) == ("malformed", None)
    for ms in (-1, 2**53, 1.5, "5000", True):
        with pytest.raises(Malformed):
            game.act(1, do("look"), ms)  # type: ignore[arg-type]
