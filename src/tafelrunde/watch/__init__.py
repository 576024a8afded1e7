"""A game of bots, told in the terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Protocol

from rich.console import Console, RenderableType

from tafelrunde import bots
from tafelrunde.game import Game
from tafelrunde.games.contract import Entry
from tafelrunde.watch.buffet import BuffetTeller


class Teller(Protocol):
    """Puts the entries of one game into pictures and sentences, each with how long to look at it (1 = a moment)."""

    def __init__(self, game: Game) -> None: ...

    def tell(self, entry: Entry) -> Iterator[tuple[RenderableType, float]]:
        """What there is to see when this happens."""


TELLERS: dict[str, type[Teller]] = {"buffet": BuffetTeller}


def watch(
    game: Game,
    players: Sequence[bots.Bot],
    seed: int,
    console: Console,
    delay: float,
) -> None:
    """Let bots play a game and tell it, with a pause of ``delay`` seconds for every moment."""
    teller = TELLERS[game.spec.id](game)

    def tell(entries: Sequence[Entry]) -> None:
        for entry in entries:
            for picture, moments in teller.tell(entry):
                console.print(picture)
                if delay:
                    time.sleep(delay * moments)

    tell(game.entries)
    for entries in bots.steps(game, players, seed=seed):
        tell(entries)
