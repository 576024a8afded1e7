"""axe finds nothing to complain about, on any screen, in either light; on a phone it looks on as well (test_phone)."""

from __future__ import annotations

import pytest

from tests.browser.axe import complaints
from tests.browser.conftest import Arrive
from tests.browser.screens import SCREENS, Banquet


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing(borrow: Arrive, banquet: Banquet, screen: str) -> None:
    guest = borrow()
    SCREENS[screen].visit(guest, banquet)
    assert complaints(guest) == []
