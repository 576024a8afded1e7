"""What holds in every game of chocolat, at every step."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Decision, Game, Stream, TafelrundeError, imagine
from tafelrunde.game import codes_of
from tafelrunde.games.chocolat import deck
from tafelrunde.games.chocolat import state as c
from tafelrunde.games.chocolat.deck import INGREDIENTS
from tafelrunde.games.chocolat.notation import cards
from tafelrunde.testing import games, random_walk
from tests.games.chocolat.tables import ALL_CARDS, seats

WALKS = given(count=st.integers(2, 6), seed=st.integers(0, 2**32), walk=st.integers(0, 2**32))


def everywhere(game: Game) -> Counter[str]:
    """C1: every card, wherever it is."""
    state = game._table[0]
    found = [*state["market"], *state["laid"], *state["played"], *state["hand"].ravel()]
    found += [*state["pile"][: state["pile_left"]], *state["discard"][: state["discard_size"]]]
    found += [*state["kept_card"][: state["kept_size"]]]
    return Counter(cards([int(card) for card in found]))


@WALKS
def test_cards_and_helpers_are_conserved_at_every_step(count: int, seed: int, walk: int) -> None:
    game = tafelrunde.new("chocolat", seats=count, seed=seed, target=12)
    for moment in random_walk(game, random.Random(walk)):
        assert everywhere(moment) == ALL_CARDS
        seen = moment.observe(None)
        assert sorted([seat["helper"] for seat in seen.seats] + seen.spare) == list(range(1, 8))
    assert everywhere(game) == ALL_CARDS


@WALKS
def test_everybody_is_told_which_helper_comes_next(count: int, seed: int, walk: int) -> None:
    game = tafelrunde.new("chocolat", seats=count, seed=seed, target=12)
    coming: list[int] = []
    for moment in random_walk(game, random.Random(walk)):
        seen = moment.observe(None)
        if seen.phase == "laying" and coming and seen.round > 1:
            assert [seat["helper"] for seat in seen.seats] == coming, "C13"
        if seen.phase == "scoring":
            coming = [seat["next_helper"] for seat in seen.seats]
    assert coming


@WALKS
def test_the_market_is_full_before_each_draft_and_has_one_card_after_it(count: int, seed: int, walk: int) -> None:
    game = tafelrunde.new("chocolat", seats=count, seed=seed, target=12)
    for moment in random_walk(game, random.Random(walk)):
        seen = moment.observe(None)
        drafters_left = {"laying": count, "drafting": len(seen.order), "scoring": 0}[seen.phase]
        assert len(seen.market) == drafters_left + 1


@WALKS
def test_a_card_stays_in_every_hand_and_a_helper_helps_once_a_round(count: int, seed: int, walk: int) -> None:
    game = tafelrunde.new("chocolat", seats=count, seed=seed, target=20)
    for _ in random_walk(game, random.Random(walk)):
        pass
    hands: list[Counter[str]] = [Counter() for _ in range(count)]
    helped: list[int] = []
    holds: list[int] = []
    for entry in game.entries:
        match entry["do"]:
            case "helpers":
                holds = entry["seats"]
            case "round":
                helped = []
            case "draw":
                hands[entry["seat"]].update(entry["cards"])
            case "gain":
                hands[entry["seat"]][entry["card"]] += 1
            case "lay" | "dig" | "fetch":
                hands[entry["by"]][entry["card"]] -= 1
            case "draft":
                hands[entry["by"]].update(entry["take"])
                hands[entry["by"]].subtract([entry["give"]] if "give" in entry else [])
            case "combine":
                hands[entry["by"]].subtract(entry["cards"])
                assert hands[entry["by"]].total() >= 1, "C12"
        if entry["by"] != "table" and "helper" in entry:
            assert entry["helper"] == holds[entry["by"]]
            helped.append(entry["by"])
            assert len(set(helped)) == len(helped), "C15"
        assert all(copies >= 0 for hand in hands for copies in hand.values())


@given(games("chocolat", finished=True))
def test_points_are_what_lies_before_a_player_and_the_end_is_due(game: Game) -> None:
    for seat in seats(game):
        assert seat["points"] == sum(int(card.split("-")[1]) for card in seat["kept"])
    seen = game.observe(None)
    reached = max(game.scores) >= game.options["target"]  # type: ignore[operator]
    assert reached or seen.draw_pile + len(seen.discard) < game.seats
    order = sorted(range(game.seats), key=lambda seat: (-game.scores[seat], -seats(game)[seat]["helper"]))
    assert [game.places[seat] for seat in order] == list(range(1, game.seats + 1))


# --- Legality ----------------------------------------------------------------------------------------------------


def value(card: str) -> int:
    return int(card.split("-")[1])


def keeps(counted: list[tuple[int, str, str]]) -> Iterator[tuple[str, ...]]:
    """C10, C11: every choice of what is kept of cards given as counted value, counted colour and card."""
    size = len(counted)
    values = sorted(counted_value for counted_value, _, _ in counted)
    one_colour = len({colour for _, colour, _ in counted}) == 1
    by_value = [card for _, _, card in sorted(counted)]
    if len(set(values)) == 1:
        yield from {tuple(sorted(kept)) for kept in combinations(by_value, size - 1 if one_colour else size - 2)}
    elif values == list(range(values[0], values[0] + size)):
        yield tuple(sorted(by_value[2:] if one_colour else by_value[: size - 2]))


def brute_force(hand: list[str], power: str | None, rank: int) -> set[Decision]:
    """C10 to C12, C15: every combination of a hand, tried out one by one."""
    found = set()
    for size in (3, 4) if power == "four" else (3,):
        for chosen in {tuple(sorted(chosen)) for chosen in combinations(hand, size)} if len(hand) > size else ():
            plain = [(value(card), card.split("-")[0], card) for card in chosen]
            uses: list[tuple[dict[str, object], list[tuple[int, str, str]]]] = [({}, plain)] if size == 3 else []
            if size == 4:
                uses.append(({"helper": rank}, plain))
            for i, (printed, colour, card) in enumerate(plain):
                others = plain[:i] + plain[i + 1 :]
                if power == "value" and printed < 7:
                    uses.append(({"helper": rank, "changed": card}, [*others, (printed + 1, colour, card)]))
                if power == "colour":
                    uses += [
                        ({"helper": rank, "changed": card, "as": other}, [*others, (printed, other, card)])
                        for other in INGREDIENTS
                        if other != colour
                    ]
            for fields, counted in uses:
                for kept in keeps(counted):
                    for discarded in set(permutations((Counter(chosen) - Counter(kept)).elements())):
                        found.add(plainly(Decision("combine", cards=kept + discarded, kept=kept, **fields)))
    return found


def plainly(decision: Decision) -> Decision:
    """A combination in one way of writing: kept cards first, sorted by their names, then the others in their order."""
    fields = dict(decision.fields)
    kept = tuple(sorted(fields["kept"]))
    fields |= {"kept": kept, "cards": kept + tuple(fields["cards"][len(kept) :])}
    return Decision("combine", **fields)


@given(games("chocolat"))
def test_legal_lists_exactly_the_valid_combinations(game: Game) -> None:
    for seat in game.to_act if game.observe(None).phase == "scoring" else ():
        seen = game.observe(seat)
        me = seen.seats[seat]
        power = None if me["used"] else seen.powers[me["helper"]]
        listed = [decision for decision in seen.legal if decision.do == "combine"]
        expected = brute_force(seen.hand, power, me["helper"])
        assert {plainly(decision) for decision in listed} == expected
        assert len(listed) == len(expected), "nothing is listed twice"


def holding(hand: Sequence[int], rank: int) -> Game:
    """A game in which seat 0 has these cards and this helper, out of the blue, and it is its turn to score."""
    game = tafelrunde.new("chocolat", seats=2, seed=1)
    state = game._table[0]
    state["hand"][0, :] = c.NOTHING
    state["hand"][0, : len(hand)] = sorted(hand)
    state["hand_size"][0] = len(hand)
    state["helper"][:2] = rank, 1 if rank > 1 else 2
    state["phase"], state["waiting"], state["turn"] = c.SCORING, 1, 0
    state["order"][:2] = 0, 1
    game._word = game.spec.rules.current_moment(game._table, game._log)
    return game


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_a_hoarder_has_more_choices_than_there_is_room_for_at_first(rank: int) -> None:
    game = holding(deck.STANDARD.cards[::3], rank)
    listed = game.legal(0)
    assert len(listed) > c.LEGAL_ROOM
    assert len(set(codes_of(listed, game.spec.notation).tolist())) == len(listed)
    for decision in listed[:: len(listed) // 50]:
        game.copy(Stream(1)).act(0, decision)


@given(st.data())
def test_legal_lists_exactly_the_combinations_of_any_hand(data: st.DataObject) -> None:
    """Hands that hardly ever come up, up to ten cards and with every helper."""
    hand = data.draw(st.permutations(deck.STANDARD.cards))[: data.draw(st.integers(2, 10))]
    rank = data.draw(st.integers(1, 7))
    game = holding(hand, rank)
    listed = [decision for decision in game.legal(0) if decision.do == "combine"]
    powers = game.observe(0).powers
    expected = brute_force(game.observe(0).hand, powers[rank], rank)
    assert {plainly(decision) for decision in listed} == expected
    assert len(listed) == len(expected)


@given(games("chocolat"))
def test_drafts_are_every_choice_from_the_market(game: Game) -> None:
    if game.observe(None).phase != "drafting":
        return
    (seat,) = game.to_act
    seen = game.observe(seat)
    me = seen.seats[seat]
    expected = {(tuple(sorted(take)), None) for take in combinations(seen.market, 2)}
    if seen.powers[me["helper"]] == "three" and len(seen.market) >= 3:
        expected |= {
            (tuple(sorted(take)), give) for take in combinations(seen.market, 3) for give in {*seen.hand, *take}
        }
    listed = [(tuple(sorted(decision.take)), decision.fields.get("give")) for decision in seen.legal]
    assert set(listed) == expected
    assert len(listed) == len(expected)


@given(games("chocolat"), st.integers(0, 2**32))
def test_act_accepts_exactly_what_legal_lists(game: Game, seed: int) -> None:
    """Codes near legal ones: another card, another helper, another number of cards kept."""
    chooser = random.Random(seed)
    for seat in range(game.seats):
        codes = {decision.code(game.spec.notation) for decision in game.legal(seat)}
        tried = [code ^ 1 << chooser.randrange(60) for code in chooser.choices(sorted(codes), k=30)] if codes else []
        for code in [*tried, *chooser.choices(sorted(codes) or [0], k=5), chooser.getrandbits(62), 0]:
            twin = game.copy(Stream(1))
            try:
                twin.act(seat, Decision.coded(code, game.spec.notation))
                accepted = True
            except TafelrundeError:
                accepted = False
            assert accepted == (code in codes), hex(code)


# --- Sight -------------------------------------------------------------------------------------------------------


@WALKS
def test_what_is_known_of_a_hand_is_in_it(count: int, seed: int, walk: int) -> None:
    game = tafelrunde.new("chocolat", seats=count, seed=seed, target=12)
    for moment in random_walk(game, random.Random(walk)):
        for seat in range(count):
            own = moment.observe(seat)
            laid = [own.laid["card"]] if own.laid else []
            assert not Counter(own.seats[seat]["known"]) - Counter(own.hand + laid)


@given(games("chocolat"), st.integers(0, 2**32))
def test_imagined_hands_hold_what_is_known_and_use_each_card_once(game: Game, seed: int) -> None:
    world = imagine(game.observe(0), Stream(seed))
    assert everywhere(world) == everywhere(game)
    for seat in range(1, game.seats):
        own = world.observe(seat)
        laid = [own.laid["card"]] if own.laid else []
        assert not Counter(own.seats[seat]["known"]) - Counter(own.hand + laid)
