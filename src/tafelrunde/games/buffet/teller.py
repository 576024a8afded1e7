"""buffet in the terminal: plates on the table, mice on the track, who is out and with what."""

from __future__ import annotations

from collections.abc import Iterator

from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from tafelrunde.games.buffet.notation import DISHES
from tafelrunde.games.contract import Entry
from tafelrunde.games.teller import COLOURS, ON_COLOUR, Teller, Told, Watched

PICTURES = dict(zip(DISHES, ("🧀", "🥓", "🌭", "🍕", "🍗", "🥗"), strict=True))
FIELDS = 40  # B4
BEFORE_START = 3  # columns to the left of the start field, for mice that went back (B9)
LONGEST_TRAIL = 50  # columns; the number behind the mouse is exact in any case


def split_plate(plate: str) -> tuple[str, int]:
    """Split 'salad-1' into salad and -1."""
    dish = plate.rstrip("-0123456789")
    return dish, int(plate[len(dish) :])


class BuffetTeller(Teller):
    """Tells a game of buffet."""

    def __init__(self, game: Watched) -> None:
        super().__init__(game)
        self.stacks: list[dict[str, list[int]]] = [{} for _ in game.names]
        self.turn_begins = False
        self.duel_rule = "B14"

    def _lay(self, entry: Entry) -> Iterator[Told]:
        self.turn_begins = True
        yield from ()

    def _plate(self, plate: str) -> Text:
        dish, value = split_plate(plate)
        return Text.assemble((f" {value:>2} ", "bold reverse"), f" {PICTURES[dish]} {dish}")

    def _round(self, entry: Entry) -> Iterator[Told]:
        rounds = self.game.observe(None).to_json()["rounds"]
        title = f"Round {entry['number']} of {rounds}"
        if self.game.seats == 3:
            title += f", part {entry['part']} of 2"
            self.duel_rule = "B25" if entry["part"] == 1 else "B27"
        yield "", 0
        yield Rule(Text.assemble(title, " · ", self._name(entry["start"]), " starts")), 1.0
        yield self._line(Text("    ").join(self._plate(plate) for plate in entry["plates"]))
        if "later" in entry:
            yield self._line(("then ", "dim"), Text("    ").join(self._plate(plate) for plate in entry["later"]))

    def _reveal(self, entry: Entry) -> Iterator[Told]:
        if self.turn_begins:
            self.turn_begins = False
            yield "", 0
        seat = entry["seat"]
        card = Text(f" {entry['card']:>2} ", style=f"bold {ON_COLOUR[seat]} on {COLOURS[seat]}")
        yield Text.assemble(" ", self._name(seat, pad=True), " ", card, " ", self._track(seat, entry["at"])), 0.7

    def _track(self, seat: int, at: int) -> Text:
        """The track of a mouse from the start field; a mouse behind the start is left of the line."""
        if at < 0:
            back = min(-at, BEFORE_START)
            return Text.assemble(" " * (BEFORE_START - back), "🐭", " " * (back - 1), ("▏", "dim"), (f" {at}", "dim"))
        trail = "━" * min(at, LONGEST_TRAIL)
        return Text.assemble(
            " " * (BEFORE_START + 1), ("▏", "dim"), (trail, COLOURS[seat]), "🐭", (f" {self._field(at)}", "dim")
        )

    def _field(self, at: int) -> str:
        """B9: the printed field, and the lap if it is not the first."""
        return str(at) if at <= FIELDS else f"{at % FIELDS} (second lap)" if at < 2 * FIELDS else f"{at} in all"

    def _out(self, entry: Entry) -> Iterator[Told]:
        seat, plate = entry["seat"], entry["plate"]
        if plate is None:
            yield self._line(self._name(seat), " goes away empty ", (self.duel_rule, "dim"))
        else:
            yield self._line(
                self._name(seat), " is last and takes ", self._plate(plate), *self._put(seat, plate, "B10")
            )

    def _win(self, entry: Entry) -> Iterator[Told]:
        seat, plate = entry["seat"], entry["plate"]
        yield self._line(
            self._name(seat), " is in front and takes ", self._plate(plate), *self._put(seat, plate, self.duel_rule)
        )
        if self.game.over or self.game.observe(None).to_json()["part"] == 1:
            yield from self._standing()

    def _put(self, seat: int, plate: str, rule: str) -> list[str | tuple[str, str]]:
        """B16: put a plate on its stack; returns what to print about it, with the plate that it covers."""
        dish, value = split_plate(plate)
        stack = self.stacks[seat].setdefault(dish, [])
        covering: list[str | tuple[str, str]] = [f", covering the {stack[-1]}"] if stack else []
        stack.append(value)
        return [*covering, (f" {rule} B16" if covering else f" {rule}", "dim")]

    def _standing(self) -> Iterator[Told]:
        points = [sum(stack[-1] for stack in stacks.values()) for stacks in self.stacks]
        shown = [Text.assemble(self._name(seat), f" {total}") for seat, total in enumerate(points)]
        yield "", 0
        yield self._line("points   ", Text("   ").join(shown))

    def _start(self, entry: Entry) -> Iterator[Told]:
        yield self._line(("the start token goes to ", "dim"), self._name(entry["seat"]), (" B13", "dim"))

    def _exchange(self, entry: Entry) -> Iterator[Told]:
        cards = entry["cards"]
        what = f"exchanges {' '.join(map(str, cards))}" if cards else "keeps all cards"
        yield self._line(self._name(entry["by"]), f" {what} ", ("B12", "dim"))

    def _end(self, entry: Entry) -> Iterator[Told]:
        table = Table(title="The buffet is empty", title_style="bold", box=None, padding=(0, 1), pad_edge=False)
        for heading in ("", "", *(f"{PICTURES[dish]}" for dish in DISHES), "points"):
            table.add_column(heading, justify="left" if not heading else "right")
        for seat in sorted(range(self.game.seats), key=lambda seat: entry["places"][seat]):
            shown = [self._stack(seat, dish) for dish in DISHES]
            place, points = entry["places"][seat], entry["scores"][seat]
            table.add_row(f"{place}.", self._name(seat), *shown, Text(str(points), style="bold"))
        yield "", 0
        yield Rule(), 0
        yield table, 1.0
        if len(set(entry["scores"])) < self.game.seats:
            yield Text("Equal points: the more valuable single plate is ahead, then the better dish. B23", "dim"), 0
        yield "", 0

    def _stack(self, seat: int, dish: str) -> Text:
        """The covered plates of a stack, then the visible one."""
        *covered, visible = self.stacks[seat].get(dish, [None])
        if visible is None:
            return Text("·", "dim")
        return Text.assemble(
            (" ".join(map(str, covered)), "dim strike"), " " if covered else "", (str(visible), "bold")
        )


TELLER = BuffetTeller
