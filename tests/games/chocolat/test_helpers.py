"""C15: each of the seven helpers."""

from __future__ import annotations

import pytest

from tafelrunde import Decision, Game, TafelrundeError
from tafelrunde.errors import BadChance
from tafelrunde.game import codes_of
from tafelrunde.games.chocolat import deck
from tafelrunde.games.chocolat import state as c
from tests.games.chocolat.tables import (
    ANT,
    BEE,
    BEETLE,
    COCKROACH,
    HAMSTER,
    MOLE,
    PASS,
    SQUIRREL,
    at_scoring,
    combine,
    draft,
    lay,
    lay_all,
    seats,
    table,
)
from tests.games.chocolat.test_rules import refused

# --- Ant ---------------------------------------------------------------------------------------------------------

RUNS = ["nuts-3-7", "nuts-4-6", "nuts-5-5", "nuts-6-4", "eggs-6-3", "eggs-7-1"]
SETS = ["nuts-5-5", "nuts-5-5", "nuts-5-6", "eggs-5-3", "sugar-5-2", "sugar-3-3"]


@pytest.mark.parametrize(
    ("hand", "cards", "kept", "points"),
    [
        (RUNS, ["nuts-3-7", "nuts-4-6", "nuts-5-5", "eggs-6-3"], ["nuts-3-7", "nuts-4-6"], 7),
        (RUNS, ["nuts-3-7", "nuts-4-6", "nuts-5-5", "nuts-6-4"], ["nuts-5-5", "nuts-6-4"], 11),
        (SETS, ["nuts-5-5", "nuts-5-6", "eggs-5-3", "sugar-5-2"], ["eggs-5-3", "nuts-5-6"], 10),
    ],
)
def test_C15_the_ant_lays_out_four_and_keeps_one_more(
    hand: list[str], cards: list[str], kept: list[str], points: int
) -> None:
    game = at_scoring(hand, ANT)
    game.act(0, combine(*cards, kept=kept, helper=1))
    assert (seats(game)[0]["points"], seats(game)[0]["hand_size"]) == (points, 2)


def test_C15_the_ant_keeps_three_of_a_set_in_one_colour() -> None:
    hand = ["sugar-5-2", "sugar-5-2", "sugar-7-1", "sugar-7-1", "nuts-7-3", "eggs-7-1"]
    fours = ["nuts-3-7", "nuts-3-7", "nuts-3-8", "nuts-3-8", "eggs-7-1", "eggs-7-1"]
    game = at_scoring(fours, ANT)
    game.act(0, combine(*fours[:4], kept=fours[1:4], helper=1))
    assert seats(game)[0]["points"] == 9
    assert game.observe(None).discard == ["nuts-3-7"]
    mixed = combine("sugar-7-1", "sugar-7-1", "nuts-7-3", "eggs-7-1", kept=hand[2:5], helper=1)
    assert refused(at_scoring(hand, ANT), 0, mixed).rule == "C11"


@pytest.mark.parametrize(
    ("cards", "kept", "rule"),
    [
        (["nuts-3-7", "nuts-4-6", "nuts-5-5", "eggs-6-3"], ["nuts-5-5", "eggs-6-3"], "C11"),
        (["nuts-3-7", "nuts-4-6", "nuts-5-5", "nuts-6-4"], ["nuts-3-7", "nuts-4-6"], "C11"),
        (["nuts-3-7", "nuts-4-6", "nuts-5-5", "eggs-7-1"], ["nuts-3-7", "nuts-4-6"], "C10"),
        (["nuts-4-6", "nuts-5-5", "nuts-6-4", "eggs-6-3"], ["nuts-4-6", "nuts-5-5"], "C10"),
        (["nuts-4-6", "nuts-5-5", "nuts-6-4"], ["nuts-6-4"], "C15"),  # three cards need no ant
    ],
)
def test_C15_four_cards_are_a_run_or_a_set_as_well(cards: list[str], kept: list[str], rule: str) -> None:
    assert refused(at_scoring(RUNS, ANT), 0, combine(*cards, kept=kept, helper=1)).rule == rule


