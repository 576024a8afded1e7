"""The lessons are what the rules say, as of now; and everything they say is there to be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from client.lessons.shelf import FOLDER, GAMES, documents

from tests.browser.words import LANGUAGES, Words

LESSONS = {game: json.loads((FOLDER / game / "lesson" / "lesson.json").read_text(encoding="utf-8")) for game in GAMES}

every_game = pytest.mark.parametrize("game", GAMES)


def test_they_are_as_the_rules_play_them() -> None:
    """If not: make lessons."""
    written = {
        path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.glob("*/lesson/*.json")
    }
    assert written == documents()


@every_game
def test_whatever_is_asked_for_is_legal_at_that_moment(game: str) -> None:
    view: dict[str, Any] = LESSONS[game]["first"]
    asked = 0
    for moment in LESSONS[game]["moments"]:
        if "want" in moment:
            asked += 1
            assert moment["want"] in view["legal"]
            assert moment["entries"][0]["by"] == 0 or moment["alike"]
        view |= moment.get("view", {})
    assert asked >= 3


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_said_can_be_read(game: str, language: str) -> None:
    words = Words(language)
    for moment in LESSONS[game]["moments"]:
        assert words.text(f"learn.{game}.{moment['say']}")
