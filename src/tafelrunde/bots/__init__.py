"""Bots: functions of an observation and a random stream, never of a state.

>>> import tafelrunde
>>> from tafelrunde import bots
>>> game = tafelrunde.new("buffet", seats=4, seed=1)
>>> greedy = bots.find("buffet", "greedy")
>>> decision = greedy(game.observe(0), tafelrunde.Stream(1, lane=1))
>>> decision in game.legal(0)
True
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from tafelrunde.bots import buffet
from tafelrunde.errors import BadSeats, UnknownBot
from tafelrunde.game import Game, codes_of
from tafelrunde.games.contract import Decision, Observation
from tafelrunde.stream import Stream

Bot = Callable[[Observation, Stream], Decision]
"""What a bot is; any Python function of this kind can play."""

BRAINS: dict[str, ModuleType] = {"buffet": buffet}
"""The compiled bots of each game: a module with NAMES, decide and choose."""


class CompiledBot:
    """A bot of ours, for one decision at a time; the lab runs the same code without leaving compiled code."""

    def __init__(self, game: str, name: str) -> None:
        self.game = game
        self.name = name
        self._brain = BRAINS[game]
        self.kind: int = self._brain.NAMES.index(name)

    def __call__(self, observation: Observation, stream: Stream) -> Decision:
        """Decide."""
        notation = observation.game.notation
        codes = codes_of(observation.legal, notation)
        return Decision.coded(self._brain.choose(self.kind, observation.raw, codes, codes.size, stream.raw), notation)

    def __repr__(self) -> str:
        return f"<bot {self.name} for {self.game}>"


def names(game: str) -> tuple[str, ...]:
    """The bots that come with a game.

    >>> names("buffet")
    ('random', 'greedy')
    """
    listed: tuple[str, ...] = BRAINS[game].NAMES
    return listed


def find(game: str, name: str) -> Bot:
    """The bot of this name: one of ours, or ``module:function`` for one of your own."""
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


def for_seats(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """A name for each seat: as given, or the one given for all."""
    named = tuple(names) * seats if len(names) == 1 else tuple(names)
    if len(named) != seats:
        raise BadSeats(f"{seats} seats need {seats} bots, or one for all; there are {len(named)}.")
    return named


def play(game: Game, players: Sequence[Bot], streams: Sequence[Stream]) -> Game:
    """Let bots play a game to its end, each seat by its own bot and stream."""
    while not game.over:
        seat = game.to_act[0]
        game.act(seat, players[seat](game.observe(seat), streams[seat]))
    return game
