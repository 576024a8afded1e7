"""Finding bots: those that come with a game, and those that users write."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from tafelrunde import games
from tafelrunde.errors import UnknownBot
from tafelrunde.game import codes_of
from tafelrunde.games.contract import Decision, Observation
from tafelrunde.stream import Stream

Bot = Callable[[Observation, Stream], Decision | None]
"""What a bot is; any Python function of this kind can play. In a game in real time it may answer None: not now."""


class CompiledBot:
    """A bot that comes with a game, for one decision at a time. ``simulate`` runs the same code in compiled loops."""

    def __init__(self, game: str, name: str) -> None:
        self.game = game
        self.name = name
        self._choose = games.find(game).bots.choose
        self.kind = names(game).index(name)

    def __call__(self, observation: Observation, stream: Stream) -> Decision | None:
        """Decide."""
        notation = observation.game.notation
        codes = codes_of(observation.legal, notation)
        code = int(self._choose(self.kind, observation.raw, codes, codes.size, stream.raw))  # plain rules give int64
        return Decision.coded(code, notation) if code else None

    def __repr__(self) -> str:
        return f"<bot {self.name} for {self.game}>"


def names(game: str) -> tuple[str, ...]:
    """The bots that come with a game.

    >>> names("buffet")
    ('random', 'greedy')
    """
    listed: tuple[str, ...] = games.find(game).bots.NAMES
    return listed


def find(game: str, name: str) -> Bot:
    """The bot of this name: one that comes with the game, or ``module:function`` for one of your own."""
    if name in names(game):
        return CompiledBot(game, name)
    module, colon, function = name.partition(":")
    if not colon:
        raise UnknownBot(
            f"No bot {name!r} plays {game}; there is {', '.join(names(game))}, or your own module:function."
        )
    try:
        bot: Any = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownBot(f"The bot {name!r} can not be loaded: {error}.") from None
    if not callable(bot):
        raise UnknownBot(f"{name!r} is not a function of an observation and a stream.")
    own: Bot = bot
    return own
