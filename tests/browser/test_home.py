"""The front door: what is on the shelf, and one click to a running game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tafelrunde.games import GAMES
from tests.browser.board import Board
from tests.browser.conftest import Arrive


def test_all_our_games_stand_on_the_shelf(arrive: Arrive) -> None:
    ada = arrive()
    ada.open()
    expect(ada.heading("home.welcome")).to_be_visible()
    cards = ada.find("region", "home.shelf").get_by_role("article")
    expect(cards).to_have_count(len(GAMES))
    for game in GAMES:
        card = ada.find("article", f"game.{game}")
        expect(card.get_by_text(ada.words.text(f"game.{game}.line"))).to_be_visible()
        expect(ada.link("home.rules", card)).to_be_visible()
        expect(ada.button("home.play", card)).to_be_enabled()


@pytest.mark.parametrize(
    ("game", "role", "key"), [("dash", "grid", "dash.heap"), ("chocolat", "region", "chocolat.hand")]
)
def test_one_click_gives_a_full_table(arrive: Arrive, game: str, role: str, key: str) -> None:
    ada = arrive()
    ada.open()
    ada.button("home.play", ada.find("article", f"game.{game}")).click()
    expect(ada.find(role, key)).to_be_visible()


def test_one_click_gives_a_full_table_that_plays(arrive: Arrive) -> None:
    ada = arrive()
    ada.open()
    ada.button("home.play", ada.find("article", "game.buffet")).click()
    ada.page.wait_for_url(re.compile("/t/[a-z]+$"))
    board = Board(ada)
    board.wait_until_asked()
    others = ada.find("list", "buffet.others").get_by_role("heading")
    expect(others).to_have_count(3)
    expect(board.cards).to_have_count(9)
    board.lay()
    expect(board.cards).to_have_count(8)
    expect(board.log).to_contain_text(ada.words.inside("buffet.tell.reveal", name=ada.words.text("name.default")))
