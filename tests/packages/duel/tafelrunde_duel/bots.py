"""Bots for duel: ``random``, and ``high``, which lays its highest card."""

from __future__ import annotations

from typing import Any

from tafelrunde.games.kernel import *

NAMES = ("random", "high")


@kernel
def decide(kind: int, v: Any, choices: Words, n: int, stream: Stream) -> int:
    """The decision of one bot, from its legal decisions: they are listed from the lowest card on."""
    return choices[n - 1] if kind else choices[below(stream, n)]


@release_gil
def choose(kind: int, view: RecordArray, choices: Words, n: int, streams: RecordArray) -> int:
    """``decide`` for callers in Python."""
    return decide(kind, view[0], choices, n, streams[0])