def test_C15_three_cards_can_be_laid_out_without_the_ant() -> None:
    game = at_scoring(RUNS, ANT)
    game.act(0, combine("nuts-4-6", "nuts-5-5", "nuts-6-4", kept=["nuts-6-4"]))
    assert not seats(game)[0]["used"]


# --- Bee ---------------------------------------------------------------------------------------------------------

BO = ["sugar-3-3", "fruit-4-5", "fruit-5-4", "eggs-6-2", "fruit-7-2", "fruit-7-2"]


def test_C15_the_bee_changes_a_colour() -> None:
    game = at_scoring(BO, BEE)
    run = ["fruit-5-4", "eggs-6-2", "fruit-7-2"]
    game.act(0, combine(*run, kept=["fruit-7-2"], helper=2, changed="eggs-6-2", **{"as": "fruit"}))
    assert seats(game)[0]["points"] == 7
    game = at_scoring(["nuts-5-5", "nuts-5-6", "eggs-5-3", "eggs-3-5", "eggs-3-5", "eggs-3-6"], BEE)
    kept = ["nuts-5-5", "eggs-5-3"]
    cards = ["nuts-5-5", "nuts-5-6", "eggs-5-3"]
    game.act(0, combine(*cards, kept=kept, helper=2, changed="eggs-5-3", **{"as": "nuts"}))
    assert seats(game)[0]["points"] == 10, "the changed card may be kept and counts what is printed"


@pytest.mark.parametrize(
    ("changed", "colour", "kept", "rule"),
    [
        ("eggs-6-2", "nuts", ["fruit-7-2"], "C11"),  # still different colours: the lowest
        ("eggs-6-2", "eggs", ["fruit-5-4"], "C15"),  # no other colour
        ("eggs-6-2", "salt", ["fruit-7-2"], "C1"),
        ("nuts-3-8", "fruit", ["fruit-7-2"], "C15"),  # not part of the combination
    ],
)
def test_C15_a_bee_needs_another_colour(changed: str, colour: str, kept: list[str], rule: str) -> None:
    run = combine("fruit-5-4", "eggs-6-2", "fruit-7-2", kept=kept, helper=2, changed=changed, **{"as": colour})
    assert refused(at_scoring(BO, BEE), 0, run).rule == rule


def test_C15_a_bee_without_effect_is_allowed() -> None:
    game = at_scoring(BO, BEE)
    cards = ["fruit-5-4", "eggs-6-2", "fruit-7-2"]
    game.act(0, combine(*cards, kept=["fruit-5-4"], helper=2, changed="eggs-6-2", **{"as": "nuts"}))
    assert seats(game)[0]["points"] == 5
    assert seats(game)[0]["used"]


# --- Squirrel ----------------------------------------------------------------------------------------------------

ADA = ["nuts-4-6", "nuts-5-5", "nuts-5-6", "eggs-7-1", "sugar-3-3", "sugar-3-3"]


@pytest.mark.parametrize(
    ("cards", "changed", "kept", "points"),
    [
        (["nuts-5-5", "nuts-5-6", "eggs-7-1"], "nuts-5-6", ["nuts-5-5"], 5),  # 5 6 7: the lowest
        (["nuts-4-6", "nuts-5-5", "nuts-5-6"], "nuts-5-6", ["nuts-5-6"], 5),  # 4 5 6 in one colour: the highest, raised
        (["nuts-4-6", "nuts-5-5", "nuts-5-6"], "nuts-4-6", ["nuts-5-5", "nuts-5-6"], 10),  # 5 5 5 in one colour
        (["nuts-4-6", "nuts-5-5", "nuts-5-6"], "nuts-4-6", ["nuts-4-6", "nuts-5-6"], 9),  # printed values count
        (["sugar-3-3", "sugar-3-3", "nuts-5-5"], "sugar-3-3", ["sugar-3-3"], 3),  # 3 4 5: of two equal cards one
    ],
)
def test_C15_the_squirrel_raises_a_value(cards: list[str], changed: str, kept: list[str], points: int) -> None:
    game = at_scoring(ADA, SQUIRREL)
    game.act(0, combine(*cards, kept=kept, helper=3, changed=changed))
    assert seats(game)[0]["points"] == points


