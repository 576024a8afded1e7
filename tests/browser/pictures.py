"""Takes the README's pictures of the page (``make pictures``): real games in a real browser, then docs/images/*.jpg."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from chromium import find_browser
from tests.browser.board import Board
from tests.browser.chocolat import ChocolatBoard
from tests.browser.guest import DESK, PHONE, Guest
from tests.browser.heap import Heap, lay_heap, lay_stacks
from tests.browser.tables import Table, View, lay_table
from tests.server.running import RunningServer

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SETTLED_MS = 1500
PEOPLE = ("Ada", "Bo", "Cy", "Di", "Eli")
CENTRE = 27
"""A place in the middle of the heap."""


def in_full_swing(view: View) -> bool:
    """The mice of buffet are spread over the track, and a card is to be laid."""
    running = {seat["at"] for seat in view["seats"] if seat["racing"]}
    return (
        view["round"] > 3 and len(running) > 2 and max(running) > 8 and any(one["do"] == "lay" for one in view["legal"])
    )


def has_choice(view: View) -> bool:
    """In chocolat there are points, and something can be laid out."""
    return view["round"] > 3 and any(one["do"] == "combine" for one in view["legal"])


def come(browser: Browser, url: str, table: Table, **device: object) -> Guest:
    guest = Guest(browser, url, **device)  # type: ignore[arg-type]
    table.give_keys(guest.context, 0)
    guest.open(table.path)
    return guest


def keep(guest: Guest, name: str) -> None:
    """Once nothing moves any more."""
    guest.page.wait_for_timeout(SETTLED_MS)
    guest.page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=88)
    guest.context.close()


def take_all(browser: Browser, url: str) -> None:
    home = Guest(browser, url)
    home.open()
    keep(home, "home")

    buffet = lay_table(url, *PEOPLE[:1], seats=5, until=in_full_swing)
    desk = come(browser, url, buffet, viewport=DESK)
    Board(desk).usable.nth(3).click()
    keep(desk, "buffet")
    phone = come(browser, url, buffet, viewport=PHONE, has_touch=True, language="ja", color_scheme="dark")
    Board(phone).wait_until_asked()
    keep(phone, "buffet-phone")

    dash = lay_stacks(lay_heap(url, *PEOPLE))
    desk = come(browser, url, dash, viewport=DESK)
    heap = Heap(desk)
    heap.at(CENTRE).click()
    heap.hand.decision.wait_for()
    keep(desk, "dash")
    phone = come(browser, url, dash, viewport=PHONE, has_touch=True, language="de")
    Heap(phone).hand.decision.wait_for()
    keep(phone, "dash-phone")

    chocolat = lay_table(url, *PEOPLE[:1], game="chocolat", seats=4, until=has_choice)
    desk = come(browser, url, chocolat, viewport=DESK)
    ChocolatBoard(desk).lift_best()
    keep(desk, "chocolat")
    phone = come(browser, url, chocolat, viewport=PHONE, has_touch=True, color_scheme="dark")
    ChocolatBoard(phone).wait_until_asked()
    keep(phone, "chocolat-phone")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = RunningServer(Path(folder) / "tables.db")
        browser = playwright.chromium.launch(executable_path=find_browser())
        take_all(browser, server.url)
        browser.close()
        server.kill()


if __name__ == "__main__":
    main()
