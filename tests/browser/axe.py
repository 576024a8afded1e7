"""What axe does not like about a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

from tests.browser.guest import Guest

AXE = (Path(__file__).parents[2] / "client/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
Light = Literal["light", "dark"]
LOOKED_AT: dict[Light, list[str] | None] = {"light": None, "dark": ["color-contrast"]}
"""What axe looks at in which light: nothing but the colours depends on it."""
RUN = """(runOnly) => {
  for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
  return axe.run(document, { resultTypes: ["violations"], preload: false, ...(runOnly && { runOnly }) });
}"""


def complaints(guest: Guest, lights: tuple[Light, ...] = get_args(Light)) -> list[str]:
    """About the screen as it is, in these lights."""
    guest.page.evaluate(AXE)
    found: list[str] = []
    for light in lights:
        guest.page.emulate_media(color_scheme=light)
        found += _told(light, guest.page.evaluate(RUN, LOOKED_AT[light]))
    return found


def _told(light: str, found: dict[str, Any]) -> list[str]:
    return [
        f"{light}: {violation['id']}: {violation['help']}: {node['html'][:300]}\n    {node.get('failureSummary', '')}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
