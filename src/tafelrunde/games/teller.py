"""What all tellers share: who speaks of whom, in which colour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from rich.console import RenderableType
from rich.text import Text

from tafelrunde.games.contract import Deck, Entry, GameSpec, Observation

# Ten colours which people with colour blindness can tell apart as far as that goes (Okabe and Ito, then others); each
# always stands beside a name
COLOURS = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999", "#7B4FA3", "#8C564B",
)  # fmt: skip
ON_COLOUR = ("black", "black", "white", "black", "white", "white", "black", "black", "white", "white")

Told = tuple[RenderableType, float]
"""Something to print, and how long to look at it (1 = a moment)."""


class Watched(Protocol):
    """What a teller knows of the game that it tells: ``tafelrunde.Game`` as far as it is public."""

    spec: GameSpec
    names: tuple[str, ...]
    seats: int
    options: dict[str, Any]
    deck: Deck | None

    @property
    def over(self) -> bool:
        """Has the game ended?"""

    def observe(self, seat: None) -> Observation:
        """What a spectator sees."""


class Teller:
    """Puts the entries of one game into sentences; each kind of entry is told by the method of its name."""

    milestones: frozenset[str] = frozenset()
    """After these entries the picture is worth printing where it can not stay in its place."""

    def __init__(self, game: Watched) -> None:
        self.game = game
        self.width = max(map(len, game.names))

    def tell(self, entry: Entry) -> Iterator[Told]:
        """What there is to see when this happens; what is secret at the table is not told."""
        telling = getattr(self, f"_{entry['do']}", None)
        if telling is not None:
            yield from telling(entry)

    def picture(self) -> RenderableType | None:
        """The table as it lies now, for games that are better looked at than told."""
        return None

    def _name(self, seat: int, pad: bool = False) -> Text:
        """The colour stands beside the name, not in it: yellow letters can not be read on a light terminal."""
        name = self.game.names[seat]
        return Text.assemble(("● ", COLOURS[seat]), (name.ljust(self.width) if pad else name, "bold"))

    def _line(self, *parts: str | Text | tuple[str, str]) -> Told:
        return Text.assemble("   ", *parts), 1.0


class PlainTeller(Teller):
    """For games without a teller of their own: every open entry on a line, much as it stands in the record."""

    def tell(self, entry: Entry) -> Iterator[Told]:
        """Who, verb and fields; what a spectator may not see is not told."""
        entry = self.game.spec.hide(entry, None)
        seat = entry.get("seat") if entry["by"] == "table" else entry["by"]
        who: tuple[Text, ...] = () if seat is None else (self._name(seat), Text(" "))
        rest = (f" {key} {_plain(entry[key])}" for key in entry.keys() - {"by", "do", "ms", "seat"})
        yield self._line(*who, entry["do"], *sorted(rest))


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
