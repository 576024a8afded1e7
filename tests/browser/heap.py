"""dash on the screen, as its players handle it; and its tables."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, expect

from tafelrunde.client import Client, RemoteRefusal
from tests.browser.board import AnyBoard, glance
from tests.browser.guest import Guest
from tests.browser.tables import Table, View, elsewhere, lay_table

TEN = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo")


class Hand:
    """A hand of one's own, the only one or one of two."""

    def __init__(self, guest: Guest, side: str | None = None) -> None:
        self.guest = guest
        self.area = guest.find("region", f"dash.hand.{side}" if side else "dash.hand")
        self.turn = guest.button("dash.turn", self.area)
        self.keep = guest.button("dash.keep", self.area)
        self.back = guest.button("dash.back", self.area)
        self.off = guest.button("dash.exit", self.area)
        self.display = guest.find("list", f"dash.display.{side}" if side else "dash.display", self.area)
        self.face_down = self.area.get_by_text(guest.words.text("dash.peek"))
        """There as long as the card in hand has not been seen."""
        self.free = self.area.get_by_text(guest.words.text("dash.choose"))

    @property
    def decision(self) -> Locator:
        """There if something is to be decided about a card."""
        return self.keep.or_(self.off).first

    def cards(self) -> list[str]:
        """What lies in the display, as it is called."""
        nothing = self.guest.words.text("dash.display.empty")
        return [text for text in self.display.get_by_role("listitem").all_inner_texts() if text != nothing]


class Heap(AnyBoard):
    """What one guest sees of the game and does in it."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(guest)
        self.places = guest.find("grid", "dash.heap")
        self.cards = guest.button("dash.place.card", self.places)
        self.free = guest.button("dash.place.free", self.places)
        self.open = guest.button("dash.open")
        self.score = guest.page.get_by_role("region", name=guest.words.pattern("dash.score.title"))
        self.note = guest.page.get_by_role("status")
        self.hand = Hand(guest)
        self.left, self.right = Hand(guest, "left"), Hand(guest, "right")

    def sit(self, table: Table, seat: int = 0) -> None:
        table.give_keys(self.guest.context, seat)
        self.guest.open(table.path)
        expect(self.places).to_be_visible()

    def at(self, place: int) -> Locator:
        return self.places.locator(f'[data-place="{place}"]')

    def take_part(self, *hands: Hand) -> bool:
        """Whatever is to be done in a round; what would be double goes back. Tells whether there was anything."""
        return sum(self._use(hand) for hand in hands or (self.hand,)) > 0

    def _use(self, hand: Hand) -> bool:
        doubles = hand.area.get_by_text(self.guest.words.inside("dash.would-double")).is_visible()
        for button in (hand.off, hand.turn, hand.back if doubles else hand.keep):
            if press_at_once(button):
                return True
        if hand.free.is_visible() and press_at_once(self.cards):
            glance(hand.decision)
            return True
        return False


def press_at_once(buttons: Locator) -> bool:
    """Press the first one if there is any. Looking first and pressing then is too late if the round ends between."""
    return bool(buttons.evaluate_all("(found) => { found[0]?.click(); return found.length > 0; }"))


def play_on(*heaps: Heap, until: Callable[[], Any] | None = None) -> None:
    """All of them play whenever they can, until all see the result, or what else is waited for; nobody opens."""
    ends = until or (lambda: all(heap.result.is_visible() for heap in heaps))
    while not ends():
        if sum(heap.take_part() for heap in heaps) == 0:
            glance(heaps[0].result)


# --- Tables -----------------------------------------------------------------------------------------------------------


def lay_heap(url: str, *names: str, **agreed: Any) -> Table:
    """A table of dash at which the first seat opens the buffet, without a countdown unless one is wished for."""
    options = {"first_opener": 0} | agreed.pop("options", {})
    return lay_table(url, *names, game="dash", options=options, **({"seats": len(names), "countdown_s": 0} | agreed))


def holds_some(view: View) -> bool:
    """The first hand of this seat weighs a card, and has laid some already."""
    hand = view["seats"][view["seat"]]["hands"][0]
    return bool(hand["holds"]) and len(hand["display"]) > 1


def lay_scored(url: str, *names: str, **options: int) -> Table:
    """A round has ended by its limit before anybody took anything."""
    table = lay_heap(url, *names, options={"round_limit_s": 1, **options})
    elsewhere(_sit_out(table))
    return table


async def _sit_out(table: Table) -> None:
    async with Client(table.url) as client, client.table(table.code, table.tokens.values()) as remote:
        await remote.act({"do": "open"}, 0)
        while True:
            view = (await remote.look(0)).observation
            if view["over"] or view["round"] > 1:
                return
            await remote.receive()


def play_out(table: Table) -> None:
    """Somebody else plays on with all keys of this table, looking for the exits, until the game is over."""
    elsewhere(_play_out(table))


async def _play_out(table: Table) -> None:
    async with Client(table.url) as client, client.table(table.code, table.tokens.values()) as remote:
        dice = random.Random(1)
        while True:
            for seat in table.tokens:
                view = (await remote.look(seat)).observation
                if view["over"]:
                    return
                if decision := _towards_exit(view, dice):
                    with contextlib.suppress(RemoteRefusal):  # it was over before
                        await remote.act(decision, seat)


def _towards_exit(view: View, dice: random.Random) -> View | None:
    for verb in ("exit", "open", "look", "back", "take"):
        if decisions := [one for one in view["legal"] if one["do"] == verb]:
            return dice.choice(decisions)
    return None


def lay_stacks(table: Table) -> Table:
    """The buffet is open, and everybody has kept what was in their stacks."""
    elsewhere(_lay_stacks(table))
    return table


async def _lay_stacks(table: Table) -> None:
    async with Client(table.url) as client, client.table(table.code, table.tokens.values()) as remote:
        await remote.act({"do": "open"}, 0)
        while not (await remote.look(0)).observation["is_open"]:
            await remote.receive()
        for seat in table.tokens:
            while (decision := _from_the_stack((await remote.look(seat)).observation)) is not None:
                await remote.act(decision, seat)


def _from_the_stack(view: View) -> View | None:
    return next((decision for decision in view["legal"] if decision["do"] in ("look", "keep")), None)
