"""Every screen of the client by its name, each with its own way there, for tests that hold for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from playwright.sync_api import expect

from tests.browser.board import Board
from tests.browser.chocolat import ChocolatBoard, lay_sweets, optional_helps
from tests.browser.guest import Guest
from tests.browser.heap import TEN, Heap, holds_some, lay_heap, lay_scored
from tests.browser.tables import Table, lay_closed, lay_table, start_with_keys

NO_TABLE = "/t/kafemulo"


class Banquet:
    """A table in every state that there is; each is set up when a test first asks for it."""

    def __init__(self, url: str) -> None:
        self.url = url

    # --- buffet -------------------------------------------------------------------------------------------------------

    @cached_property
    def gathering(self) -> Table:
        return lay_table(self.url, "Ada", "Bo", bots=False, begun=False)

    @cached_property
    def open(self) -> Table:
        return lay_table(self.url, "Ada", "Bo", bots=False, begun=False, public=True)

    @cached_property
    def playing(self) -> Table:
        return lay_table(self.url, "Ada", seats=5, until=lambda view: view["round"] > 3 and view["legal"])

    @cached_property
    def hosted(self) -> Table:
        return lay_table(self.url, "Ada", "Bo", "Cy", seats=5)

    @cached_property
    def closed(self) -> Table:
        return lay_closed(self.url)

    @cached_property
    def exchange(self) -> Table:
        return lay_table(self.url, "Ada", until=lambda view: view["exchange"] == 0)

    @cached_property
    def over(self) -> Table:
        return lay_table(self.url, "Ada", until=lambda view: view["over"])

    @cached_property
    def shared(self) -> Table:
        return lay_table(self.url, "Ada", "Bo", "Cy", seats=3)

    # --- chocolat -----------------------------------------------------------------------------------------------------

    @cached_property
    def laying(self) -> Table:
        return lay_sweets(self.url, lambda view: view["phase"] == "laying" and view["round"] > 3)

    @cached_property
    def drafting(self) -> Table:
        return lay_sweets(self.url, lambda view: any("give" in one for one in view["legal"]), seats=6)

    @cached_property
    def scoring(self) -> Table:
        return lay_sweets(self.url, lambda view: any(one["do"] == "combine" for one in view["legal"]))

    @cached_property
    def helped(self) -> Table:
        return lay_sweets(self.url, optional_helps)

    @cached_property
    def sweet_end(self) -> Table:
        return lay_sweets(self.url, lambda view: view["over"], target=8)

    # --- dash ---------------------------------------------------------------------------------------------------------

    @cached_property
    def buffet_closed(self) -> Table:
        return lay_heap(self.url, *TEN[:4])

    @cached_property
    def ten(self) -> Table:
        return lay_heap(self.url, *TEN, until=holds_some)

    @cached_property
    def two_hands(self) -> Table:
        return lay_heap(self.url, *TEN[:2], until=holds_some)

    @cached_property
    def scored(self) -> Table:
        return lay_scored(self.url, *TEN)

    @cached_property
    def dashed(self) -> Table:
        return lay_scored(self.url, *TEN[:3], max_rounds=1)

    # --- Their guests -------------------------------------------------------------------------------------------------

    def seats_at(self, *names: str) -> dict[Table, tuple[int, ...]]:
        """The seats of one device at the tables of these names: the first, or all of the table that is shared."""
        return {getattr(self, name): (0, 1, 2) if name == "shared" else (0,) for name in names}


Way = Callable[[Guest, Banquet], None]


@dataclass(frozen=True)
class Screen:
    """A screen, the way there from a new tab, and the tables at which the guest has a seat."""

    name: str
    way: Way
    tables: tuple[str, ...]
    newcomer: bool = False
    """Is it the guest's first table? Others have been at one before, so that no lesson is offered to them."""

    def visit(self, guest: Guest, banquet: Banquet) -> None:
        before = () if self.newcomer else ("gathering",)
        start_with_keys(guest.page, banquet.seats_at(*self.tables, *before))
        self.way(guest, banquet)


SCREENS: dict[str, Screen] = {}


def screen(*tables: str, newcomer: bool = False) -> Callable[[Way], Way]:
    """Register a screen under the name of the function that leads there, for a guest who sits at these tables."""

    def register(way: Way) -> Way:
        SCREENS[way.__name__] = Screen(way.__name__, way, tables, newcomer)
        return way

    return register


