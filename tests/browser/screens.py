"""Every screen of the client, one after the other, for tests that hold for all of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from playwright.sync_api import expect

from tests.browser.board import Board
from tests.browser.chocolat import ChocolatBoard, lay_sweets
from tests.browser.guest import Guest
from tests.browser.heap import TEN, Heap, holds_some, lay_heap, lay_scored
from tests.browser.tables import Table, give_keys, lay_closed, lay_table

NO_TABLE = "/t/kafemulo"


@dataclass
class Banquet:
    """A table in every state that there is."""

    gathering: Table
    open: Table
    playing: Table
    hosted: Table
    closed: Table
    exchange: Table
    over: Table
    shared: Table
    laying: Table
    drafting: Table
    scoring: Table
    sweet_end: Table
    buffet_closed: Table
    ten: Table
    two_hands: Table
    scored: Table
    dashed: Table

    def give_keys(self, guest: Guest) -> None:
        """This guest sits at all of them but the open one."""
        buffet = self.gathering, self.playing, self.hosted, self.exchange, self.over
        chocolat = self.laying, self.drafting, self.scoring, self.sweet_end
        dash = self.buffet_closed, self.ten, self.two_hands, self.scored, self.dashed
        alone = dict.fromkeys((*buffet, *chocolat, *dash), (0,))
        give_keys(guest.context, alone | {self.shared: (0, 1, 2)})


def lay_banquet(url: str) -> Banquet:
    return Banquet(
        gathering=lay_table(url, "Ada", "Bo", bots=False, begun=False),
        open=lay_table(url, "Ada", "Bo", bots=False, begun=False, public=True),
        playing=lay_table(url, "Ada", seats=5, until=lambda view: view["round"] > 3 and view["legal"]),
        hosted=lay_table(url, "Ada", "Bo", "Cy", seats=5),
        closed=lay_closed(url),
        exchange=lay_table(url, "Ada", until=lambda view: view["exchange"] == 0),
        over=lay_table(url, "Ada", until=lambda view: view["over"]),
        shared=lay_table(url, "Ada", "Bo", "Cy", seats=3),
        laying=lay_sweets(url, lambda view: view["phase"] == "laying" and view["round"] > 3),
        drafting=lay_sweets(url, lambda view: any("give" in one for one in view["legal"]), seats=6),
        scoring=lay_sweets(url, lambda view: any(one["do"] == "combine" for one in view["legal"])),
        sweet_end=lay_sweets(url, lambda view: view["over"], target=8),
        buffet_closed=lay_heap(url, *TEN[:4]),
        ten=lay_heap(url, *TEN, until=holds_some),
        two_hands=lay_heap(url, *TEN[:2], until=holds_some),
        scored=lay_scored(url, *TEN),
        dashed=lay_scored(url, *TEN[:3], max_rounds=1),
    )


Step = Callable[[Guest, Banquet], None]


def home(guest: Guest, _: Banquet) -> None:
    guest.open()
    expect(guest.page.get_by_text(guest.words.text("mine.move")).first).to_be_visible()
    expect(guest.page.get_by_text(guest.words.text("lobby.host", host="Ada")).first).to_be_visible()


def invite(guest: Guest, _: Banquet) -> None:
    guest.button("home.invite").last.click()
    guest.page.get_by_text(guest.words.text("invite.more")).click()
    expect(guest.find("group", "terms.bots")).to_be_visible()


def forget(guest: Guest, banquet: Banquet) -> None:
    home(guest, banquet)
    guest.button("mine.forget").first.click()
    expect(guest.dialog("forget.title")).to_be_visible()


def join(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.open.path)
    expect(guest.button("join.sit")).to_be_visible()


def gathering(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.gathering.path)
    expect(guest.button("gathering.start")).to_be_visible()


def seat(guest: Guest, _: Banquet) -> None:
    guest.page.get_by_role("button", name=guest.words.inside("seat.free")).first.click()
    expect(guest.dialog("seat.whom")).to_be_visible()


def playing(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.playing.path)
    Board(guest).wait_until_asked()


def raised(guest: Guest, _: Banquet) -> None:
    """A card raised, and a plate asked about."""
    guest.find("region", "buffet.plates").get_by_role("listitem").get_by_role("button").first.click()
    Board(guest).usable.first.click()
    expect(guest.button("buffet.lay")).to_be_visible()


def piles(guest: Guest, _: Banquet) -> None:
    guest.page.get_by_role("button", name=guest.words.inside("buffet.piles")).click()
    expect(guest.dialog("buffet.piles")).to_be_visible()


def plates(guest: Guest, banquet: Banquet) -> None:
    playing(guest, banquet)
    guest.page.get_by_role("button", name=guest.words.inside("buffet.plates-of", name="Ada")).click()
    expect(guest.dialog("buffet.plates-of", name="Ada")).to_be_visible()


def menu(guest: Guest, banquet: Banquet) -> None:
    playing(guest, banquet)
    guest.button("table.menu").click()
    expect(guest.dialog("table.menu")).to_be_visible()


def take_along(guest: Guest, _: Banquet) -> None:
    guest.button("table.take-along").click()
    expect(guest.find("img", "take.code")).to_be_visible()


def hosting(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.hosted.path)
    Board(guest).wait_until_asked()
    guest.button("table.menu").click()
    expect(guest.button("seat.remove-whom")).to_have_count(2)


def asking_to_leave(guest: Guest, _: Banquet) -> None:
    guest.button("seat.remove-whom").first.click()
    expect(guest.dialog("seat.remove-sure")).to_be_visible()


def closing(guest: Guest, _: Banquet) -> None:
    guest.button("never-mind").click()
    guest.button("table.close").click()
    expect(guest.dialog("table.close-sure")).to_be_visible()


def leaving(guest: Guest, banquet: Banquet) -> None:
    hosting(guest, banquet)
    guest.button("table.leave").click()
    expect(guest.text("leave.host", name="Bo")).to_be_visible()


def log(guest: Guest, banquet: Banquet) -> None:
    playing(guest, banquet)
    if guest.button("table.side").is_visible():
        guest.button("table.side").click()
    expect(guest.find("log", "log.label").last).to_be_visible()


def talk(guest: Guest, banquet: Banquet) -> None:
    log(guest, banquet)
    guest.find("tab", "side.talk").last.click()
    expect(guest.find("group", "talk.reactions").last).to_be_visible()


def offline(guest: Guest, banquet: Banquet) -> None:
    playing(guest, banquet)
    guest.context.set_offline(True)
    expect(guest.page.get_by_role("status").filter(has_text=guest.words.text("link.offline"))).to_be_visible()


def exchange(guest: Guest, banquet: Banquet) -> None:
    guest.context.set_offline(False)
    guest.open(banquet.exchange.path)
    Board(guest).exchange.wait_for()
    Board(guest).usable.first.click()


def covered(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.shared.path)
    expect(guest.button("cover.show").first).to_be_visible()


def result(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.over.path)
    expect(Board(guest).result).to_be_visible()


def over(guest: Guest, _: Banquet) -> None:
    guest.button("result.board").click()
    expect(guest.button("table.result")).to_be_visible()


def rule(guest: Guest, _: Banquet) -> None:
    guest.button("rule.open").first.click()
    expect(guest.link("rules.whole")).to_be_visible()


def look_back(guest: Guest, banquet: Banquet) -> None:
    guest.open(f"/replay/{banquet.over.code}/1#at=40&seat=0")
    expect(guest.find("slider", "replay.scrub")).to_have_value("40")


def all_about(guest: Guest, _: Banquet) -> None:
    guest.button("replay.about").click()
    guest.page.get_by_text(guest.words.text("points.table")).click()
    expect(guest.page.get_by_role("table")).to_be_visible()


def proof(guest: Guest, _: Banquet) -> None:
    guest.button("proof.check").click()
    expect(guest.page.get_by_role("status").filter(has_text=guest.words.text("proof.fair"))).to_be_visible()


def results(guest: Guest, banquet: Banquet) -> None:
    guest.open("/results")
    own = guest.page.locator(f"a[href='/replay/{banquet.over.code}/1']")
    expect(own.first).to_be_visible()


def no_record(guest: Guest, _: Banquet) -> None:
    guest.open("/replay")
    expect(guest.button("lookback.open")).to_be_visible()


def opening(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.buffet_closed.path)
    expect(Heap(guest).open).to_be_visible()


def heap(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.ten.path)
    expect(Heap(guest).hand.decision).to_be_visible()


def display(guest: Guest, _: Banquet) -> None:
    guest.find("list", "dash.others").get_by_role("button").first.click()
    expect(guest.dialog("dash.display-of", name="Bo")).to_be_visible()


def two_hands(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.two_hands.path)
    expect(Heap(guest).left.decision).to_be_visible()


def round_score(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.scored.path)
    expect(Heap(guest).score.get_by_role("listitem")).to_have_count(len(TEN))


def dash_result(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.dashed.path)
    Heap(guest).result.get_by_text(guest.words.text("dash.receipts", count=0)).click()


def watching(guest: Guest, banquet: Banquet) -> None:
    guest.open("/")
    guest.page.evaluate("() => localStorage.setItem('tafelrunde.tables', '[]')")
    guest.open(banquet.playing.path)
    guest.button("join.watch").click()
    expect(guest.find("region", "buffet.track")).to_be_visible()


def rules(guest: Guest, _: Banquet) -> None:
    guest.open("/rules/buffet")
    expect(guest.page.get_by_role("link", name="B28", exact=True).first).to_be_visible()


def learning(guest: Guest, _: Banquet) -> None:
    guest.open("/learn/buffet")
    guest.button("learn.next").click()
    expect(guest.text("learn.buffet.plates")).to_be_visible()


def learning_to_dash(guest: Guest, _: Banquet) -> None:
    guest.open("/learn/dash")
    guest.button("learn.next").click()
    expect(guest.text("learn.dash.heap")).to_be_visible()


def searched(guest: Guest, banquet: Banquet) -> None:
    rules(guest, banquet)
    guest.find("searchbox", "rules.search").fill("B1")
    expect(guest.page.locator("mark").first).to_be_visible()


def missing(guest: Guest, _: Banquet) -> None:
    guest.open("/rules/nothing")
    expect(guest.heading("missing.title")).to_be_visible()


# --- chocolat --------------------------------------------------------------------------------------------------------


def sweet_laying(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.laying.path)
    board = ChocolatBoard(guest)
    board.cards.first.click()
    expect(board.lay).to_be_visible()


def sweet_helpers(guest: Guest, _: Banquet) -> None:
    guest.page.get_by_role("button", name=guest.words.inside("chocolat.helpers")).click()
    expect(guest.dialog("chocolat.helpers")).to_be_visible()


def sweet_about(guest: Guest, banquet: Banquet) -> None:
    sweet_laying(guest, banquet)
    guest.button("chocolat.about").first.click()
    expect(guest.page.get_by_role("dialog")).to_be_visible()


def sweet_piles(guest: Guest, banquet: Banquet) -> None:
    sweet_laying(guest, banquet)
    guest.page.get_by_role("button", name=guest.words.inside("chocolat.piles.sizes")).click()
    expect(guest.dialog("chocolat.piles")).to_be_visible()


def sweet_drafting(guest: Guest, banquet: Banquet) -> None:
    """Three cards picked, and one of the hand to give."""
    guest.open(banquet.drafting.path)
    board = ChocolatBoard(guest)
    for nth in range(3):
        board.market.nth(nth).click()
    board.cards.first.click()
    expect(board.give).to_be_visible()


def sweet_offers(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.scoring.path)
    ChocolatBoard(guest).combinations.click()
    expect(guest.dialog("chocolat.combinations.title")).to_be_visible()


def sweet_scoring(guest: Guest, _: Banquet) -> None:
    board = ChocolatBoard(guest)
    board.offers.get_by_role("listitem").get_by_role("button").first.click()
    expect(board.combine).to_be_visible()


def sweet_over(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.sweet_end.path)
    guest.button("result.board").click()
    expect(guest.button("table.result")).to_be_visible()


def sweet_rules(guest: Guest, _: Banquet) -> None:
    """With an example that can be tried."""
    guest.open("/rules/chocolat")
    expect(guest.page.get_by_role("link", name="C16", exact=True).first).to_be_visible()
    example = guest.page.locator('[data-picture="example-5"]')
    guest.button("try.open", example).click()
    expect(guest.find("radio", "helper.four.with", example)).to_be_visible()


def goodbye(guest: Guest, _: Banquet) -> None:
    guest.open(NO_TABLE)
    expect(guest.dialog("bye.no-such-table")).to_be_visible()


def closed(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.closed.path)
    expect(guest.dialog("bye.table-closed")).to_be_visible()
    expect(guest.link("lookback.look")).to_be_visible()


WALK: tuple[Step, ...] = (
    home, invite, forget, join, gathering, seat, playing, raised, piles, plates, menu, take_along, hosting,
    asking_to_leave, closing, leaving, log, talk, offline, exchange, covered, sweet_laying, sweet_helpers,
    sweet_about, sweet_piles, sweet_drafting, sweet_offers, sweet_scoring, sweet_over, sweet_rules, result, over,
    rule, look_back, all_about, proof, results, no_record, opening, heap, display, two_hands, round_score,
    dash_result, watching, rules, searched, learning, learning_to_dash, missing, goodbye, closed,
)  # fmt: skip
"""In this order: some begin where the one before has ended."""


def walk(guest: Guest, banquet: Banquet) -> Iterator[str]:
    """From screen to screen; gives the name of each while it is there."""
    guest.expects_cuts()
    guest.expects_refusal(404)
    banquet.give_keys(guest)
    for step in WALK:
        try:
            step(guest, banquet)
        except Exception as error:
            error.add_note(f"on the way to {step.__name__}")
            raise
        yield step.__name__


@contextlib.contextmanager
def collected() -> Iterator[dict[str, list[str]]]:
    """What is wrong on each screen, told all together at the end."""
    wrong: dict[str, list[str]] = {}
    yield wrong
    report = [f"{screen}:\n  " + "\n  ".join(problems) for screen, problems in wrong.items() if problems]
    assert not report, "\n".join(report)
