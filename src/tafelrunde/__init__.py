"""Tafelrunde: the game table for buffet, dash and chocolat.

>>> import tafelrunde
>>> game = tafelrunde.new("buffet", seats=5, seed=7)
>>> while not game.over:
...     for seat in game.to_act:
...         _ = game.act(seat, game.legal(seat)[0])
>>> sorted(game.places)[0]
1

The names below are imported when they are first used: importing the package loads no rules and no compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tafelrunde.errors import TafelrundeError
    from tafelrunde.game import Entries, Game, imagine, new
    from tafelrunde.games import GAMES
    from tafelrunde.games.contract import Decision, Entry, Observation
    from tafelrunde.record import Record, read
    from tafelrunde.stream import Stream
    from tafelrunde.verification import Verdict, replay, verify

    __version__: str

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

# No submodule may have one of these names: importing it would replace the export.
_MODULES = {
    "GAMES": "tafelrunde.games",
    "Decision": "tafelrunde.games.contract",
    "Entries": "tafelrunde.game",
    "Entry": "tafelrunde.games.contract",
    "Game": "tafelrunde.game",
    "Observation": "tafelrunde.games.contract",
    "Record": "tafelrunde.record",
    "Stream": "tafelrunde.stream",
    "TafelrundeError": "tafelrunde.errors",
    "Verdict": "tafelrunde.verification",
    "imagine": "tafelrunde.game",
    "new": "tafelrunde.game",
    "read": "tafelrunde.record",
    "replay": "tafelrunde.verification",
    "verify": "tafelrunde.verification",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version(__name__)
    elif name in _MODULES:
        value = _load(name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def _load(name: str) -> Any:
    """Import what is behind an exported name; a package that is missing or broken is reported with what to do."""
    from importlib import import_module

    try:
        return getattr(import_module(_MODULES[name]), name)
    except ImportError as error:
        raise ImportError(f"Tafelrunde is not installed completely: {error}. See: tafelrunde doctor") from error


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