def test_C15_of_two_equal_cards_the_squirrel_may_raise_the_one_that_is_kept() -> None:
    game = at_scoring(["sugar-5-2", "sugar-5-2", "sugar-4-3", "eggs-7-1", "eggs-7-1", "nuts-3-7"], SQUIRREL)
    cards = ["sugar-4-3", "sugar-5-2", "sugar-5-2"]
    game.act(0, combine(*cards, kept=["sugar-5-2"], helper=3, changed="sugar-5-2"))  # 4 5 6 in one colour
    assert seats(game)[0]["points"] == 5
    assert game.observe(None).discard == ["sugar-5-2", "sugar-4-3"]


@pytest.mark.parametrize(
    ("cards", "changed", "kept", "rule"),
    [
        (["nuts-5-5", "nuts-5-6", "eggs-7-1"], "eggs-7-1", ["nuts-5-5"], "C15"),  # a seven can not
        (["nuts-5-5", "nuts-5-6", "eggs-7-1"], "nuts-5-6", ["nuts-5-6"], "C11"),  # it counts six
        (["nuts-4-6", "nuts-5-5", "nuts-5-6"], "nuts-5-6", ["nuts-5-5"], "C11"),
        (["nuts-4-6", "nuts-5-5", "eggs-7-1"], "nuts-5-5", ["nuts-4-6"], "C10"),
    ],
)
def test_C15_what_the_squirrel_can_not(cards: list[str], changed: str, kept: list[str], rule: str) -> None:
    assert refused(at_scoring(ADA, SQUIRREL), 0, combine(*cards, kept=kept, helper=3, changed=changed)).rule == rule


def test_C15_nothing_is_changed_without_a_helper() -> None:
    game = at_scoring(ADA, MOLE)
    cards = ["nuts-4-6", "nuts-5-5", "nuts-5-6"]
    for fields in ({"changed": "nuts-4-6"}, {"as": "nuts"}, {"helper": 5, "as": "nuts"}):
        assert refused(game, 0, combine(*cards, kept=["nuts-5-5"], **fields)).code == "malformed"
    for rank in (SQUIRREL, MOLE):
        error = refused(game, 0, combine(*cards, kept=["nuts-5-5"], helper=rank, changed="nuts-4-6"))
        assert (error.code, error.rule) == ("illegal", "C15")
    four = combine("nuts-4-6", "nuts-5-5", "nuts-5-6", "sugar-3-3", kept=["sugar-3-3", "nuts-4-6"])
    assert refused(game, 0, four).rule == "C10"


# --- Hamster -----------------------------------------------------------------------------------------------------


def hamster_table(first: bool) -> Game:
    game = table(
        [["nuts-3-8" if first else "sugar-7-1"], ["fruit-5-4"], ["eggs-5-4"]],
        market=["eggs-7-1", "fruit-7-2", "nuts-7-3", "eggs-3-5"],
        helpers=[HAMSTER, MOLE, BEETLE],
    )
    lay_all(game, "nuts-3-8" if first else "sugar-7-1", "fruit-5-4", "eggs-5-4")
    return game


@pytest.mark.parametrize("give", [0, "nuts-7-3"])
def test_C15_the_hamster_takes_three_and_gives_one(give: int | str) -> None:
    game = hamster_table(first=True)
    given = give if isinstance(give, str) else game.observe(0).hand[give]
    game.act(0, draft("eggs-7-1", "fruit-7-2", "nuts-7-3", give=given, helper=4))
    assert game.observe(None).market == ["eggs-3-5", "nuts-3-8", given]
    assert seats(game)[0]["hand_size"] == 6
    assert seats(game)[0]["used"]


