"""Golden playthroughs: whole games that must come out to the letter. ``make golden`` writes them anew."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path
from typing import Any

import tafelrunde
from tafelrunde import bots
from tafelrunde.games import GAMES

FOLDER = Path(__file__).parent / "games" / "golden"
TABLES = [(game, seats) for game, spec in GAMES.items() for seats in spec.seat_range]


def path_of(game: str, seats: int) -> Path:
    return FOLDER / f"{game}-{seats}.tafel"


def play(game: str, seats: int) -> str:
    """The same game every time: all bots of the game in turn, a short game, seed 2011."""
    players = [bots.find(game, name) for name in islice(cycle(bots.names(game)), seats)]
    quick: dict[str, Any] = dict(GAMES[game].quick)
    played = tafelrunde.new(game, seats=seats, seed=2011, **quick)
    bots.play(played, players, seed=2011)
    return played.record().text()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game, seats in TABLES:
        path_of(game, seats).write_text(play(game, seats), encoding="utf-8")
        print(path_of(game, seats).name)


if __name__ == "__main__":
    main()
