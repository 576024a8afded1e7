"""Whole games inside compiled code, the same loop for every game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from tafelrunde.bots import BRAINS
from tafelrunde.games import GAMES
from tafelrunde.games.kernel import (
    NEED_MASK,
    NO_TIME,
    OVER,
    Table,
    Words,
    release_gil,
    seed_streams,
    shuffle,
)

RANDOM = 0  # in every game the first bot; it needs no view


@cache
def playout_of(game: str) -> Callable[..., int]:
    """The compiled playout of a game: ``count`` games from number ``first`` on, added up in ``shared`` and ``points``.

    ``shared[seat, k]`` counts the games that this seat won together with k seats in all. Integers only, so that the
    sum does not depend on the order in which games are played. Returns the number of decisions.
    """
    return _compile(GAMES[game].rules, BRAINS[game])


def _compile(rules: ModuleType, brain: ModuleType) -> Callable[..., int]:
    # Numba finds the modules' functions when it compiles; modules, unlike functions, make a stable key of the cache.
    @release_gil
    def playout(
        table: Table,
        log: Table,
        view: Table,
        streams: Table,
        choices: Words,
        order: Words,
        settings: Words,
        kinds: Words,
        seed: int,
        first: int,
        count: int,
        shared: Any,
        points: Words,
        scores: Words,
        places: Words,
    ) -> int:
        seats = kinds.size
        decisions = 0
        for number in range(first, first + count):
            seed_streams(streams, seed, number)
            word = rules.setup(table, seats, settings, log)
            while not word & OVER:
                if word & NEED_MASK:
                    n = rules.offer(table, order)
                    shuffle(streams[0], order, n)
                    word = rules.resume_unchecked(table, order, n, log)
                    continue
                seat = 0
                while not word >> seat & 1:
                    seat += 1
                n = rules.legal(table, seat, choices)
                if kinds[seat] != RANDOM:
                    rules.observe(table, seat, view)
                code = brain.decide(kinds[seat], view[0], choices, n, streams[seat + 1])
                word = rules.act(table, seat, code, NO_TIME, log)
                decisions += 1
            rules.score(table, scores, places)
            winners = 0
            for seat in range(seats):
                winners += places[seat] == 1
                points[seat] += scores[seat]
            for seat in range(seats):
                shared[seat, winners] += places[seat] == 1
        return decisions

    return playout
