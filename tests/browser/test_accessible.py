"""axe finds nothing to complain about, on any screen, in either light."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

from tests.browser.conftest import Arrive
from tests.browser.guest import PHONE, Guest
from tests.browser.screens import Banquet, collected, walk

AXE = (Path(__file__).parents[2] / "client/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
LIGHTS: dict[Literal["light", "dark"], list[str] | None] = {"light": None, "dark": ["color-contrast"]}
"""What axe looks at in which light: nothing but the colours depends on it."""
RUN = """(runOnly) => {
  for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
  return axe.run(document, { resultTypes: ["violations"], preload: false, ...(runOnly && { runOnly }) });
}"""


def complaints(guest: Guest) -> list[str]:
    """What axe does not like about the screen as it is, in either light."""
    guest.page.evaluate(AXE)
    found: list[str] = []
    for light, looked_at in LIGHTS.items():
        guest.page.emulate_media(color_scheme=light)
        found += told(light, guest.page.evaluate(RUN, looked_at))
    return found


def told(light: str, found: dict[str, Any]) -> list[str]:
    return [
        f"{light}: {violation['id']}: {violation['help']}: {node['html'][:300]}\n    {node.get('failureSummary', '')}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_axe_finds_nothing(arrive: Arrive, banquet: Banquet, device: str) -> None:
    guest = arrive(**({"viewport": PHONE} if device == "phone" else {}))
    with collected() as wrong:
        for screen in walk(guest, banquet):
            wrong[screen] = complaints(guest)
