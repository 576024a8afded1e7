"""After a reload a table looks as it did before, also in the middle of a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.tables import Table, View, lay_table, play_out
from tests.server.running import RunningServer
from tests.waiting import eventually


def seen(guest: Guest) -> str:
    """All that a board shows, as those are told who hear it."""
    return guest.page.locator(".board").aria_snapshot()


def come(arrive: Arrive, table: Table, *seats: int) -> Guest:
    guest = arrive()
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


def is_revealed(view: View) -> bool:
    """A turn was revealed, and somebody has laid a card for the next one."""
    return len(view["discard"]) > 0 and any(seat["has_laid"] for seat in view["seats"])


def is_laid_out(view: View) -> bool:
    """Somebody has laid out a combination, and others are still to score."""
    return view["phase"] == "scoring" and any(seat["kept"] for seat in view["seats"])


MOMENTS: dict[str, tuple[Callable[[View], Any], str | None]] = {
    "buffet": (is_revealed, "buffet.slot.up"),
    "chocolat, drafting": (lambda view: view["phase"] == "drafting", "chocolat.slot.up"),
    "chocolat, scoring": (is_laid_out, None),
}


def check_looks(guest: Guest, shown: str) -> None:
    eventually(lambda: seen(guest) == shown)


@pytest.mark.parametrize("seats", [(0,), ()], ids=["a player", "somebody who watches"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_who_comes_back_sees_what_those_see_who_stayed(
    arrive: Arrive, server: RunningServer, moment: str, seats: tuple[int, ...]
) -> None:
    until, card = MOMENTS[moment]
    table = lay_table(server.url, "Ada", "Bo", "Cy", game=moment.split(",")[0], seats=3)
    guest = come(arrive, table, *seats)
    fresh = seen(guest)
    play_out(table, until)
    later = come(arrive, table, *seats)
    eventually(lambda: seen(guest) == seen(later) != fresh)
    shown = seen(guest)
    assert card is None or guest.words.inside(card).search(shown)
    for one in (guest, later):
        one.page.reload()
        sit(one, bool(seats))
        check_looks(one, shown)
