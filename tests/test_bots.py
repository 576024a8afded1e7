"""Bots decide from what they see, and only legally."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Decision, Game, Observation, Stream, bots, imagine
from tafelrunde.bots import pace
from tafelrunde.bots.pace import HUMAN
from tafelrunde.errors import BadChance, BadPace, BadSeats, Endless, Illegal, Malformed, UnknownBot
from tafelrunde.games import GAMES, hands
from tafelrunde.testing import games
from tests.games.buffet.tables import exchange, lay, table, turn
from tests.games.chocolat import tables as chocolat
from tests.games.dash import tables as dash

EVERY_BOT = [(game, name) for game in GAMES for name in bots.names(game)]


@pytest.mark.parametrize(("name", "bot"), EVERY_BOT)
@given(data=st.data())
def test_every_bot_decides_legally_at_every_moment(name: str, bot: str, data: st.DataObject) -> None:
    game = data.draw(games(name))
    player = bots.find(name, bot)
    for seat in game.to_act:
        decision = player(game.observe(seat), Stream(1, lane=seat + 1))
        assert decision in game.legal(seat) if decision else game.spec.in_real_time, "only there it may wait"


@pytest.mark.parametrize(("name", "bot"), EVERY_BOT)
@given(data=st.data())
def test_a_bot_decides_the_same_in_every_world_it_can_not_tell_apart(name: str, bot: str, data: st.DataObject) -> None:
    game = data.draw(games(name))
    player = bots.find(name, bot)
    for seat in game.to_act:
        other = imagine(game.observe(seat), Stream(data.draw(st.integers(0, 2**32))))
        assert player(game.observe(seat), Stream(4)) == player(other.observe(seat), Stream(4))


def greedy(game: Game, seat: int) -> Decision:
    decision = bots.find(game.spec.id, "greedy")(game.observe(seat), Stream(1, lane=seat + 1))
    assert decision is not None
    return decision


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


# --- dash --------------------------------------------------------------------------------------------------------


def test_greedy_keeps_what_fits_and_puts_doubles_back() -> None:
    game = dash.ready_table(4, heap=["B2", "A5", "E1"], keep=["A1"])
    for place, verb in ((0, "keep"), (1, "back"), (2, "back")):
        game.act(0, dash.do("take", place=place))
        assert greedy(game, 0).do == verb
        game.act(0, greedy(game, 0))


KEPT = ["A1", "B2", "C3"]


def test_greedy_remembers_where_a_fitting_card_lies() -> None:
    game = dash.ready_table(4, heap=["D4"], keep=KEPT)
    first, second, *_ = game.observe(0).free
    game.act(0, dash.do("take", place=0))
    game.act(0, dash.do("back", place=first))
    assert greedy(game, 0) == dash.do("take", place=first)
    game.act(1, dash.do("take", place=first))
    game.act(1, dash.do("back", place=second))
    assert greedy(game, 0) == dash.do("take", place=second), "it saw where the card went"


def test_greedy_leaves_with_a_full_display_and_stays_with_a_small_one() -> None:
    game = dash.ready_table(4, heap=["X", "D4", "E5", "F6", "G7"], keep=KEPT)
    game.act(0, dash.do("take", place=0))
    assert greedy(game, 0).do == "back"
    game.act(0, greedy(game, 0))
    dash.grab(game, 0, 1, 2, 3, 4)
    found = next(spot["place"] for spot in game.observe(0).heap if spot["card"] == "X")
    assert greedy(game, 0) == dash.do("take", place=found), "seven cards are enough, and it knows an exit"
    game.act(0, greedy(game, 0))
    assert greedy(game, 0).do == "exit"


@pytest.mark.parametrize(("rivals", "verb"), [(0, "back"), (1, "exit")])
def test_greedy_leaves_earlier_when_others_are_about_to_go(rivals: int, verb: str) -> None:
    """Five cards, four more that would fit, the last exit in hand."""
    game = dash.ready_table(4, heap=["X", "X", "X", "D4", "E5", "A2", "B3", "C4", "D5", "E6"], keep=KEPT)
    dash.grab(game, 0, 3, 4)
    for seat in (2, 3):
        dash.grab(game, seat, seat - 2)
    if rivals:
        dash.grab(game, 1, 5, 6, 7, 8, 9)
    game.act(0, dash.do("take", place=2))
    assert greedy(game, 0).do == verb


def test_greedy_looks_for_an_exit_where_one_can_be() -> None:
    """D14: what somebody puts back from a stack is no exit card."""
    game = dash.ready_table(4, heap=["D4", "E5", "F6", "G7"], keep=KEPT)
    dash.grab(game, 0, 0, 1, 2, 3)
    food = {spot["place"] for spot in game.observe(0).heap if spot["surely_food"]}
    assert food
    for seed in range(40):
        decision = bots.find("dash", "greedy")(game.observe(0), Stream(seed))
        assert decision is not None
        assert decision.place not in food


def test_the_two_hands_of_one_player_are_asked_apart() -> None:
    game = dash.table(2)
    for hand, side in ((0, "left"), (1, "right")):
        seen = game.observe_hand(hand)
        assert (seen.seat, seen.hand) == (0, side)
        assert [decision.hand for decision in seen.legal] == [side]
        assert bots.find("dash", "greedy")(seen, Stream(1)) == dash.do("look", hand=side)


def test_a_bot_of_your_own_may_wait_in_real_time() -> None:
    def patient(observation: Observation, stream: Stream) -> Decision | None:
        """Leaves at the first exit, and waits now and then."""
        return (
            None
            if stream.random() < 0.3
            else next((d for d in observation.legal if d.do == "exit"), observation.legal[0])
        )

    game = tafelrunde.new("dash", seats=3, seed=1, max_rounds=1)
    bots.play(game, [patient, *[bots.find("dash", "greedy")] * 2], seed=1)
    assert game.over


def test_a_bot_that_waits_in_its_turn_or_decides_against_the_rules_is_told() -> None:
    with pytest.raises(Malformed, match="has to decide"):
        bots.play(tafelrunde.new("buffet", seats=3, seed=1), [lambda *_: None] * 3, seed=1)
    game = dash.ready_table(3)
    nowhere = dash.do("take", place=game.observe(0).free[0])
    with pytest.raises(Illegal) as refused:
        bots.play(game, [lambda *_: nowhere, *[bots.find("dash", "greedy")] * 2], seed=1)
    assert refused.value.rule == "D13"


def test_a_bot_decides_for_the_hand_that_is_asked() -> None:
    with pytest.raises(Malformed, match="another hand"):
        bots.play(dash.table(2), [lambda *_: dash.do("look", hand="right")] * 2, seed=1)


@pytest.mark.parametrize("game", GAMES)
def test_bots_do_not_shuffle(game: str) -> None:
    waiting = Game(GAMES[game], ["?"] * 4, {}, stream=None)
    with pytest.raises(BadChance):
        bots.play(waiting, [bots.find(game, "random")] * 4, seed=1)


def test_bots_that_never_come_to_an_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "MOST_DECISIONS", 50)
    with pytest.raises(Endless):
        bots.play(tafelrunde.new("dash", seats=10, seed=1), [bots.find("dash", "random")] * 10, seed=1)


def test_paces_have_names() -> None:
    assert pace.find_pace("instant") is pace.INSTANT
    with pytest.raises(BadPace):
        pace.find_pace("frantic")
    with pytest.raises(BadSeats):
        bots.play(tafelrunde.new("dash", seats=3, seed=1), [bots.find("dash", "random")] * 3, seed=1, paces=[HUMAN] * 2)


# --- chocolat ----------------------------------------------------------------------------------------------------


SCRAPS = ["fruit-3-7", "sugar-5-3"]


def test_greedy_lays_out_the_better_combination() -> None:
    hand = ["eggs-3-5", "fruit-3-6", "nuts-7-3", "nuts-6-4", "nuts-5-5", "eggs-3-6"]
    game = chocolat.at_scoring(hand, chocolat.ANT, target=7)
    assert sorted(greedy(game, 0).cards) == ["nuts-5-5", "nuts-6-4", "nuts-7-3"], "seven points, not three"


@pytest.mark.parametrize(
    ("helper", "hand", "points"),
    [
        (chocolat.ANT, ["eggs-7-1", "fruit-7-2", "nuts-7-3", "sugar-7-1", *SCRAPS], 14),
        (chocolat.BEE, ["eggs-7-1", "nuts-7-4", "nuts-7-3", "eggs-3-6", *SCRAPS], 14),
        (chocolat.SQUIRREL, ["fruit-6-3", "nuts-7-4", "eggs-7-1", "eggs-3-6", *SCRAPS], 7),
    ],
)
def test_greedy_lets_its_helper_help_with_a_combination(helper: int, hand: list[str], points: int) -> None:
    game = chocolat.at_scoring(hand, helper, target=points)
    decision = greedy(game, 0)
    assert decision.fields.get("helper") == helper
    game.act(0, decision)
    assert game.scores[0] == points


SEVENS = ["eggs-7-1", "fruit-7-2", "nuts-7-3", "sugar-7-1", *SCRAPS]


@pytest.mark.parametrize(("target", "verb"), [(30, "pass"), (7, "combine")])
def test_greedy_waits_for_the_helper_that_comes_next_unless_the_end_is_near(target: int, verb: str) -> None:
    """Four sevens: one of them for three now, or with the ant two of them in the next round."""
    game = chocolat.at_scoring(SEVENS, chocolat.SQUIRREL, other_helper=chocolat.ANT, pantry_seat=0, target=target)
    assert greedy(game, 0).do == verb


def test_greedy_fetches_what_it_needs() -> None:
    theirs = ["chocolate-7-4", "chocolate-7-3", "nuts-7-4"]
    before = chocolat.combine(*theirs, kept=["nuts-7-4"])
    hand = ["eggs-7-1", "fruit-7-2", "fruit-3-6", "sugar-5-3", "fruit-3-7", "eggs-3-5"]
    game = chocolat.at_scoring(
        hand, chocolat.BEETLE, other=theirs, other_helper=chocolat.COCKROACH, before=before, target=7
    )
    fetched = greedy(game, 0)
    assert (fetched.do, fetched.helper) == ("fetch", chocolat.BEETLE)
    game.act(0, fetched)
    assert sorted(greedy(game, 0).cards) == ["chocolate-7-3", "eggs-7-1", "fruit-7-2"]


def test_greedy_digs_with_a_card_that_is_good_for_nothing() -> None:
    hand = ["eggs-7-1", "fruit-7-2", "fruit-3-6", "sugar-6-2", "eggs-6-2", "nuts-6-4"]
    assert greedy(chocolat.at_scoring(hand, chocolat.MOLE), 0) == Decision("dig", card="fruit-3-6", helper=5)


def test_greedy_bids_high_for_what_it_needs_and_drafts_it() -> None:
    """Two sevens of one colour in hand and the third in the market."""
    hand = ["nuts-7-3", "nuts-7-3", "nuts-3-8", "eggs-3-5", "sugar-4-2"]
    game = chocolat.table([hand, [], []], market=["nuts-7-4", "fruit-3-7", "eggs-4-4", "sugar-3-3"], helpers=[1, 2, 3])
    assert greedy(game, 0) == chocolat.lay("nuts-3-8")
    chocolat.lay_all(game, "nuts-3-8", game.observe(1).hand[-1], game.observe(2).hand[-1])
    assert "nuts-7-4" in greedy(game, 0).take


def test_greedy_calls_the_cockroach_and_the_hamster() -> None:
    game = chocolat.table([[], []], helpers=[chocolat.COCKROACH, chocolat.ANT])
    assert greedy(game, 0).helper == chocolat.COCKROACH
    game = chocolat.table(
        [["nuts-3-8", "fruit-3-7"], [], []], market=["eggs-7-1", "nuts-7-3", "sugar-7-1"], helpers=[chocolat.HAMSTER]
    )
    chocolat.lay_all(game, "nuts-3-8", game.observe(1).hand[-1], game.observe(2).hand[-1])
    drafted = greedy(game, 0)
    assert sorted(drafted.take) == ["eggs-7-1", "nuts-7-3", "sugar-7-1"]
    assert drafted.helper == chocolat.HAMSTER


# --- Bots of your own --------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(("game", "name"), EVERY_BOT)
def test_what_a_bot_decides_can_be_sent_over_the_network(game: str, name: str) -> None:
    """Also where the rules are not compiled and calculate with numbers of NumPy."""
    table = tafelrunde.new(game, seats=3, seed=1)
    seat = table.to_act[0]
    decision = bots.find(game, name)(table.observe(seat), Stream(1))
    assert decision is not None
    assert type(decision.code(table.spec.notation)) is int
    assert json.loads(json.dumps(decision.to_json())) == decision.to_json()
