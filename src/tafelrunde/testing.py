"""Generators of legal games for property tests, ours and yours (needs Hypothesis: ``tafelrunde[testing]``).

>>> from hypothesis import given
>>> from tafelrunde.testing import games
>>> @given(games("buffet"))
... def test_points_are_few(game):
...     assert all(-6 <= points <= 30 for points in game.scores)
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tafelrunde.errors import NotYourMoment
from tafelrunde.game import Game, codes_of, new
from tafelrunde.games import find
from tafelrunde.games.contract import Decision, Option
from tafelrunde.games.log import VERB_SHIFT

MAX_DECISIONS = 10_000  # more than any game has


@st.composite
def games(draw: st.DrawFn, name: str, *, seats: int | None = None, finished: bool = False) -> Game:
    """A game in some state, reached by random legal decisions; with ``finished``, played to its end."""
    spec = find(name)
    seats = draw(st.sampled_from(list(spec.seat_range))) if seats is None else seats
    options: dict[str, Any] = {option.name: draw(values(option, seats)) for option in spec.options}
    options |= spec.quick
    game = new(name, seats=seats, seed=draw(st.integers(0, 2**32)), **options)
    steps = MAX_DECISIONS if finished else draw(st.integers(0, 300))
    for _ in random_walk(game, random.Random(draw(st.integers(0, 2**32)))):  # noqa: S311 - no secret
        if steps == 0:
            break
        steps -= 1
    return game


def values(option: Option, seats: int) -> st.SearchStrategy[object]:
    """Valid values of an option."""
    if option.kind == "switch":
        return st.booleans()
    if option.kind == "seat":
        return st.none() | st.integers(0, seats - 1)
    return st.integers(option.least, option.most)


def random_walk(game: Game, chooser: random.Random) -> Iterator[Game]:
    """Play random legal decisions of random seats to the end; yields the game before each decision."""
    while not game.over:
        yield game
        seat, decision = pick_any(game, chooser)
        if game.spec.in_real_time:
            act_in_time(game, seat, decision, chooser.choice((0, 0, 70, 500)))
        else:
            game.act(seat, decision)


def pick_any(game: Game, chooser: random.Random) -> tuple[int, Decision]:
    """A random seat that may act, and its decision; in real time some seats have to wait for others."""
    seat = next(seat for seat in chooser.sample(game.to_act, len(game.to_act)) if game.legal(seat))
    return seat, pick(game, seat, chooser)


def pick(game: Game, seat: int, chooser: random.Random) -> Decision:
    """Choose a verb, then one of its decisions: otherwise verbs with many variants would crowd out the others."""
    choices = game.legal(seat)
    verbs = codes_of(choices, game.spec.notation) >> VERB_SHIFT
    verb = chooser.choice(sorted(set(verbs.tolist())))
    return choices[chooser.choice(np.flatnonzero(verbs == verb).tolist())]


def act_in_time(game: Game, seat: int, decision: Decision, later: int) -> None:
    """Take a decision ``later`` milliseconds from now, or once its hand is ready; the round may time out first."""
    ms = game.time + later
    if game.wait(ms):
        return
    try:
        game.act(seat, decision, ms)
    except NotYourMoment:
        ready_at = int(game.observe(seat).raw["ready_at"].max())
        if not game.wait(ready_at):
            game.act(seat, decision)
