"""Tables that stand ready when a test begins, and what is true at them, as programs see it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from playwright.sync_api import BrowserContext, Page

from tafelrunde.client import Client, RemoteTable
from tafelrunde.wire import Terms
from tests.server.guests import connection

KEPT = "tafelrunde.tables"
KEEP_ONCE = """([place, tables]) => {
  if (localStorage.getItem(place) === null) localStorage.setItem(place, tables);
}"""
"""What the page itself keeps from then on stays."""
START_TAB = """([place, tables]) => {
  if (sessionStorage.getItem("test.started")) return;
  sessionStorage.setItem("test.started", "yes");
  localStorage.clear();
  localStorage.setItem(place, tables);
}"""
"""A new tab finds nothing on the device but these keys."""
Answer = TypeVar("Answer")
View = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Table:
    """A table, and the keys to the seats of its people."""

    url: str
    code: str
    names: tuple[str, ...]
    tokens: dict[int, str]
    game: str = "buffet"

    @property
    def path(self) -> str:
        return f"/t/{self.code}"

    def give_keys(self, context: BrowserContext, *seats: int) -> None:
        """This device has sat down at these seats before."""
        give_keys(context, {self: seats})

    def to_act(self) -> list[int]:
        """Whom the server waits for."""
        seats: list[int] = httpx.get(f"{self.url}/api/tables/{self.code}", trust_env=False).json()["to_act"]
        return seats

    def laid_by(self, seat: int) -> list[int]:
        """The cards that the server knows this seat to have laid, in order."""
        lines = elsewhere(welcome(self.url, self.code, self.tokens[seat]))["lines"]
        entries = [entry for line in lines if line["type"] == "step" for entry in line["entries"]]
        return [entry["card"] for entry in entries if entry["do"] == "lay" and entry["by"] == seat]

    def hand_of(self, seat: int) -> list[int]:
        """The cards that the server knows this seat to hold."""
        hand: list[int] = self.view_of(seat)["hand"]
        return hand

    def view_of(self, seat: int) -> View:
        """What this seat sees, as the server knows it."""
        (view,) = elsewhere(welcome(self.url, self.code, self.tokens[seat]))["views"]
        observation: View = view["observation"]
        return observation


def give_keys(context: BrowserContext, seats: Mapping[Table, Iterable[int]]) -> None:
    """This device has sat down at these tables before."""
    context.add_init_script(f"({KEEP_ONCE})({json.dumps([KEPT, _kept(seats)])})")


def start_with_keys(tab: Page, seats: Mapping[Table, Iterable[int]]) -> None:
    """The same for a new tab of a device that others have used: all that they left there is gone."""
    tab.add_init_script(f"({START_TAB})({json.dumps([KEPT, _kept(seats)])})")


def _kept(seats: Mapping[Table, Iterable[int]]) -> str:
    """What the page keeps of these seats, as it writes it down."""
    kept = []
    for table, ours in seats.items():
        keys = [{"seat": one, "name": table.names[one], "token": table.tokens[one], "nonce": None} for one in ours]
        kept.append({"code": table.code, "game": table.game, "keys": keys, "used": 0})
    return json.dumps(kept)


def elsewhere(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Do this in another thread: Playwright's event loop occupies this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def welcome(url: str, code: str, token: str) -> dict[str, Any]:
    async with connection(url, code) as raw:
        raw.say({"do": "hello", "tokens": [token], "recall": True})
        return await raw.hear("welcome")


def kept_table(context: BrowserContext, url: str) -> Table:
    """The table that somebody has sat down at with this device, with all its keys."""
    (kept,) = json.loads(context.pages[0].evaluate("(place) => localStorage.getItem(place)", KEPT))
    tokens = {key["seat"]: key["token"] for key in kept["keys"]}
    return Table(url, kept["code"], tuple(key["name"] for key in kept["keys"]), tokens)


# --- Setting up -------------------------------------------------------------------------------------------------------


def lay_table(
    url: str,
    *names: str,
    game: str = "buffet",
    seats: int = 4,
    options: Mapping[str, Any] | None = None,
    bots: bool = True,
    level: str = "greedy",
    begun: bool = True,
    until: Callable[[View], Any] | None = None,
    **terms: Any,
) -> Table:
    """People at the first seats, bots at all others, unless they are to stay free; bots take no time.

    The game has begun, and people have played on until one of them sees what is waited for.
    """
    agreed = Terms(**({"bot_pace": "instant", "grace_s": None} | terms))
    levels = dict.fromkeys(range(len(names), seats), level) if bots else {}
    setting = {"game": game, "seats": seats, "options": options, "bots": levels, "terms": agreed}
    return elsewhere(_lay(url, names, setting, until or (lambda _: begun), begun))


async def _lay(
    url: str, names: tuple[str, ...], setting: dict[str, Any], until: Callable[[View], Any], begun: bool
) -> Table:
    async with Client(url) as client:
        code = (await client.create(name=names[0], **setting)).code
        for seat, name in enumerate(names[1:], start=1):
            await client.sit(code, name, seat)
        if begun:
            async with client.table(code) as table:
                await table.start(seat=0)
                while table.view.phase not in ("playing", "over"):
                    await table.receive()
                await _play(table, range(len(names)), until)
        return Table(url, code, names, client.tokens[code], setting["game"])


def lay_closed(url: str) -> Table:
    """A table at which a game was finished before its host has closed it."""
    table = lay_table(url, "Ada", until=lambda view: view["over"])

    async def close() -> None:
        async with Client(url) as client, client.table(table.code, table.tokens.values()) as host:
            await host.close_table()

    elsewhere(close())
    return table


def first(view: View) -> View:
    """The lowest card; nothing is exchanged or laid out."""
    decision: View = view["legal"][0]
    return decision


def play_out(
    table: Table, until: Callable[[View], Any] = lambda view: view["over"], decide: Callable[[View], View] = first
) -> None:
    """Somebody else goes on with the keys of this table, until the game is over, or what else is waited for."""

    async def play() -> None:
        async with Client(table.url) as client, client.table(table.code, table.tokens.values()) as seats:
            await _play(seats, range(len(table.names)), until, decide)

    elsewhere(play())


async def _play(
    table: RemoteTable, people: range, until: Callable[[View], Any], decide: Callable[[View], View] = first
) -> None:
    while True:
        views = [(await table.look(seat)).observation for seat in people]
        if any(until(view) for view in views) or views[0]["over"]:
            return
        asked = [(seat, view) for seat, view in zip(people, views, strict=True) if view["legal"]]
        for seat, view in asked[:1]:
            await table.act(decide(view), seat)
        if not asked:
            await table.receive()
