"""dash in the terminal: the heap, everybody's display, who keeps what, who is off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tafelrunde.games.contract import Entry
from tafelrunde.games.dash.menu import items_of
from tafelrunde.games.teller import COLOURS, ON_COLOUR, Teller, Told, Watched

PLACES_IN_A_ROW = 8
PLACES = 64
BACK = "░░"
FREE = " ·"
GREEN = "bold #009E73"
SHORT = {"left": "L", "right": "R", None: ""}


def pair(card: str) -> str:
    """The pictures of a card."""
    food, drink = items_of(card)
    return food.picture + drink.picture


def clock(ms: int) -> str:
    """Minutes, seconds and tenths."""
    return f"{ms // 60_000}:{ms % 60_000 / 1000:04.1f}"


def has_double(display: list[str], card: str) -> bool:
    """Does another card of the display have the food or the drink of this one?"""
    return sum(card[0] in other or card[1] in other for other in display) > 1


class DashTeller(Teller):
    """Tells a game of dash: the important events in words, everything in the picture."""

    milestones = frozenset({"open", "exit"})

    def __init__(self, game: Watched) -> None:
        super().__init__(game)
        self.touched: dict[int, int] = {}  # the place that each seat touched last
        self.displays: dict[tuple[int, str | None], list[str]] = {}  # of this round, by seat and hand
        self.gone: set[tuple[int, str | None]] = set()
        self.now = 0
        self.opened_at = 0

    def tell(self, entry: Entry) -> Iterator[Told]:
        """Update the time and the touched places, then tell."""
        self.now = entry.get("ms", self.now)
        if "place" in entry and entry["by"] != "table":
            self.touched = {place: seat for place, seat in self.touched.items() if seat != entry["by"]}
            self.touched[entry["place"]] = entry["by"]
        yield from super().tell(entry)

    def _display(self, seat: int, entry: Entry) -> list[str]:
        return self.displays.setdefault((seat, entry.get("hand")), [])

    # --- Sentences ------------------------------------------------------------------------------------------------

    def _say(self, seat: int, entry: Entry, *parts: str | tuple[str, str], moments: float = 0.0) -> Told:
        side = f" ({entry['hand']})" if "hand" in entry else ""
        time = (f"{clock(self.now - self.opened_at):>7}  ", "dim")
        return Text.assemble(time, self._name(seat, pad=True), side, " ", *parts), moments

    def _round(self, entry: Entry) -> Iterator[Told]:
        self.touched = {}
        self.displays = {}
        self.gone = set()
        yield "", 0
        yield Rule(Text.assemble(f"Round {entry['number']} · ", self._name(entry["opener"]), " opens")), 1.0

    def _open(self, entry: Entry) -> Iterator[Told]:
        self.opened_at = entry["ms"]
        yield self._say(entry["by"], entry, "“The buffet is open!” ", ("D6", "dim"))

    def _show(self, entry: Entry) -> Iterator[Told]:
        food, drink = items_of(entry["card"])
        self._display(entry["seat"], entry).append(entry["card"])
        yield self._say(entry["seat"], entry, f"keeps {pair(entry['card'])} {food.en} and {drink.en}")

    def _late(self, entry: Entry) -> Iterator[Told]:
        yield self._say(entry["seat"], entry, f"is too late at place {entry['place']} ", ("D13", "dim"))

    def _return(self, entry: Entry) -> Iterator[Told]:
        self._display(entry["by"], entry).remove(entry["card"])
        what = f"returns {pair(entry['card'])} to place {entry['place']} "
        yield self._say(entry["by"], entry, what, ("D11", "dim"))

    def _exit(self, entry: Entry) -> Iterator[Told]:
        self.gone.add((entry["by"], entry.get("hand")))
        yield self._say(entry["by"], entry, ("“I’m off!” ", "bold"), ("D10", "dim"), moments=0.5)

    def _score(self, entry: Entry) -> Iterator[Told]:
        yield "", 0
        why = "The last exit card is gone. D15" if entry["why"] == "exits" else "Time is up. D30"
        yield Text(f"   {why}", "dim"), 0
        table = Table(box=None, padding=(0, 2), pad_edge=False)
        for heading in ("", "", "points", "", "total"):
            table.add_column(heading, justify="right" if heading else "left")
        for seat, points in enumerate(entry["points"]):
            hands = zip(("left", "right"), points, strict=True) if isinstance(points, list) else ((None, points),)
            for side, gained in hands:
                total = Text("" if side == "left" else str(entry["totals"][seat]), style="bold")
                cards = self.displays.get((seat, side), [])
                rule = Text(self._rule(cards, (seat, side) in self.gone), "dim")
                table.add_row(self._name(seat), self._cards(cards), str(gained), rule, total)
        yield table, 3.0

    def _rule(self, display: list[str], gone: bool) -> str:
        """The rule by which a display was scored."""
        if not gone:
            return "D17"
        return "D18" if any(has_double(display, card) for card in display) else "D19"

    def _end(self, entry: Entry) -> Iterator[Told]:
        winners = [self._name(seat) for seat, place in enumerate(entry["places"]) if place == 1]
        yield "", 0
        yield self._line(Text(" and ").join(winners), f" win{'s' if len(winners) == 1 else ''} ", ("D21", "dim"))
        yield "", 0

    # --- The picture ----------------------------------------------------------------------------------------------

    def picture(self) -> RenderableType:
        """The table as everybody sees it, without faces."""
        view: Any = self.game.observe(None)  # a spectator's
        exits = Text.assemble("exits left ", ("▣ " * view.exits_left, GREEN) if view.exits_left else "none")
        time = clock(max(0, self.now - self.opened_at))
        head = Text.assemble(f" Round {view.round}   {time}   ", exits, f"   target {view.target}")
        return Group(head, "", Padding(Columns([self._heap(view), self._displays(view)], padding=(0, 3)), (0, 0, 0, 1)))

    def _heap(self, view: Any) -> Text:
        covered = {spot["place"] for spot in view.heap}
        text = Text()
        for place in range(PLACES):
            seat = self.touched.get(place)
            style = "dim" if seat is None else f"{ON_COLOUR[seat]} on {COLOURS[seat]}"
            text.append(BACK if place in covered else FREE, style)
            text.append("\n" if place % PLACES_IN_A_ROW == PLACES_IN_A_ROW - 1 else " ")
        return text

    def _displays(self, view: Any) -> Table:
        table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=False)
        for seat, player in enumerate(view.seats):
            for hand in player["hands"]:
                total = Text(str(player["total"]), style="bold")
                table.add_row(self._name(seat), SHORT[hand["hand"]], total, *self._hand(hand))
        return table

    def _hand(self, hand: dict[str, Any]) -> tuple[Text, Text]:
        """What a hand is doing, and its display with doubles marked (D18)."""
        if hand["gone"]:
            doing = Text("off!", GREEN)
        elif hand["holds"]:
            doing = Text(f"holds {BACK}")
        else:
            doing = Text(f"stack {hand['stack']}" if hand["stack"] else "", "dim")
        return doing, self._cards(hand["display"])

    def _cards(self, display: list[str]) -> Text:
        cards = Text()
        for card in sorted(display):
            cards.append(pair(card), "on red" if has_double(display, card) else "")
            cards.append(" ")
        return cards


TELLER = DashTeller
