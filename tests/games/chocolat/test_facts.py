"""What a view of chocolat says about the rules, against the rules page and the entries alone."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tafelrunde import Game
from tafelrunde.testing import games, random_walk
from tests.games.unsent import unsent_views, without

TOLD = {"to_act", "order", "market", "discard", "draw_pile"}
TOLD_OF_SEATS = {"has_laid", "played", "coins", "hand_size", "known", "used"}
"""What entries tell of a view, and of each of its seats."""
WALKS = st.builds(lambda game, seed: (game, random.Random(seed)), games("chocolat"), st.integers(0, 2**32))


def worth(kept: list[str]) -> int:
    """C11: the printed values."""
    return sum(int(card.split("-")[1]) for card in kept)


def points_of(game: Game) -> list[int]:
    """C11: from the entries alone."""
    points = [0] * game.seats
    for entry in game.entries:
        if entry["do"] == "combine":
            points[entry["by"]] += worth(entry["kept"])
    return points


def laid_out_at_the_beginning(game: Game) -> list[int]:
    """C5, C7: of each round, from the entries alone."""
    return [len(entry["cards"]) for entry in game.entries if entry["do"] == "market"]


@given(WALKS)
def test_facts_follow_from_what_was_kept(walk: tuple[Game, random.Random]) -> None:
    game, chooser = walk
    for _, moment in zip(range(60), random_walk(game, chooser), strict=False):
        points = points_of(moment)
        for seat in (None, *range(moment.seats)):
            view = moment.observe(seat)
            assert [one["points"] for one in view.seats] == points
            assert {view.market_full} >= set(laid_out_at_the_beginning(moment)), "C5, C7"
            assert view.last_round == any(one >= view.target for one in points), "C16"
            legal = [decision.to_json() for decision in view.legal]
            if view.phase == "scoring" and legal:
                assert view.gains == [worth(decision.get("kept", [])) for decision in legal], "C11"
            else:
                assert view.gains is None


@given(WALKS)
def test_only_what_entries_tell_is_old_in_a_view(walk: tuple[Game, random.Random]) -> None:
    for sent, seen in unsent_views(*walk):
        assert without(sent, TOLD, TOLD_OF_SEATS) == without(seen, TOLD, TOLD_OF_SEATS)


@given(games("chocolat", finished=True))
def test_a_game_that_is_over_was_in_its_last_round(game: Game) -> None:
    assert game.observe(None).last_round, "C14, C16"


@given(games("chocolat"))
def test_what_is_gained_is_what_a_combination_then_brings(game: Game) -> None:
    for seat in game.to_act:
        view = game.observe(seat)
        if view.gains and max(view.gains):
            best = view.gains.index(max(view.gains))
            before = game.observe(None).derived()
            game.act(seat, view.legal[best])
            assert game.scores[seat] == view.seats[seat]["points"] + view.gains[best]
            assert game.observe(None).derived() != before, "all see new points"


@given(games("chocolat"))
def test_a_card_laid_face_down_changes_no_fact(game: Game) -> None:
    for seat in game.to_act[:-1]:
        if game.legal(seat)[0].do == "lay":
            before = [game.observe(other).derived() for other in range(game.seats)]
            game.act(seat, game.legal(seat)[0])
            assert [game.observe(other).derived() for other in range(game.seats)] == before
