"""What axe does not like about a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from tests.browser.guest import Guest

AXE = (Path(__file__).parents[2] / "client/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
LIGHTS: dict[Literal["light", "dark"], list[str] | None] = {"light": None, "dark": ["color-contrast"]}
"""What axe looks at in which light: nothing but the colours depends on it."""
RUN = """(runOnly) => {
  for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
  return axe.run(document, { resultTypes: ["violations"], preload: false, ...(runOnly && { runOnly }) });
}"""


def complaints(guest: Guest) -> list[str]:
    """About the screen as it is, in either light."""
    guest.page.evaluate(AXE)
    found: list[str] = []
    for light, looked_at in LIGHTS.items():
        guest.page.emulate_media(color_scheme=light)
        found += _told(light, guest.page.evaluate(RUN, looked_at))
    return found


def _told(light: str, found: dict[str, Any]) -> list[str]:
    return [
        f"{light}: {violation['id']}: {violation['help']}: {node['html'][:300]}\n    {node.get('failureSummary', '')}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]
