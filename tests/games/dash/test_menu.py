"""The page calls foods and drinks as the program does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tafelrunde.games.dash.menu import DRINKS, FOODS

WORDS = Path(__file__).parents[3] / "client" / "src" / "words"


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_the_page_has_the_names_of_the_menu(language: str) -> None:
    words = json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8"))
    for item in (*FOODS, *DRINKS):
        assert words[f"dash.item.{item.en.replace(' ', '-')}"] == getattr(item, language)
