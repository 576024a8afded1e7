"""The order of claims as a value: time goes in, decisions come out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tafelrunde.server.claims import MOST_WAITING, ClaimOrder, Due, LagCredit

WINDOW = 60


def claim(lag: int = 0, window: int = WINDOW) -> LagCredit:
    return LagCredit(lag, window)


@dataclass
class Run:
    """Lets claims arrive at their times, and carries out what is due, whenever it is due."""

    order: ClaimOrder[str] = field(default_factory=ClaimOrder)
    done: list[tuple[int, str]] = field(default_factory=list)

    def until(self, now: int) -> None:
        while (at := self.order.next_due()) is not None and at <= now:
            while (due := self.order.pop_due(at)) is not None:
                self.done.append((at, due.item))
                for item in due.behind:
                    assert self.order.arrive(at, hand_of(item), item, claim=claim()) == "held"


def hand_of(item: str) -> int:
    return int(item.partition("-")[0])


# --- One at a time ------------------------------------------------------------------------------------------------


def test_what_is_no_claim_is_free_at_once_and_nothing_is_held() -> None:
    order: ClaimOrder[str] = ClaimOrder()
    assert order.arrive(100, 0, "look") == "free"
    assert (order.next_due(), order.pop_due(1 << 40)) == (None, None)


def test_a_claim_is_held_for_the_window_less_its_lag() -> None:
    order: ClaimOrder[str] = ClaimOrder()
    assert order.arrive(100, 0, "take", claim=claim(lag=20)) == "held"
    assert order.next_due() == 140
    assert order.pop_due(139) is None
    assert order.pop_due(140) == Due("take", decided=True, behind=())
    assert order.next_due() is None


def test_a_claim_with_the_whole_window_as_lag_is_due_at_once() -> None:
    order: ClaimOrder[str] = ClaimOrder()
    order.arrive(100, 0, "take", claim=claim(lag=WINDOW))
    assert order.pop_due(100) == Due("take", decided=True, behind=())


def test_lag_beyond_the_window_is_not_credited() -> None:
    order: ClaimOrder[str] = ClaimOrder()
    order.arrive(100, 0, "early", claim=claim(lag=0))
    order.arrive(161, 1, "far away", claim=claim(lag=500))
    assert [order.pop_due(161), order.pop_due(161)] == [
        Due("early", decided=True, behind=()),
        Due("far away", decided=True, behind=()),
    ]


@pytest.mark.parametrize(("rtt", "lag"), [(None, 0), (0, 0), (41, 20), (120, 60), (121, 60), (5000, 60)])
def test_the_credit_is_half_of_the_round_trip_up_to_the_window(rtt: int | None, lag: int) -> None:
    assert LagCredit.measured(rtt, WINDOW) == LagCredit(lag, WINDOW)


def test_a_decision_of_a_busy_hand_waits_and_arrives_anew_without_being_decided() -> None:
    order: ClaimOrder[str] = ClaimOrder()
    assert order.arrive(100, 0, "back", busy_ms=1500) == "held"
    assert order.arrive(200, 0, "take", claim=claim()) == "held"
    assert order.next_due() == 1600
    assert order.pop_due(1600) == Due("back", decided=False, behind=("take",))
    assert order.arrive(1600, 0, "back") == "free", "nothing holds the hand any more"


def test_other_hands_do_not_wait() -> None:
    order: ClaimOrder[str] = ClaimOrder()
    order.arrive(100, 0, "take", claim=claim())
    assert order.arrive(110, 1, "look") == "free"


def test_only_so_many_decisions_wait_behind_one() -> None:
    order: ClaimOrder[int] = ClaimOrder()
    arrivals = [order.arrive(100, 0, number, claim=claim()) for number in range(MOST_WAITING + 3)]
    assert arrivals == ["held"] * (MOST_WAITING + 1) + ["full"] * 2
    assert order.pop_due(160) == Due(0, decided=True, behind=tuple(range(1, MOST_WAITING + 1)))


def test_a_shorter_window_does_not_let_a_claim_overtake_an_earlier_one() -> None:
    order: ClaimOrder[str] = ClaimOrder()
    order.arrive(100, 0, "first", claim=claim(window=60))
    order.arrive(110, 1, "second", claim=claim(window=0))
    assert order.pop_due(110) is None
    assert [order.pop_due(160), order.pop_due(160)] == [
        Due("first", decided=True, behind=()),
        Due("second", decided=True, behind=()),
    ]


# --- Whatever comes -----------------------------------------------------------------------------------------------

ARRIVALS = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 400)), min_size=1, max_size=10)
"""When each of several hands claims, and with which round trip time."""


@given(ARRIVALS, st.sampled_from((0, 1, 30, 60, 250)))
def test_claims_of_different_hands_are_decided_in_the_order_in_which_they_were_made(
    arrivals: list[tuple[int, int]], window: int
) -> None:
    run = Run()
    made, arrived = {}, {}
    for hand, (now, rtt) in sorted(enumerate(arrivals), key=lambda one: one[1][0]):
        run.until(now - 1)
        item, credit = f"{hand}-", LagCredit.measured(rtt, window)
        made[item], arrived[item] = now - credit.lag_ms, now
        run.order.arrive(now, hand, item, claim=credit)
    run.until(1 << 30)
    assert sorted(item for _, item in run.done) == sorted(arrived)
    for at, item in run.done:
        assert at == made[item] + window, "held for the window, from when it was made"
        assert arrived[item] <= at <= arrived[item] + window, "nobody waits longer than the window"
    for (_, earlier), (_, later) in pairwise(run.done):
        assert made[earlier] <= made[later]
        assert arrived[earlier] - arrived[later] <= window, "nobody gains more than the window"


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 2), st.integers(0, 60)), max_size=12))
def test_decisions_of_the_same_hand_keep_their_order_and_none_is_lost(arrivals: list[tuple[int, int, int]]) -> None:
    run = Run()
    sent: dict[int, list[str]] = defaultdict(list)
    for number, (now, hand, lag) in enumerate(sorted(arrivals)):
        run.until(now)
        item = f"{hand}-{number}"
        if run.order.arrive(now, hand, item, claim=claim(lag)) == "held":
            sent[hand].append(item)
    run.until(1 << 30)
    for hand in range(3):
        assert [item for _, item in run.done if hand_of(item) == hand] == sent[hand]