ALL = (
    "gathering", "playing", "hosted", "exchange", "over", "shared",
    "laying", "drafting", "scoring", "sweet_end",
    "buffet_closed", "ten", "two_hands", "scored", "dashed",
)  # fmt: skip
"""A seat in every game and phase; nobody sits at the open table, nor at the closed one."""


@screen(*ALL)
def home(guest: Guest, banquet: Banquet) -> None:
    assert banquet.open, "somebody waits for company"
    guest.open()
    expect(guest.page.get_by_text(guest.words.text("mine.move")).first).to_be_visible()
    expect(guest.page.get_by_text(guest.words.text("lobby.host", host="Ada")).first).to_be_visible()


@screen()
def invite(guest: Guest, _: Banquet) -> None:
    guest.open()
    guest.button("home.invite").last.click()
    guest.page.get_by_text(guest.words.text("invite.more")).click()
    expect(guest.find("group", "terms.bots")).to_be_visible()


@screen("gathering", "playing", "over")
def forget(guest: Guest, _: Banquet) -> None:
    guest.open()
    guest.button("mine.forget").first.click()
    expect(guest.dialog("forget.title")).to_be_visible()


@screen()
def join(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.open.path)
    expect(guest.button("join.sit")).to_be_visible()


@screen("gathering")
def gathering(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.gathering.path)
    expect(guest.button("gathering.start")).to_be_visible()


@screen("gathering")
def seat(guest: Guest, banquet: Banquet) -> None:
    gathering(guest, banquet)
    guest.page.get_by_role("button", name=guest.words.inside("seat.free")).first.click()
    expect(guest.dialog("seat.whom")).to_be_visible()


@screen("playing")
def playing(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.playing.path)
    Board(guest).wait_until_asked()


@screen("playing", newcomer=True)
def first_table(guest: Guest, banquet: Banquet) -> None:
    playing(guest, banquet)
    expect(guest.text("learn.offer")).to_be_visible()


@screen("playing")
def raised(guest: Guest, banquet: Banquet) -> None:
    """A card raised, and a plate asked about."""
    playing(guest, banquet)
    guest.find("region", "buffet.plates").get_by_role("listitem").get_by_role("button").first.click()
    Board(guest).usable.first.click()
    expect(guest.button("buffet.lay")).to_be_visible()


@screen("playing")
def piles(guest: Guest, banquet: Banquet) -> None:
    raised(guest, banquet)
    guest.page.get_by_role("button", name=guest.words.inside("buffet.piles")).click()
    expect(guest.dialog("buffet.piles")).to_be_visible()


@screen("playing")
def plates(guest: Guest, banquet: Banquet) -> None:
    playing(guest, banquet)
    guest.page.get_by_role("button", name=guest.words.inside("buffet.plates-of", name="Ada")).click()
    expect(guest.dialog("buffet.plates-of", name="Ada")).to_be_visible()


@screen("playing")
def menu(guest: Guest, banquet: Banquet) -> None:
    playing(guest, banquet)
    guest.button("table.menu").click()
    expect(guest.dialog("table.menu")).to_be_visible()


@screen("playing")
def take_along(guest: Guest, banquet: Banquet) -> None:
    menu(guest, banquet)
    guest.button("table.take-along").click()
    expect(guest.find("img", "take.code")).to_be_visible()


@screen("hosted")
def hosting(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.hosted.path)
    Board(guest).wait_until_asked()
    guest.button("table.menu").click()
    expect(guest.button("seat.remove-whom")).to_have_count(2)


@screen("hosted")
def asking_to_leave(guest: Guest, banquet: Banquet) -> None:
    hosting(guest, banquet)
    guest.button("seat.remove-whom").first.click()
    expect(guest.dialog("seat.remove-sure")).to_be_visible()


@screen("hosted")
def closing(guest: Guest, banquet: Banquet) -> None:
    hosting(guest, banquet)
    guest.button("table.close").click()
    expect(guest.dialog("table.close-sure")).to_be_visible()


@screen("hosted")
def leaving(guest: Guest, banquet: Banquet) -> None:
    hosting(guest, banquet)
    guest.button("table.leave").click()
    expect(guest.text("leave.host", name="Bo")).to_be_visible()


