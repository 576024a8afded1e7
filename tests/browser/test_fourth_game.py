"""A game that the page has no folder for, brought by a package of its own: played from end to end all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.axe import complaints
from tests.browser.board import BoardWithTurns, play_on
from tests.browser.conftest import Arrive
from tests.browser.guest import DESK, PHONE, Guest
from tests.browser.proxy import Line
from tests.browser.tables import Table, View, lay_table
from tests.browser.test_keyboard import press, tab_to
from tests.browser.test_one_screen import uncover
from tests.browser.test_phone import TOO_WIDE, hard_to_hit
from tests.browser.test_replay import Stage
from tests.browser.words import LANGUAGES
from tests.other_package import DuelServer, install_duel

TITLE = "Card duel"
TRICKS = 5
DEVICES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": DESK},
    "phone": {"viewport": PHONE, "has_touch": True},
    "sideways": {"viewport": {"width": 844, "height": 390}, "has_touch": True},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuelServer]:
    """On its machine the card duel was installed, as a package of its own."""
    site = install_duel(tmp_path_factory.mktemp("site"))
    running = DuelServer(site, tmp_path_factory.mktemp("db") / "tables.db")
    yield running
    running.stop()


class DuelBoard(BoardWithTurns):
    """What the page makes of a game that it does not know."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(guest)
        self.own = guest.find("region", "generic.own")
        self.table = guest.find("region", "generic.table")
        self.region = guest.find("region", "generic.choices")
        self.choices = self.region.get_by_role("button", disabled=False)
        self.told = guest.page.locator("[aria-live=polite], [aria-live=assertive]")
        self.recent = guest.find("region", "generic.recent")

    @property
    def asked(self) -> Locator:
        return self.choices.first

    def decide(self) -> None:
        self.press(self.asked)

    @property
    def hand(self) -> list[str]:
        return self.own.get_by_role("listitem").all_text_contents()


def lay_duel(url: str, *names: str, until: Any = None) -> Table:
    return lay_table(url, *names, game="duel", seats=2, level="high", until=until)


def sit(guest: Guest, table: Table, *seats: int) -> DuelBoard:
    table.give_keys(guest.context, *(seats or (0,)))
    guest.open(table.path)
    return DuelBoard(guest)


def on_shelf(guest: Guest) -> Locator:
    return guest.page.get_by_role("article", name=TITLE)


def in_the_middle(view: View) -> bool:
    return bool(view["trick"] == 3)


def out_of_reach(guest: Guest) -> list[str]:
    """What is wider than the screen, and on a screen that is touched what a finger misses."""
    too_wide: list[str] = guest.page.evaluate(TOO_WIDE)
    return too_wide + (hard_to_hit(guest) if guest.touches else [])


def is_over(view: View) -> bool:
    return bool(view["over"])


# --- Chosen -----------------------------------------------------------------------------------------------------------


def test_it_stands_on_the_shelf_after_ours_without_what_it_does_not_have(arrive: Arrive) -> None:
    ada = arrive()
    ada.open()
    expect(on_shelf(ada)).to_be_visible()
    assert ada.page.get_by_role("article").get_by_role("heading").all_inner_texts()[-1] == TITLE
    expect(on_shelf(ada)).to_contain_text(ada.words.text("generic.line"))
    expect(on_shelf(ada)).to_contain_text(ada.words.text("home.players-exactly", count=2))
    expect(on_shelf(ada).get_by_role("link")).to_have_count(0)
    expect(ada.page.get_by_role("contentinfo")).to_contain_text("an example")


@pytest.mark.parametrize("device", DEVICES)
def test_one_click_and_it_is_played(arrive: Arrive, device: str) -> None:
    ada = arrive(**DEVICES[device])
    ada.open()
    board = DuelBoard(ada)
    board.press(ada.button("home.play", on_shelf(ada)))
    board.wait_until_asked()
    expect(ada.page).to_have_title(re.compile(TITLE))
    expect(board.choices).to_have_count(TRICKS)
    expect(ada.link("home.learn")).to_have_count(0)
    board.decide()
    expect(board.choices).to_have_count(TRICKS - 1)
    ada.button("table.menu").click()
    expect(ada.dialog("table.menu")).to_be_visible()
    expect(ada.link("table.rules")).to_have_count(0)


