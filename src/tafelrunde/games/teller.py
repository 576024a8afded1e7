"""The base of all tellers, which describe a game in the terminal: names, colours, the form of a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from rich.console import RenderableType
from rich.text import Text

from tafelrunde.games.contract import Deck, Entry, GameSpec, Observation

# Ten colours that are easy to tell apart with colour blindness, as far as that is possible (the first seven by Okabe
# and Ito); a name is always printed beside them.
COLOURS = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999", "#7B4FA3", "#8C564B",
)  # fmt: skip
ON_COLOUR = ("black", "black", "white", "black", "white", "white", "black", "black", "white", "white")

Told = tuple[RenderableType, float]
"""Something to print, and how long to pause after it (1 = a moment)."""


class Watched(Protocol):
    """What a teller knows of its game: the public part of ``tafelrunde.Game``."""

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
    """Describes the entries of one game in sentences; the method ``_lay`` describes ``lay``, and so on."""

    milestones: frozenset[str] = frozenset()
    """Entries after which the picture is printed, where the output is no terminal and can not show it live."""

    def __init__(self, game: Watched) -> None:
        self.game = game
        self.width = max(map(len, game.names))

    def tell(self, entry: Entry) -> Iterator[Told]:
        """What to print for an entry; nothing secret is told."""
        telling = getattr(self, f"_{entry['do']}", None)
        if telling is not None:
            yield from telling(entry)

    def picture(self) -> RenderableType | None:
        """A picture of the table, for games that are hard to follow in words."""
        return None

    def _name(self, seat: int, pad: bool = False) -> Text:
        """A name with a coloured dot; yellow letters could not be read on a light terminal."""
        name = self.game.names[seat]
        return Text.assemble(("● ", COLOURS[seat]), (name.ljust(self.width) if pad else name, "bold"))

    def _line(self, *parts: str | Text | tuple[str, str]) -> Told:
        return Text.assemble("   ", *parts), 1.0


class PlainTeller(Teller):
    """For games without a teller of their own: prints every entry, much like in the record."""

    def tell(self, entry: Entry) -> Iterator[Told]:
        """Who, verb and fields, as far as a spectator may see them."""
        entry = self.game.spec.hide(entry, None)
        seat = entry.get("seat") if entry["by"] == "table" else entry["by"]
        who: tuple[Text, ...] = () if seat is None else (self._name(seat), Text(" "))
        rest = (f" {key} {_plain(entry[key])}" for key in entry.keys() - {"by", "do", "ms", "seat"})
        yield self._line(*who, entry["do"], *sorted(rest))


def _plain(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
