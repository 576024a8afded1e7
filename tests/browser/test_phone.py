"""The client on a phone: by touch, without sideways scrolling, with targets that a finger hits; axe looks on."""

from __future__ import annotations

import re

import pytest

from tests.browser.axe import complaints
from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.browser.guest import PHONE, Guest
from tests.browser.screens import SCREENS, Banquet
from tests.browser.tables import lay_table
from tests.browser.test_coming_back import sit
from tests.browser.words import LANGUAGES
from tests.server.running import RunningServer

FINGER = 44
"""Pixels that everything to be touched measures, both ways."""
SMALLER = 24
"""For the little numbers of rules, which stand within text; what they lead to is also behind the rules' own link."""

TOO_WIDE = """() => {
  const boxes = [document.scrollingElement, ...document.querySelectorAll("main, dialog[open], [role=region]")];
  return boxes.filter((box) => box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== "visible")
    .map((box) => `${box.outerHTML.slice(0, 120)}: ${box.scrollWidth} px in ${box.clientWidth} px`);
}"""

TARGETS = """() => {
  const REACH = 40;
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const inside = dialog ?? document;
  const things = "a[href], button, input, select, textarea, summary, [role=tab]";

  /** How far one can go from the middle of a thing into one direction and still touch it. */
  function reach(thing, x, y, dx, dy) {
    let far = 0;
    while (far < REACH) {
      const hit = document.elementFromPoint(x + dx * (far + 1), y + dy * (far + 1));
      if (!hit || !belongs(hit, thing)) break;
      far += 1;
    }
    return far;
  }
  const belongs = (hit, thing) =>
    thing.contains(hit) || hit.contains(thing) && hit.tagName === "LABEL" || thing.labels?.[0]?.contains(hit);

  const measured = [];
  for (const thing of inside.querySelectorAll(things)) {
    if (!thing.checkVisibility({ opacityProperty: false, visibilityProperty: true })) continue;
    if (thing.closest("[role=grid][aria-disabled=true]")) continue; // not to be touched now
    if (thing.tagName === "A" && getComputedStyle(thing).display === "inline") continue; // a part of a sentence
    thing.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = thing.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue; // only for those who listen
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const hit = document.elementFromPoint(x, y);
    if (y < 0) continue; // only for those who come by keyboard
    if (hit?.closest("[data-bubble]") && !thing.closest("[data-bubble]")) continue; // the next bubble stands elsewhere
    const name = thing.ariaLabel ?? thing.textContent.trim();
    if (!hit || !belongs(hit, thing)) measured.push([name, 0, 0, thing.outerHTML.slice(0, 160)]);
    else
      measured.push([
        name,
        reach(thing, x, y, -1, 0) + reach(thing, x, y, 1, 0) + 1,
        reach(thing, x, y, 0, -1) + reach(thing, x, y, 0, 1) + 1,
        thing.outerHTML.slice(0, 160),
      ]);
  }
  return measured;
}"""


def hard_to_hit(guest: Guest) -> list[str]:
    rule = re.compile(rf"^[A-Z]\d+$|{guest.words.pattern('rule.open').pattern}")
    return [
        f"{name}: {width} × {height} px: {html}"
        for name, width, height, html in guest.page.evaluate(TARGETS)
        if min(width, height) < (SMALLER if rule.search(name) else FINGER)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_fits_a_phone_and_its_fingers(
    borrow: Arrive, banquet: Banquet, screen: str, language: str
) -> None:
    guest = borrow(language=language, viewport=PHONE, has_touch=True)
    SCREENS[screen].visit(guest, banquet)
    # The words are of no interest to axe, and the colours are the same as on a desk.
    axe = complaints(guest, ("light",)) if language == "en" else []
    assert axe + guest.page.evaluate(TOO_WIDE) + hard_to_hit(guest) == []


def test_a_few_turns_by_touch(arrive: Arrive, server: RunningServer) -> None:
    ada = arrive(viewport=PHONE, has_touch=True)
    table = lay_table(server.url, "Ada", seats=6)
    board = sit(ada, table)
    for _ in range(4):
        board.wait_until_asked()
        board.decide()
        assert ada.page.evaluate(TOO_WIDE) == []
    board.wait_until_asked()
    ada.button("table.side").tap()
    sheet = ada.dialog("table.side-label")
    log = ada.find("log", "log.label", sheet)
    assert "Ada:" in log.inner_text()
    ada.button("close", sheet).tap()
    Board(ada).wait_until_asked()
