"""Three languages: as the browser says, or as one likes it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.browser.tables import lay_table
from tests.browser.test_coming_back import sit
from tests.browser.words import LANGUAGES, Words
from tests.server.running import RunningServer


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_the_language_of_the_browser(arrive: Arrive, server: RunningServer, language: str) -> None:
    table = lay_table(server.url, "Ada")
    guest = arrive(language=language)
    guest.open()
    expect(guest.page.locator("html")).to_have_attribute("lang", language)
    expect(guest.heading("home.welcome")).to_be_visible()
    expect(guest.page).to_have_title(guest.words.text("title.home"))
    board = sit(guest, table)
    expect(guest.page.locator("html")).to_have_attribute("lang", language)
    card = board.lay()
    name = guest.words.text("called", name="Ada")
    value = card.removeprefix(guest.words.text("buffet.card", card="")).strip()
    expect(board.log).to_contain_text(guest.words.inside("buffet.tell.reveal", name=name, card=value))


def test_a_language_that_we_do_not_speak_becomes_english(arrive: Arrive) -> None:
    guest = arrive(locale="fi-FI")
    guest.open()
    expect(guest.page.locator("html")).to_have_attribute("lang", "en")
    expect(guest.heading("home.welcome")).to_be_visible()


def test_the_language_can_be_changed_and_is_remembered(arrive: Arrive, server: RunningServer) -> None:
    guest = arrive(language="de")
    guest.open()
    guest.find("combobox", "settings.language").select_option("ja")
    guest.words = Words("ja")
    expect(guest.page.locator("html")).to_have_attribute("lang", "ja")
    expect(guest.heading("home.welcome")).to_be_visible()
    guest.page.reload()
    expect(guest.page.locator("html")).to_have_attribute("lang", "ja")

    # Also in the middle of a game, and what was told before is told anew.
    board = sit(guest, lay_table(server.url, "Ada"))
    expect(board.log).to_contain_text(guest.words.text("buffet.tell.deal"))
    guest.button("table.menu").click()
    guest.page.get_by_role("radio", name="English").check()
    guest.words = Words("en")
    guest.button("close", guest.dialog("table.menu")).click()
    board = Board(guest)
    expect(board.log).to_contain_text(guest.words.text("buffet.tell.deal"))
    board.play_turns(1)
