"""Bots for chocolat."""

from __future__ import annotations

from tafelrunde.games.chocolat.state import *
from tafelrunde.games.kernel import *

NAMES = ("random", "greedy")
RANDOM, GREEDY = range(2)


@kernel
def decide(kind: int, v: View, choices: Words, n: int, stream: Stream) -> int:
    """The decision of one bot, from its view, the codes of its legal decisions and its stream."""
    return choices[below(stream, n)]


@entry_point
def choose(kind: int, view: Table, choices: Words, n: int, streams: Table) -> int:
    """``decide`` for callers in Python."""
    return decide(kind, view[0], choices, n, streams[0])