@screen("playing")
def log(guest: Guest, banquet: Banquet) -> None:
    playing(guest, banquet)
    if guest.button("table.side").is_visible():
        guest.button("table.side").click()
    expect(guest.find("log", "log.label").last).to_be_visible()


@screen("playing")
def talk(guest: Guest, banquet: Banquet) -> None:
    log(guest, banquet)
    guest.find("tab", "side.talk").last.click()
    expect(guest.find("group", "talk.reactions").last).to_be_visible()


@screen("playing")
def offline(guest: Guest, banquet: Banquet) -> None:
    guest.expects_cuts()
    playing(guest, banquet)
    guest.context.set_offline(True)
    expect(guest.page.get_by_role("status").filter(has_text=guest.words.text("link.offline"))).to_be_visible()


@screen("exchange")
def exchange(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.exchange.path)
    Board(guest).exchange.wait_for()
    Board(guest).usable.first.click()


@screen("shared")
def covered(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.shared.path)
    expect(guest.button("cover.show").first).to_be_visible()


@screen("over")
def result(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.over.path)
    expect(Board(guest).result).to_be_visible()


@screen("over")
def over(guest: Guest, banquet: Banquet) -> None:
    result(guest, banquet)
    guest.button("result.board").click()
    expect(guest.button("table.result")).to_be_visible()


@screen("over")
def rule(guest: Guest, banquet: Banquet) -> None:
    over(guest, banquet)
    guest.button("rule.open").first.click()
    expect(guest.link("rules.whole")).to_be_visible()


@screen("over")
def look_back(guest: Guest, banquet: Banquet) -> None:
    guest.open(f"/replay/{banquet.over.code}/1#at=40&seat=0")
    expect(guest.find("slider", "replay.scrub")).to_have_value("40")


@screen("over")
def all_about(guest: Guest, banquet: Banquet) -> None:
    look_back(guest, banquet)
    guest.button("replay.about").click()
    guest.page.get_by_text(guest.words.text("points.table")).click()
    expect(guest.page.get_by_role("table")).to_be_visible()


@screen("over")
def proof(guest: Guest, banquet: Banquet) -> None:
    all_about(guest, banquet)
    guest.button("proof.check").click()
    expect(guest.page.get_by_role("status").filter(has_text=guest.words.text("proof.fair"))).to_be_visible()


@screen("over", "sweet_end", "dashed")
def results(guest: Guest, banquet: Banquet) -> None:
    guest.open("/results")
    own = guest.page.locator(f"a[href='/replay/{banquet.over.code}/1']")
    expect(own.first).to_be_visible()


@screen()
def no_record(guest: Guest, _: Banquet) -> None:
    guest.open("/replay")
    expect(guest.button("lookback.open")).to_be_visible()


@screen("buffet_closed")
def opening(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.buffet_closed.path)
    expect(Heap(guest).open).to_be_visible()


@screen("ten")
def heap(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.ten.path)
    expect(Heap(guest).hand.decision).to_be_visible()


@screen("ten")
def display(guest: Guest, banquet: Banquet) -> None:
    heap(guest, banquet)
    guest.find("list", "dash.others").get_by_role("button").first.click()
    expect(guest.dialog("dash.display-of", name="Bo")).to_be_visible()


@screen("two_hands")
def two_hands(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.two_hands.path)
    expect(Heap(guest).left.decision).to_be_visible()


@screen("scored")
def round_score(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.scored.path)
    expect(Heap(guest).score.get_by_role("listitem")).to_have_count(len(TEN))


@screen("dashed")
def dash_result(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.dashed.path)
    Heap(guest).result.get_by_text(guest.words.text("dash.receipts", count=0)).click()


@screen()
def watching(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.playing.path)
    guest.button("join.watch").click()
    expect(guest.find("region", "buffet.track")).to_be_visible()


@screen()
def rules(guest: Guest, _: Banquet) -> None:
    guest.open("/rules/buffet")
    expect(guest.page.get_by_role("link", name="B28", exact=True).first).to_be_visible()


@screen()
def learning(guest: Guest, _: Banquet) -> None:
    guest.open("/learn/buffet")
    guest.button("learn.next").click()
    expect(guest.text("learn.buffet.plates")).to_be_visible()


