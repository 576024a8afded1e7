"""Who was first, when lines are of different length: claims within the window, calm pace, receipts (D13, D29)."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tafelrunde.server.claims import MOST_WAITING
from tafelrunde.server.receipts import receipts_of
from tests.server.timeless import Guest, House, Round, moment, spend, timeless

PLACE = 0
MEASURED_S = 6
"""By then the server knows how long each line takes."""


async def seated(house: House, lags: list[int], **wanted: Any) -> tuple[Round, list[Guest]]:
    """The buffet has been opened; each player has a line of its own, whose length the server has measured."""
    options = {"first_opener": 0, "round_limit_s": 3600, "max_rounds": 1} | wanted.pop("options", {})
    table = await house.table("dash", seats=len(lags), options=options, countdown_s=0, **wanted)
    guests = [table.guest(seat, lag_ms=lag) for seat, lag in enumerate(lags)]
    await moment(1)
    guests[0].ask("start")
    await moment(MEASURED_S)
    guests[0].act("open")
    await moment(1)
    assert table.live.table.game is not None
    assert [table.live.rtt(seat) for seat in range(len(lags))] == [2 * lag for lag in lags]
    return table, guests


async def at_the_heap(house: House, lags: list[int], **wanted: Any) -> tuple[Round, list[Guest]]:
    """All stacks are used up: whoever wants may reach for the heap."""
    table, guests = await seated(house, lags, **wanted)
    for guest in guests:
        for _ in range(3):
            guest.act("look")
            guest.act("back", place=first_free(table))
            await moment(3)
    return table, guests


def first_free(table: Round) -> int:
    assert table.live.table.game is not None
    free: list[int] = table.live.table.game.observe(None).free
    return free[0]


def reach_in(ms: float, guest: Guest, place: int = PLACE) -> None:
    """Somebody reaches for a place so many milliseconds from now."""
    asyncio.get_running_loop().call_later(ms / 1000, lambda: guest.act("take", place=place))


def takes(table: Round) -> list[dict[str, Any]]:
    """All reaching for the heap as it was told, in order: who, when, and with what success."""
    told = []
    for _, body in table.live.recent:
        entries = json.loads(body).get("entries", [{"do": ""}])
        if entries[0]["do"] == "take":
            told.append({"seat": entries[0]["by"], "ms": entries[0]["ms"], "won": entries[1]["do"] == "see"})
    return told


async def contest(house: House, window: int, lags: list[int], sent: list[int]) -> tuple[int, list[dict[str, Any]]]:
    """Each reaches for the same place at its time; gives when it all began, and what came of it."""
    table, guests = await at_the_heap(house, lags, window_ms=window)
    begun = table.live.table.clock(house.runtime.clock())
    for guest, ms in zip(guests, sent, strict=True):
        reach_in(ms, guest)
    await moment(2)
    return begun, takes(table)


# --- Claims -------------------------------------------------------------------------------------------------------


@timeless
async def test_within_the_window_the_card_goes_to_whoever_reached_for_it_first(house: House) -> None:
    """Bo's claim arrives 30 ms after Ada's, but 50 ms are his line's fault."""
    _, told = await contest(house, window=60, lags=[0, 50, 0], sent=[20, 0, 500])
    assert [(one["seat"], one["won"]) for one in told] == [(1, True), (0, False), (2, False)]


@timeless
async def test_without_a_window_claims_are_decided_as_they_arrive(house: House) -> None:
    _, told = await contest(house, window=0, lags=[0, 50, 0], sent=[20, 0, 500])
    assert [(one["seat"], one["won"]) for one in told] == [(0, True), (1, False), (2, False)]


@timeless
async def test_a_line_is_not_forgiven_more_than_the_window(house: House) -> None:
    _, told = await contest(house, window=60, lags=[0, 200, 0], sent=[130, 0, 500])
    assert [(one["seat"], one["won"]) for one in told][:2] == [(0, True), (1, False)]


@timeless
async def test_nobody_waits_longer_for_an_answer_than_the_window(house: House) -> None:
    begun, told = await contest(house, window=60, lags=[0, 45, 90], sent=[0, 1000, 2000 - 90 - 1000])
    assert [one["ms"] - begun for one in sorted(told, key=lambda one: one["seat"])] == [60, 1060, 1000 - 90 + 90]


