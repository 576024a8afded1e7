"""Tafelrunde: the game table for buffet, dash and chocolat.

>>> import tafelrunde
>>> game = tafelrunde.new("buffet", seats=5, seed=7)
>>> while not game.over:
...     for seat in game.to_act:
...         _ = game.act(seat, game.legal(seat)[0])
>>> sorted(game.places)[0]
1
"""

from __future__ import annotations

from importlib.metadata import version
from typing import NoReturn

try:
    from tafelrunde.errors import TafelrundeError
    from tafelrunde.game import Entries, Game, imagine, new
    from tafelrunde.games import GAMES
    from tafelrunde.games.contract import Decision, Entry, Observation
    from tafelrunde.record import Record, read
    from tafelrunde.replay import Verdict, replay, verify
    from tafelrunde.stream import Stream
except ImportError as error:  # a package is missing, or broken: the doctor has to be able to come, and to say so
    _missing = error

    def __getattr__(name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise ImportError(f"Tafelrunde is not installed completely: {_missing}. See: tafelrunde doctor") from _missing


__version__ = version("tafelrunde")

__all__ = [
    "GAMES",
    "Decision",
    "Entries",
    "Entry",
    "Game",
    "Observation",
    "Record",
    "Stream",
    "TafelrundeError",
    "Verdict",
    "imagine",
    "new",
    "read",
    "replay",
    "verify",
]
