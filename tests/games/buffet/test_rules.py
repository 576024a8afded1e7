"""Every rule of buffet by its id, the worked examples of the rule sheets among them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import tafelrunde
from tafelrunde import Decision, Game
from tafelrunde.errors import BadChance, BadSeats, GameOver, Illegal, Malformed, NotYourMoment
from tafelrunde.games import find
from tafelrunde.games.buffet.notation import DISHES, PLATE_NAMES
from tafelrunde.games.compiler import blank
from tafelrunde.testing import random_walk
from tests.games.buffet.tables import SPEC, did, exchange, lay, shuffle_on, table, turn

ROUNDS = {3: 7, 4: 12, 5: 9, 6: 7}


def play_out(seats: int, seed: int) -> Game:
    game = tafelrunde.new("buffet", seats=seats, seed=seed)
    for _ in random_walk(game, random.Random(seed)):
        pass
    return game


# --- Material ----------------------------------------------------------------------------------------------------


def test_B1_ten_cards_of_each_value() -> None:
    shuffled = next(e for e in tafelrunde.new("buffet", seats=3, seed=1).entries if e.get("pile") == "mice")
    assert Counter(shuffled["order"]) == dict.fromkeys(range(-1, 10), 10)


def test_B2_one_plate_of_each_dish_and_value() -> None:
    shuffled = next(e for e in tafelrunde.new("buffet", seats=3, seed=1).entries if e.get("pile") == "plates")
    assert sorted(shuffled["order"]) == sorted(f"{dish}{value}" for dish in DISHES for value in (-1, 1, 2, 3, 4, 5))


def test_B3_dishes_are_ranked_from_cheese_to_salad() -> None:
    game = table([[]] * 6, plates=["pizza3", "salad3", "cheese3", "drumstick3", "sausage3"])
    assert game.observe(0).plates == ["cheese3", "sausage3", "pizza3", "drumstick3", "salad3"]
    game = table([[]] * 4, plates=["sausage2", "salami2", "cheese2"])
    assert game.observe(0).plates == ["cheese2", "salami2", "sausage2"]


def test_B4_a_mouse_for_everybody_on_the_start_field() -> None:
    for seats in (3, 4, 5, 6):
        assert [seat["at"] for seat in table([[]] * seats).observe(None).seats] == [0] * seats
    with pytest.raises(BadSeats):
        tafelrunde.new("buffet", seats=7)
    with pytest.raises(BadSeats):
        tafelrunde.new("buffet", seats=2)


# --- Setup -------------------------------------------------------------------------------------------------------


def test_B5_nine_cards_each_and_the_rest_is_the_draw_pile() -> None:
    game = table([[5] * 9, [6] * 9, [7] * 9, [8] * 9], start_seat=2)
    assert game.observe(1).hand == [6] * 9
    assert game.observe(None).draw_pile == 110 - 4 * 9
    assert game.observe(None).start == 2
    assert [e["do"] for e in game.entries] == ["shuffle", "shuffle", "draw", "draw", "draw", "draw", "round"]


def test_B5_the_first_start_seat_may_be_left_to_chance() -> None:
    game = Game(SPEC, ("Ada", "Bo", "Cy"), {"start_seat": None}, stream=None)
    assert game.needs is not None
    assert (game.needs.do, game.needs.of) == ("choose", "start_seat")
    assert game.offer() == [0, 1, 2]
    with pytest.raises(BadChance):
        game.supply([3])
    assert list(game.supply([2])) == [{"by": "table", "do": "choose", "option": "start_seat", "value": 2}]
    shuffle_on(game)
    assert game.observe(0).start == 2


# --- A round -----------------------------------------------------------------------------------------------------


def test_B6_example_of_the_sheet_two_plates_of_four() -> None:
    """Five players, four plates; of two fours pizza comes before salad."""
    game = table([[]] * 5, plates=["salad4", "drumstick-1", "pizza4", "sausage2"])
    assert game.entries[-1] == {
        "by": "table",
        "do": "round",
        "number": 1,
        "part": 1,
        "start": 0,
        "plates": ["pizza4", "salad4", "sausage2", "drumstick-1"],
    }


@pytest.mark.parametrize(("seats", "plates"), [(3, 5), (4, 3), (5, 4), (6, 5)])
def test_B6_one_plate_fewer_than_players(seats: int, plates: int) -> None:
    view = table([[]] * seats).observe(None)
    assert len(view.plates + view.later) == plates


def test_B7_everybody_lays_one_card_in_any_order_unseen() -> None:
    game = table([[4], [5], [6], [7]])
    assert game.to_act == (0, 1, 2, 3)
    game.act(2, lay(6))
    game.act(0, lay(4))
    assert game.to_act == (1, 3)
    assert game.observe(0).laid == 4
    assert game.observe(1).laid is None
    assert [seat["has_laid"] for seat in game.observe(1).seats] == [True, False, True, False]
    assert game.seen_by(1)[-2:] == [{"by": 2, "do": "lay"}, {"by": 0, "do": "lay"}]
    with pytest.raises(NotYourMoment) as refused:
        game.act(0, lay(4))
    assert refused.value.rule == "B7"


def test_B7_only_cards_in_hand_can_be_laid() -> None:
    game = table([[4] * 9, [5], [6], [7]])
    with pytest.raises(Illegal) as refused:
        game.act(0, lay(5))
    assert refused.value.rule == "B7"
    assert list(game.legal(0)) == [lay(4)]


def test_B8_revealed_from_the_start_token_clockwise_and_moved_at_once() -> None:
    game = table([[3], [0], [9], [-1]], start_seat=2)
    revealed = did(turn(game, {0: 3, 1: 0, 2: 9, 3: -1}), "reveal")
    assert [(e["seat"], e["card"], e["at"]) for e in revealed] == [(2, 9, 9), (3, -1, -1), (0, 3, 3), (1, 0, 0)]
    assert game.observe(0).discard == [-1, 0, 3, 9]


def test_B9_minus_one_leads_behind_the_start_and_forty_is_no_end() -> None:
    game = table([[9] * 6, [9] * 4 + [8, 7], [-1, 0], [5]], start_seat=0)
    entries = turn(game, {0: 9, 1: 9, 2: -1, 3: 5})
    assert did(entries, "reveal")[2]["at"] == -1
    assert did(entries, "out")[0]["seat"] == 2, "one field behind the start is behind everybody"
    game.act(2, exchange())
    turn(game, {0: 9, 1: 9, 3: game.observe(3).hand[0]})
    for card_0, card_1 in ((9, 9), (9, 9), (9, 8)):
        entries = turn(game, {0: card_0, 1: card_1})
    assert [e["at"] for e in did(entries, "reveal")] == [45, 44], "beyond 40 the distance run counts"
    assert did(entries, "win")[0]["seat"] == 0


def test_B10_example_of_the_sheet_the_last_mouse_takes_the_drumstick() -> None:
    """Blue stands alone at the back and has to take the drumstick of -1."""
    game = table([[6], [5], [1], [7], [8]], plates=["salad4", "drumstick-1", "pizza4", "sausage2"])
    entries = turn(game, {0: 6, 1: 5, 2: 1, 3: 7, 4: 8})
    assert did(entries, "out") == [{"by": "table", "do": "out", "seat": 2, "plate": "drumstick-1"}]
    view = game.observe(None)
    assert view.seats[2]["stacks"] == {"drumstick": [-1]}
    assert not view.seats[2]["racing"]
    assert view.plates == ["pizza4", "salad4", "sausage2"]
    with pytest.raises(NotYourMoment) as refused:
        game.act(2, lay(game.observe(2).hand[0]))
    assert refused.value.rule == "B10"


def test_B11_nobody_is_out_while_two_share_the_last_place() -> None:
    game = table([[1, 2], [1, 3], [5, 5], [6, 6]])
    entries = turn(game, {0: 1, 1: 1, 2: 5, 3: 6})
    assert [e["do"] for e in entries] == ["reveal"] * 4
    assert game.to_act == (0, 1, 2, 3)
    assert did(turn(game, {0: 2, 1: 3, 2: 5, 3: 6}), "out")[0]["seat"] == 0


def test_B12_the_first_one_out_exchanges_any_cards() -> None:
    game = table([[1, 2, 3, 4], [5], [6], [7]], draw=[9, 8])
    turn(game, {0: 1, 1: 5, 2: 6, 3: 7})
    assert game.observe(None).exchange == 0
    entries = game.act(0, exchange(2, 4))
    assert list(entries) == [
        {"by": 0, "do": "exchange", "cards": [2, 4]},
        {"by": "table", "do": "draw", "seat": 0, "cards": [9, 8]},
    ]
    assert len(game.observe(0).hand) == 8
    assert game.observe(None).discard[-2:] == [6, 7]
    with pytest.raises(NotYourMoment) as refused:
        game.act(0, exchange())
    assert refused.value.rule == "B12"


def test_B12_only_held_cards_and_only_the_first() -> None:
    game = table([[1] * 9, [2], [6], [7]])
    with pytest.raises(NotYourMoment) as early:
        game.act(0, exchange(1))
    assert early.value.rule == "B12"
    turn(game, {0: 1, 1: 2, 2: 6, 3: 7})
    with pytest.raises(Illegal) as refused:
        game.act(0, exchange(1, 5))
    assert refused.value.rule == "B12"
    assert len(game.legal(0)) == 9, "none to all of eight equal cards"
    game.act(0, exchange(*[1] * 8))
    assert len(game.observe(0).hand) == 8


def test_B12_an_empty_hand_still_decides_once() -> None:
    game = _first_out_with_empty_hand()
    assert list(game.legal(0)) == [exchange()]
    assert [e["do"] for e in game.act(0, exchange())] == ["exchange"], "no empty draw is written"


def _first_out_with_empty_hand() -> Game:
    """Nine turns in which two share the last place, and the ninth card decides."""
    cards = [1, 2, 3, 4, 5, 6, 7, 8]
    game = table([[*cards, 0], [*cards, 9], [*cards, 9], [*cards, 9]])
    for card in cards:
        turn(game, dict.fromkeys(range(4), card))
    turn(game, {0: 0, 1: 9, 2: 9, 3: 9})
    return game


def test_B13_the_token_passes_to_the_next_still_racing() -> None:
    game = table([[5], [1, 0], [6, 0], [7, 9]], start_seat=1)
    entries = turn(game, {0: 5, 1: 1, 2: 6, 3: 7})
    assert [e["do"] for e in entries[-2:]] == ["out", "start"]
    assert entries[-1] == {"by": "table", "do": "start", "seat": 2}
    game.act(1, exchange())
    entries = turn(game, {0: max(game.observe(0).hand), 2: 0, 3: 9})
    assert did(entries, "out")[0]["seat"] == 2
    assert did(entries, "start") == [{"by": "table", "do": "start", "seat": 3}]


def test_B13_the_last_two_do_not_pass_it_on() -> None:
    game = table([[1], [2, 2], [6, 6, 1], [7, 7, 7]], start_seat=2)
    turn(game, {0: 1, 1: 2, 2: 6, 3: 7})
    game.act(0, exchange())
    turn(game, {1: 2, 2: 6, 3: 7})
    entries = turn(game, {2: 1, 3: 7})
    assert did(entries, "out")[0]["seat"] == 2, "who has the token loses the duel"
    assert did(entries, "start") == []


def test_B14_example_of_the_sheet_yellow_takes_the_pizza_violet_goes_empty() -> None:
    game = table([[1], [2, 2], [6, 6, 3], [7, 7, 4]], plates=["pizza4", "salad3", "drumstick-1"])
    turn(game, {0: 1, 1: 2, 2: 6, 3: 7})
    game.act(0, exchange())
    entries = turn(game, {1: 2, 2: 6, 3: 7})
    assert did(entries, "win") == [], "a further turn is due, though one is already ahead"
    entries = turn(game, {2: 3, 3: 4})
    assert did(entries, "out") == [{"by": "table", "do": "out", "seat": 2, "plate": None}]
    assert did(entries, "win") == [{"by": "table", "do": "win", "seat": 3, "plate": "pizza4"}]
    assert [e["do"] for e in entries[:4]] == ["reveal", "reveal", "out", "win"]


def test_B14_a_tie_goes_on() -> None:
    game = table([[1], [2, 2], [6, 6, 3, 5], [6, 6, 3, 4]])
    turn(game, {0: 1, 1: 2, 2: 6, 3: 6})
    game.act(0, exchange())
    turn(game, {1: 2, 2: 6, 3: 6})
    assert [e["do"] for e in turn(game, {2: 3, 3: 3})] == ["reveal", "reveal"]
    assert did(turn(game, {2: 5, 3: 4}), "win")[0]["seat"] == 2


def test_B15_who_has_to_lay_and_has_no_card_draws_nine_first() -> None:
    cards = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    game = table([cards] * 4, start_seat=2)
    for card in cards[:-1]:
        turn(game, dict.fromkeys(range(4), card))
    entries = turn(game, dict.fromkeys(range(4), 9))
    assert [e["seat"] for e in did(entries, "draw")] == [2, 3, 0, 1], "clockwise from the start token"
    assert all(len(e["cards"]) == 9 for e in did(entries, "draw"))  # type: ignore[arg-type]
    assert game.to_act == (0, 1, 2, 3)


def test_B15_before_the_exchange_is_decided() -> None:
    game = _first_out_with_empty_hand()
    entries = list(game.entries)
    out = max(i for i, e in enumerate(entries) if e["do"] == "out")
    assert [e["do"] for e in entries[out + 1 :]] == ["start", "draw", "draw", "draw"], "three others drew nine already"
    assert game.to_act == (0, 1, 2, 3)


def test_B16_a_plate_of_the_same_dish_goes_on_top_also_a_worse_one() -> None:
    plates = ["cheese5", "pizza2", "salad1", "pizza3", "cheese-1", "salad2"]
    game = table([[1] * 9, [2] * 9, [3] * 9, [9] * 9], plates=plates)
    _four_player_round(game, order=(0, 1, 2, 3))
    assert game.observe(None).seats[3]["stacks"] == {"cheese": [5]}
    assert game.scores == (1, 2, 0, 5)
    while game.observe(None).round == 2:
        view = game.observe(None)
        for seat in view.to_act:
            hand = game.observe(seat).hand
            game.act(seat, exchange() if view.exchange == seat else lay(min(hand) if seat == 3 else max(hand)))
    assert game.observe(None).seats[3]["stacks"] == {"cheese": [5, -1]}
    assert game.scores[3] == -1, "a covered plate counts nothing"


def test_B16_B22_a_seat_sees_what_each_plate_would_change_in_its_points() -> None:
    plates = ["cheese5", "pizza2", "salad1", "pizza3", "cheese-1", "salad2"]
    game = table([[1] * 9, [2] * 9, [3] * 9, [9] * 9], plates=plates)
    assert game.observe(0).plates == ["cheese5", "pizza2", "salad1"]
    assert [game.observe(seat).gains for seat in range(4)] == [[5, 2, 1]] * 4
    assert game.observe(None).gains is None
    _four_player_round(game, order=(0, 1, 2, 3))
    assert game.observe(0).plates == ["pizza3", "salad2", "cheese-1"]
    assert game.observe(0).gains == [3, 1, -1], "on top of the salad of one"
    assert game.observe(1).gains == [1, 2, -1], "on top of the pizza of two"
    assert game.observe(2).gains == [3, 2, -1], "with nothing before them"
    assert game.observe(3).gains == [3, 2, -6], "the cheese of five would be covered"


def _four_player_round(game: Game, order: tuple[int, int, int, int]) -> list[dict[str, object]]:
    """A round in which the seats leave in this order, each hand being of one card."""
    entries: list[dict[str, object]] = []
    number = game.observe(None).round
    while game.observe(None).round == number and not game.over:
        view = game.observe(None)
        if view.exchange is not None:
            entries += game.act(view.exchange, exchange())
        for seat in game.observe(None).to_act:
            entries += game.act(seat, lay(game.observe(seat).hand[0]))
    assert tuple(e["seat"] for e in entries if e["do"] in ("out", "win")) == order
    return entries


# --- Between rounds ----------------------------------------------------------------------------------------------


def test_B17_hands_are_filled_in_the_order_of_leaving() -> None:
    game = table([[1] * 9, [2] * 9, [3] * 9, [4] * 9])
    entries = _four_player_round(game, order=(0, 1, 2, 3))
    win = max(i for i, e in enumerate(entries) if e["do"] == "win")
    assert [(e["seat"], len(e["cards"])) for e in did(entries[win:], "draw")] == [(0, 1), (1, 2), (2, 3), (3, 3)]  # type: ignore[arg-type]
    assert [seat["hand_size"] for seat in game.observe(None).seats] == [9, 9, 9, 9]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_B17_after_the_last_round_nobody_draws(seats: int) -> None:
    assert [e["do"] for e in play_out(seats, seed=4).entries[-2:]] == ["win", "end"]


def test_B18_the_discard_pile_becomes_the_draw_pile_when_a_card_is_needed() -> None:
    game = tafelrunde.new("buffet", seats=6, seed=2)
    for _ in random_walk(game, random.Random(3)):
        pass
    entries = list(game.entries)
    later = [i for i, e in enumerate(entries) if e["do"] == "shuffle"][2:]
    assert later, "six players need more than 110 cards"
    crossed = 0
    for i in later:
        before, after = entries[i - 1], entries[i + 1]
        assert after["do"] == "draw"
        crossed += before["do"] == "draw" and before["seat"] == after["seat"]
    assert crossed, "a draw that crosses the end of the pile is written as two"


def test_B18_only_the_discard_pile_can_be_shuffled_in() -> None:
    game = table([[1] * 9, [2] * 9, [3] * 9])
    assert game.needs is None
    with pytest.raises(BadChance):
        game.supply([1, 2, 3])
    fresh = Game(SPEC, ("Ada", "Bo", "Cy"), {"start_seat": 0}, stream=None)
    for wrong in (fresh.offer()[:-1], [*fresh.offer(), 0], [0] * 110, [99] * 110):
        with pytest.raises(BadChance):
            fresh.supply(wrong)
    fresh.supply(fresh.offer())
    for wrong in ([0] * 36, list(range(35)), list(range(1, 37))):
        with pytest.raises(BadChance):
            fresh.supply(wrong)
    with pytest.raises(NotYourMoment) as refused:
        fresh.act(0, lay(1))
    assert refused.value.rule == "B18"


def test_B19_the_token_goes_to_the_left_of_the_winner() -> None:
    game = table([[1] * 9, [2] * 9, [3] * 9, [4] * 9])
    entries = _four_player_round(game, order=(0, 1, 2, 3))
    assert did(entries, "round")[0]["start"] == 0
    game = table([[1] * 9, [4] * 9, [3] * 9, [2] * 9])
    entries = _four_player_round(game, order=(0, 3, 2, 1))
    assert did(entries, "round")[0]["start"] == 2


def test_B20_everybody_is_back_on_the_start_field() -> None:
    game = table([[1] * 9, [2] * 9, [3] * 9, [4] * 9])
    _four_player_round(game, order=(0, 1, 2, 3))
    view = game.observe(None)
    assert [(seat["racing"], seat["at"]) for seat in view.seats] == [(True, 0)] * 4
    assert len(view.plates) == 3
    assert view.round == 2


# --- End ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", ROUNDS)
def test_B21_the_game_ends_when_plates_run_out(seats: int) -> None:
    game = play_out(seats, seed=9)
    rounds = {e["number"] for e in game.entries if e["do"] == "round"}
    assert len(rounds) == game.observe(None).rounds == ROUNDS[seats]
    assert game.to_act == ()
    with pytest.raises(GameOver) as refused:
        game.act(0, lay(1))
    assert refused.value.rule == "B21"


def standings(*collections: list[str]) -> tuple[list[int], list[int]]:
    """Points and places of seats that show exactly these plates."""
    state = blank(SPEC.rules.STATE)
    state["seats"] = len(collections)
    state["shown"] = SPEC.rules.NOTHING
    for seat, plates in enumerate(collections):
        for plate in plates:
            code = PLATE_NAMES.index(plate)
            state["shown"][0, seat, code // 6] = code
    game = Game(SPEC, ("Ada", "Bo", "Cy", "Di", "Eli", "Fay")[: len(collections)], {}, stream=None)
    game._table = state
    return list(game.scores), list(game.places)


def test_B22_example_of_the_sheet_ten_points_with_the_drumstick_of_five() -> None:
    scores, places = standings(["drumstick5", "cheese2", "pizza3", "salami1", "salad-1"], ["cheese5"], [])
    assert scores == [10, 5, 0]
    assert places == [1, 2, 3]


def test_B23_ties_go_by_the_best_plate_then_by_the_dish() -> None:
    assert standings(["cheese3", "pizza2"], ["salad4", "pizza1"], ["salad5"])[1] == [3, 2, 1]
    assert standings(["salad4", "pizza1"], ["cheese1", "drumstick4"], [])[1] == [2, 1, 3]
    assert standings(["cheese1", "pizza-1"], [], ["salad2"])[1] == [2, 3, 1], "no plate is behind any at the same sum"
    assert standings([], [], ["salad-1"], ["salad1"])[1] == [2, 2, 4, 1], "only seats without a plate share a place"


def test_B23_everybody_sees_the_best_visible_plate_of_each() -> None:
    plates = ["pizza2", "salad1", "cheese-1", "pizza4", "pizza1", "sausage-1"]
    game = table([[1] * 9, [2] * 9, [3] * 9, [9] * 9], plates=plates)
    assert [seat["best"] for seat in game.observe(0).seats] == [None] * 4
    _four_player_round(game, order=(0, 1, 2, 3))
    assert [seat["best"] for seat in game.observe(None).seats] == ["cheese-1", "salad1", None, "pizza2"]


# --- Three players -----------------------------------------------------------------------------------------------

THREE = ["cheese5", "pizza4", "salad3", "salami2", "drumstick1"]


def test_B24_five_plates_in_two_parts() -> None:
    game = table([[1, 1], [2, 2], [3, 3]], plates=THREE)
    first = game.entries[-1]
    assert (first["number"], first["part"]) == (1, 1)
    assert first["plates"] == ["salad3", "salami2", "drumstick1"]
    assert first["later"] == ["cheese5", "pizza4"]
    assert game.observe(0).later == ["cheese5", "pizza4"]
    assert game.observe(0).gains == [3, 2, 1, 5, 4], "those that wait come last"


def test_B25_in_part_one_everybody_gets_a_plate() -> None:
    game = table([[1, 1], [2, 2], [3, 3]], plates=THREE)
    turn(game, {0: 1, 1: 2, 2: 3})
    assert game.observe(None).seats[0]["stacks"] == {"drumstick": [1]}
    game.act(0, exchange())
    entries = turn(game, {1: 2, 2: 3})
    assert did(entries, "out") == [{"by": "table", "do": "out", "seat": 1, "plate": "salami2"}]
    assert did(entries, "win") == [{"by": "table", "do": "win", "seat": 2, "plate": "salad3"}]


def test_B26_part_two_begins_on_the_start_field_without_drawing_and_the_token_stays() -> None:
    game = table([[1, 1], [2, 2], [3, 3]], plates=THREE, start_seat=1)
    turn(game, {0: 1, 1: 2, 2: 3})
    game.act(0, exchange())
    entries = turn(game, {1: 2, 2: 3})
    assert did(entries, "draw") == []
    assert entries[-1] == {
        "by": "table",
        "do": "round",
        "number": 1,
        "part": 2,
        "start": 1,
        "plates": ["cheese5", "pizza4"],
    }
    view = game.observe(None)
    assert [(seat["racing"], seat["at"]) for seat in view.seats] == [(True, 0)] * 3
    assert [seat["hand_size"] for seat in view.seats] == [8, 7, 7]


def test_B27_part_two_has_no_exchange_and_one_goes_away_empty() -> None:
    game = table([[1, 9, 9], [2, 2, 1], [3, 3, 8, 8]], plates=THREE, start_seat=1)
    turn(game, {0: 1, 1: 2, 2: 3})
    game.act(0, exchange())
    turn(game, {1: 2, 2: 3})
    entries = turn(game, {0: 9, 1: 1, 2: 8})
    assert did(entries, "out") == [{"by": "table", "do": "out", "seat": 1, "plate": "pizza4"}]
    assert did(entries, "start") == [{"by": "table", "do": "start", "seat": 2}]
    assert game.to_act == (0, 2)
    with pytest.raises(NotYourMoment) as refused:
        game.act(1, exchange())
    assert refused.value.rule == "B27"
    entries = turn(game, {0: 9, 2: 8})
    assert did(entries, "out") == [{"by": "table", "do": "out", "seat": 2, "plate": None}]
    assert did(entries, "win") == [{"by": "table", "do": "win", "seat": 0, "plate": "cheese5"}]
    assert [e["seat"] for e in did(entries, "draw")] == [1, 2, 0], "the order of part two counts (B17)"
    assert did(entries, "round")[0]["start"] == 1, "the winner of part two is the round's winner (B19)"


# --- Network play ------------------------------------------------------------------------------------------------


def test_B28_others_lay_while_the_exchange_is_open_and_the_turn_waits_for_it() -> None:
    game = table([[1, 2], [5, 5], [6, 6], [7, 7]], draw=[9])
    turn(game, {0: 1, 1: 5, 2: 6, 3: 7})
    assert game.to_act == (0, 1, 2, 3)
    for seat, card in ((3, 7), (1, 5), (2, 6)):
        assert [e["do"] for e in game.act(seat, lay(card))] == ["lay"]
    assert game.to_act == (0,)
    entries = game.act(0, exchange(2))
    assert [e["do"] for e in entries][:3] == ["exchange", "draw", "reveal"]


# --- Decisions in words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        Decision("lay"),
        Decision("lay", card=10),
        Decision("lay", card=-2),
        Decision("lay", card="7"),
        Decision("lay", card=True),
        Decision("lay", card=7.0),
        Decision("lay", card=None),
        Decision("lay", cards=(7,)),
        Decision("lay", card=7, helper=1),
        Decision("exchange"),
        Decision("exchange", cards=7),
        Decision("exchange", cards=[12]),
        Decision("exchange", cards=[1] * 10),
        Decision("exchange", cards=[[1]]),
        Decision("pass"),
        Decision(""),
        {"card": 7},
        {"do": 7},
        {},
        7,
        "lay 7",
        None,
    ],
)
def test_what_is_no_decision_is_malformed_and_changes_nothing(wrong: object) -> None:
    game = table([[1], [2], [3], [4]])
    before = (game._table.tobytes(), len(game.entries))
    with pytest.raises(Malformed):
        game.act(0, wrong)  # type: ignore[arg-type]
    assert (game._table.tobytes(), len(game.entries)) == before


def test_every_refusal_of_the_rules_has_its_words() -> None:
    rules = find("buffet").rules
    reasons = {value for name, value in vars(rules).items() if name.startswith("R_")}
    assert set(SPEC.refusals) == reasons
