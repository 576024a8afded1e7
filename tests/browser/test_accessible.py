"""axe finds nothing to complain about, on any screen, in either light."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Arrive
from tests.browser.guest import PHONE, Guest
from tests.browser.screens import Banquet, collected, walk

AXE = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"
RUN = "() => axe.run(document, { resultTypes: ['violations'] })"


def complaints(guest: Guest) -> list[str]:
    """What axe does not like about the screen as it is."""
    guest.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = guest.page.evaluate(RUN)
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:300]}\n    {node.get('failureSummary', '')}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("device", ["desk", "phone"])
def test_axe_finds_nothing(arrive: Arrive, banquet: Banquet, light: str, device: str) -> None:
    size = {"viewport": PHONE} if device == "phone" else {}
    guest = arrive(color_scheme=light, **size)
    with collected() as wrong:
        for screen in walk(guest, banquet):
            wrong[screen] = complaints(guest)
