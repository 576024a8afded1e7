"""Games are found, not listed; tests/games/test_other_packages.py has those of other packages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tafelrunde.errors import UnknownGame
from tafelrunde.games import GAMES, find

SOURCES = Path(__file__).parent.parent.parent / "src" / "tafelrunde"


def test_generic_rooms_never_name_a_game() -> None:
    """Only docstrings may, in examples."""
    named = re.compile(rf"\b({'|'.join(GAMES)})\b")
    for source in sorted(SOURCES.rglob("*.py")):
        inside = source.relative_to(SOURCES)
        if inside.parts[0] == "games" and len(inside.parts) > 2:
            continue
        code = re.sub(r'"""[\s\S]*?"""', "", source.read_text(encoding="utf-8"))
        assert not named.search(code), f"{inside} names a game"


def test_our_games_stand_in_their_order() -> None:
    folders = {found.parent.name for found in SOURCES.glob("games/*/__init__.py")}
    assert GAMES.keys() == folders
    assert [spec.position for spec in GAMES.values()] == sorted(spec.position for spec in GAMES.values())


@pytest.mark.parametrize("name", ["croquet", "", "__init__", ["buffet"], None])
def test_there_is_no_other_game(name: object) -> None:
    with pytest.raises(UnknownGame, match=f"there is: {', '.join(GAMES)}"):
        find(name)  # type: ignore[arg-type]
