"""chocolat on the screen, as its players handle it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.board import BoardWithTurns
from tests.browser.guest import Guest
from tests.browser.tables import Table, View, lay_table

TRIES = 10
"""A helper comes to everybody, but not every game lasts until it is of use."""
ENDLESS = 1000
"""Nobody gets so many points."""


class ChocolatBoard(BoardWithTurns):
    """What one guest sees of the game and does in it."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(guest)
        self.hand = guest.find("region", "chocolat.hand")
        self.cards = guest.find("group", "chocolat.hand", self.hand).get_by_role("button")
        self.middle = guest.find("region", "chocolat.market")
        self.market = guest.find("group", "chocolat.market", self.middle).get_by_role("button")
        self.choose = guest.button("chocolat.choose")
        self.lay = guest.button("chocolat.lay")
        self.take = guest.button("chocolat.take")
        self.give = guest.button("chocolat.take.given")
        self.pass_ = guest.button("chocolat.pass")
        self.combinations = guest.button("chocolat.combinations")
        self.offers = guest.dialog("chocolat.combinations.title")
        self.combine = guest.button("chocolat.combine")
        self.other_order = guest.button("chocolat.other-order")
        self.other_ways = guest.button("chocolat.other-ways")
        self.ways = guest.dialog("chocolat.ways.title")

    @property
    def asked(self) -> Locator:
        return self.choose.or_(self.lay).or_(self.take).or_(self.pass_).first

    def names(self) -> list[str]:
        """The cards of the hand as they are called."""
        return [" ".join(name.split()) for name in self.cards.all_inner_texts()]

    # --- Decisions --------------------------------------------------------------------------------------------------

    def lay_card(self, nth: int = 0) -> None:
        self.press(self.cards.nth(nth))
        self.press(self.lay)
        expect(self.choose.or_(self.lay)).to_have_count(0)

    def take_two(self) -> None:
        for nth in range(2):
            self.press(self.market.nth(nth))
        self.press(self.take)
        expect(self.take).to_have_count(0)

    def lift_best(self) -> None:
        """Ask for combinations and lift the first one."""
        self.press(self.combinations)
        self.press(self.offers.get_by_role("listitem").get_by_role("button").first)

    def raise_cards(self, cards: list[str]) -> None:
        """Raise these cards of the hand; of equal ones the first."""
        for card in set(cards):
            spot = self.hand.locator(f'[data-spot="card:{card}"]')
            for nth in range(cards.count(card)):
                self.press(spot.nth(nth))

    def score(self) -> None:
        """The best combination that is offered, or none."""
        if self.combinations.is_visible():
            self.lift_best()
            self.press(self.combine)
        else:
            self.press(self.pass_)
        expect(self.pass_).to_have_count(0)

    def decide(self) -> None:
        if self.take.is_visible():
            self.take_two()
        elif self.pass_.is_visible():
            self.score()
        else:
            self.lay_card()


def plain_runs(view: View) -> list[dict[str, Any]]:
    """Combinations that leave two different cards to discard, and to which no help would add anything."""
    ways = [way for way in zip(view["legal"], view["gains"] or [], strict=False) if way[0]["do"] == "combine"]
    best: dict[tuple[str, ...], int] = {}
    for one, gain in ways:
        cards = tuple(sorted(one["cards"]))
        best[cards] = max(gain, best.get(cards, gain))
    plain = [one for one, gain in ways if "helper" not in one and gain == best[tuple(sorted(one["cards"]))]]
    return [one for one in plain if len(set(one["cards"])) == 3 > len(one["kept"]) + 1]


def optional_helps(view: View) -> list[dict[str, Any]]:
    """The helper may change a card of a combination, which is one without it too."""
    plain = {tuple(sorted(one["cards"])) for one in plain_runs(view)}
    helped = [one for one in view["legal"] if one["do"] == "combine" and "changed" in one]
    return [one for one in helped if tuple(sorted(one["cards"])) in plain]


def lay_sweets(url: str, wanted: Callable[[View], Any], seats: int = 4, target: int = ENDLESS) -> Table:
    """A table of chocolat at which Ada sees what is wanted."""
    for _ in range(TRIES):
        seen: list[Any] = [False]

        def until(view: View, seen: list[Any] = seen) -> Any:
            seen.append(wanted(view))
            return seen[-1]

        table = lay_table(url, "Ada", game="chocolat", seats=seats, until=until, options={"target": target})
        if seen[-1]:
            return table
    raise AssertionError("it never came to that")


def sit(guest: Guest, table: Table, seat: int = 0) -> ChocolatBoard:
    """Somebody who has sat down before comes back to the table."""
    table.give_keys(guest.context, seat)
    guest.open(table.path)
    board = ChocolatBoard(guest)
    board.wait_until_asked()
    return board