@timeless
async def test_every_claim_is_answered_also_the_one_that_came_too_late(house: House) -> None:
    table, guests = await at_the_heap(house, [0, 20, 40])
    ids = [guest.act("take", place=PLACE) for guest in guests]
    await moment(1)
    answers = [guest.answer(id) for guest, id in zip(guests, ids, strict=True)]
    assert [answer["type"] for answer in answers] == ["step"] * 3
    outcomes = [answer["entries"][1]["do"] for answer in answers]
    assert sorted(outcomes) == ["late", "late", "see"]
    assert len(takes(table)) == 3


@timeless
async def test_a_claim_that_is_sent_twice_is_one_claim(house: House) -> None:
    table, guests = await at_the_heap(house, [0, 20, 40])
    for _ in range(2):
        guests[0].ask("act", id="same", decision={"do": "take", "place": PLACE})
    await moment(1)
    assert len(takes(table)) == 1
    answers = [message for message in guests[0].messages() if message.get("id") == "same"]
    assert [answer["type"] for answer in answers] == ["step", "accepted"]
    assert answers[0]["number"] == answers[1]["number"]


@timeless
async def test_a_claim_that_the_rules_refuse_is_refused_after_the_window(house: House) -> None:
    _, guests = await at_the_heap(house, [0, 20, 40])
    id = guests[0].act("take", place=63)
    await moment(1)
    assert (guests[0].answer(id)["code"], guests[0].answer(id)["rule"]) == ("illegal", "D13")


@timeless
async def test_what_is_sent_after_a_claim_waits_for_its_outcome(house: House) -> None:
    table, guests = await at_the_heap(house, [0, 0, 0])
    place = first_free(table)
    ids = [guests[0].act("take", place=PLACE), guests[0].act("back", place=place), guests[0].act("take", place=place)]
    await moment(1)
    numbers = [guests[0].answer(id)["number"] for id in ids[:2]]
    assert numbers == sorted(numbers)
    assert guests[0].answer(ids[2])["entries"][1]["do"] == "see"


@timeless
async def test_too_many_decisions_in_advance_are_refused_and_the_others_are_not_lost(house: House) -> None:
    table, guests = await at_the_heap(house, [0, 0, 0])
    ids = [guests[0].act("take", place=place) for place in range(MOST_WAITING + 3)]
    await moment(5)
    answers = [guests[0].answer(id) for id in ids]
    assert [answer.get("code") for answer in answers[-2:]] == ["too-fast"] * 2
    assert "too-fast" not in [answer.get("code") for answer in answers[:-2]]
    assert len(takes(table)) == 1


CLAIMS = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 400)), min_size=3, max_size=4)


@pytest.mark.slow
@settings(max_examples=100)
@given(CLAIMS, st.sampled_from((0, 1, 30, 60, 250)))
def test_the_window_is_all_that_anybody_gains_and_all_that_anybody_waits(
    claims: list[tuple[int, int]], window: int
) -> None:
    lags, sent = [lag for lag, _ in claims], [at for _, at in claims]
    begun, told = spend(lambda house: contest(house, window, lags, sent))
    arrived = [lag + at for lag, at in claims]
    made = [at - min(lag, window) for lag, at in zip(lags, arrived, strict=True)]
    order = [one["seat"] for one in told]
    assert sorted(order) == list(range(len(claims)))
    assert [one["won"] for one in told] == [True] + [False] * (len(claims) - 1)
    for earlier, later in pairwise(order):
        assert (made[earlier], arrived[earlier]) <= (made[later], arrived[later])
        assert arrived[earlier] - arrived[later] <= window  # nobody has overtaken by more
    for one in told:
        assert one["ms"] - begun == made[one["seat"]] + window <= arrived[one["seat"]] + window
    if window == 0:
        assert [arrived[seat] for seat in order] == sorted(arrived)


# --- Calm pace ----------------------------------------------------------------------------------------------------


def decisions_of(guest: Guest, seat: int) -> list[tuple[str, int]]:
    """What this seat has decided, and when."""
    return [(entry["do"], entry["ms"]) for entry in guest.entries() if entry["by"] == seat]


@pytest.mark.parametrize("lag", [0, 40, 300])
def test_with_calm_pace_a_decision_that_was_sent_early_counts_exactly_when_the_hand_is_free(lag: int) -> None:
    async def evening(house: House) -> None:
        table, guests = await seated(house, [0, lag, 0], options={"pace_ms": 1500})
        guests[1].act("look")
        guests[1].act("back", place=first_free(table))
        await moment(5)
        (_, looked), (_, laid) = decisions_of(guests[1], 1)
        assert laid - looked == 1500

    spend(evening)