def test_C15_the_hamster_needs_three_cards_and_gives_what_is_held() -> None:
    game = hamster_table(first=True)
    missing = next(card for card in ("sugar-4-2", "sugar-4-3", "sugar-5-2") if card not in game.observe(0).hand)
    three = ("eggs-7-1", "fruit-7-2", "nuts-7-3")
    assert refused(game, 0, draft(*three, give=missing, helper=4)).rule == "C15"
    assert refused(game, 0, draft(*three)).code == "malformed"
    assert refused(game, 0, draft(*three[:2], give="eggs-7-1", helper=4)).code == "malformed"
    assert refused(game, 0, draft("eggs-7-1", "eggs-7-1", "nuts-7-3", give="nuts-7-3", helper=4)).rule == "C9"
    last = hamster_table(first=False)
    last.act(2, draft("eggs-7-1", "fruit-7-2"))
    last.act(1, draft("nuts-7-3", "eggs-3-5"))
    market = last.observe(None).market
    assert len(market) == 2
    assert refused(last, 0, draft(*market, market[0], give=market[0], helper=4)).rule == "C15"
    assert all("helper" not in decision.fields for decision in last.legal(0))


# --- Mole and dung beetle ----------------------------------------------------------------------------------------


def test_C15_the_mole_digs_before_scoring() -> None:
    game = at_scoring(ADA, MOLE, draw=["sugar-3-4"])
    entries = list(game.act(0, Decision("dig", card="eggs-7-1", helper=5)))
    assert entries[1] == {"by": "table", "do": "draw", "seat": 0, "cards": ["sugar-3-4"]}
    assert game.spec.hide(entries[1], 1) == {"by": "table", "do": "draw", "seat": 0, "count": 1}
    assert game.observe(None).discard == ["eggs-7-1"]
    assert game.to_act == (0,)
    assert refused(game, 0, Decision("dig", card="nuts-5-5", helper=5)).rule == "C15"
    game.act(0, combine("sugar-3-4", "sugar-3-3", "sugar-3-3", kept=["sugar-3-4", "sugar-3-3"]))
    assert seats(game)[0]["points"] == 6


def dig_of(game: Game) -> Decision | None:
    return next((decision for decision in game.legal(game.to_act[0]) if decision.do == "dig"), None)


def test_C15_the_mole_shuffles_an_empty_pile_with_the_card_given_up() -> None:
    """Two players who lay out nothing, and dig once: then the pile is empty in a round in which the mole is there."""
    game = table([[], []], helpers=[1, 2, 3, 4, 6, 7, MOLE])
    while game.observe(None).draw_pile > 0 or dig_of(game) is None:
        odd = game.observe(None).draw_pile % 2
        scoring = game.observe(None).phase == "scoring"
        game.act(game.to_act[0], (odd and dig_of(game)) or PASS if scoring else game.legal(game.to_act[0])[0])
    seat, dig = game.to_act[0], dig_of(game)
    assert dig is not None
    (below,) = game.observe(None).discard
    assert list(game.act(seat, dig)) == [{"by": seat, "do": "dig", "card": dig.card, "helper": 5}]
    assert game.to_act == ()
    offered = game.offer()
    with pytest.raises(BadChance):
        game.supply([*offered, offered[0]])
    shuffled, drawn = game.supply(offered)
    assert sorted(shuffled["order"]) == sorted([below, dig.card])
    assert drawn == {"by": "table", "do": "draw", "seat": seat, "cards": shuffled["order"][:1]}
    assert game.observe(None).draw_pile == 1
    assert game.to_act == (seat,)


def test_C15_the_dung_beetle_fetches_the_top_of_the_discard_pile() -> None:
    theirs = ["chocolate-7-4", "chocolate-7-3", "nuts-7-4"]
    laid_out = combine(*theirs, kept=theirs[:1])
    game = at_scoring(ADA, BEETLE, other=theirs, other_helper=COCKROACH, before=laid_out)
    assert game.observe(0).discard == ["nuts-7-4", "chocolate-7-3"]
    entries = list(game.act(0, Decision("fetch", card="sugar-3-3", helper=6)))
    assert entries[1] == {"by": "table", "do": "gain", "seat": 0, "card": "nuts-7-4"}
    assert game.observe(0).discard == ["sugar-3-3", "chocolate-7-3"]
    assert "nuts-7-4" in game.observe(0).hand
    assert "nuts-7-4" in seats(game)[0]["known"]
    assert refused(game, 0, Decision("fetch", card="sugar-3-3", helper=6)).rule == "C15"
    game.act(0, PASS)


