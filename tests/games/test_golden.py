"""A game that comes out differently than before needs a reason, and perhaps a new version of its rules."""

from __future__ import annotations

import pytest

import tafelrunde
from tests.golden import FOLDER, TABLES, path_of, play


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_golden_game_comes_out_to_the_letter(game: str, seats: int) -> None:
    assert path_of(game, seats).exists(), "a missing golden game is a failure: make golden, and look at it"
    assert play(game, seats) == path_of(game, seats).read_text(encoding="utf-8")


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_golden_game_holds(game: str, seats: int) -> None:
    assert tafelrunde.verify(path_of(game, seats)).finished


def test_there_are_no_golden_games_of_tables_that_do_not_exist() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {path_of(*table).name for table in TABLES}
