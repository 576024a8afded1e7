"""chocolat in the terminal: the market, bids, drafts and combinations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tafelrunde.games.chocolat.deck import INGREDIENTS, Helper
from tafelrunde.games.contract import Entry
from tafelrunde.games.teller import Teller, Told, Watched

PICTURES = dict(zip(INGREDIENTS, ("🥚", "🍓", "🌰", "🍫", "🍬"), strict=True))


PARTS = {
    "reveal": "bids",
    "draft": "drafts",
    "dig": "scoring",
    "fetch": "scoring",
    "combine": "scoring",
    "pass": "scoring",
}
IN_A_LINE = 3  # helpers per line


def parts_of(card: str) -> tuple[str, int, int]:
    """Split 'nuts-3-8' into nuts, 3 and 8."""
    ingredient, value, coins = card.split("-")
    return ingredient, int(value), int(coins)


def value_of(card: str) -> int:
    """The snack value."""
    return parts_of(card)[1]


class ChocolatTeller(Teller):
    """Tells a game of chocolat."""

    def __init__(self, game: Watched) -> None:
        super().__init__(game)
        self.kept: list[list[str]] = [[] for _ in game.names]
        self.part: str | None = None

    def tell(self, entry: Entry) -> Iterator[Told]:
        """Separate bids, drafts and scoring by empty lines."""
        part = PARTS.get(entry["do"], self.part)
        if part != self.part:
            self.part = part
            yield "", 0
        yield from super().tell(entry)

    # --- Cards and helpers ----------------------------------------------------------------------------------------

    def _card(self, card: str, small: bool = False) -> Text:
        """Value, ingredient and coins; ``small`` leaves out the coins, which do not matter for victory cards."""
        ingredient, value, coins = parts_of(card)
        shown = Text.assemble((f" {value} ", "bold reverse"), f" {PICTURES[ingredient]}")
        return shown if small else Text.assemble(shown, (f" {coins}", "dim"))

    def _cards(self, cards: Sequence[str], small: bool = False) -> Text:
        return Text("  ").join(self._card(card, small) for card in cards)

    def _helper(self, rank: int) -> str:
        deck: Any = self.game.deck
        helper: Helper = deck.helper(rank)
        return f"{rank} {helper.animal or helper.power}"

    def _points(self, seat: int) -> int:
        return sum(map(value_of, self.kept[seat]))

    # --- A round --------------------------------------------------------------------------------------------------

    def _helpers(self, entry: Entry) -> Iterator[Told]:
        holders = [
            Text.assemble(self._name(seat), f" {self._helper(rank)}") for seat, rank in enumerate(entry["seats"])
        ]
        spare = ", ".join(self._helper(rank) for rank in entry["spare"])
        yield "", 0
        for first in range(0, self.game.seats, IN_A_LINE):
            heading = ("        " if first else "helpers ", "dim")
            rule = ("" if first else " C13" if self.part == "scoring" else " C6", "dim")
            yield self._line(heading, Text("  ").join(holders[first : first + IN_A_LINE]), rule)
        yield self._line(("spare   ", "dim"), spare)

    def _round(self, entry: Entry) -> Iterator[Told]:
        yield "", 0
        yield Rule(f"Round {entry['number']}"), 0

    def _market(self, entry: Entry) -> Iterator[Told]:
        yield self._line(("market  ", "dim"), self._cards(entry["cards"]))

    def _reveal(self, entry: Entry) -> Iterator[Told]:
        seat, coins = entry["seat"], entry["coins"]
        bold = f" with the {self._helper(entry['helper'])}" if "helper" in entry else ""
        what = f"  {coins} coin{'s' if coins > 1 else ''}{bold} "
        rule = "C9 C15" if bold else "C9"
        yield self._line(self._name(seat, pad=True), " ", self._card(entry["card"]), what, (rule, "dim"))

    def _draft(self, entry: Entry) -> Iterator[Told]:
        given: list[str | Text | tuple[str, str]] = [(" C9", "dim")]
        if "give" in entry:
            given = [" and gives ", self._card(entry["give"]), f" ({self._helper(entry['helper'])}) ", ("C15", "dim")]
        yield self._line(self._name(entry["by"], pad=True), " takes ", self._cards(entry["take"]), *given)

    # --- Scoring --------------------------------------------------------------------------------------------------

    def _call(self, entry: Entry, *does: str | Text) -> Told:
        """C15: what a helper does for a player."""
        name = self._name(entry["by"], pad=True)
        return self._line(name, f" calls the {self._helper(entry['helper'])}: ", *does, (" C15", "dim"))

    def _dig(self, entry: Entry) -> Iterator[Told]:
        yield self._call(entry, "gives up ", self._card(entry["card"]), " and draws a card")

    def _fetch(self, entry: Entry) -> Iterator[Told]:
        yield self._call(entry, "gives up ", self._card(entry["card"]))

    def _gain(self, entry: Entry) -> Iterator[Told]:
        name = self._name(entry["seat"], pad=True)
        yield self._line(name, " takes ", self._card(entry["card"]), " from the discards ", ("C15", "dim"))

    def _combine(self, entry: Entry) -> Iterator[Told]:
        if "helper" in entry:
            yield self._call(entry, self._help(entry))
        seat = entry["by"]
        self.kept[seat] += entry["kept"]
        cards = self._cards(sorted(entry["cards"], key=value_of), small=True)
        kept = self._cards(entry["kept"], small=True)
        gained = (f"  +{sum(map(value_of, entry['kept']))}", "bold")
        total = f" makes {self._points(seat)} "
        yield self._line(
            self._name(seat, pad=True), " lays out ", cards, ", keeps ", kept, gained, total, ("C11", "dim")
        )

    def _help(self, entry: Entry) -> str:
        if "changed" not in entry:
            return "four cards, and one more to keep"
        ingredient, value, _ = parts_of(entry["changed"])
        return f"{ingredient} {value} count as {entry.get('as', value + 1)}"

    def _pass(self, entry: Entry) -> Iterator[Told]:
        yield self._line(self._name(entry["by"], pad=True), (" passes C10", "dim"))

    def _end(self, entry: Entry) -> Iterator[Told]:
        target = self.game.options["target"]
        reached = isinstance(target, int) and max(entry["scores"]) >= target
        table = Table(title="Dessert is served" if reached else "The market is empty", title_style="bold", box=None)
        for heading in ("", "", "victory cards", "helper", "points"):
            table.add_column(heading, justify="right" if heading == "points" else "left")
        held = [seat["helper"] for seat in self.game.observe(None).to_json()["seats"]]
        for seat in sorted(range(self.game.seats), key=lambda seat: entry["places"][seat]):
            place, points = entry["places"][seat], entry["scores"][seat]
            cards = Text(" ").join(self._card(card, small=True) for card in sorted(self.kept[seat], key=value_of))
            table.add_row(
                f"{place}.", self._name(seat), cards, self._helper(held[seat]), Text(str(points), style="bold")
            )
        yield "", 0
        yield Rule(), 0
        yield table, 1.0
        if not reached:
            yield Text("There are too few cards left to fill the market. C14", "dim"), 0
        if len(set(entry["scores"])) < self.game.seats:
            yield Text("Equal points: the higher helper is ahead. C16", "dim"), 0
        yield "", 0


TELLER = ChocolatTeller
