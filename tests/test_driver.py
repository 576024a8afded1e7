"""The driver of hands, a plain value: no clock, no network, no game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tafelrunde import Decision, Stream
from tafelrunde.bots.driver import HandDriver, Step
from tafelrunde.bots.pace import HUMAN, INSTANT, Pace
from tafelrunde.errors import Malformed
from tafelrunde.games import find
from tafelrunde.games.hands import CHOOSES, OPENS, QUANTILES, TURNS, WAITS, WEIGHS

STEADY = Pace(opening=3000, turning=150, choosing=400, weighing=650, reaching=500, spread=0)
TAKE = Decision("take", place=3)
NOON = 1_900_000_000_000


def driver_of(paces: Sequence[Pace], began: int = 0, seed: int = 1) -> HandDriver:
    return HandDriver(find("dash").notation, paces, Stream(seed), began)


def steps_of(driver: HandDriver) -> list[Step]:
    """All steps that are planned, in their order; the driver forgets them."""
    planned = []
    while (step := driver.next_step()) is not None:
        planned.append(step)
        driver.done(step.hand)
    return planned


def test_without_anything_to_do_there_is_no_step() -> None:
    driver = driver_of([STEADY] * 3)
    assert driver.next_step() is None
    driver.refresh([(0, WAITS), (1, WAITS), (2, WAITS)], 100)
    assert driver.next_step() is None


@pytest.mark.parametrize(("stance", "ms"), [(OPENS, 3000), (TURNS, 150), (CHOOSES, 400), (WEIGHS, 650)])
def test_a_hand_thinks_as_long_as_its_task_takes(stance: int, ms: int) -> None:
    driver = driver_of([STEADY])
    driver.refresh([(0, stance)], 100)
    assert driver.next_step() == Step(100 + ms, 0, None)


def test_the_earliest_step_is_next_and_of_two_at_once_the_one_planned_first() -> None:
    driver = driver_of([STEADY] * 4)
    driver.refresh([(2, WEIGHS), (0, CHOOSES), (1, TURNS), (3, CHOOSES)], 0)
    assert [(step.at, step.hand) for step in steps_of(driver)] == [(150, 1), (400, 0), (400, 3), (650, 2)]


def test_the_same_task_is_not_planned_twice_but_another_one_replaces_it() -> None:
    driver = driver_of([STEADY])
    driver.refresh([(0, CHOOSES)], 0)
    driver.refresh([(0, CHOOSES)], 300)
    assert driver.next_step() == Step(400, 0, None)
    driver.refresh([(0, WEIGHS)], 350)
    assert driver.next_step() == Step(1000, 0, None)
    driver.refresh([(0, WAITS)], 360)
    assert driver.next_step() is None


def test_a_hand_that_has_decided_reaches_out_and_arrives() -> None:
    driver = driver_of([STEADY])
    driver.refresh([(0, CHOOSES)], 0)
    assert not driver.decided(0, TAKE, 400)
    assert driver.next_step() == Step(900, 0, TAKE)
    driver.done(0)
    assert driver.next_step() is None
    driver.refresh([(0, CHOOSES)], 900)
    assert driver.next_step() == Step(1300, 0, None), "the same task once more is a new one"


def test_a_hand_on_its_way_turns_back_if_it_has_something_else_to_do() -> None:
    driver = driver_of([STEADY])
    driver.refresh([(0, CHOOSES)], 0)
    driver.decided(0, TAKE, 400)
    driver.refresh([(0, OPENS)], 600)
    assert driver.next_step() == Step(3600, 0, None)


def test_a_hand_arrives_no_earlier_than_it_is_ready_and_latency_counts_twice() -> None:
    driver = driver_of([STEADY, Pace(spread=0, reaching=500, latency=40)])
    driver.refresh([(0, CHOOSES), (1, CHOOSES)], 0)
    assert not driver.decided(0, TAKE, 400, ready_at=2000)
    assert not driver.decided(1, TAKE, 400)
    assert [(step.at, step.hand) for step in steps_of(driver)] == [(980, 1), (2000, 0)]


@pytest.mark.parametrize(("pace", "direct"), [(INSTANT, False), (STEADY, True)])
def test_a_hand_without_a_way_to_go_arrives_at_once(pace: Pace, direct: bool) -> None:
    driver = driver_of([pace])
    driver.refresh([(0, CHOOSES)], 0)
    assert driver.decided(0, TAKE, 1, direct=direct)


def test_a_hand_that_does_nothing_for_now_thinks_again() -> None:
    driver = driver_of([STEADY])
    driver.refresh([(0, CHOOSES)], 0)
    driver.paused(0, 400)
    assert driver.next_step() == Step(800, 0, None)


def test_a_busy_hand_has_no_next_step_until_it_has_decided_paused_or_is_done() -> None:
    driver = driver_of([STEADY] * 3)
    driver.refresh([(hand, CHOOSES) for hand in range(3)], 0)
    for hand in range(3):
        driver.start(hand)
    assert driver.next_step() is None
    driver.refresh([(hand, WEIGHS) for hand in range(3)], 100)
    assert driver.next_step() is None, "while a hand is busy nobody disturbs it"
    driver.decided(0, TAKE, 500)
    driver.paused(1, 600)
    driver.done(2)
    assert driver.next_step() == Step(1000, 0, TAKE)
    driver.refresh([(2, WEIGHS)], 700)
    driver.done(0)
    assert [(step.at, step.hand) for step in steps_of(driver)] == [(1000, 1), (1350, 2)]


def test_a_hand_that_was_busy_when_its_task_changed_begins_anew_at_the_next_refresh() -> None:
    driver = driver_of([STEADY])
    driver.refresh([(0, CHOOSES)], 0)
    driver.start(0)
    driver.refresh([(0, OPENS)], 100)
    driver.decided(0, TAKE, 400)
    driver.refresh([(0, OPENS)], 450)
    assert driver.next_step() == Step(3450, 0, None)


def test_what_is_cleared_is_forgotten_busy_or_not() -> None:
    driver = driver_of([STEADY] * 2)
    driver.refresh([(0, CHOOSES), (1, CHOOSES)], 0)
    driver.start(0)
    driver.clear()
    assert driver.next_step() is None
    driver.refresh([(0, WEIGHS)], 50)
    assert driver.next_step() == Step(700, 0, None)


def test_a_new_pace_counts_for_what_is_planned_from_then_on() -> None:
    driver = driver_of([STEADY] * 2)
    driver.refresh([(0, CHOOSES)], 0)
    driver.set_paces([INSTANT] * 2)
    driver.refresh([(0, CHOOSES), (1, CHOOSES)], 10)
    assert [(step.at, step.hand) for step in steps_of(driver)] == [(11, 1), (400, 0)]


def test_times_may_be_milliseconds_since_1970() -> None:
    driver = driver_of([STEADY], NOON)
    driver.refresh([(0, CHOOSES)], NOON + 10)
    assert driver.next_step() == Step(NOON + 410, 0, None)
    driver.decided(0, TAKE, NOON + 410, ready_at=NOON + 1000)
    assert driver.next_step() == Step(NOON + 1000, 0, TAKE)
    driver.paused(0, NOON + 2000)
    assert driver.next_step() is not None


def test_times_spread_around_their_middle_and_come_from_the_clock_alone() -> None:
    def times(seed: int) -> list[int]:
        driver = driver_of([HUMAN], seed=seed)
        drawn = []
        for _ in range(1000):
            driver.refresh([(0, WEIGHS)], 0)
            [step] = steps_of(driver)
            drawn.append(step.at)
        return drawn

    drawn = times(1)
    assert HUMAN.weighing * QUANTILES[0] // 1000 <= min(drawn) < max(drawn) <= HUMAN.weighing * QUANTILES[-1] // 1000
    assert 0.9 < sorted(drawn)[500] / HUMAN.weighing < 1.1
    assert drawn == times(1) != times(2)


def test_a_decision_of_another_game_is_refused() -> None:
    driver = driver_of([STEADY])
    driver.refresh([(0, CHOOSES)], 0)
    with pytest.raises(Malformed):
        driver.decided(0, Decision("lay", card=7), 400)
