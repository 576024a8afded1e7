"""Three people share one screen, and a seat moves from one device to another."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.board import Board, BoardWithTurns, glance
from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.tables import kept_table, lay_table
from tests.browser.test_coming_back import number, sit
from tests.browser.test_together import invite
from tests.server.running import RunningServer

PEOPLE = ("Ada", "Bo", "Cy")
ALL_THAT_IS_SAID = """() => [document.body, ...document.body.querySelectorAll("*")].flatMap((element) => [
  ...[...element.attributes].map(({ value }) => value),
  ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
])"""


def check_covered(guest: Guest) -> None:
    """Nobody who takes the device sees or hears a card of anybody's hand."""
    expect(guest.button("cover.show").first).to_be_visible()
    secrets = [guest.words.inside("buffet.card"), guest.words.inside("buffet.laid")]
    for said in guest.page.evaluate(ALL_THAT_IS_SAID):
        assert not any(re.search(secret, said) for secret in secrets), said
    expect(Board(guest).hand).to_have_count(0)


def uncover(board: BoardWithTurns, name: str) -> None:
    """Whoever is too quick has pressed by accident, so it takes a little patience."""
    show = board.guest.button("cover.show", name=name)
    while show.is_visible():
        show.click()
        glance(board.asked)
    board.wait_until_asked()


def test_three_people_at_one_screen_see_only_their_own_cards(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    invite(ada, "Ada", 3)
    for name in PEOPLE[1:]:
        ada.button("gathering.sit").click()
        dialog = ada.dialog("gathering.sit")
        dialog.get_by_label(ada.words.text("gathering.sit-name")).fill(name)
        ada.button("join.sit", dialog).click()
        expect(dialog).to_have_count(0)
    ada.button("gathering.start").click()
    expect(ada.heading("cover.hand", name="Ada")).to_be_visible()
    table = kept_table(ada.context, ada.url)
    board = Board(ada)
    for turn in range(3):
        awaited = table.to_act()
        laid = {}
        for seat in awaited:
            check_covered(ada)
            uncover(board, PEOPLE[seat])
            assert [number(card) for card in board.values()] == table.hand_of(seat)
            if board.exchange.is_visible():
                board.keep_all()
            else:
                laid[PEOPLE[seat]] = number(board.lay())
        for name, card in laid.items():
            shown = str(card).replace("-", "−")
            expect(board.log).to_contain_text(f"{name}: {shown} →")
        check_covered(ada)
        assert turn < 2 or table.to_act()


def test_a_seat_moves_to_another_device(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada")
    desk, phone = arrive(), arrive(viewport={"width": 390, "height": 844})
    hand = sit(desk, table).values()
    desk.button("table.menu").click()
    desk.button("table.take-along").click()
    dialog = desk.dialog("take.title")
    expect(desk.find("img", "take.code", dialog)).to_be_visible()
    link = dialog.get_by_role("textbox", name=desk.words.text("take.link")).input_value()

    phone.open(link)
    board = Board(phone)
    board.wait_until_asked()
    assert "pass" not in phone.page.url
    assert board.values() == hand

    gone = desk.dialog("bye.seat-moved")
    desk.button("bye.watch", gone).click()
    expect(desk.find("region", "buffet.track")).to_be_visible()
    expect(Board(desk).hand).to_have_count(0)

    board.play_turns(2)
    phone.page.reload()
    board.wait_until_asked()
    desk.open()
    expect(desk.text("mine.empty")).to_be_visible()
