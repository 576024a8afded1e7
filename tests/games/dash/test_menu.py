"""The page calls foods and drinks as the program does."""

from __future__ import annotations

import pytest

from tafelrunde.games.dash.menu import DRINKS, FOODS
from tests.browser.words import LANGUAGES, catalogue


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_the_names_of_the_menu(language: str) -> None:
    words = catalogue(language)
    for item in (*FOODS, *DRINKS):
        assert words[f"dash.item.{item.en.replace(' ', '-')}"] == getattr(item, language)
