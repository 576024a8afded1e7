"""Bots decide from what they see, and only legally."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Decision, Game, Observation, Stream, bots, imagine
from tafelrunde.errors import UnknownBot
from tafelrunde.games import GAMES
from tafelrunde.testing import games
from tests.games.buffet.tables import exchange, lay, table, turn

EVERY_BOT = [(game, name) for game in GAMES for name in bots.names(game)]


@pytest.mark.parametrize(("name", "bot"), EVERY_BOT)
@given(data=st.data())
def test_every_bot_decides_legally_at_every_moment(name: str, bot: str, data: st.DataObject) -> None:
    game = data.draw(games(name))
    player = bots.find(name, bot)
    for seat in game.to_act:
        assert player(game.observe(seat), Stream(1, lane=seat + 1)) in game.legal(seat)


@pytest.mark.parametrize(("name", "bot"), EVERY_BOT)
@given(data=st.data())
def test_a_bot_decides_the_same_in_every_world_it_can_not_tell_apart(name: str, bot: str, data: st.DataObject) -> None:
    game = data.draw(games(name))
    player = bots.find(name, bot)
    for seat in game.to_act:
        other = imagine(game.observe(seat), Stream(data.draw(st.integers(0, 2**32))))
        assert player(game.observe(seat), Stream(4)) == player(other.observe(seat), Stream(4))


def greedy(game: Game, seat: int) -> Decision:
    return bots.find("buffet", "greedy")(game.observe(seat), Stream(1, lane=seat + 1))


def test_greedy_races_for_a_feast_and_leaves_early_from_a_poor_one() -> None:
    hand = [-1, 0, 1, 2, 5, 6, 7, 8, 9]
    feast = table([hand, [], [], []], plates=["cheese5", "salami-1", "pizza-1"])
    assert greedy(feast, 0).card >= 7
    poor = table([hand, [], [], []], plates=["salad3", "salami3", "pizza3"])
    assert greedy(poor, 0).card <= 2, "three good plates: the first one out gets as much and may exchange"


def test_greedy_does_not_cover_its_own_five() -> None:
    """B16: with a five of cheese before it, it lets a cheese of -1 pass."""
    game = table(
        [[9] * 9, [1] * 9, [2] * 9, [3] * 9], plates=["cheese5", "pizza1", "salad1", "sausage4", "salami3", "cheese-1"]
    )
    while game.observe(None).round == 1:
        for seat in game.to_act:
            game.act(seat, exchange() if game.observe(None).exchange == seat else lay(game.observe(seat).hand[0]))
    assert game.observe(None).seats[0]["stacks"] == {"cheese": [5]}
    assert greedy(game, 0).card >= 5, "the last one out would have to take the cheese"


def test_greedy_exchanges_low_cards() -> None:
    game = table([[-1, 0, 4, 5, 9, 9, 9, 9, 9], [9], [8], [7]])
    turn(game, {0: -1, 1: 9, 2: 8, 3: 7})
    assert greedy(game, 0) == exchange(0, 4)


def test_a_bot_of_your_own_is_a_function() -> None:
    def lowest(observation: Observation, stream: random.Random) -> Decision:
        return observation.legal[0]

    game = tafelrunde.new("buffet", seats=3, seed=1)
    bots.play(game, [lowest] * 3, seed=1)
    assert game.over


@pytest.mark.parametrize(
    "name", ["clever", "", "nowhere:bot", "tafelrunde:nothing", "tafelrunde:__doc__", ":", "a b:c"]
)
def test_a_bot_that_is_not_there_is_named(name: str) -> None:
    with pytest.raises(UnknownBot) as refused:
        bots.find("buffet", name)
    assert repr(name) in str(refused.value)


def test_a_bot_shows_its_name() -> None:
    assert repr(bots.find("buffet", "greedy")) == "<bot greedy for buffet>"
