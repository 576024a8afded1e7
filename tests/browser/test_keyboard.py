"""A whole game without mouse and finger: from the front door to the rematch."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.board import MOST_DECISIONS, Board
from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.tables import lay_table
from tests.browser.test_coming_back import sit
from tests.server.running import RunningServer

MOST_TABS = 60
"""Nothing on any screen is further away."""


def tab_to(guest: Guest, *wanted: Locator) -> Locator:
    """Press Tab until one of these has the focus."""
    for _ in range(MOST_TABS):
        for one in wanted:
            focused = one.and_(guest.page.locator(":focus"))
            if focused.count() > 0:
                return focused
        guest.page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not lead to {wanted}")


def press(guest: Guest, *keys: str) -> None:
    for key in keys:
        guest.page.keyboard.press(key)


def focused_card(board: Board) -> Locator:
    return board.hand.locator("button:focus").and_(board.cards)


def decide(board: Board) -> None:
    """The second card from the left is laid or exchanged; the only one, or none, if there are no more."""
    if board.cards.count() > 0:
        tab_to(board.guest, focused_card(board))
        press(board.guest, "Home", "ArrowRight", "Enter")
    tab_to(board.guest, board.guest.button("buffet.lay", board.hand), board.exchange)
    press(board.guest, "Enter")


def test_from_the_front_door_to_the_first_card(arrive: Arrive) -> None:
    ada = arrive()
    ada.open()
    tab_to(ada, ada.button("home.play"))
    press(ada, "Enter")
    board = Board(ada)
    board.wait_until_asked()
    before = board.cards.count()
    decide(board)
    expect(board.cards).to_have_count(before - 1)


def test_a_whole_game_by_keyboard(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    board = sit(ada, lay_table(server.url, "Ada", seats=6))
    for _ in range(MOST_DECISIONS):
        expect(board.asked.or_(board.result).first).to_be_visible()
        if board.is_over():
            break
        decide(board)
    expect(board.result).to_be_visible()
    tab_to(ada, ada.button("result.rematch"))
    press(ada, "Enter")
    tab_to(ada, ada.button("gathering.start"))
    press(ada, "Enter")
    board.wait_until_asked()
    expect(board.cards).to_have_count(9)


def test_a_number_raises_its_card(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    board = sit(ada, lay_table(server.url, "Ada"))
    value = board.values()[-1].split()[-1].replace("−", "-")
    press(ada, value)
    expect(ada.button("buffet.lay", board.hand)).to_be_enabled()
    press(ada, "Tab", "Enter")
    expect(board.log).to_contain_text("Ada:")
