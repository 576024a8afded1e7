"""The games. ``find`` gives one by its name; adding a game is adding it to ``GAMES``."""

from __future__ import annotations

from tafelrunde.errors import UnknownGame
from tafelrunde.games.buffet import GAME as BUFFET
from tafelrunde.games.chocolat import GAME as CHOCOLAT
from tafelrunde.games.contract import GameSpec
from tafelrunde.games.dash import GAME as DASH

GAMES: dict[str, GameSpec] = {game.id: game for game in (BUFFET, DASH, CHOCOLAT)}


def find(name: str) -> GameSpec:
    """The game of this name.

    >>> find("buffet").title
    'Schlacht am Buffet'
    """
    try:
        return GAMES[name]
    except (KeyError, TypeError):
        raise UnknownGame(f"There is no game {name!r}; there is: {', '.join(GAMES)}.") from None
