"""Two people, each with a browser of their own, from the invitation to the rematch."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.board import Board, play_on
from tests.browser.chocolat import ChocolatBoard
from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.tables import lay_table
from tests.server.guests import verdict_on
from tests.server.running import RunningServer


def invite(host: Guest, name: str, seats: int, *, game: str = "buffet", bots: str = "instant") -> str:
    """Set a table for friends; gives the link to it."""
    host.open()
    host.button("home.invite", on_shelf(host, game)).click()
    dialog = host.dialog("invite.title")
    dialog.get_by_label(host.words.text("join.name")).fill(name)
    choose(host, dialog, "invite.seats", str(seats))
    dialog.get_by_text(host.words.text("invite.more")).click()
    choose(host, dialog, "terms.bots", host.words.text(f"terms.bots.{bots}"))
    host.button("invite.open", dialog).click()
    return (
        host.page.get_by_label(host.words.text("gathering.link")).and_(host.page.get_by_role("textbox")).input_value()
    )


def on_shelf(guest: Guest, game: str) -> Locator:
    """A game on the start page."""
    return guest.find("article", f"game.{game}")


def choose(guest: Guest, inside: Locator, question: str, answer: str) -> None:
    guest.find("group", question, inside).get_by_role("radio", name=answer, exact=True).check()


def sit_down(guest: Guest, link: str, name: str) -> None:
    guest.open(link)
    guest.page.get_by_label(guest.words.text("join.name")).fill(name)
    guest.button("join.sit").click()


def places(board: Board | ChocolatBoard) -> list[str]:
    """The places as the result lists them."""
    expect(board.result).to_be_visible()
    listed = board.guest.find("list", "result.places", board.result).get_by_role("listitem")
    return [" ".join(line.split()) for line in listed.all_inner_texts()]


def test_a_whole_game_of_two_people_and_two_bots(arrive: Arrive, tmp_path: Path) -> None:
    ada, bo = arrive(), arrive(language="de")
    link = invite(ada, "Ada", 4)
    sit_down(bo, link, "Bo")
    expect(ada.page.get_by_role("main").get_by_text("Bo", exact=True)).to_be_visible()
    ada.button("gathering.fill").click()
    start = ada.button("gathering.start")
    expect(start).to_be_enabled()
    start.click()
    boards = Board(ada), Board(bo)
    play_on(*boards)

    # Everybody sees the same result, each in their language.
    first, second = (places(board) for board in boards)
    assert len(first) == 4
    names = [next(name for name in ("Ada", "Bo", "Cy", "Di") if f" {name} " in line) for line in first]
    assert all(f" {name} " in line for name, line in zip(names, second, strict=True))
    expect(bo.text("result.waiting", host="Ada")).to_be_visible()

    # The record can be had, holds, and proves the shuffles.
    with bo.page.expect_download() as download:
        bo.link("result.record").click()
    kept = tmp_path / download.value.suggested_filename
    assert kept.suffix == ".tafel"
    download.value.save_as(kept)
    verdict = verdict_on(kept.read_text(encoding="utf-8"))
    assert verdict.holds
    assert verdict.finished
    assert verdict.proven

    # One more? Everybody sits at the table again.
    ada.button("result.rematch").click()
    for guest in (ada, bo):
        expect(guest.text("gathering.again", match=2)).to_be_visible()
        expect(guest.page.get_by_role("main").get_by_text("Bo", exact=True)).to_be_visible()
    expect(bo.text("gathering.host", host="Ada")).to_be_visible()
    ada.button("gathering.start").click()
    for board in boards:
        board.wait_until_asked()
        expect(board.cards).to_have_count(9)


def test_what_one_says_or_shows_reaches_the_other(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada", "Bo")
    ada, bo = arrive(), arrive(language="ja")
    for seat, guest in enumerate((ada, bo)):
        table.give_keys(guest.context, seat)
        guest.open(table.path)
        Board(guest).wait_until_asked()
    talk = [guest.find("log", "talk.label") for guest in (ada, bo)]
    ada.find("tab", "side.talk").click()
    said = "<b>Hello</b> & こんにちは 🧀"
    ada.page.get_by_label(ada.words.text("talk.write")).fill(said)
    ada.button("talk.send").click()
    expect(talk[0]).to_contain_text(said)
    unread = bo.page.get_by_role("tab", name=bo.words.inside("side.unread", count=1))
    unread.click()
    expect(talk[1]).to_contain_text(said)

    bo.button("reaction.yum").click()
    expect(talk[0]).to_contain_text(ada.words.text("reaction.yum"))
    expect(
        ada.page.get_by_text(ada.words.text("said", name="Bo", text=ada.words.text("reaction.yum")))
    ).to_be_attached()
