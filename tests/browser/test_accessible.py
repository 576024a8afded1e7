"""axe finds nothing to complain about, on any screen, in either light; on a phone it looks on as well (test_phone)."""

from __future__ import annotations

from tests.browser.axe import complaints
from tests.browser.conftest import Arrive
from tests.browser.screens import Banquet, collected, walk


def test_axe_finds_nothing(arrive: Arrive, banquet: Banquet) -> None:
    guest = arrive()
    with collected() as wrong:
        for screen in walk(guest, banquet):
            wrong[screen] = complaints(guest)