@timeless
async def test_with_calm_pace_everybody_takes_equally_long_whatever_the_line(house: House) -> None:
    table, guests = await seated(house, [0, 100, 250], options={"pace_ms": 1500})
    free = table.live.table.game.observe(None).free  # type: ignore[union-attr]
    for guest in guests:
        for _ in range(3):
            guest.act("look")
            guest.act("back", place=free.pop())
    await moment(10)
    for seat, guest in enumerate(guests):
        times = [ms for do, ms in decisions_of(guest, seat) if do != "open"]
        assert [ms - times[0] for ms in times] == [0, 1500, 1500, 3000, 3000, 4500]


@timeless
async def test_with_calm_pace_a_decision_that_comes_later_is_not_held_up(house: House) -> None:
    table, guests = await seated(house, [0, 0, 0], options={"pace_ms": 1500})
    guests[1].act("look")
    await moment(4)
    guests[1].act("back", place=first_free(table))
    await moment(4)
    (_, looked), (_, laid) = decisions_of(guests[1], 1)
    assert laid - looked == 4000


@timeless
async def test_a_claim_that_has_waited_for_the_hand_is_not_forgiven_the_line_as_well(house: House) -> None:
    """Both lay their last card at the same moment and reach on at once; Ada has sent hers before Bo."""
    table, guests = await seated(house, [0, 50, 0], options={"pace_ms": 1500})
    free = table.live.table.game.observe(None).free  # type: ignore[union-attr]
    loop = asyncio.get_running_loop()

    def hurry(guest: Guest) -> None:
        for _ in range(3):
            guest.act("look")
            guest.act("back", place=free.pop())
        guest.act("take", place=PLACE)

    loop.call_later(0.050, hurry, guests[0])
    hurry(guests[1])
    await moment(10)
    assert [ms for do, ms in decisions_of(guests[0], 0) if do == "look"] == [
        ms for do, ms in decisions_of(guests[1], 1) if do == "look"
    ]
    assert {one["ms"] for one in takes(table)} == {takes(table)[0]["ms"]}


@timeless
async def test_two_hands_of_one_player_do_not_wait_for_each_other(house: House) -> None:
    table, guests = await seated(house, [0, 0], options={"pace_ms": 1500})
    free = table.live.table.game.observe(None).free  # type: ignore[union-attr]
    guests[1].act("look", hand="left")
    guests[1].act("back", hand="left", place=free[0])
    await moment(0.5)
    guests[1].act("look", hand="right")
    await moment(5)
    entries = [entry for entry in guests[1].entries() if entry["by"] == 1]
    looked, other, laid = entries
    assert [(one["do"], one["hand"]) for one in entries] == [("look", "left"), ("look", "right"), ("back", "left")]
    assert (other["ms"] - looked["ms"], laid["ms"] - looked["ms"]) == (500, 1500)


# --- Receipts -----------------------------------------------------------------------------------------------------


@timeless
async def test_after_the_game_receipts_list_all_claims_for_the_same_card(house: House) -> None:
    table, guests = await at_the_heap(house, [0, 50, 0], window_ms=60)
    begun = table.live.table.clock(house.runtime.clock())
    reach_in(20, guests[0])
    reach_in(0, guests[1])
    reach_in(0, guests[2], place=PLACE + 1)
    await moment(3700)
    assert table.view.phase == "over"
    _, steps = await house.service.finished(table.code, 1)
    receipts = receipts_of(steps)
    [receipt] = receipts.receipts
    assert receipt.place == PLACE
    bo, ada = receipt.claims
    assert (bo.seat, bo.arrived_ms, bo.lag_ms, bo.window_ms, bo.won) == (1, begun + 50, 50, 60, True)
    assert (ada.seat, ada.arrived_ms, ada.lag_ms, ada.won) == (0, begun + 20, 0, False)
    assert ada.number == bo.number + 1


@timeless
async def test_a_card_that_was_put_back_and_taken_again_has_a_receipt_of_its_own(house: House) -> None:
    table, guests = await at_the_heap(house, [0, 0, 0], window_ms=60)
    for winner, loser in ((0, 1), (1, 2)):
        reach_in(0, guests[winner])
        reach_in(10, guests[loser])
        await moment(1)
        guests[winner].act("back", place=PLACE)
        await moment(1)
    await moment(3700)
    _, steps = await house.service.finished(table.code, 1)
    told = [[(claim.seat, claim.won) for claim in one.claims] for one in receipts_of(steps).receipts]
    assert told == [[(0, True), (1, False)], [(1, True), (2, False)]]
