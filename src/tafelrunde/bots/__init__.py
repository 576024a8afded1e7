"""Bots: functions of an observation and a random stream, never of a state; and games played by them.

>>> import tafelrunde
>>> from tafelrunde import bots
>>> game = tafelrunde.new("buffet", seats=4, seed=1)
>>> greedy = bots.find("buffet", "greedy")
>>> decision = greedy(game.observe(0), tafelrunde.Stream(1, lane=1))
>>> decision in game.legal(0)
True
"""

from __future__ import annotations

from tafelrunde.bots.loop import endless, for_seats, play, steps
from tafelrunde.bots.registry import Bot, CompiledBot, find, names

__all__ = ["Bot", "CompiledBot", "endless", "find", "for_seats", "names", "play", "steps"]
