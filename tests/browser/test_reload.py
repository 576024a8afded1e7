"""After a reload a table looks as it did before, also in the middle of a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.board import Board, BoardWithTurns
from tests.browser.chocolat import ChocolatBoard
from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.heap import holds_some, lay_heap, lay_scored
from tests.browser.tables import Table, View, first, lay_table, play_out
from tests.server.running import RunningServer
from tests.waiting import eventually

FRAME_MS = 20


def seen(guest: Guest) -> str:
    """All that a board shows, as those are told who hear it."""
    return guest.page.locator(".board").aria_snapshot()


def come(arrive: Arrive, table: Table, *seats: int, **device: Any) -> Guest:
    guest = arrive(**device)
    if seats:
        table.give_keys(guest.context, *seats)
    guest.open(table.path)
    sit(guest, bool(seats))
    return guest


def sit(guest: Guest, plays: bool) -> None:
    """At the table; whoever only watches says so each time."""
    if not plays:
        guest.button("join.watch").click()
    guest.page.locator(".board").wait_for()


# --- Between two decisions --------------------------------------------------------------------------------------------


def is_revealed(view: View) -> bool:
    """A turn was revealed, and somebody has laid a card for the next one."""
    return len(view["discard"]) > 0 and any(seat["has_laid"] for seat in view["seats"])


def is_drafting(view: View) -> bool:
    return bool(view["phase"] == "drafting")


def laying_out(view: View) -> View:
    """A combination if there is any."""
    return next((decision for decision in view["legal"] if decision["do"] == "combine"), first(view))


def is_laid_out() -> Callable[[View], bool]:
    """Somebody has just laid out a combination, and others are still to score."""
    before: list[Any] | None = None

    def just_now(view: View) -> bool:
        nonlocal before
        kept = [seat["kept"] for seat in view["seats"]] if view["phase"] == "scoring" else None
        laid_out = before is not None and kept is not None and kept != before
        before = kept
        return laid_out

    return just_now


@dataclass(frozen=True)
class Moment:
    """A moment at a table of three people, and what is to be seen then."""

    lay: Callable[..., Table]
    until: Callable[[], Callable[[View], Any]]
    shows: str
    decide: Callable[[View], View] = first


MOMENTS = {
    "buffet, laying": Moment(partial(lay_table, game="buffet"), lambda: is_revealed, "buffet.slot.up"),
    "chocolat, drafting": Moment(partial(lay_table, game="chocolat"), lambda: is_drafting, "chocolat.slot.up"),
    "chocolat, scoring": Moment(partial(lay_table, game="chocolat"), is_laid_out, "chocolat.laid-out", laying_out),
    "dash, weighing a card": Moment(lay_heap, lambda: holds_some, "dash.place.free"),
}


@pytest.mark.parametrize("seats", [(0,), ()], ids=["a player", "somebody who watches"])
@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
def test_who_comes_back_sees_what_those_see_who_stayed(
    arrive: Arrive, server: RunningServer, moment: Moment, seats: tuple[int, ...]
) -> None:
    table = moment.lay(server.url, "Ada", "Bo", "Cy", seats=3)
    guest = come(arrive, table, *seats)
    fresh = seen(guest)
    play_out(table, moment.until(), moment.decide)
    later = come(arrive, table, *seats)
    eventually(lambda: seen(guest) == seen(later) != fresh)
    shown = seen(guest)
    assert guest.words.inside(moment.shows).search(shown)
    for one in (guest, later):
        one.page.reload()
        sit(one, bool(seats))
        eventually(lambda one=one: seen(one) == shown)


@pytest.mark.parametrize("seats", [(0,), ()], ids=["a player", "somebody who watches"])
def test_the_score_of_a_round_is_there_again(arrive: Arrive, server: RunningServer, seats: tuple[int, ...]) -> None:
    guest = come(arrive, lay_scored(server.url, "Ada", "Bo", "Cy"), *seats)
    score = guest.page.get_by_role("region", name=guest.words.pattern("dash.score.title"))
    expect(score.get_by_role("listitem")).to_have_count(3)
    shown = score.aria_snapshot()
    guest.page.reload()
    sit(guest, bool(seats))
    eventually(lambda: score.aria_snapshot() == shown)


# --- While something is being shown -----------------------------------------------------------------------------------


def lay_in_buffet(board: BoardWithTurns) -> None:
    assert isinstance(board, Board)
    board.lay(5)


def lay_in_chocolat(board: BoardWithTurns) -> None:
    assert isinstance(board, ChocolatBoard)
    board.press(board.cards.first)
    board.press(board.lay)


REVEALS: dict[str, tuple[type[BoardWithTurns], Callable[[Any], None]]] = {
    "buffet": (Board, lay_in_buffet),
    "chocolat": (ChocolatBoard, lay_in_chocolat),
}


@pytest.mark.parametrize("game", REVEALS)
def test_who_comes_back_in_the_middle_of_a_reveal_sees_how_it_has_ended(
    arrive: Arrive, server: RunningServer, game: str
) -> None:
    kind, lay = REVEALS[game]
    table = lay_table(server.url, "Ada", game=game)
    ada, calm = come(arrive, table, 0, motion=True), come(arrive, table, 0)
    for one in (ada, calm):
        kind(one).wait_until_asked()
        expect(one.page.get_by_text(one.words.text(f"{game}.status.laid"))).to_have_count(3)

    # By a clock of her own she sees the first card turned over, while everything has happened for others.
    ada.page.clock.install()
    ada.page.clock.pause_at(ada.page.evaluate("() => Date.now()") / 1000 + 1)
    lay(kind(ada))

    def is_shown() -> bool:
        ada.page.clock.run_for(FRAME_MS)
        return bool(ada.words.inside(f"{game}.slot.up").search(seen(ada)))

    eventually(is_shown)
    kind(calm).wait_until_asked()
    assert seen(ada) != seen(calm)

    ada.page.clock.resume()
    ada.page.reload()
    sit(ada, plays=True)
    eventually(lambda: seen(ada) == seen(calm))