@screen()
def learning_to_dash(guest: Guest, _: Banquet) -> None:
    guest.open("/learn/dash")
    guest.button("learn.next").click()
    expect(guest.text("learn.dash.heap")).to_be_visible()


@screen()
def searched(guest: Guest, banquet: Banquet) -> None:
    rules(guest, banquet)
    guest.find("searchbox", "rules.search").fill("B1")
    expect(guest.page.locator("mark").first).to_be_visible()


@screen()
def missing(guest: Guest, _: Banquet) -> None:
    guest.open("/rules/nothing")
    expect(guest.heading("missing.title")).to_be_visible()


# --- chocolat --------------------------------------------------------------------------------------------------------


@screen("laying")
def sweet_laying(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.laying.path)
    board = ChocolatBoard(guest)
    board.cards.first.click()
    expect(board.lay).to_be_visible()


@screen("laying")
def sweet_helpers(guest: Guest, banquet: Banquet) -> None:
    sweet_laying(guest, banquet)
    guest.page.get_by_role("button", name=guest.words.inside("chocolat.helpers")).click()
    expect(guest.dialog("chocolat.helpers")).to_be_visible()


@screen("laying")
def sweet_about(guest: Guest, banquet: Banquet) -> None:
    sweet_laying(guest, banquet)
    guest.button("chocolat.about").first.click()
    expect(guest.page.get_by_role("dialog")).to_be_visible()


@screen("laying")
def sweet_piles(guest: Guest, banquet: Banquet) -> None:
    sweet_laying(guest, banquet)
    guest.page.get_by_role("button", name=guest.words.inside("chocolat.piles.sizes")).click()
    expect(guest.dialog("chocolat.piles")).to_be_visible()


@screen("drafting")
def sweet_drafting(guest: Guest, banquet: Banquet) -> None:
    """Three cards picked, and one of the hand to give."""
    guest.open(banquet.drafting.path)
    board = ChocolatBoard(guest)
    for nth in range(3):
        board.market.nth(nth).click()
    board.cards.first.click()
    expect(board.give).to_be_visible()


@screen("scoring")
def sweet_offers(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.scoring.path)
    ChocolatBoard(guest).combinations.click()
    expect(guest.dialog("chocolat.combinations.title")).to_be_visible()


@screen("scoring")
def sweet_scoring(guest: Guest, banquet: Banquet) -> None:
    sweet_offers(guest, banquet)
    board = ChocolatBoard(guest)
    board.offers.get_by_role("listitem").get_by_role("button").first.click()
    expect(board.combine).to_be_visible()


@screen("helped")
def sweet_ways(guest: Guest, banquet: Banquet) -> None:
    """The same cards in another order, with or without help."""
    guest.open(banquet.helped.path)
    board = ChocolatBoard(guest)
    board.wait_until_asked()
    board.raise_cards(optional_helps(banquet.helped.view_of(0))[0]["cards"])
    board.other_ways.click()
    expect(guest.find("group", "chocolat.ways.orders", board.ways)).to_be_visible()
    expect(guest.find("group", "chocolat.ways.helps", board.ways)).to_be_visible()


@screen("sweet_end")
def sweet_over(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.sweet_end.path)
    guest.button("result.board").click()
    expect(guest.button("table.result")).to_be_visible()


@screen()
def sweet_rules(guest: Guest, _: Banquet) -> None:
    """With an example that can be tried."""
    guest.open("/rules/chocolat")
    expect(guest.page.get_by_role("link", name="C16", exact=True).first).to_be_visible()
    example = guest.page.locator('[data-picture="example-5"]')
    guest.button("try.open", example).click()
    expect(guest.find("radio", "helper.four.with", example)).to_be_visible()


@screen()
def goodbye(guest: Guest, _: Banquet) -> None:
    guest.expects_refusal(404)
    guest.open(NO_TABLE)
    expect(guest.dialog("bye.no-such-table")).to_be_visible()


@screen()
def closed(guest: Guest, banquet: Banquet) -> None:
    guest.open(banquet.closed.path)
    expect(guest.dialog("bye.table-closed")).to_be_visible()
    expect(guest.link("lookback.look")).to_be_visible()