def test_C15_the_dung_beetle_needs_a_discard_pile() -> None:
    game = at_scoring(ADA, BEETLE, other_helper=COCKROACH)
    assert game.observe(0).discard == []
    error = refused(game, 0, Decision("fetch", card="sugar-3-3", helper=6))
    assert (error.code, error.rule) == ("illegal", "C15")
    assert all(decision.do != "fetch" for decision in game.legal(0))


# --- Cockroach ---------------------------------------------------------------------------------------------------


def test_C15_the_cockroach_counts_three_coins_more_and_stays_hidden() -> None:
    game = table([["eggs-4-4"], ["fruit-4-6"]], helpers=[COCKROACH, BEE])
    (entry,) = game.act(0, lay("eggs-4-4", helper=7))
    assert game.spec.hide(entry, 1) == {"by": 0, "do": "lay"}
    assert game.spec.hide(entry, 0) == entry
    assert game.observe(0).laid == {"card": "eggs-4-4", "helper": True}
    assert not seats(game)[0]["used"], "nobody else knows yet"
    revealed = list(game.act(1, lay("fruit-4-6")))[1:]
    assert revealed[0] == {"by": "table", "do": "reveal", "seat": 0, "card": "eggs-4-4", "coins": 7, "helper": 7}
    assert seats(game)[0]["used"]


# --- All of them -------------------------------------------------------------------------------------------------


def test_C15_only_the_own_helper_helps_and_only_with_its_power() -> None:
    game = table([["eggs-4-4"], []], helpers=[BEE, COCKROACH])
    assert refused(game, 0, lay("eggs-4-4", helper=7)).rule == "C15"
    assert refused(game, 0, lay("eggs-4-4", helper=2)).rule == "C15"
    assert refused(game, 0, lay("eggs-4-4", helper=0)).rule == "C3"
    assert refused(game, 0, lay("eggs-4-4", helper=None)).code == "malformed"
    scoring = at_scoring(ADA, BEETLE)
    assert refused(scoring, 0, Decision("dig", card="nuts-5-5", helper=6)).rule == "C15"
    assert refused(scoring, 0, Decision("dig", card="nuts-5-5")).code == "malformed"
    assert refused(at_scoring(ADA, MOLE), 0, Decision("dig", card="nuts-3-8", helper=5)).rule == "C15"
    assert refused(scoring, 0, Decision("pass", helper=6)).code == "malformed"


@pytest.mark.parametrize("rank", range(16))
def test_C15_a_code_that_claims_any_rank_is_answered(rank: int) -> None:
    """Codes come from bots too, not only from words."""
    game = at_scoring(ADA, SQUIRREL)
    for decision in game.legal(0)[1:]:
        code = decision.code(game.spec.notation) & ~(15 << c.RANK_SHIFT) | rank << c.RANK_SHIFT
        claimed = Decision.coded(code, game.spec.notation)
        if code not in codes_of(game.legal(0), game.spec.notation):
            with pytest.raises(TafelrundeError):
                game.act(0, claimed)


def test_C15_a_helper_helps_once_a_round() -> None:
    game = at_scoring(ADA, MOLE, draw=["sugar-3-4", "sugar-3-4"])
    game.act(0, Decision("dig", card="eggs-7-1", helper=5))
    assert refused(game, 0, Decision("dig", card="nuts-5-5", helper=5)).sentence.startswith("Your helper has already")
    assert all("helper" not in decision.fields for decision in game.legal(0))


def test_C15_the_file_says_which_rank_has_which_power() -> None:
    """With another deck the helper of rank 7 may be the one that digs."""
    text = deck.standard_text().replace('name = "reconstructed"', 'name = "turned"')
    text = text.replace('"coins", source', '"DIG", source').replace('"dig", source', '"coins", source')
    other = deck.parse(text.replace('"DIG"', '"dig"'))
    game = table([["eggs-4-4"], []], helpers=[MOLE, COCKROACH], deck=other)
    assert game.observe(0).powers[5] == "coins"
    game.act(0, lay("eggs-4-4", helper=5))
    assert refused(game, 1, lay(game.observe(1).hand[0], helper=7)).rule == "C15"
    assert game.record().header["helpers"]["7"] == "dig"
