"""Watching a game of bots in the terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext

from rich.console import Console
from rich.live import Live

from tafelrunde import bots
from tafelrunde.bots.pace import Pace
from tafelrunde.game import Game
from tafelrunde.games.contract import Entry
from tafelrunde.games.teller import PlainTeller, Teller


def watch(
    game: Game,
    players: Sequence[bots.Bot],
    seed: int,
    paces: Sequence[Pace],
    console: Console,
    delay: float,
) -> None:
    """Let bots play a game and print what happens.

    Tellers measure pauses in moments, and a moment takes ``delay`` seconds; so does every second of a game in real
    time. On a terminal a live picture of the table stays below the text.
    """
    teller = teller_of(game)
    draws = console.is_terminal and teller.picture() is not None
    live = Live(console=console, auto_refresh=False, transient=True) if draws else None
    with live or nullcontext():
        printer = PacedPrinter(teller, console, live, delay)
        printer.show(game.entries)
        for entries in bots.steps(game, players, seed=seed, paces=paces):
            printer.show(entries)


def teller_of(game: Game) -> Teller:
    """The teller of this game: its own, or a plain one."""
    module = game.spec.teller
    kind: type[Teller] = PlainTeller if module is None else module.TELLER
    return kind(game)


class PacedPrinter:
    """Prints the lines of a teller, with pauses."""

    def __init__(self, teller: Teller, console: Console, live: Live | None, delay: float) -> None:
        self._teller = teller
        self._console = console
        self._live = live
        self._delay = delay
        self._ms = 0

    def show(self, entries: Sequence[Entry]) -> None:
        """Print some entries, each at its time."""
        for entry in entries:
            ms = entry.get("ms", self._ms)
            self._pause((ms - self._ms) / 1000)
            self._ms = ms
            for told, moments in self._teller.tell(entry):
                self._console.print(told)
                self._pause(moments)
        if self._live is not None:
            self._live.update(self._teller.picture() or "", refresh=True)
        elif entries[-1]["do"] in self._teller.milestones:
            self._console.print("", self._teller.picture(), "")

    def _pause(self, moments: float) -> None:
        if self._delay and moments:
            time.sleep(self._delay * moments)
