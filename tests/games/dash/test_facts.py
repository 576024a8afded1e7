"""What a view of dash says about the rules, against the rules page and the entries alone."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Game
from tafelrunde.games.contract import Entry
from tafelrunde.testing import games, random_walk
from tests.games.dash.tables import do, grab, ready_table, table
from tests.games.unsent import unsent_views

DERIVED = ("round", "over", "deadline", "reached", "exits", "pace")
WALKS = st.builds(lambda game, seed: (game, random.Random(seed)), games("dash"), st.integers(0, 2**32))
EXITS = {2: 3, 3: 2, 4: 3, 5: 4, 6: 5, 7: 5, 8: 5, 9: 5, 10: 5}
OWN = ("stance", "holds", "card", "stack", "would_double")
"""What somebody has to know of a hand of theirs, before it can do anything."""
STANCES = ["waits", "opens", "turns", "chooses", "weighs"]
"""As the rules number them."""


def doubles_in(display: list[str]) -> list[str]:
    """D18: foods and drinks that are there more than once."""
    counts = Counter(sign for card in display for sign in card)
    return [sign for sign in "ABCDEFG1234567" if counts[sign] > 1]


def stance_in(game: Game, hand: int, gone: bool) -> str:
    """What the rules say about the full state."""
    return "gone" if gone else STANCES[game.spec.rules.stance(game._table, hand)]


def would_double(hand: dict[str, Any]) -> list[str]:
    """D18: what is there once more with the card in hand, if that is known and no exit."""
    card = hand["card"] if hand["card"] != "X" else None
    there = {sign for other in hand["display"] for sign in other}
    return [sign for sign in card or "" if sign in there]


@given(WALKS)
def test_facts_follow_from_displays_and_hands(walk: tuple[Game, random.Random]) -> None:
    game, chooser = walk
    for _, moment in zip(range(60), random_walk(game, chooser), strict=False):
        view = moment.observe(chooser.choice([None, *range(moment.seats)]))
        hands = [hand for seat in view.seats for hand in seat["hands"]]
        assert view.exits == EXITS[moment.seats], "D3, D23"
        assert view.pace == moment.options["pace_ms"], "D29"
        for number, hand in enumerate(hands):
            assert hand["doubles"] == doubles_in(hand["display"]), "D18"
            assert hand["would_double"] == would_double(hand), "D18"
            assert hand["stance"] == stance_in(moment, number, hand["gone"]), "D6 to D10, D25"
        for seat in view.seats:
            assert seat["missing"] == max(0, view.target - seat["total"]), "D21"
        assert view.reached == any(reaches(entry, view.target) for entry in moment.entries), "D21, D28"


@given(WALKS)
def test_a_view_is_sent_before_the_rules_make_something_else_of_the_table(walk: tuple[Game, random.Random]) -> None:
    for sent, seen in unsent_views(*walk):
        assert {name: sent[name] for name in DERIVED} == {name: seen[name] for name in DERIVED}
        for seat, (before, now) in enumerate(zip(sent["seats"], seen["seats"], strict=True)):
            assert [before[name] for name in ("total", "missing")] == [now[name] for name in ("total", "missing")]
            for old, new in zip(before["hands"], now["hands"], strict=True):
                assert old["doubles"] == new["doubles"], "D18"
                if seat == seen["seat"]:
                    assert [old[name] for name in OWN] == [new[name] for name in OWN]


def reaches(entry: Entry, target: int) -> bool:
    return entry["do"] == "score" and max(entry["totals"]) >= target


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_round_begins_with_all_exit_cards(seats: int) -> None:
    view = tafelrunde.new("dash", seats=seats, seed=1).observe(None)
    assert view.exits == view.exits_left


def test_with_two_hands_the_other_stack_is_waited_for() -> None:
    game = table(2)
    for _ in range(3):
        game.act(0, do("look", hand="left"))
        game.act(0, do("keep", hand="left"))
    assert [hand["stance"] for hand in game.observe(0).seats[0]["hands"]] == ["waits", "turns"], "D25"


def test_reaching_changes_no_fact_and_a_double_does() -> None:
    game = ready_table(3, heap=["A1", "A2", "B3"])
    before = game.observe(2).derived()
    grab(game, 0, 0)
    assert game.observe(2).derived() == before, "one card more, none double"
    game.act(0, do("take", place=1))
    assert game.observe(2).derived() == before
    assert game.observe(0).seats[0]["hands"][0]["would_double"] == ["A"]
    assert game.observe(2).seats[0]["hands"][0]["would_double"] == [], "a secret"
    game.act(0, do("keep"))
    assert game.observe(2).derived() != before
    assert game.observe(2).seats[0]["hands"][0]["doubles"] == ["A"]