@pytest.mark.parametrize("device", DEVICES)
def test_friends_are_invited_play_it_and_are_watched(arrive: Arrive, device: str) -> None:
    ada, bo, eve = arrive(), arrive(**DEVICES["phone"]), arrive(**DEVICES[device])
    ada.open()
    ada.button("home.invite", on_shelf(ada)).click()
    dialog = ada.dialog("invite.title", game=TITLE)
    dialog.get_by_role("textbox").first.fill("Ada")
    ada.button("invite.open", dialog).click()
    expect(ada.page.get_by_role("heading", level=1, name=TITLE)).to_be_visible()
    expect(ada.link("home.rules")).to_have_count(0)
    assert complaints(ada) == []

    ada.page.wait_for_url("**/t/*")
    path = "/t/" + ada.page.url.rpartition("/")[2]
    bo.open(path)
    expect(bo.heading("join.invited", host="Ada", game=TITLE)).to_be_visible()
    assert complaints(bo) == []
    bo.page.get_by_role("textbox").fill("Bo")
    bo.button("join.sit").click()
    ada.button("gathering.start").click()
    boards = DuelBoard(ada), DuelBoard(bo)
    for board in boards:
        board.wait_until_asked()

    eve.open(path)
    eve.button("join.watch").click()
    watching = DuelBoard(eve)
    expect(watching.table).to_be_visible()
    expect(watching.own).to_have_count(0)
    expect(watching.region).to_have_count(0)
    expect(eve.text("generic.prompt.others", names="Ada and Bo", count=2).first).to_be_visible()

    laid = boards[0].hand[0]
    boards[0].decide()
    story = watching.log if device == "desk" else watching.recent
    expect(story.get_by_text("Ada: lay", exact=True)).to_have_count(1)
    expect(watching.told.get_by_text("Ada: lay", exact=True)).to_be_attached()
    boards[1].decide()
    expect(story.get_by_text(f"Ada: show, card {laid}", exact=True)).to_have_count(1)
    expect(watching.told.get_by_text(f"Ada: show, card {laid}", exact=True)).to_be_attached()
    expect(watching.table.get_by_role("listitem").filter(has_text=re.compile(f"^{laid}$"))).to_have_count(1)
    assert complaints(eve) + out_of_reach(eve) == []

    before = boards[0].hand
    ada.page.reload()
    boards[0].wait_until_asked()
    assert boards[0].hand == before
    play_on(*boards)
    expect(watching.result).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_agreed_is_said_and_played_though_the_page_has_no_words_for_it(arrive: Arrive, language: str) -> None:
    ada, bo = arrive(language=language), arrive(language=language)
    ada.open()
    ada.button("home.invite", on_shelf(ada)).click()
    dialog = ada.dialog("invite.title", game=TITLE)
    dialog.get_by_text(ada.words.text("invite.more"), exact=True).click()
    tricks = dialog.get_by_role("group", name="tricks played", exact=True)
    expect(tricks).to_have_accessible_description("So many tricks are played.")
    expect(tricks.get_by_role("radio")).to_have_count(TRICKS)
    expect(tricks.get_by_role("radio", name=str(TRICKS))).to_be_checked()
    tricks.get_by_role("radio", name="2").check()
    assert complaints(ada) == []
    ada.button("invite.open", dialog).click()
    ada.page.wait_for_url("**/t/*")
    bo.open("/t/" + ada.page.url.rpartition("/")[2])
    bo.page.get_by_role("textbox").fill("Bo")
    bo.button("join.sit").click()
    for guest in (ada, bo):
        expect(guest.text("labelled", label="tricks played", value=2)).to_be_visible()
    ada.button("gathering.start").click()
    boards = DuelBoard(ada), DuelBoard(bo)
    for left in (TRICKS, TRICKS - 1):
        for board in boards:
            expect(board.choices).to_have_count(left)
        for board in boards:
            board.decide()
    for board in boards:
        expect(board.result).to_be_visible()


