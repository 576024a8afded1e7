"""Every rule of chocolat by its id, but for the helpers' powers (test_helpers.py)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

import tafelrunde
from tafelrunde import Decision, Game
from tafelrunde.errors import (
    BadChance,
    BadOption,
    BadSeats,
    GameOver,
    Illegal,
    Malformed,
    NotYourMoment,
    TafelrundeError,
)
from tafelrunde.games.chocolat.deck import INGREDIENTS
from tafelrunde.games.chocolat.notation import card_code
from tests.games.chocolat.tables import (
    ALL_CARDS,
    ANT,
    BEETLE,
    COCKROACH,
    HAMSTER,
    MOLE,
    PASS,
    SPEC,
    at_scoring,
    combine,
    did,
    draft,
    lay,
    lay_all,
    seats,
    shop,
    table,
)


def refused(game: Game, seat: int, decision: Decision) -> TafelrundeError:
    with pytest.raises(TafelrundeError) as error:
        game.act(seat, decision)
    return error.value


# --- Material ----------------------------------------------------------------------------------------------------


def test_C1_eighty_cards_sixteen_of_each_ingredient() -> None:
    shuffled = next(entry for entry in tafelrunde.new("chocolat", seats=2, seed=1).entries if "order" in entry)
    assert Counter(card.split("-")[0] for card in shuffled["order"]) == dict.fromkeys(INGREDIENTS, 16)


def test_C2_values_and_coins_are_those_of_the_deck() -> None:
    shuffled = next(entry for entry in tafelrunde.new("chocolat", seats=2, seed=1).entries if "order" in entry)
    assert Counter(shuffled["order"]) == ALL_CARDS
    for card in ("sugar-3-5", "eggs-3-7", "nuts-3-2", "nuts-8-3", "nuts-2-3", "salt-3-3", "nuts-3", 7, None, ["nuts"]):
        error = refused(table([[], []]), 0, lay(card))  # type: ignore[arg-type]
        assert (error.code, error.rule) == ("malformed", "C2")


def test_C2_other_cards_are_not_shuffled_in() -> None:
    game = Game(SPEC, ("Ada", "Bo"), {"pantry_seat": 0}, stream=None)
    order = game.offer()
    assert order[0] != order[-1]
    for wrong in (order[:-1], [*order[:-1], order[0]], [*order, order[0]], [10**6] * 80, []):
        with pytest.raises(BadChance):
            game.supply(wrong)


def test_C3_seven_helpers_each_rank_once() -> None:
    game = Game(SPEC, ("Ada", "Bo"), {"pantry_seat": 0}, stream=None)
    game.supply(game.offer())
    assert game.offer() == [1, 2, 3, 4, 5, 6, 7]
    for wrong in ([1] * 7, [1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 8]):
        with pytest.raises(BadChance):
            game.supply(wrong)


# --- Setup -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(2, 7))
def test_C4_five_cards_each_and_the_rest_is_the_draw_pile(count: int) -> None:
    game = table([[]] * count)
    assert [len(game.observe(seat).hand) for seat in range(count)] == [5] * count
    assert game.observe(None).draw_pile == 80 - 5 * count - (count + 1)
    assert [entry["seat"] for entry in did(game.entries, "draw")] == list(range(count))


@pytest.mark.parametrize("count", range(2, 7))
def test_C5_the_market_has_one_card_more_than_players(count: int) -> None:
    game = table([[]] * count, market=["eggs-7-1", "nuts-3-8"])
    assert len(game.observe(None).market) == count + 1
    assert game.observe(None).market[:2] == ["eggs-7-1", "nuts-3-8"]
    (market,) = did(game.entries, "market")
    assert market["new"] == market["cards"] == game.observe(None).market


def test_C5_two_to_six_play() -> None:
    for count in (1, 7):
        with pytest.raises(BadSeats) as error:
            tafelrunde.new("chocolat", seats=count)
        assert error.value.rule == "C5"


def test_C6_a_helper_each_and_the_rest_lie_open() -> None:
    game = table([[], [], []], helpers=[3, 7, 5, 1, 6, 2, 4], pantry_seat=1)
    assert [seat["helper"] for seat in seats(game)] == [3, 7, 5]
    assert game.observe(0).spare == [1, 6, 2, 4]
    assert game.observe(0).pantry == 1
    assert did(game.entries, "helpers") == [{"by": "table", "do": "helpers", "seats": [3, 7, 5], "spare": [1, 6, 2, 4]}]


def test_C6_everybody_sees_how_helpers_are_shuffled_but_not_how_cards_are() -> None:
    game = table([[], []])
    cards, helpers = did(game.seen_by(1), "shuffle")
    assert "order" not in cards
    assert cards["count"] == 80
    assert helpers["order"] == [1, 2, 3, 4, 5, 6, 7]


def test_C6_the_pantry_seat_may_be_left_to_chance() -> None:
    game = Game(SPEC, ("Ada", "Bo", "Cy"), {"pantry_seat": None}, stream=None)
    assert game.needs is not None
    assert (game.needs.do, game.needs.of) == ("choose", "pantry_seat")
    assert game.observe(0).pantry is None
    assert list(game.supply([2])) == [{"by": "table", "do": "choose", "option": "pantry_seat", "value": 2}]
    assert game.observe(0).pantry == 2


# --- A round -----------------------------------------------------------------------------------------------------


def pass_round(game: Game) -> list[dict[str, object]]:
    """Shop, and nobody lays anything out; returns what followed the last pass."""
    shop(game)
    entries: list[dict[str, object]] = []
    while game.to_act and game.observe(None).phase == "scoring":
        entries = list(game.act(game.to_act[0], PASS))
    return entries


def test_C7_a_further_round_turns_up_as_many_cards_as_players() -> None:
    game = table([[], [], []], draw=["eggs-7-1", "fruit-6-4", "sugar-5-2"])
    shop(game)
    (left,) = game.observe(None).market
    for _ in range(3):
        entries = game.act(game.to_act[0], PASS)
    assert entries[-1] == {
        "by": "table",
        "do": "market",
        "new": ["eggs-7-1", "fruit-6-4", "sugar-5-2"],
        "cards": [left, "eggs-7-1", "fruit-6-4", "sugar-5-2"],
    }


def run_low(game: Game, below: int) -> None:
    """Play on until the draw pile has fewer cards than that; combinations are laid out so that there are discards."""
    while game.observe(None).draw_pile >= below or game.observe(None).phase != "scoring":
        seat = game.to_act[0]
        game.act(seat, game.legal(seat)[-1])


def test_C7_the_rest_of_the_pile_comes_first_then_the_discards_are_shuffled() -> None:
    game = table([[], [], [], []], target=1000)
    run_low(game, 4)
    rest = game.observe(None).draw_pile
    assert 0 < rest < 4
    while game.needs is None:
        entries = list(game.act(game.to_act[0], PASS))
    assert [entry["do"] for entry in entries[1:]] == ["helpers", "round"]
    discard = game.offer()
    assert Counter(discard) == Counter(map(card_code, game.observe(None).discard))
    assert refused(game, 0, PASS).rule == "C7"
    with pytest.raises(BadChance):
        game.supply(discard[1:])
    shuffled, market = game.supply(discard)
    assert shuffled["do"] == "shuffle"
    assert market["new"][rest:] == shuffled["order"][: 4 - rest]
    assert len(market["cards"]) == 5
    assert game.observe(None).discard == []
    assert game.observe(None).draw_pile == len(discard) - (4 - rest)


def test_C7_a_pile_that_is_just_enough_is_not_shuffled_yet() -> None:
    """Three players: 80 - 15 - 4 = 61 cards are 20 rounds of three, and one."""
    game = table([[], [], []], target=1000)
    for _ in range(20):
        entries = pass_round(game)
    assert entries[-1]["do"] == "market"
    assert game.observe(None).draw_pile == 1


def test_C8_everybody_lays_a_card_face_down_in_any_order() -> None:
    game = table([["nuts-3-8"], ["eggs-7-1"], ["sugar-5-2"]])
    assert game.to_act == (0, 1, 2)
    (entry,) = game.act(2, lay("sugar-5-2"))
    assert game.spec.hide(entry, 0) == {"by": 2, "do": "lay"}
    assert game.spec.hide(entry, 2) == entry
    assert game.to_act == (0, 1)
    assert game.observe(2).laid == {"card": "sugar-5-2", "helper": False}
    assert game.observe(0).laid is None
    assert [seat["has_laid"] for seat in seats(game)] == [False, False, True]
    assert len(game.observe(2).hand) == 4
    assert (refused(game, 2, lay("sugar-5-2")).code, refused(game, 2, PASS).code) == ("not-your-moment",) * 2
    error = refused(game, 0, lay("eggs-7-1" if "eggs-7-1" not in game.observe(0).hand else "eggs-7-2"))
    assert (error.code, error.rule) == ("illegal", "C8")
    for wrong in (
        Decision("lay"),
        Decision("lay", card="nuts-3-8", coins=8),
        Decision("sing"),
        Decision("pass", card=1),
    ):
        error = refused(game, 0, wrong)
        assert (error.code, error.rule) == ("malformed", "C8")


def test_C9_the_most_coins_draft_first_and_what_was_laid_can_be_taken() -> None:
    """The example of the rules: three have seven coins, so the helpers settle it."""
    game = table(
        [["nuts-3-7"], ["fruit-3-7"], ["eggs-4-4"], ["sugar-3-4"]],
        market=["eggs-7-1", "fruit-5-4", "nuts-6-4", "sugar-7-1", "chocolate-3-8"],
        helpers=[ANT, MOLE, COCKROACH, HAMSTER],
    )
    revealed = lay_all(game, "nuts-3-7", "fruit-3-7", lay("eggs-4-4", helper=7), "sugar-3-4")
    assert revealed == [
        {"by": "table", "do": "reveal", "seat": 2, "card": "eggs-4-4", "coins": 7, "helper": 7},
        {"by": "table", "do": "reveal", "seat": 1, "card": "fruit-3-7", "coins": 7},
        {"by": "table", "do": "reveal", "seat": 0, "card": "nuts-3-7", "coins": 7},
        {"by": "table", "do": "reveal", "seat": 3, "card": "sugar-3-4", "coins": 4},
    ]
    assert game.observe(None).order == [2, 1, 0, 3]
    assert (refused(game, 1, draft("eggs-7-1", "sugar-7-1")).rule, game.to_act) == ("C9", (2,))
    game.act(2, draft("eggs-7-1", "sugar-7-1"))
    assert game.observe(None).market == ["fruit-5-4", "nuts-6-4", "chocolate-3-8", "eggs-4-4"]
    game.act(1, draft("nuts-6-4", "fruit-5-4"))
    game.act(0, draft("eggs-4-4", "chocolate-3-8"))
    assert "eggs-4-4" in game.observe(0).hand
    assert game.observe(None).market == ["fruit-3-7", "nuts-3-7"]
    assert list(game.legal(3)) == [draft("fruit-3-7", "nuts-3-7")]
    game.act(3, draft("fruit-3-7", "nuts-3-7"))
    assert game.observe(None).market == ["sugar-3-4"]
    assert [len(game.observe(seat).hand) for seat in range(4)] == [6] * 4


def test_C9_only_what_lies_in_the_market_can_be_taken() -> None:
    game = table([["nuts-3-8"], ["eggs-7-1"]], market=["nuts-4-6", "nuts-4-6", "eggs-5-3"])
    assert refused(game, 0, draft("nuts-4-6", "nuts-4-6")).code == "not-your-moment"
    lay_all(game, "nuts-3-8", "eggs-7-1")
    assert set(game.legal(0)) == {draft("nuts-4-6", "nuts-4-6"), draft("nuts-4-6", "eggs-5-3")}
    assert refused(game, 0, draft("eggs-5-3", "eggs-5-3")).rule == "C9"
    assert refused(game, 0, draft("eggs-5-3", "nuts-3-8")).rule == "C9"
    for wrong in (
        draft("eggs-5-3"),
        draft("nuts-4-6", "nuts-4-6", "eggs-5-3"),
        draft(),
        Decision("draft", take="nuts"),
    ):
        assert (refused(game, 0, wrong).code, refused(game, 0, wrong).rule) == ("malformed", "C9")
    game.act(0, draft("nuts-4-6", "nuts-4-6"))
    assert game.observe(None).market == ["eggs-5-3", "nuts-3-8"]


HAND = ["eggs-7-1", "fruit-7-2", "nuts-7-3", "eggs-5-3", "fruit-6-3", "sugar-4-2"]


def test_C10_scoring_goes_from_the_highest_helper_down() -> None:
    game = table([[]] * 4, helpers=[2, 6, 5, 7])
    shop(game)
    assert game.observe(None).order == [3, 1, 2, 0]
    assert refused(game, 1, PASS).rule == "C10"
    for seat in (3, 1, 2, 0):
        assert game.to_act == (seat,)
        assert PASS in game.legal(seat)
        game.act(seat, PASS)


@pytest.mark.parametrize(
    ("cards", "holds"),
    [
        (["eggs-7-1", "fruit-7-2", "nuts-7-3"], True),
        (["eggs-5-3", "fruit-6-3", "nuts-7-3"], True),
        (["fruit-6-3", "eggs-5-3", "sugar-4-2"], True),
        (["fruit-6-3", "nuts-7-3", "sugar-4-2"], False),
        (["eggs-7-1", "fruit-7-2", "fruit-6-3"], False),
        (["eggs-7-1", "eggs-5-3", "sugar-4-2"], False),
    ],
)
def test_C10_a_combination_is_three_equal_or_three_consecutive_values(cards: list[str], holds: bool) -> None:
    game = at_scoring(HAND, MOLE)
    listed = [sorted(legal.cards) for legal in game.legal(0) if legal.do == "combine"]
    assert (sorted(cards) in listed) is holds
    lowest = min(cards, key=lambda card: int(card.split("-")[1]))
    decision = combine(*cards, kept=[lowest])
    if holds:
        game.act(0, decision)
        assert game.to_act == (1,)
    else:
        assert refused(game, 0, decision).rule == "C10"


def test_C10_one_combination_for_each() -> None:
    game = at_scoring(HAND, MOLE)
    game.act(0, combine("eggs-7-1", "fruit-7-2", "nuts-7-3", kept=["eggs-7-1"]))
    error = refused(game, 0, PASS)
    assert (error.code, error.rule) == ("not-your-moment", "C10")
    assert refused(at_scoring(HAND, MOLE), 0, combine(*HAND[:4], kept=["eggs-7-1"])).rule == "C10"
    assert refused(at_scoring(HAND, MOLE), 0, combine("eggs-7-2", *HAND[1:3], kept=["eggs-7-2"])).rule == "C10"


COLOURS = ["nuts-5-5", "nuts-6-4", "nuts-7-3", "nuts-5-6", "nuts-5-5", "eggs-5-3"]


@pytest.mark.parametrize(
    ("cards", "kept", "points"),
    [
        (["nuts-6-4", "nuts-7-3", "eggs-5-3"], ["eggs-5-3"], 5),  # run, different colours: the lowest
        (["nuts-5-5", "nuts-6-4", "nuts-7-3"], ["nuts-7-3"], 7),  # run, one colour: the highest
        (["nuts-5-5", "nuts-5-6", "eggs-5-3"], ["nuts-5-6"], 5),  # set, different colours: one, whichever
        (["nuts-5-5", "nuts-5-6", "eggs-5-3"], ["eggs-5-3"], 5),
        (["nuts-5-5", "nuts-5-6", "nuts-5-5"], ["nuts-5-5", "nuts-5-6"], 10),  # set, one colour: two
        (["nuts-5-5", "nuts-5-6", "nuts-5-5"], ["nuts-5-5", "nuts-5-5"], 10),
    ],
)
def test_C11_what_a_combination_keeps(cards: list[str], kept: list[str], points: int) -> None:
    game = at_scoring(COLOURS, MOLE)
    game.act(0, combine(*cards, kept=kept))
    seat = seats(game)[0]
    assert (Counter(seat["kept"]), seat["points"], seat["hand_size"]) == (Counter(kept), points, 3)
    assert game.scores[0] == points
    assert Counter(game.observe(None).discard) == Counter(cards) - Counter(kept)


@pytest.mark.parametrize(
    ("cards", "kept"),
    [
        (["nuts-6-4", "nuts-7-3", "eggs-5-3"], ["nuts-7-3"]),
        (["nuts-5-5", "nuts-6-4", "nuts-7-3"], ["nuts-5-5"]),
        (["nuts-5-5", "nuts-6-4", "nuts-7-3"], ["nuts-6-4", "nuts-7-3"]),
        (["nuts-5-5", "nuts-5-6", "eggs-5-3"], ["nuts-5-5", "nuts-5-6"]),
        (["nuts-5-5", "nuts-5-6", "nuts-5-5"], ["nuts-5-5"]),
        (["nuts-5-5", "nuts-5-6", "nuts-5-5"], ["nuts-5-5", "nuts-5-5", "nuts-5-6"]),
        (["nuts-5-5", "nuts-5-6", "eggs-5-3"], ["nuts-7-3"]),
        (["nuts-5-5", "nuts-5-6", "eggs-5-3"], []),
    ],
)
def test_C11_nothing_else_is_kept(cards: list[str], kept: list[str]) -> None:
    assert refused(at_scoring(COLOURS, MOLE), 0, combine(*cards, kept=kept)).rule == "C11"


def test_C11_the_others_are_discarded_in_the_order_in_which_they_were_laid_out() -> None:
    for order in (["nuts-7-3", "eggs-5-3", "nuts-6-4"], ["nuts-6-4", "nuts-7-3", "eggs-5-3"]):
        game = at_scoring(COLOURS, MOLE)
        game.act(0, combine(*order, kept=["eggs-5-3"]))
        *_, below, top = (card for card in order if card != "eggs-5-3")
        assert game.observe(None).discard == [top, below]


def test_C12_a_card_has_to_stay_in_hand() -> None:
    """Six cards less four of the ant, less one laid, and two drafted: three, of which none may be the last."""
    sevens = ["eggs-7-1", "eggs-7-1", "eggs-7-2", "fruit-7-2"]
    game = at_scoring(
        [*sevens, "fruit-3-7", "fruit-3-7"], ANT, other_helper=2, other=["sugar-6-1"], draw=["nuts-3-7", "nuts-3-7"]
    )
    game.act(0, combine(*sevens, kept=sevens[:2], helper=1))
    lay_all(game, "fruit-3-7", "sugar-6-1")
    game.act(0, draft("nuts-3-7", "nuts-3-7"))
    game.act(1, game.legal(1)[0])
    if game.to_act == (1,):
        game.act(1, PASS)
    assert game.observe(0).hand == ["fruit-3-7", "nuts-3-7", "nuts-3-7"]
    error = refused(game, 0, combine("fruit-3-7", "nuts-3-7", "nuts-3-7", kept=["fruit-3-7"]))
    assert (error.code, error.rule) == ("illegal", "C12")
    assert not [decision for decision in game.legal(0) if decision.do == "combine"]


def test_C13_helpers_go_to_the_left_past_the_pantry() -> None:
    """The example of the rules."""
    game = table([[], [], []], helpers=[3, 7, 5, 1, 6, 2, 4], pantry_seat=1)
    passed = did(pass_round(game), "helpers")  # type: ignore[arg-type]
    assert passed == [{"by": "table", "do": "helpers", "seats": [5, 3, 1], "spare": [6, 2, 4, 7]}]


@pytest.mark.parametrize("count", range(2, 7))
def test_C13_after_seven_rounds_everybody_has_had_every_helper(count: int) -> None:
    """Helpers and spare places form one ring; for every number of players and every pantry seat."""
    for pantry in range(count):
        game = table([[]] * count, pantry_seat=pantry, target=1000)
        held = [[seat["helper"] for seat in seats(game)]]
        while len(held) < 8:
            if pass_round(game)[-1]["do"] == "end":
                break  # C14: with five and six the cards are used up before
            held.append([seat["helper"] for seat in seats(game)])
        for before, after in pairwise(held):
            for seat in range(count):
                if seat != pantry:
                    assert after[(seat + 1) % count] == before[seat]
        for seat in range(count):
            ranks = [ranks[seat] for ranks in held]
            assert len(set(ranks[:7])) == len(ranks[:7])
            assert ranks[7:] in ([], [ranks[0]])


def test_C14_the_last_market_card_stays() -> None:
    game = table([[], []])
    shop(game)
    (left,) = game.observe(None).market
    game.act(game.to_act[0], PASS)
    assert did(game.act(game.to_act[0], PASS), "market")[0]["cards"][0] == left


@pytest.mark.parametrize("count", range(2, 7))
def test_C14_the_game_ends_when_the_market_can_not_be_filled(count: int) -> None:
    game = table([[]] * count)
    rounds = 0
    entries: list[dict[str, object]] = []
    while not game.over:
        entries = pass_round(game)
        rounds += 1
    assert rounds == 1 + (80 - 5 * count - (count + 1)) // count
    assert [entry["do"] for entry in entries] == ["pass", "end"], "nothing is passed on any more"
    assert game.observe(None).draw_pile < count
    assert sorted(game.places) == list(range(1, count + 1))
    by_rank = sorted(range(count), key=lambda seat: -seats(game)[seat]["helper"])
    assert [game.places[seat] for seat in by_rank] == list(range(1, count + 1)), "C16: all have 0, helpers decide"


def test_C16_the_round_is_played_to_its_end() -> None:
    game = at_scoring(HAND, COCKROACH, target=7)
    entries = list(game.act(0, combine("eggs-7-1", "fruit-7-2", "nuts-7-3", kept=["eggs-7-1"])))
    assert len(entries) == 1
    assert not game.over
    entries = list(game.act(1, PASS))
    assert entries[1] == {"by": "table", "do": "end", "scores": [7, 0], "places": [1, 2]}
    assert game.over
    with pytest.raises(GameOver) as error:
        game.act(0, PASS)
    assert error.value.rule == "C16"
    assert game.to_act == ()


def test_C16_below_the_target_there_is_another_round() -> None:
    game = at_scoring(HAND, COCKROACH, target=8)
    game.act(0, combine("eggs-7-1", "fruit-7-2", "nuts-7-3", kept=["eggs-7-1"]))
    assert [entry["do"] for entry in game.act(1, PASS)] == ["pass", "helpers", "round", "market"]


@pytest.mark.parametrize(("helper", "other", "places"), [(BEETLE, MOLE, [1, 2]), (MOLE, BEETLE, [2, 1])])
def test_C16_equal_points_go_by_the_helper(helper: int, other: int, places: list[int]) -> None:
    theirs = ["chocolate-7-4", "chocolate-7-3", "nuts-7-4"]
    set_of_sevens = combine(*theirs, kept=theirs[:1])
    game = at_scoring(HAND, helper, other_helper=other, other=theirs, before=set_of_sevens, target=7)
    game.act(0, combine("eggs-7-1", "fruit-7-2", "nuts-7-3", kept=["eggs-7-1"]))
    if not game.over:
        game.act(1, set_of_sevens)
    assert list(game.entries)[-1] == {"by": "table", "do": "end", "scores": [7, 7], "places": places}


def test_C16_the_target_is_an_option() -> None:
    assert tafelrunde.new("chocolat", seats=2, seed=1).observe(0).target == 30
    assert tafelrunde.new("chocolat", seats=2, seed=1, target=12).observe(0).target == 12
    for wrong in (0, 1001, "30", 30.0, True, None):
        with pytest.raises(BadOption) as error:
            tafelrunde.new("chocolat", seats=2, target=wrong)
        assert error.value.rule == "C16"


def test_errors_have_their_kinds() -> None:
    game = table([[], []])
    kinds = [
        type(refused(game, 0, wrong))
        for wrong in (draft("eggs-7-1", "eggs-7-1"), Decision("x"), lay("nuts-3-8", helper=9))
    ]
    assert kinds == [NotYourMoment, Malformed, Malformed]
    assert isinstance(refused(game, 0, lay(game.observe(0).hand[0], helper=6)), Illegal)
