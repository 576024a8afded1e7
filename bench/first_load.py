"""How soon people play: the page in a slow browser on a slow line, against its limits and against a plain page.

    make first-load     (or: python bench/first_load.py [--quick])

Chromium computes four times slower than it could and has the line of Lighthouse's fast 3G preset (since renamed "slow
4G"): 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back. DevTools applies that to every request of the page, and its
latency to every answer; the way to this machine itself costs nothing. Nothing is in the cache, every time anew.

- The lobby: from opening it until "Play now" can be clicked; the scripts that come until then, and with those that the
  page then fetches ahead for whoever will play, compressed.
- A running table: from opening its link, with the seat in this browser, until a card of the hand can be clicked.
- Play now: from the click until a card of the hand can be clicked, at a table that was not there before. It is clicked
  when the lobby has come to rest.

The reference is a plain page by Python's own http.server, with one script of 60 kB that puts a button there. All take
turns, and the median of each counts: machines are noisy, ratios within one run are less so. The command fails if a
median is beyond its limit.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import secrets
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from chromium import find_browser
from servers import Program, cores, free_port, start_server
from tafelrunde.client import Client
from tafelrunde.wire import Terms

SLOWDOWN = 4
LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
PHONE = {"width": 390, "height": 844}
LIMIT_S = 2.0
LIMIT_BYTES = 120_000
PLAIN_BYTES = 60_000
PATIENCE_MS = 60_000
SOURCE = Path(__file__).parents[1] / "client" / "src"
WORDS = {
    key: text
    for folder in ("words", "games/buffet/words")
    for key, text in json.loads((SOURCE / folder / "en.json").read_text(encoding="utf-8")).items()
}

WATCH = """(names) => {
  const there = new RegExp(names);
  const reachable = (button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return width > 0 && hit !== null && button.contains(hit);
  };
  const called = (button) =>
    button.ariaLabel ?? (button.querySelector(".visually-hidden") ?? button).textContent.trim();
  const ready = (button) =>
    !button.disabled && button.ariaDisabled !== "true" &&
    there.test(called(button)) && reachable(button);
  const look = () => {
    if ([...document.querySelectorAll("button")].some(ready)) window.readyAt ??= performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""
"""Looks with every frame whether a button of such a name can be clicked; the time counts from the navigation on."""
NOTE_CLICK = """() => {
  const note = () => (window.clickedAt = performance.now());
  addEventListener("click", note, { capture: true, once: true });
}"""


# --- What is measured against ---------------------------------------------------------------------------------------


def write_plain_page(folder: Path) -> None:
    """One script of 60 kB, most of it ballast that no line can make smaller."""
    act = 'document.body.append(Object.assign(document.createElement("button"), { textContent: "Ready" }));\n//'
    (folder / "plain.js").write_text(act + secrets.token_hex(PLAIN_BYTES // 2)[: PLAIN_BYTES - len(act)])
    page = '<!doctype html><html lang="en"><title>Plain</title><body><script type="module" src="plain.js"></script>'
    (folder / "index.html").write_text(page)


def start_plain_server(folder: Path, core: int) -> Program:
    """Python's own server of files."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]
    return Program(command, port, core)


# --- Tables ---------------------------------------------------------------------------------------------------------


async def begin_game(url: str) -> tuple[str, str]:
    """A running game that waits for our card; gives the code, and what a browser that sits there has kept."""
    async with Client(url) as client:
        terms = Terms(bot_pace="instant", grace_s=None)
        seated = await client.create("buffet", 4, "Ada", bots=dict.fromkeys((1, 2, 3), "greedy"), terms=terms)
        async with client.table(seated.code) as table:
            await table.start()
            while table.view.phase != "playing":
                await table.receive()
    key = {"seat": seated.seat, "name": "Ada", "token": seated.token, "nonce": None}
    return seated.code, json.dumps([{"code": seated.code, "game": "buffet", "keys": [key], "used": 0}])


# --- Measuring ------------------------------------------------------------------------------------------------------


class Visit:
    """One visit with a fresh browser, slowed down."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.script_bytes = 0
        self._scripts: set[str] = set()
        devtools: CDPSession = page.context.new_cdp_session(page)
        devtools.on("Network.responseReceived", self._response)
        devtools.on("Network.loadingFinished", self._finished)
        devtools.send("Network.enable")
        devtools.send("Network.emulateNetworkConditions", LINE)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})

    def _response(self, event: dict[str, Any]) -> None:
        if event["type"] == "Script":
            self._scripts.add(event["requestId"])

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._scripts:
            self.script_bytes += event["encodedDataLength"]

    def open(self, url: str, names: str) -> float:
        """Seconds until a button of such a name can be clicked."""
        self.page.add_init_script(f"({WATCH})({json.dumps(names)})")
        self.page.goto(url, wait_until="commit")
        return self._ready_at()

    def click(self, name: str, names: str) -> float:
        """Seconds from a click on the one button until another can be clicked."""
        self.page.evaluate("() => (window.readyAt = undefined)")
        self.page.evaluate(NOTE_CLICK)
        self.page.evaluate(WATCH, names)
        self.page.get_by_role("button", name=name).first.click()
        ready = self._ready_at()
        return ready - float(self.page.evaluate("() => window.clickedAt / 1000"))

    def _ready_at(self) -> float:
        self.page.wait_for_function("() => window.readyAt", timeout=PATIENCE_MS)
        return float(self.page.evaluate("() => window.readyAt / 1000"))


@contextlib.contextmanager
def visit(browser: Browser, kept: str | None = None) -> Iterator[Visit]:
    """Somebody comes for the first time, or with a seat kept from before."""
    with contextlib.closing(browser.new_context(viewport=PHONE, locale="en-GB")) as context:
        if kept is not None:
            context.add_init_script(f'localStorage.setItem("tafelrunde.tables", {json.dumps(kept)})')
        yield Visit(context.new_page())


def exactly(key: str) -> str:
    """A pattern for the words of this key, whatever is put into them."""
    pieces = [piece.rpartition("}")[2] for piece in WORDS[key].split("{")]
    return "^" + ".+".join(pieces) + "$"


PLAY_NOW = exactly("home.play")
CARD = exactly("buffet.card")


def once(browser: Browser, ours: str, plain: str, table: tuple[str, str]) -> dict[str, float]:
    """Everything once, one after the other."""
    code, kept = table
    taken = {}
    with visit(browser) as guest:
        taken["plain page"] = guest.open(plain, "Ready")
    with visit(browser) as guest:
        taken["lobby"] = guest.open(ours, PLAY_NOW)
        taken["scripts until then"] = guest.script_bytes
        guest.page.wait_for_load_state("networkidle")
        taken["scripts"] = guest.script_bytes
        taken["play now"] = guest.click(WORDS["home.play"], CARD)
    with visit(browser, kept) as guest:
        taken["running table"] = guest.open(f"{ours}/t/{code}", CARD)
    return taken


# --- The report -----------------------------------------------------------------------------------------------------


def report(runs: Sequence[dict[str, float]]) -> bool:
    """Medians and spread; is everything within its limit?"""
    taken: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        for name, value in run.items():
            taken[name].append(value)
            if not name.startswith("scripts"):
                taken[f"{name} / plain"].append(value / run["plain page"])
    head = f"{len(runs)} runs, {SLOWDOWN}× slower CPU, fast 3G"
    print(f"\n{head:<38}median     least      most   of limit   of plain page")
    for name in ("plain page", "lobby", "running table", "play now"):
        times = taken[name]
        share = f"{median(times) / LIMIT_S:>10.2f} {median(taken[f'{name} / plain']):>15.2f}"
        print(f"  {name:<36}{median(times):>6.2f} s {min(times):>7.2f} s {max(times):>7.2f} s {share}")
    for name, what in (
        ("scripts until then", "scripts until Play now, compressed"),
        ("scripts", "and what it fetches ahead"),
    ):
        sizes = taken[name]
        share = f"{median(sizes) / LIMIT_BYTES:>10.2f} {median(sizes) / PLAIN_BYTES:>15.2f}"
        middle, least, most = (f"{size / 1000:>6.1f} kB" for size in (median(sizes), min(sizes), max(sizes)))
        print(f"  {what:<35}{middle} {least:>9} {most:>9} {share}")
    print(f"\nlimits: {LIMIT_S:g} s and {LIMIT_BYTES / 1000:g} kB")
    late = any(median(taken[name]) > LIMIT_S for name in ("lobby", "running table", "play now"))
    return not late and median(taken["scripts"]) <= LIMIT_BYTES


def measure(runs: int, ours: str, plain: str) -> bool:
    """Everything, several times; the first time warms up what the machine keeps and does not count."""
    table = asyncio.run(begin_game(ours))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser())
        once(browser, ours, plain, table)
        taken = [once(browser, ours, plain, table) for _ in range(runs)]
        browser.close()
    return report(taken)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="three runs instead of nine")
    runs = 3 if parser.parse_args().quick else 9
    core, _ = cores()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        server = start_server(folder, core)
        stack.callback(server.end)
        (folder / "plain").mkdir()
        write_plain_page(folder / "plain")
        plain = start_plain_server(folder / "plain", core)
        stack.callback(plain.end)
        good = measure(runs, *(f"http://127.0.0.1:{program.port}" for program in (server, plain)))
    sys.exit(not good)


if __name__ == "__main__":
    main()