def test_it_is_offered_to_friends_and_watched_by_keyboard(arrive: Arrive) -> None:
    ada, bo, eve = arrive(), arrive(), arrive()
    ada.open()
    tab_to(ada, ada.button("home.invite", on_shelf(ada)))
    press(ada, "Enter")
    dialog = ada.dialog("invite.title", game=TITLE)
    tab_to(ada, dialog.get_by_role("textbox").first)
    ada.page.keyboard.type("Ada")
    tab_to(ada, ada.button("invite.open", dialog))
    press(ada, "Enter")
    ada.page.wait_for_url("**/t/*")
    path = "/t/" + ada.page.url.rpartition("/")[2]
    bo.open(path)
    tab_to(bo, bo.page.get_by_role("textbox"))
    bo.page.keyboard.type("Bo")
    tab_to(bo, bo.button("join.sit"))
    press(bo, "Enter")
    expect(ada.button("gathering.start")).to_be_enabled()
    tab_to(ada, ada.button("gathering.start"))
    press(ada, "Enter")
    board = DuelBoard(ada)
    board.wait_until_asked()

    eve.open(path)
    tab_to(eve, eve.button("join.watch"))
    press(eve, "Enter")
    watching = DuelBoard(eve)
    expect(watching.table).to_be_visible()
    tab_to(eve, eve.find("region", "generic.board"))
    tab_to(ada, board.asked)
    press(ada, "Enter")
    expect(watching.told.get_by_text("Ada: lay", exact=True)).to_be_attached()


# --- Played -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_against_a_bot(arrive: Arrive, server: DuelServer, language: str, device: str) -> None:
    ada = arrive(language=language, **DEVICES[device])
    board = sit(ada, lay_duel(server.url, "Ada"))
    board.wait_until_asked()
    expect(ada.text("generic.prompt.mine").first).to_be_visible()
    expect(board.asked).to_have_accessible_name(re.compile(f"lay.*card {board.hand[0]}$"))
    expect(board.asked).to_be_in_viewport(ratio=1)
    assert complaints(ada) + out_of_reach(ada) == []
    play_on(board)
    expect(ada.find("list", "result.places").get_by_role("listitem")).to_have_count(2)
    assert complaints(ada) == []


def test_it_is_played_by_keyboard_from_the_shelf_to_the_replay(arrive: Arrive) -> None:
    ada = arrive()
    ada.open()
    tab_to(ada, ada.button("home.play", on_shelf(ada)))
    press(ada, "Enter")
    board = DuelBoard(ada)
    board.wait_until_asked()
    tab_to(ada, board.asked)
    for left in range(TRICKS, 0, -1):
        # The focus has come to the first choice by itself; a number or an arrow leads to others.
        expect(board.choices).to_have_count(left)
        expect(board.asked).to_be_focused()
        press(ada, *{5: ["3"], 4: ["End"], 3: ["ArrowRight"]}.get(left, []))
        chosen = ada.page.locator(":focus").inner_text().split()[-1]
        press(ada, "Enter")
        # Those who hear the game are told what came of it.
        expect(board.told.get_by_text(re.compile(f"show, card {chosen}$")).first).to_be_attached()
    expect(board.result).to_be_visible()
    tab_to(ada, ada.link("lookback.look"))
    press(ada, "Enter")
    stage = Stage(ada)
    stage.is_at(0)
    press(ada, "ArrowRight")
    stage.is_at(1)
    tab_to(ada, stage.forward)
    press(ada, "Enter")
    expect(ada.page.get_by_role("status").filter(has_text="lay")).to_be_attached()


