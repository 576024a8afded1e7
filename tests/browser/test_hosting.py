"""What only the host may do: ask somebody to leave, also during a game, and close the table for good."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.browser.guest import PHONE, Guest
from tests.browser.tables import lay_table
from tests.browser.test_coming_back import sit
from tests.server.running import RunningServer

SMALL = {"width": 360, "height": 640}


def menu(guest: Guest) -> Locator:
    guest.button("table.menu").click()
    return guest.dialog("table.menu")


def close_table(host: Guest) -> None:
    host.button("table.close").click()
    host.button("table.close", host.dialog("table.close-sure")).click()


def test_the_host_asks_somebody_to_leave_and_the_others_play_on(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada", "Bo", "Cy", seats=4)
    ada, bo = arrive(viewport=PHONE, language="de"), arrive(viewport=SMALL, language="ja")
    cy = arrive()
    boards = [sit(guest, table, seat) for seat, guest in enumerate((ada, bo, cy))]
    for guest in (bo, cy):
        expect(guest.button("seat.remove-whom", menu(guest))).to_have_count(0)
        guest.page.keyboard.press("Escape")

    people = ada.button("seat.remove-whom", menu(ada))
    expect(people).to_have_count(2)
    ada.button("seat.remove-whom", name="Bo").click()
    sure = ada.dialog("seat.remove-sure", name="Bo")
    expect(sure).to_contain_text(ada.words.text("seat.remove-hint", name="Bo", phase="playing"))
    ada.button("seat.remove", sure).click()
    expect(people).to_have_count(1)
    ada.page.keyboard.press("Escape")

    # Bo reads why, and may watch; the key to the seat is gone.
    gone = bo.dialog("bye.removed")
    expect(gone).to_contain_text(bo.words.text("bye.removed.then", phase="playing"))
    bo.button("bye.watch", gone).click()
    expect(bo.find("region", "buffet.track")).to_be_visible()
    expect(boards[1].hand).to_have_count(0)
    bo.open()
    expect(bo.text("mine.empty")).to_be_visible()

    # Everybody else is told, and goes on with a bot.
    expect(boards[2].log).to_contain_text(cy.words.inside("house.remove", name="Bo", phase="playing"))
    for board in (boards[0], boards[2]):
        board.lay()
    for board in (boards[0], boards[2]):
        board.wait_until_asked()
    assert 1 not in table.to_act()


def test_the_host_closes_the_table_during_a_game(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada", "Bo")
    ada, bo, di = arrive(viewport=SMALL, language="de"), arrive(language="ja"), arrive()
    sit(ada, table)
    sit(bo, table, 1)
    expect(bo.button("table.close", menu(bo))).to_have_count(0)
    di.open(table.path)
    di.button("join.watch").click()
    expect(di.find("region", "buffet.track")).to_be_visible()
    ada.button("table.close", menu(ada)).click()
    ada.button("never-mind", ada.dialog("table.close-sure")).click()
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    menu(ada)
    close_table(ada)
    expect(ada.dialog("bye.table-closed", who="me")).to_be_visible()
    for guest in (bo, di):
        expect(guest.dialog("bye.table-closed", who="known", host="Ada")).to_be_visible()
        expect(guest.text("bye.table-closed.then", games=0)).to_be_visible()

    # It says so at home, too, where it can be forgotten.
    bo.link("table.home").click()
    expect(bo.text("mine.closed")).to_be_visible()
    bo.button("mine.forget").click()
    forget = bo.dialog("forget.title")
    expect(forget).to_contain_text(bo.words.inside("forget.over", names="Bo"))
    bo.button("forget.do", forget).click()
    expect(bo.text("mine.empty")).to_be_visible()

    # Link and code lead nowhere any more, and say why.
    di.open(table.path)
    expect(di.dialog("bye.table-closed", who="other")).to_be_visible()
    di.link("table.home").click()
    code = table.code.upper()
    di.page.get_by_label(di.words.text("code.title")).fill(f"{code[:4]} {code[4:8]}-{code[8:]}")
    di.button("code.join").click()
    expect(di.dialog("bye.table-closed", who="other")).to_be_visible()


def test_finished_games_outlive_their_table(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada", "Bo", seats=3, until=lambda view: view["over"])
    ada, bo = arrive(language="ja"), arrive(viewport=PHONE, language="de")
    for seat, guest in enumerate((ada, bo)):
        table.give_keys(guest.context, seat)
        guest.open(table.path)
        expect(Board(guest).result).to_be_visible()
    ada.button("table.menu", Board(ada).result).click()
    close_table(ada)
    expect(bo.text("bye.table-closed.then", games=1)).to_be_visible()
    bo.link("lookback.look").click()
    expect(bo.find("slider", "replay.scrub")).to_be_visible()


def test_the_host_closes_a_table_before_the_game(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada", "Bo", bots=False, begun=False)
    ada, bo = arrive(viewport=PHONE), arrive(language="de")
    for seat, guest in enumerate((ada, bo)):
        table.give_keys(guest.context, seat)
        guest.open(table.path)
        expect(guest.button("gathering.leave")).to_be_visible()
    expect(bo.button("table.close")).to_have_count(0)
    # Leaving is something else: then Bo would be the host.
    ada.button("gathering.leave").click()
    leave = ada.dialog("gathering.leave")
    expect(leave).to_contain_text(ada.words.text("leave.host", name="Bo"))
    ada.button("gathering.stay", leave).click()
    close_table(ada)
    expect(ada.dialog("bye.table-closed", who="me")).to_be_visible()
    expect(bo.dialog("bye.table-closed", who="known", host="Ada")).to_be_visible()
