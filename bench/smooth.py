"""Is dash smooth? Ten seats grab at the pace of people, and one of them plays in a slow browser on a phone's screen.

    make smooth     (or: python bench/smooth.py [--quick])

Chromium computes four times slower than it could. Nine bots play at human pace; the tenth seat reaches, keeps and puts
back by real touches. Measured in the page, for whole rounds:

- Frames: what the page had to do in each: its scripts, and then style, layout and paint, by the browser's own account
  of long frames, whatever they were caused by except a touch, until the result covers the table. (How far pictures are
  apart says less: here the same two cores also bring them to the screen without a graphics card, and run the server.)
- Touches: from the touch until the page has drawn the picture that shows its effect.

The reference, for both, is the time between two pictures of the same page at the same table before the buffet
is opened, when nothing comes in. The command fails if the work of a frame is beyond 50 ms, or a touch is answered
after more than 100 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright

from chromium import find_browser
from servers import cores, start_server
from tafelrunde.client import Client

SLOWDOWN = 4
PHONE = {"width": 390, "height": 844}
SEATS = 10
FRAME_MS = 50
TOUCH_MS = 100
REST_MS = 3000
BREATH_MS = 350
TAP_MS = 40

WATCH = """() => {
  const noted = (window.noted = { frames: [], work: [], touches: [], messages: 0 });
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", ({ data }) => {
        if (data.includes('"type":"step"')) noted.messages += 1;
      });
    }
  };
  let last;
  const frame = (now) => {
    if (last !== undefined) noted.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    if (document.querySelector("dialog[open]")) return; // the result covers the table
    for (const { startTime, duration, renderStart, scripts } of list.getEntries()) {
      // The picture of a touch has a limit of its own; whatever comes in is in the picture after it.
      if (scripts.some(({ invoker }) => invoker.endsWith("onpointerdown"))) continue;
      const before = scripts.filter((script) => !renderStart || script.startTime < renderStart);
      const ran = before.reduce((sum, script) => sum + script.duration, 0);
      noted.work.push(ran + (renderStart ? startTime + duration - renderStart : 0));
    }
  }).observe({ type: "long-animation-frame" });
  // Once the picture is drawn the page does something else: a task that waits, or the next picture.
  const { port1, port2 } = new MessageChannel();
  let touched;
  const drawn = () => {
    if (touched !== undefined) noted.touches.push(performance.now() - touched);
    touched = undefined;
  };
  port1.onmessage = drawn;
  addEventListener("pointerdown", ({ timeStamp }) => {
    requestAnimationFrame(() => {
      touched = timeStamp;
      requestAnimationFrame(drawn);
      port2.postMessage(null);
    });
  }, true);
}"""

FRESH = """() => {
  const past = { ...noted };
  Object.assign(noted, { frames: [], work: [], touches: [] });
  return past;
}"""

NEXT_TOUCH = """() => {
  const middle = (thing) => {
    const { left, top, width, height } = thing.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  if (document.querySelector("dialog[open]")) return "over";
  if (document.querySelector(".above .sheet:not(.away)")) return null;
  const buttons = [...document.querySelectorAll(".near .buttons button:not(.hidden)")];
  // What would be double goes back, and so does an exit: whoever left would touch nothing any more.
  const goesBack = document.querySelector(".near .warns, .near .off");
  if (buttons.length > 0) return middle(goesBack ? buttons.at(-1) : buttons[0]);
  const cards = [...document.querySelectorAll(".place:not(.free)")];
  const free = document.querySelector(".near .empty:not(.hidden)");
  return free && cards.length > 0 ? middle(cards[Math.floor(Math.random() * cards.length)]) : null;
}"""


async def begin_game(url: str, rounds: int) -> tuple[str, str]:
    """A game that waits for us to open the buffet; gives the code, and what a browser that sits there has kept."""
    async with Client(url) as client:
        bots = dict.fromkeys(range(1, SEATS), "greedy")
        options = {"first_opener": 0, "max_rounds": rounds}
        seated = await client.create("dash", SEATS, "Ada", bots=bots, options=options)
        async with client.table(seated.code) as table:
            await table.start()
            while table.view.phase != "playing":
                await table.receive()
    key = {"seat": seated.seat, "name": "Ada", "token": seated.token, "nonce": None}
    return seated.code, json.dumps([{"code": seated.code, "game": "dash", "keys": [key], "used": 0}])


def fresh(page: Page) -> dict[str, Any]:
    """What was noted so far; from now on anew."""
    noted: dict[str, Any] = page.evaluate(FRESH)
    return noted


def play(page: Page, browser: CDPSession) -> None:
    """Touch by touch, until the game is over."""
    while True:
        touch = page.evaluate(NEXT_TOUCH)
        if touch == "over":
            return
        if touch is not None:
            # Touches of Playwright say when they were ordered; before they are sent, the browser waits for a picture.
            tap = {"x": touch[0], "y": touch[1], "duration": TAP_MS, "gestureSourceType": "touch"}
            browser.send("Input.synthesizeTapGesture", tap)
        page.wait_for_timeout(BREATH_MS)


def measure(url: str, rounds: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """At rest, and in play."""
    code, kept = asyncio.run(begin_game(url, rounds))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser())
        context = browser.new_context(viewport=PHONE, has_touch=True, locale="en-GB")
        context.add_init_script(f'localStorage.setItem("tafelrunde.tables", {json.dumps(kept)})')
        page = context.new_page()
        page.add_init_script(f"({WATCH})()")
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        page.goto(f"{url}/t/{code}")
        opener = page.locator(".then .primary")
        opener.wait_for()
        page.wait_for_timeout(1000)
        fresh(page)
        page.wait_for_timeout(REST_MS)
        rest = fresh(page)
        opener.tap()
        play(page, session)
        played = fresh(page)
        browser.close()
    return rest, played


def report(rest: dict[str, Any], played: dict[str, Any]) -> bool:
    """As ratios to the limits and to the reference; is everything within its limit?"""
    idle = rest["frames"]
    # The browser's account is of frames that were long; all others took less than the limit.
    busy = played["work"] + [0.0] * (len(played["frames"]) - len(played["work"]))
    touches = played["touches"]
    print(f"\n{SEATS} seats, {SLOWDOWN}× slower CPU, {played['messages']} steps, {len(touches)} touches")
    print(f"{'':<34}longest   of limit   of rest   beyond the limit")
    good = True
    for name, times, limit, reference in (
        ("frames at rest (reference)", idle, FRAME_MS, idle),
        ("work in a long frame", busy, FRAME_MS, idle),
        ("touch to picture", touches, TOUCH_MS, idle),
    ):
        late = sum(time > limit for time in times)
        share = f"{max(times) / limit:>10.2f} {max(times) / median(reference):>9.2f}"
        print(f"  {name:<32}{max(times):>6.1f} ms {share}   {late} of {len(times)}")
        good = good and (times is idle or late == 0)
    print(f"\nlimits: {FRAME_MS} ms and {TOUCH_MS} ms")
    return good


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one round instead of three")
    rounds = 1 if parser.parse_args().quick else 3
    core, _ = cores()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        server = start_server(Path(name), core)
        stack.callback(server.end)
        good = report(*measure(f"http://127.0.0.1:{server.port}", rounds))
    sys.exit(not good)


if __name__ == "__main__":
    main()