def test_a_late_card_is_refused_in_the_words_of_the_server(line: Line, arrive: Arrive, server: DuelServer) -> None:
    """The same seat at two devices; there is no book here in which its rule could be looked up."""
    table = lay_duel(server.url, "Ada", "Bo")
    quick, slow = arrive(), arrive(url=line.url, language="de")
    boards = sit(quick, table), sit(slow, table)
    for board in boards:
        board.wait_until_asked()
    line.hold()
    boards[0].decide()
    expect(boards[0].choices).to_have_count(0)
    boards[1].decide()
    line.mend()
    refusal = slow.page.get_by_role("alert").filter(has_text="Your card is on the table already.").first
    expect(refusal).to_contain_text(slow.words.text("rules.rule", rule="T2"))
    expect(slow.page.get_by_text("Your card is on the table already.")).to_have_attribute("lang", "en")
    assert complaints(slow) == []


def test_after_a_reload_everything_is_as_before(arrive: Arrive, server: DuelServer) -> None:
    table = lay_duel(server.url, "Ada", "Bo", until=in_the_middle)
    ada = arrive(**DEVICES["phone"])
    board = sit(ada, table)
    board.wait_until_asked()
    cards = board.own.get_by_role("listitem")
    held = cards.count()
    board.decide()
    expect(cards).to_have_count(held - 1)
    expect(ada.text("generic.no-choice")).to_be_visible()
    expect(board.recent.get_by_role("listitem").last).to_have_text("Ada: lay")
    before = ada.page.get_by_role("main").inner_text()
    ada.page.reload()
    expect(ada.page.get_by_role("main")).to_have_text(before, use_inner_text=True)


def test_people_who_share_a_screen_see_no_card_of_each_other(arrive: Arrive, server: DuelServer) -> None:
    ada = arrive()
    table = lay_duel(server.url, "Ada", "Bo")
    board = sit(ada, table, 0, 1)
    expect(ada.button("cover.show", name="Ada")).to_be_visible()
    expect(board.own).to_have_count(0)
    uncover(board, "Ada")
    mine = set(board.hand)
    assert len(mine) == TRICKS
    board.decide()
    expect(ada.button("cover.show", name="Bo")).to_be_visible()
    expect(board.own).to_have_count(0)
    expect(board.log).to_contain_text("Ada: lay")
    assert not re.search(r"\d", board.log.get_by_text("Ada: lay").inner_text())
    uncover(board, "Bo")
    expect(board.own.get_by_role("listitem")).to_have_count(TRICKS)
    assert not mine & set(board.hand)


# --- Looked back at ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
def test_it_is_seen_again_through_any_eyes(arrive: Arrive, server: DuelServer, device: str) -> None:
    table = lay_duel(server.url, "Ada", until=is_over)
    eve = arrive(**DEVICES[device])
    eve.open(f"/replay/{table.code}/1")
    stage, board = Stage(eve), DuelBoard(eve)
    stage.is_at(0)
    expect(stage.round).to_have_count(0)
    expect(board.own).to_have_count(0)
    expect(board.region).to_have_count(0)
    stage.eyes.select_option("Ada")
    expect(board.own.get_by_role("listitem")).to_have_count(TRICKS)
    stage.forward.click()
    expect(board.own.get_by_role("listitem")).to_have_count(TRICKS - 1)
    assert complaints(eve) + out_of_reach(eve) == []
    eve.button("replay.about").click()
    expect(eve.dialog("replay.of", game=TITLE)).to_be_visible()
    eve.button("proof.check").click()
    expect(eve.text("proof.fair")).to_be_visible()


def test_it_is_among_the_games_played(arrive: Arrive, server: DuelServer) -> None:
    ada = arrive()
    board = sit(ada, lay_duel(server.url, "Ada", until=is_over))
    expect(board.result).to_be_visible()
    ada.open("/results")
    expect(ada.page.get_by_role("heading", name=TITLE).first).to_be_visible()
    assert complaints(ada) == []


def test_whoever_looks_for_its_rules_is_told_kindly(arrive: Arrive) -> None:
    ada = arrive()
    ada.open("/rules/duel")
    expect(ada.page.get_by_role("heading", level=1, name=TITLE)).to_be_visible()
    expect(ada.text("rules.none")).to_be_visible()
    assert complaints(ada) == []


def test_the_front_door_is_accessible_with_it(arrive: Arrive) -> None:
    ada = arrive()
    ada.open()
    expect(on_shelf(ada)).to_be_visible()
    assert complaints(ada) == []
