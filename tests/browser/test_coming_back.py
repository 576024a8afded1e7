"""Lines break, servers die, pages are closed: the game goes on, and nothing happens twice."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.proxy import Line
from tests.browser.tables import Table, lay_table
from tests.server.running import RunningServer
from tests.waiting import eventually


def sit(guest: Guest, table: Table, seat: int = 0) -> Board:
    """Come to a table at which this device has a seat, and wait for the own moment."""
    table.give_keys(guest.context, seat)
    guest.open(table.path)
    board = Board(guest)
    board.wait_until_asked()
    return board


def banner(guest: Guest, key: str) -> Locator:
    return guest.page.get_by_role("status").filter(has_text=guest.words.text(key))


def hear_all(guest: Guest) -> None:
    """Lines come in order: when what we show now has come back, all that happened before is there."""
    guest.find("tab", "side.talk").click()
    guest.button("reaction.yum").click()
    expect(guest.find("log", "talk.label")).to_contain_text(guest.words.text("reaction.yum"))
    guest.find("tab", "side.log").click()


def number(card: str) -> int:
    """The value in the name of a card."""
    return int(card.split()[-1].replace("−", "-"))


def check_played_on(board: Board, table: Table, laid: list[str]) -> None:
    """All that was laid lies there once; the next moment comes, and the next card can be laid."""
    board.wait_until_asked()
    assert table.laid_by(0) == [number(card) for card in laid]
    if board.exchange.is_visible():
        board.keep_all()
        board.wait_until_asked()
    laid.append(board.lay())
    eventually(lambda: len(table.laid_by(0)) == len(laid))
    assert table.laid_by(0) == [number(card) for card in laid]


def test_a_card_laid_while_the_line_is_cut_is_carried_out_once(line: Line, arrive: Arrive) -> None:
    table = lay_table(line.url, "Ada")
    ada = arrive(url=line.url)
    ada.expects_cuts()
    board = sit(ada, table)
    line.cut()
    expect(banner(ada, "link.reconnecting")).to_be_visible()
    laid = [board.lay()]
    line.mend()
    expect(banner(ada, "link.reconnecting")).to_have_count(0)
    check_played_on(board, table, laid)


def test_a_card_whose_answer_got_lost_is_not_laid_again(line: Line, arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada")
    ada = arrive(url=line.url)
    ada.expects_cuts()
    board = sit(ada, table)
    line.hold()
    laid = [board.lay()]
    eventually(lambda: table.laid_by(0))
    line.cut()
    expect(banner(ada, "link.reconnecting")).to_be_visible()
    line.mend()
    check_played_on(board, table, laid)


def test_a_device_without_network_says_so_and_comes_back(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada")
    ada = arrive()
    ada.expects_cuts()
    board = sit(ada, table)
    ada.context.set_offline(True)
    expect(banner(ada, "link.offline")).to_be_visible()
    laid = [board.lay()]
    assert table.laid_by(0) == []
    ada.context.set_offline(False)
    expect(banner(ada, "link.offline")).to_have_count(0)
    check_played_on(board, table, laid)


def test_a_server_that_is_killed_and_comes_back_has_forgotten_nothing(
    own_server: RunningServer, arrive: Arrive
) -> None:
    table = lay_table(own_server.url, "Ada")
    ada = arrive(url=own_server.url)
    ada.expects_cuts()
    board = sit(ada, table)
    laid = [board.lay()]
    board.wait_until_asked()
    if board.exchange.is_visible():
        board.keep_all()
        board.wait_until_asked()
    own_server.kill()
    expect(banner(ada, "link.reconnecting")).to_be_visible()
    laid.append(board.lay())
    own_server.start()
    expect(banner(ada, "link.reconnecting")).to_have_count(0)
    check_played_on(board, table, laid)


def test_a_server_that_was_put_back_to_a_backup_is_believed(own_server: RunningServer, arrive: Arrive) -> None:
    kept = Path(own_server.db)
    table = lay_table(own_server.url, "Ada")
    own_server.stop()
    backup = kept.read_bytes()
    own_server.start()
    ada = arrive(url=own_server.url)
    ada.expects_cuts()
    board = sit(ada, table)
    hand, log = board.values(), board.log.inner_text()
    board.lay()
    hear_all(ada)
    own_server.stop()
    expect(banner(ada, "link.reconnecting")).to_be_visible()
    for rest in kept.parent.glob(f"{kept.name}-*"):
        rest.unlink()
    kept.write_bytes(backup)
    own_server.start()
    expect(banner(ada, "link.reconnecting")).to_have_count(0)
    board.wait_until_asked()
    assert board.values() == hand
    assert board.log.inner_text() == log
    ada.find("tab", "side.talk").click()
    expect(ada.find("log", "talk.label")).not_to_contain_text(ada.words.text("reaction.yum"))
    ada.find("tab", "side.log").click()
    check_played_on(board, table, [])


def test_after_loading_the_page_again_everything_is_there(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada")
    ada = arrive()
    board = sit(ada, table)
    board.play_turns(3)
    board.wait_until_asked()
    eventually(lambda: table.to_act() == [0])
    hear_all(ada)
    ada.page.keyboard.press("Escape")  # the log tells no more than was shown
    hand, log = board.values(), board.log.inner_text()
    assert "Ada:" in log
    ada.page.reload()
    board.wait_until_asked()
    assert board.values() == hand
    assert [number(card) for card in hand] == table.hand_of(0)
    assert board.log.inner_text() == log
    board.play_turns(1)


def test_my_games_lead_back_to_the_table(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada")
    ada = arrive()
    board = sit(ada, table)
    hand = board.values()
    ada.button("table.menu").click()
    ada.link("table.home").click()
    expect(ada.heading("home.welcome")).to_be_visible()
    expect(ada.page.get_by_role("heading", name=ada.words.inside("mine.title"))).to_be_visible()
    kept = ada.page.get_by_role("listitem").filter(has_text=ada.words.text("mine.move"))
    ada.link("game.buffet", kept).click()
    board.wait_until_asked()
    assert board.values() == hand
