"""Every screen of the client, one after the other, for tests that hold for all of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from playwright.sync_api import expect

from tests.browser.board import Board
from tests.browser.guest import Guest
from tests.browser.tables import Table, give_keys, lay_table

NO_TABLE = "/t/kafemulo"


@dataclass
class Banquet:
    """A table in every state that there is."""

    gathering: Table
    open: Table
    playing: Table
    exchange: Table
    over: Table
    shared: Table

    def give_keys(self, guest: Guest) -> None:
        """This guest sits at all of them but the open one."""
        alone = dict.fromkeys((self.gathering, self.playing, self.exchange, self.over), (0,))
        give_keys(guest.context, alone | {self.shared: (0, 1, 2)})


def lay_banquet(url: str) -> Banquet:
    return Banquet(
        gathering=lay_table(url, "Ada", "Bo", bots=False, begun=False),
        open=lay_table(url, "Ada", "Bo", bots=False, begun=False, public=True),
        playing=lay_table(url, "Ada", seats=5, until=lambda view: view["round"] > 3 and view["legal"]),
        exchange=lay_table(url, "Ada", until=lambda view: view["exchange"] == 0),
        over=lay_table(url, "Ada", until=lambda view: view["over"]),
        shared=lay_table(url, "Ada", "Bo", "Cy", seats=3),
    )


Step = Callable[[Guest, Banquet], None]


def home(guest: Guest, _: Banquet) -> None:
    guest.open()
    expect(guest.page.get_by_text(guest.words.text("mine.move")).first).to_be_visible()
    expect(guest.page.get_by_text(guest.words.text("lobby.host", host="Ada")).first).to_be_visible()


def invite(guest: Guest, _: Banquet) -> None:
    guest.button("home.invite").click()
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


def watching(guest: Guest, banquet: Banquet) -> None:
    guest.open("/")
    guest.page.evaluate("() => localStorage.setItem('tafelrunde.tables', '[]')")
    guest.open(banquet.playing.path)
    guest.button("join.watch").click()
    expect(guest.find("region", "buffet.track")).to_be_visible()


def rules(guest: Guest, _: Banquet) -> None:
    guest.open("/rules/buffet")
    expect(guest.page.get_by_role("link", name="B28", exact=True).first).to_be_visible()


def missing(guest: Guest, _: Banquet) -> None:
    guest.open("/rules/nothing")
    expect(guest.heading("missing.title")).to_be_visible()


def goodbye(guest: Guest, _: Banquet) -> None:
    guest.open(NO_TABLE)
    expect(guest.dialog("bye.no-such-table")).to_be_visible()


WALK: tuple[Step, ...] = (
    home, invite, forget, join, gathering, seat, playing, raised, piles, plates, menu, take_along, log, talk, offline,
    exchange, covered, result, over, rule, look_back, all_about, proof, results, no_record, watching, rules, missing,
    goodbye,
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
