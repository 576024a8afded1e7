"""How long it takes from the arrival of a step until the next decision can be taken: asked for, and with the step.

python bench/decision_delay.py

A client plays buffet against instant bots, on a direct line and on one with 80 ms of added delay, there and back
together. It asks for its view after each step (``look``), or the view comes with the step. Then the page does the same
in a browser, from the arrival of the step until the hand is open; the reference is the same page on a direct line.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from chromium import find_browser
from servers import cores, start_server
from tafelrunde import wire
from tafelrunde.client import Client, RemoteTable
from tafelrunde.client.connection import Connection

DELAYS_MS = (0, 80)
GAMES = 2
BOTS = {1: "greedy", 2: "greedy"}
TERMS = wire.Terms(bot_pace="instant")
TURNS = 20
"""In the browser."""
WATCH = """(() => {
  window.delays = [];
  let askedAt = null;
  const isOpen = () => document.querySelector('.hand [aria-disabled="false"], .hand .mine:enabled') !== null;
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      this.addEventListener("message", ({ data }) => {
        const { type, to_act } = JSON.parse(data);
        if (type === "step" && to_act.includes(0) && !isOpen()) askedAt ??= performance.now();
      });
    }
  };
  new MutationObserver(() => {
    if (askedAt === null || !isOpen()) return;
    window.delays.push(performance.now() - askedAt);
    askedAt = null;
  }).observe(document, { subtree: true, childList: true, attributes: true });
})()"""
"""Notes in the page how long it took from each step that asks our seat until its hand was open."""


@asynccontextmanager
async def delayed(port: int, seconds: float) -> AsyncIterator[int]:
    """A line to this port on which bytes need so long, each way; gives the port of its other end."""
    ended: list[asyncio.Event] = []

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, data = await on_the_way.get()
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                writer.write(data)

        delivering = asyncio.create_task(deliver())
        with suppress(OSError):
            while data := await reader.read(65536):
                on_the_way.put_nowait((time.perf_counter() + seconds, data))
        delivering.cancel()
        writer.transport.abort()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ended.append(asyncio.Event())
        end = ended[-1]
        from_server, to_server = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(carry(reader, to_server), carry(from_server, writer))
        end.set()

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]
        for end in ended:
            await end.wait()


class Timed(RemoteTable):
    """Notes when a step arrived after which our seat has to decide anew."""

    asked_at: float | None = None

    def _receive(self, connection: Connection, text: bytes) -> None:
        now, before = time.perf_counter(), list(self.to_act)
        super()._receive(connection, text)
        if text.startswith(b'{"type":"step"') and 0 in self.to_act and 0 not in before:
            self.asked_at = now


async def play(table: Timed, by_look: bool) -> list[float]:
    """One game, in which the first legal decision is always good enough; gives all delays in milliseconds."""
    delays: list[float] = []
    await table.start()
    async for _ in table:
        if table.view.phase == "over":
            break
        legal: list[dict[str, Any]] = []
        if by_look and 0 in table.to_act:
            legal = (await table.look()).observation["legal"]
        elif not by_look:
            legal = table.legal()
        if legal:
            if table.asked_at is not None:
                delays.append((time.perf_counter() - table.asked_at) * 1000)
                table.asked_at = None
            await table.act(legal[0])
    return delays


async def measure(port: int, delay_ms: int, by_look: bool) -> float:
    """The median over some games."""
    delays: list[float] = []
    async with delayed(port, delay_ms / 2000) as far, Client(f"http://127.0.0.1:{port}") as client:
        for _ in range(GAMES):
            seated = await client.create("buffet", 3, "Ada", bots=BOTS, terms=TERMS)
            url = f"ws://127.0.0.1:{far}/api/tables/{seated.code}/socket"
            async with Timed(url, [seated.token], client.nonces, client.patience) as table:
                delays += await play(table, by_look)
    return median(delays)


# --- In the browser -----------------------------------------------------------------------------------------------


async def decide(page: Page) -> None:
    """Whatever may be done now: exchange nothing, or lay the first card."""
    if not await page.locator(".hand .mine:enabled").is_visible():
        await page.locator('.hand [aria-disabled="false"]').first.click()
    await page.locator(".hand .mine:enabled").click()


async def play_in(page: Page, url: str, seated: wire.Seated) -> list[float]:
    """Some turns of a game at the table; gives all delays in milliseconds."""
    key = {"seat": seated.seat, "name": "Ada", "token": seated.token, "nonce": None}
    kept = json.dumps([{"code": seated.code, "game": "buffet", "keys": [key], "used": 0}])
    await page.add_init_script(f'localStorage.setItem("tafelrunde.tables", {json.dumps(kept)}); {WATCH}')
    await page.goto(f"{url}/t/{seated.code}")
    for turn in range(TURNS):
        await decide(page)
        await page.wait_for_function(f"() => window.delays.length > {turn}")
    delays: list[float] = await page.evaluate("window.delays")
    return delays


async def measure_page(browser: Browser, port: int, delay_ms: int) -> float:
    """The median over some turns."""
    async with delayed(port, delay_ms / 2000) as far, Client(f"http://127.0.0.1:{port}") as client:
        seated = await client.create("buffet", 3, "Ada", bots=BOTS, terms=TERMS)
        async with client.table(seated.code) as table:
            await table.start()
            while table.view.phase != "playing":
                await table.receive()
        page = await browser.new_page(reduced_motion="reduce", locale="en-GB")
        delays = await play_in(page, f"http://127.0.0.1:{far}", seated)
        await page.close()
    return median(delays)


async def compare_pages(port: int) -> None:
    """Print what the page needs on each line."""
    async with async_playwright() as play, await play.chromium.launch(executable_path=find_browser()) as browser:
        direct = await measure_page(browser, port, 0)
        print("\nin the browser, until the hand is open (median)               page   of the direct line")
        for delay_ms in DELAYS_MS:
            taken = direct if delay_ms == 0 else await measure_page(browser, port, delay_ms)
            print(f"  {f'{delay_ms} ms of added delay':<53}{taken:>8.2f} ms {taken / direct:>16.1f}")


# --- Both ------------------------------------------------------------------------------------------------------------


async def compare(port: int) -> None:
    """Print both ways side by side."""
    print("from a step to the next decision (median)   asked by look   with the step   look / with the step")
    for delay_ms in DELAYS_MS:
        asked, pushed = await measure(port, delay_ms, True), await measure(port, delay_ms, False)
        print(f"  {f'{delay_ms} ms of added delay':<41}{asked:>10.2f} ms {pushed:>12.2f} ms {asked / pushed:>21.1f}")
    await compare_pages(port)


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        server = start_server(Path(folder), cores()[0])
        try:
            asyncio.run(compare(server.port))
        finally:
            server.end()


if __name__ == "__main__":
    main()
