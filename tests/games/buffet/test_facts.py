"""What a view of buffet says about the rules, against the rules page and the entries alone."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tafelrunde import Game
from tafelrunde.testing import games, random_walk
from tests.games.buffet.tables import lay, table, turn
from tests.games.unsent import unsent_views, without

SERVED = {(3, 1): 3, (3, 2): 2, (4, 1): 3, (5, 1): 4, (6, 1): 5}
ROUNDS = {3: 7, 4: 12, 5: 9, 6: 7}
TOLD = {"to_act", "discard", "draw_pile"}
TOLD_OF_SEATS = {"at", "has_laid", "hand_size"}
"""What entries tell of a view, and of each of its seats."""
WALKS = st.builds(lambda game, seed: (game, random.Random(seed)), games("buffet"), st.integers(0, 2**32))


def race_of(game: Game) -> dict[int, int]:
    """The mice on the track and how far they have run, from the entries alone."""
    race: dict[int, int] = {}
    for entry in game.entries:
        if entry["do"] == "round":
            race = dict.fromkeys(range(game.seats), 0)
        elif entry["do"] == "reveal":
            race[entry["seat"]] = entry["at"]
        elif entry["do"] in ("out", "win"):
            del race[entry["seat"]]
    return race


@given(WALKS)
def test_facts_follow_from_the_race(walk: tuple[Game, random.Random]) -> None:
    game, chooser = walk
    for _, moment in zip(range(60), random_walk(game, chooser), strict=False):
        race, view = race_of(moment), moment.observe(chooser.choice([None, *range(moment.seats)]))
        behind = [seat for seat, at in race.items() if at == min(race.values())]
        assert view.last == (behind[0] if len(race) > 2 and len(behind) == 1 else None), "B10, B11, B14"
        assert view.duel == (len(race) == 2), "B14"
        assert view.served == SERVED[moment.seats, view.part], "B6, B24"
        assert view.last_round == (view.round == ROUNDS[moment.seats]), "B21"
        assert view.stakes == stakes_in(len(race), len(view.plates)), "B10, B14, B25"


def stakes_in(racing: int, plates: int) -> list[str | None]:
    if racing > 2:
        return [*[None] * (plates - 1), "last"]
    return {1: ["winner"], 2: ["winner", "behind"]}[plates]


@pytest.mark.parametrize("seats", range(3, 7))
def test_the_plates_at_stake_are_those_that_are_then_given_out(seats: int) -> None:
    game = table([[seat + 1] for seat in range(seats)])
    assert game.observe(0).last is None, "all stand on the start field"
    before = game.observe(0)
    entries = turn(game, {seat: seat + 1 for seat in range(seats)})
    out = next(entry for entry in entries if entry["do"] == "out")
    assert out["plate"] == before.plates[before.stakes.index("last")]
    after = game.observe(0)
    assert (after.last, after.duel) == ((None, True) if seats == 3 else (1, False)), "seat 0 is out"


@given(games("buffet"))
def test_a_card_laid_face_down_changes_no_fact(game: Game) -> None:
    watched = game.observe(None).derived()
    for seat in game.to_act[:-1]:
        if game.legal(seat)[0].do == "lay":
            before = [game.observe(other).derived() for other in range(game.seats)]
            game.act(seat, game.legal(seat)[0])
            assert [game.observe(other).derived() for other in range(game.seats)] == before
            assert game.observe(None).derived() == watched


@given(WALKS)
def test_only_what_entries_tell_is_old_in_a_view(walk: tuple[Game, random.Random]) -> None:
    for sent, seen in unsent_views(*walk):
        assert without(sent, TOLD, TOLD_OF_SEATS) == without(seen, TOLD, TOLD_OF_SEATS)


def test_what_no_entry_tells_is_derived() -> None:
    game = table([[1, 9], [2, 9], [3, 9], [4, 9]])
    before = game.observe(3).derived()
    for seat in range(3):
        game.act(seat, lay(seat + 1))
    assert game.observe(3).derived() == before
    game.act(3, lay(4))
    assert game.observe(3).derived() != before, "seat 0 is out, has points and may exchange"
