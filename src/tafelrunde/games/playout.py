"""Playing complete games in compiled code: one loop for games with turns, one for games in real time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from tafelrunde.games.compiler import RecordArray, Words, blank, kernel, release_gil_for
from tafelrunde.games.contract import GameSpec
from tafelrunde.games.hands import (
    CLOCK_LANE,
    MOST_DECISIONS,
    clear_agenda,
    finish,
    first_hand,
    pause,
    reach,
    refresh,
    time_of,
)
from tafelrunde.games.log import LOG, NEED_MASK, NO_TIME, OVER, SEAT_BITS
from tafelrunde.games.streams import STREAM, seed_streams, shuffle


class Workspace(NamedTuple):
    """The arrays of a playout: state, log, view and temporary ones. They are reused from game to game."""

    table: RecordArray
    log: RecordArray
    view: RecordArray
    streams: RecordArray
    choices: Words
    order: Words
    settings: Words
    scores: Words
    places: Words

    @classmethod
    def of(cls, rules: ModuleType, seats: int, settings: Sequence[int]) -> Workspace:
        """A workspace for any number of games."""
        return cls(
            blank(rules.STATE),
            blank(LOG),
            blank(rules.VIEW),
            blank(STREAM, LANES),
            np.empty(rules.LEGAL_ROOM, np.int64),
            np.empty(rules.MAX_CHANCE, np.int64),
            np.array(settings, np.int64),
            np.empty(seats, np.int64),
            np.empty(seats, np.int64),
        )


RANDOM = 0  # the first bot of every game; in games with turns it needs no view
LANES = CLOCK_LANE + 1
ENDLESS = -1_000_000  # returned if a game does not end


@cache
def playout_of(spec: GameSpec) -> Callable[..., int]:
    """The compiled function that plays ``count`` games from number ``first`` on and adds to ``shared`` and ``points``.

    ``shared[seat, k]`` counts the games that this seat won as one of k winners. All sums are integers, so the order in
    which games are played does not matter. The function returns the number of decisions; a negative number is the
    refusal of an illegal decision of a bot, or ENDLESS.
    """
    compile_playout = _compile_real_time if spec.in_real_time else _compile_turns
    return compile_playout(spec.rules, spec.bots)


def _compile_turns(rules: ModuleType, bots: ModuleType) -> Callable[..., int]:
    # The function refers to the modules, not to their functions: only modules give Numba a stable cache key.
    @release_gil_for(rules.__file__)
    def playout(
        workspace: Workspace, kinds: Words, seed: int, first: int, count: int, shared: Any, points: Words
    ) -> int:
        table, log, view, streams, choices, order, settings, scores, places = workspace
        decisions = 0
        for number in range(first, first + count):
            seed_streams(streams, seed, number)
            word = rules.setup(table, kinds.size, settings, log)
            while not word & OVER:
                if word & NEED_MASK:
                    n = rules.offer(table, order)
                    shuffle(streams[0], order, n)
                    word = rules.resume(table, order, n, log)
                    continue
                seat = 0
                while not word >> seat & 1:
                    seat += 1
                n = rules.legal(table, seat, choices)
                if n > choices.size:
                    choices = np.empty(2 * n, np.int64)
                    n = rules.legal(table, seat, choices)
                if kinds[seat] != RANDOM:
                    rules.observe(table, seat, view)
                code = bots.decide(kinds[seat], view[0], choices, n, streams[seat + 1])
                word = rules.act(table, seat, code, NO_TIME, log)
                if word < 0:
                    return word
                decisions += 1
            rules.score(table, scores, places)
            count_result(scores, places, shared, points)
        return decisions

    return playout


def _compile_real_time(rules: ModuleType, bots: ModuleType) -> Callable[..., int]:
    """The same for a game without turns: step for step what ``bots.steps`` does in Python."""

    @release_gil_for(rules.__file__)
    def playout(
        workspace: Workspace,
        kinds: Words,
        seed: int,
        first: int,
        count: int,
        shared: Any,
        points: Words,
        agenda: RecordArray,
        paces: RecordArray,
    ) -> int:
        table, log, view, streams, choices, order, settings, scores, places = workspace
        seats = kinds.size
        clock = streams[CLOCK_LANE:]
        decisions = 0
        for number in range(first, first + count):
            seed_streams(streams, seed, number)
            clear_agenda(agenda)
            before_game = decisions
            word = rules.setup(table, seats, settings, log)
            hands = table[0].hands
            each = hands // seats
            before = 0
            at = 0
            hand = 0
            while not word & OVER:
                if word & NEED_MASK:
                    n = rules.offer(table, order)
                    shuffle(streams[0], order, n)
                    word = rules.resume(table, order, n, log)
                    continue
                first_other = hand // each * each
                until = first_other + each
                if (word ^ before) & SEAT_BITS:
                    first_other = 0
                    until = hands
                for other in range(first_other, until):
                    refresh(agenda, other, other // each, rules.stance(table, other), at, paces, clock)
                before = word
                hand = first_hand(agenda, hands)
                at = time_of(agenda[0], hand)
                seat = hand // each
                deadline = rules.deadline(table)
                if deadline != NO_TIME and at > deadline:
                    at = deadline
                    word = rules.lapse(table, at, log)
                    before = 0
                    continue
                if agenda[0].intent[hand] == 0:
                    rules.observe(table, seat, view)
                    view[0].hand = hand
                    code = bots.decide(kinds[seat], view[0], choices, 0, streams[seat + 1])
                    if code == 0:
                        pause(agenda, hand, seat, at, paces, clock)
                        continue
                    if not reach(agenda, hand, seat, code, at, view[0].ready_at[hand], paces, clock):
                        continue
                answer = rules.act(table, seat, agenda[0].intent[hand], at, log)
                finish(agenda, hand)
                if answer > 0:
                    word = answer
                    decisions += 1
                    if decisions - before_game == MOST_DECISIONS:
                        return ENDLESS
                elif answer != -rules.OVERTAKEN:
                    return answer
            rules.score(table, scores, places)
            count_result(scores, places, shared, points)
        return decisions

    return playout


@kernel
def count_result(scores: Words, places: Words, shared: Any, points: Words) -> None:
    """Add the result of one game to the sums."""
    winners = 0
    for seat in range(places.size):
        winners += places[seat] == 1
        points[seat] += scores[seat]
    for seat in range(places.size):
        shared[seat, winners] += places[seat] == 1
