"""chocolat: two people and bots, helpers, combinations that are offered and never forced, and a deck of one's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tafelrunde.games.chocolat import deck
from tests.browser.board import glance, play_on
from tests.browser.chocolat import ChocolatBoard, lay_sweets, optional_helps, plain_runs, sit
from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.tables import Table, View, elsewhere, lay_table, welcome
from tests.browser.test_one_screen import ALL_THAT_IS_SAID
from tests.browser.test_together import invite, on_shelf, places, sit_down
from tests.browser.words import LANGUAGES
from tests.decks import NAME, SPOILT, TURNED
from tests.server.guests import verdict_on
from tests.server.running import RunningServer

MANY = 60
"""No screen has so many stops for the Tab key."""


# --- Whole games -----------------------------------------------------------------------------------------------------


def test_a_whole_game_of_two_people_and_two_bots(arrive: Arrive, server: RunningServer, tmp_path: Path) -> None:
    table = lay_table(server.url, "Ada", game="chocolat", begun=False, bots=False, options={"target": 9})
    ada, bo = arrive(), arrive(language="de")
    table.give_keys(ada.context, 0)
    ada.open(table.path)
    sit_down(bo, table.path, "Bo")
    expect(ada.page.get_by_role("main").get_by_text("Bo", exact=True)).to_be_visible()
    ada.button("gathering.fill").click()
    start = ada.button("gathering.start")
    expect(start).to_be_enabled()
    start.click()
    boards = ChocolatBoard(ada), ChocolatBoard(bo)
    play_on(*boards)

    first, second = (places(board) for board in boards)
    assert len(first) == 4
    names = [next(name for name in ("Ada", "Bo", "Cy", "Di") if f" {name} " in line) for line in first]
    assert all(f" {name} " in line for name, line in zip(names, second, strict=True))
    reasons = ("chocolat.reason.points", "chocolat.reason.rank")
    for board in boards:
        told = board.result.inner_text()
        assert any(board.guest.words.inside(reason).search(told) for reason in reasons)

    with bo.page.expect_download() as download:
        bo.link("result.record").click()
    kept = tmp_path / download.value.suggested_filename
    download.value.save_as(kept)
    verdict = verdict_on(kept.read_text(encoding="utf-8"))
    assert (verdict.holds, verdict.finished, verdict.proven) == (True, True, True)


def tab_to(guest: Guest, what: Locator) -> None:
    """Go there by the Tab key alone."""
    expect(what).to_be_visible()
    for _ in range(MANY):
        if what.evaluate("(element) => element === document.activeElement"):
            return
        guest.page.keyboard.press("Tab")
    raise AssertionError(f"no way to {what}")


class Typist(ChocolatBoard):
    """Plays without touching anything but keys."""

    def press(self, what: Locator) -> None:
        tab_to(self.guest, what)
        self.guest.page.keyboard.press("Enter")

    def take_two(self) -> None:
        """The market is one stop on the way: the card where one was last."""
        tab_to(self.guest, self.market.and_(self.guest.page.locator('[tabindex="0"]')))
        for key in ("Home", "Enter", "ArrowRight", "Enter"):
            self.guest.page.keyboard.press(key)
        self.press(self.take)
        expect(self.take).to_have_count(0)

    def lay_card(self, nth: int = 0) -> None:
        tab_to(self.guest, self.cards.first)
        self.guest.page.keyboard.press("End")
        self.guest.page.keyboard.press("Space")
        self.press(self.lay)
        expect(self.choose.or_(self.lay)).to_have_count(0)


def test_a_whole_game_by_keyboard_alone(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    table = lay_table(server.url, "Ada", game="chocolat", seats=3, options={"target": 6})
    table.give_keys(ada.context, 0)
    ada.open(table.path)
    board = Typist(ada)
    play_on(board)
    assert len(places(board)) == 3


def test_one_click_and_a_table_with_three_bots_plays(arrive: Arrive) -> None:
    ada = arrive()
    ada.open()
    ada.button("home.play", on_shelf(ada, "chocolat")).click()
    board = ChocolatBoard(ada)
    board.wait_until_asked()
    expect(ada.find("list", "chocolat.others").get_by_role("listitem")).to_have_count(3)
    expect(board.cards).to_have_count(5)
    expect(board.market).to_have_count(5)


# --- Helpers and combinations ----------------------------------------------------------------------------------------


def at(server: RunningServer, guest: Guest, wanted: Any, seats: int = 4) -> ChocolatBoard:
    """Somebody comes to a table at which this can be decided."""
    return sit(guest, lay_sweets(server.url, wanted, seats))


def may(do: str, key: str = "do") -> Any:
    return lambda view: any(one["do"] == do and key in one for one in view["legal"])


def test_the_cockroach_lies_under_the_card(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    board = at(server, ada, may("lay", "helper"))
    bold = ada.button("chocolat.bold")
    bold.click()
    expect(bold).to_have_attribute("aria-pressed", "true")
    board.lay_card()
    expect(board.log).to_contain_text(ada.words.inside("chocolat.tell.reveal-helper", name="Ada"))


def test_the_hamster_takes_three_and_gives_one_of_them(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    board = at(server, ada, may("draft", "give"))
    held = board.cards.count()
    for nth in range(3):
        board.market.nth(nth).click()
    expect(board.cards).to_have_count(held + 3)
    board.cards.last.click()
    board.give.click()
    expect(board.log).to_contain_text(ada.words.inside("chocolat.tell.draft-helper", name="Ada"))


@pytest.mark.parametrize("verb", ["dig", "fetch"])
def test_a_card_is_swapped_before_scoring(arrive: Arrive, server: RunningServer, verb: str) -> None:
    ada = arrive()
    board = at(server, ada, may(verb))
    held = board.cards.count()
    board.cards.first.click()
    ada.button(f"chocolat.{verb}").click()
    expect(board.log).to_contain_text(ada.words.inside("chocolat.tell.swap", name="Ada"))
    expect(board.cards).to_have_count(held)
    expect(ada.button(f"chocolat.{verb}")).to_have_count(0)
    board.score()


def test_combinations_are_offered_on_demand_and_tell_what_is_kept(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    table = lay_sweets(server.url, may("combine"))
    board = sit(ada, table)
    before = table.view_of(0)
    expect(board.combine).to_have_count(0)  # nothing is lifted unasked
    expect(board.pass_).to_be_enabled()
    board.lift_best()
    told = board.combine.inner_text()
    points = int(re.search(r"\d+", told)[0])  # type: ignore[index]
    best = max(
        sum(int(card.split("-")[1]) for card in one["kept"]) for one in before["legal"] if one["do"] == "combine"
    )
    assert points == best
    board.combine.click()
    expect(board.pass_).to_have_count(0)
    after = table.view_of(0)
    assert after["seats"][0]["points"] == before["seats"][0]["points"] + points


def test_raised_cards_narrow_the_offers_down(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()

    def is_rich(view: View) -> bool:
        """Whichever card is raised, some of the combinations do without it."""
        combinations = [set(one["cards"]) for one in view["legal"] if one["do"] == "combine"]
        return len(combinations) > 20 and not set.intersection(*combinations)

    board = at(server, ada, is_rich)

    def offered() -> int:
        return int(re.search(r"\d+", board.combinations.inner_text())[0])  # type: ignore[index]

    everything = offered()
    board.cards.first.click()
    some = offered()
    assert some < everything
    board.cards.first.click()
    assert offered() == everything


def last_combination(server: RunningServer, table: Table) -> dict[str, Any]:
    """What Ada has laid out, as the record tells it."""
    lines = elsewhere(welcome(server.url, table.code, table.tokens[0]))["lines"]
    steps = [entry for line in lines if line["type"] == "step" for entry in line["entries"]]
    combination: dict[str, Any] = [one for one in steps if one["do"] == "combine" and one["by"] == 0][-1]
    return combination


def said_of(order: Locator) -> list[str]:
    """The numbers of the cards in an order that can be chosen, as it is read."""
    return re.findall(r"\d+", order.locator("xpath=../span[1]").inner_text())


def discarded_in(combination: dict[str, Any]) -> list[str]:
    """The numbers of the cards that were not kept, in their order."""
    discarded = combination["cards"][len(combination["kept"]) :]
    return [number for card in discarded for number in card.split("-")[1:]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_are_discarded_in_the_order_that_one_likes(arrive: Arrive, server: RunningServer, language: str) -> None:
    ada = arrive(language=language)
    table = lay_sweets(server.url, plain_runs)
    board = sit(ada, table)
    cards = plain_runs(table.view_of(0))[0]["cards"]
    board.raise_cards(cards)
    board.press(board.other_order.or_(board.other_ways))
    orders = ada.find("group", "chocolat.ways.orders", board.ways).get_by_role("radio")
    expect(orders).to_have_count(2)
    expect(orders.first).to_be_checked()  # the best guess
    says = said_of(orders.nth(1))
    orders.nth(1).check()
    board.press(ada.button("chocolat.combine", board.ways))
    expect(board.pass_).to_have_count(0)
    assert says == discarded_in(last_combination(server, table))


def test_a_helper_is_used_also_where_it_brings_nothing(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    table = lay_sweets(server.url, optional_helps)
    board = sit(ada, table)
    wanted = optional_helps(table.view_of(0))[-1]
    board.raise_cards(wanted["cards"])
    board.press(board.other_ways)
    helps = ada.find("group", "chocolat.ways.helps", board.ways).get_by_role("radio")
    helps.last.check()
    board.press(ada.button("chocolat.combine", board.ways))
    expect(board.pass_).to_have_count(0)
    assert "changed" in last_combination(server, table)


def raise_by_keys(board: Typist, cards: list[str]) -> None:
    """The hand is one stop too: arrows lead from card to card."""
    tab_to(board.guest, board.cards.first)
    left = list(cards)
    for spot in board.cards.all():
        card = (spot.get_attribute("data-spot") or "").removeprefix("card:")
        if card in left:
            left.remove(card)
            board.guest.page.keyboard.press("Space")
            expect(spot).to_have_attribute("aria-pressed", "true")
        board.guest.page.keyboard.press("ArrowRight")
    assert not left


def test_another_order_is_chosen_by_keyboard_alone(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    table = lay_sweets(server.url, plain_runs)
    table.give_keys(ada.context, 0)
    ada.open(table.path)
    board = Typist(ada)
    board.wait_until_asked()
    raise_by_keys(board, plain_runs(table.view_of(0))[0]["cards"])
    board.press(board.other_order.or_(board.other_ways))
    orders = ada.find("group", "chocolat.ways.orders", board.ways).get_by_role("radio")
    tab_to(ada, orders.first)
    ada.page.keyboard.press("ArrowDown")
    expect(orders.nth(1)).to_be_checked()
    expect(orders.nth(1)).to_be_focused()
    says = said_of(orders.nth(1))
    board.press(ada.button("chocolat.combine", board.ways))
    expect(board.pass_).to_have_count(0)
    assert says == discarded_in(last_combination(server, table))


def test_the_best_guess_needs_no_further_tap(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    board = at(server, ada, plain_runs)
    taps: list[Locator] = []
    press = board.press
    board.press = lambda what: (taps.append(what), press(what))[1]  # type: ignore[method-assign]
    board.score()
    assert len(taps) == 3  # what is possible, the first of it, lay it out


def test_the_queue_is_in_the_order_of_coins(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    board = at(server, ada, lambda view: view["phase"] == "drafting" and len(view["order"]) > 1 and view["legal"])
    queue = ada.find("list", "chocolat.queue", board.middle).get_by_role("listitem").all_inner_texts()
    coins = [int(re.findall(r"\d+", line)[-1]) for line in queue]
    assert len(coins) > 1
    assert coins == sorted(coins, reverse=True)


def test_a_hand_is_sorted_as_one_likes_and_stays_so(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    table = lay_table(server.url, "Ada", game="chocolat")
    board = sit(ada, table)
    ada.find("combobox", "chocolat.sort").select_option("coins")

    def coins() -> list[int]:
        return [int(re.findall(r"\d+", name)[1]) for name in board.names()]

    assert coins() == sorted(coins())
    ada.page.reload()
    board.wait_until_asked()
    expect(ada.find("combobox", "chocolat.sort")).to_have_value("coins")
    assert coins() == sorted(coins())


# --- Others look on --------------------------------------------------------------------------------------------------


def test_two_people_at_one_screen_see_only_their_own_cards(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive()
    table = lay_table(server.url, "Ada", "Bo", game="chocolat", seats=2, options={"target": 1000})
    table.give_keys(ada.context, 0, 1)
    ada.open(table.path)
    board = ChocolatBoard(ada)
    for _ in range(8):
        show = ada.button("cover.show")
        expect(show.first).to_be_visible()
        expect(board.hand).to_have_count(0)
        said = " | ".join(ada.page.evaluate(ALL_THAT_IS_SAID))
        assert not any(ada.words.inside(secret).search(said) for secret in ("chocolat.hand", "chocolat.laid"))
        while show.first.is_visible():
            show.first.click()
            glance(board.asked)
        board.wait_until_asked()
        board.decide()


def test_a_watcher_sees_the_game_but_no_hand(arrive: Arrive, server: RunningServer) -> None:
    table = lay_table(server.url, "Ada", game="chocolat")
    ada, eve = arrive(), arrive(language="ja")
    playing = sit(ada, table)
    eve.open(table.path)
    eve.button("join.watch").click()
    watching = ChocolatBoard(eve)
    expect(watching.market).to_have_count(5)
    expect(eve.text("chocolat.prompt.watch").first).to_be_visible()
    expect(watching.hand).to_have_count(0)
    playing.lay_card()
    expect(watching.log).to_contain_text(eve.words.inside("chocolat.tell.reveal"))
    expect(watching.hand).to_have_count(0)


# --- A deck of one's own ---------------------------------------------------------------------------------------------


def bring(guest: Guest, tmp_path: Path, text: str) -> Locator:
    """Choose a deck file in the dialog of a new table."""
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    guest.open()
    guest.button("home.invite", on_shelf(guest, "chocolat")).click()
    dialog = guest.dialog("invite.title")
    dialog.get_by_text(guest.words.text("invite.more")).click()
    dialog.get_by_label(guest.words.text("deck.label")).set_input_files(path)
    guest.button("invite.open", dialog).click()
    return dialog


def test_a_table_is_set_with_an_own_deck(arrive: Arrive, tmp_path: Path) -> None:
    ada = arrive()
    bring(ada, tmp_path, TURNED)
    expect(ada.page.get_by_text(ada.words.text("deck.name", deck=NAME))).to_be_visible()
    ada.button("gathering.fill").click()
    ada.button("gathering.start").click()
    ChocolatBoard(ada).wait_until_asked()
    ada.button("table.menu").click()
    expect(ada.dialog("table.menu")).to_contain_text(ada.words.text("deck.name", deck=NAME))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deck_that_is_not_sound_is_refused_line_by_line(arrive: Arrive, tmp_path: Path, language: str) -> None:
    ada = arrive(language=language)
    ada.expects_refusal(422)
    dialog = bring(ada, tmp_path, SPOILT)
    faults = ada.find("list", "deck.faults", dialog).get_by_role("listitem")
    expect(faults).to_have_count(2)
    for fault, wrong in zip(faults.all(), deck.check(SPOILT), strict=True):
        sentence = ada.words.text(f"chocolat.deck.fault.{wrong.kind}", **wrong.values)
        expect(fault).to_contain_text(ada.words.text("deck.fault", line=wrong.line, sentence=sentence))
    expect(dialog).to_contain_text(ada.words.text("refused.bad-deck"))
    ada.button("deck.remove", dialog).click()
    ada.button("invite.open", dialog).click()
    expect(ada.button("gathering.fill")).to_be_visible()


def test_friends_are_invited_to_chocolat(arrive: Arrive) -> None:
    ada, bo = arrive(), arrive(language="ja")
    sit_down(bo, invite(ada, "Ada", 2, game="chocolat"), "Bo")
    ada.button("gathering.start").click()
    for guest in (ada, bo):
        ChocolatBoard(guest).wait_until_asked()
