"""What happens at a table by itself: stand-ins, bots at a human pace, clocks. In simulated time."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from tafelrunde import Decision, bots, wire
from tafelrunde.fairness import commitment
from tafelrunde.games.hands import QUANTILES
from tafelrunde.server import bot_players
from tafelrunde.server.bot_players import INSTANT_MS, SCORE_MS, TURN_MS
from tafelrunde.server.scheduler import NONCE_MS, Scheduler
from tests.server.timeless import Guest, House, Round, TimelessLoop, moment, spend, timeless
from tests.waiting import PATIENCE_S, until

HOUR = 3600


def decide(table: Round, guest: Guest, seat: int) -> str:
    """The first decision that the rules list."""
    assert table.live.table.game is not None
    return guest.ask("act", seat=seat, decision=table.live.table.game.legal(seat)[0].to_json())


def steps_by(guest: Guest, seat: int) -> list[dict[str, Any]]:
    return [step for step in guest.messages("step") if step["entries"][0]["by"] == seat]


async def started(
    house: House, game: str = "buffet", here: tuple[int, ...] = (0,), **wanted: Any
) -> tuple[Round, Guest]:
    """A game has begun; the people at these seats are connected, all at one device."""
    table = await house.table(game, **wanted)
    guest = table.guest(*here)
    await moment()
    guest.ask("start", seat=0)
    await moment()
    assert table.view.phase == "playing"
    return table, guest


# --- People who are away ------------------------------------------------------------------------------------------


@timeless
async def test_for_a_person_who_is_away_a_bot_plays_after_a_while_and_everybody_is_told(house: House) -> None:
    table, guest = await started(house, here=(0, 1), grace_s=60)
    await moment(59.9)
    assert guest.house()[-1] == "begin"
    await moment(0.2)
    away = guest.messages("house")[-1]
    assert (away["do"], away["seat"]) == ("away", 2)
    assert away["table"]["seats"][2] | {"stand_in": True, "bot": "greedy", "name": "Cy"} == away["table"]["seats"][2]
    await moment(10)
    assert [step["entries"][0]["do"] for step in steps_by(guest, 2)] == ["lay"]
    assert table.live.table.to_act == [0, 1]


@timeless
async def test_whoever_comes_back_has_the_seat_back_and_nobody_plays_for_them_any_more(house: House) -> None:
    table, guest = await started(house, here=(0, 1), grace_s=5)
    await moment(20)
    assert table.view.seats[2].stand_in
    back = table.guest(2)
    await moment()
    assert (guest.house()[-2:], guest.messages("house")[-1]["seat"]) == (["away", "back"], 2)
    assert back.house() == ["back"]
    assert (table.view.seats[2].stand_in, table.view.seats[2].bot) == (False, None)
    for seat in (0, 1):
        decide(table, guest, seat)
    await moment(HOUR)
    assert len(steps_by(guest, 2)) == 1


@timeless
async def test_a_short_break_goes_unnoticed(house: House) -> None:
    table, guest = await started(house, here=(0, 1), grace_s=60)
    other = table.guest(2)
    await moment(50)
    other.hang_up()
    await moment(50)
    other = table.guest(2, after=other.messages()[-1].get("number"))
    await moment(50)
    other.hang_up()
    await moment(50)
    assert "away" not in guest.house()


@timeless
async def test_nobody_plays_for_people_who_are_away_if_so_agreed(house: House) -> None:
    _, guest = await started(house, here=(0, 1), grace_s=None)
    await moment(24 * HOUR)
    assert "away" not in guest.house()


@timeless
async def test_whoever_is_away_is_played_for_only_when_it_is_their_moment(house: House) -> None:
    table, guest = await started(house, here=(0, 1), grace_s=60)
    other = table.guest(2)
    await moment()
    decide(table, other, 2)
    await moment()
    other.hang_up()
    await moment(HOUR)
    assert "away" not in guest.house()
    for seat in (0, 1):
        decide(table, guest, seat)
    await moment()
    assert 2 in table.live.table.to_act
    await moment(59)
    assert "away" not in guest.house()
    await moment(2)
    assert guest.house()[-1] == "away"


@timeless
async def test_in_real_time_it_is_always_everybodys_moment(house: House) -> None:
    _, guest = await started(house, "dash", here=(0, 1), grace_s=60, options={"first_opener": 0})
    await moment(61)
    assert guest.house()[-1] == "away"


@timeless
async def test_a_shorter_patience_that_is_agreed_on_later_counts_at_once(house: House) -> None:
    _, guest = await started(house, here=(0, 1), grace_s=600)
    await moment(30)
    guest.ask("terms", seat=0, terms={"grace_s": 20})
    await moment(0.1)
    assert guest.house()[-1] == "away"


@timeless
async def test_for_whoever_has_left_a_bot_plays_on_until_a_newcomer_takes_the_seat(house: House) -> None:
    table, guest = await started(house, here=(0, 1))
    other = table.guest(2)
    await moment()
    other.ask("leave")
    await moment(20)
    assert other.closed_with is None  # they may watch
    assert len(steps_by(guest, 2)) == 1
    seated = await house.service.sit(table.code, wire.Sit(name="Zoe"))
    assert seated.seat == 2
    table.tokens[2] = seated.token
    newcomer = table.guest(2)
    await moment()
    assert guest.messages("house")[-1]["table"]["seats"][2]["name"] == "Zoe"
    for seat in (0, 1):
        decide(table, guest, seat)
    await moment(HOUR)
    assert len(steps_by(guest, 2)) == 1
    decided = decide(table, newcomer, 2)
    await moment()
    assert newcomer.answer(decided)["type"] == "step"
    assert len(steps_by(guest, 2)) == 2


# --- Time for a decision ------------------------------------------------------------------------------------------


@timeless
async def test_whoever_takes_too_long_has_the_decision_taken_and_keeps_the_seat(house: House) -> None:
    table, guest = await started(house, here=(0, 1, 2), decision_s=30)
    decide(table, guest, 0)
    await moment(29.9)
    assert table.live.table.to_act == [1, 2]
    await moment(0.2)
    assert len(steps_by(guest, 1)) == len(steps_by(guest, 2)) == 1
    assert not any(seat.stand_in or seat.bot for seat in table.view.seats)


@timeless
async def test_every_decision_has_its_whole_time(house: House) -> None:
    """Also if one is asked again at once, because everybody else had decided before."""
    table, guest = await started(house, here=(0, 1, 2), decision_s=30)
    for seat in (0, 1):
        decide(table, guest, seat)
    await moment(29)
    decide(table, guest, 2)
    await moment()
    number = table.live.table.number
    await moment(29.9)
    assert table.live.table.number == number
    await moment(0.2)
    assert table.live.table.number > number


@timeless
async def test_talking_does_not_prolong_the_time(house: House) -> None:
    _, guest = await started(house, here=(0, 1, 2), decision_s=30)
    for _ in range(29):
        await moment(1)
        guest.ask("say", seat=2, text="let me think")
    await moment(1.5)
    assert len(steps_by(guest, 2)) == 1


# --- When that will be --------------------------------------------------------------------------------------------


def now() -> int:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, TimelessLoop)
    return loop.ms()


def due(guest: Guest) -> list[int | None]:
    told: list[int | None] = guest.messages("presence")[-1]["due"]
    return told


@timeless
async def test_everybody_is_told_until_when_a_decision_is_waited_for(house: House) -> None:
    table, guest = await started(house, here=(0, 1, 2), decision_s=30)
    begun = guest.messages("step")[0]["at"]
    await moment(0.4)
    assert due(guest) == [begun + 30_000] * 3
    await moment(10)
    decide(table, guest, 1)
    await moment(0.4)
    assert due(guest) == [begun + 30_000, None, begun + 30_000]
    watcher = table.guest()
    await moment(0.1)
    assert due(watcher) == due(guest)
    for seat in (0, 2):
        decide(table, guest, seat)
    await moment()
    asked = guest.messages("step")[-1]["at"]
    await moment(0.4)
    assert due(guest) == [asked + 30_000 if seat in table.live.table.to_act else None for seat in range(3)]
    await moment(asked / 1000 + 30 - now() / 1000 + 0.1)
    assert guest.messages("step")[-1]["at"] == pytest.approx(asked + 30_000, abs=50)


@timeless
async def test_everybody_is_told_until_when_a_person_is_waited_for_who_is_away(house: House) -> None:
    table, guest = await started(house, here=(0, 1), grace_s=60)
    begun = guest.messages("step")[0]["at"]
    await moment(0.4)
    assert due(guest) == [None, None, begun + 60_000]
    other = table.guest(2)
    await moment(0.4)
    assert due(guest) == due(other) == [None] * 3
    gone = now()
    other.hang_up()
    await moment(0.4)
    assert due(guest) == [None, None, gone + 60_000]
    await moment(60)
    assert guest.house()[-1] == "away"
    await moment(0.4)
    assert due(guest) == [None] * 3


@pytest.mark.parametrize(("grace_s", "decision_s", "earlier_s"), [(20, 30, 20), (30, 20, 20), (None, 20, 20)])
def test_of_two_clocks_the_earlier_one_is_told(grace_s: int | None, decision_s: int, earlier_s: int) -> None:
    async def evening(house: House) -> None:
        _, guest = await started(house, here=(0, 1), grace_s=grace_s, decision_s=decision_s)
        begun = guest.messages("step")[0]["at"]
        await moment(0.4)
        assert due(guest) == [begun + decision_s * 1000] * 2 + [begun + earlier_s * 1000]

    spend(evening)


@timeless
async def test_new_terms_are_told_as_new_times(house: House) -> None:
    _, guest = await started(house, here=(0, 1, 2))
    await moment(0.4)
    assert due(guest) == [None] * 3
    agreed = now()
    guest.ask("terms", seat=0, terms={"decision_s": 10})
    await moment(0.4)
    assert due(guest) == [pytest.approx(agreed + 10_000, abs=50)] * 3
    guest.ask("terms", seat=0, terms={})
    await moment(0.4)
    assert due(guest) == [None] * 3


@pytest.mark.parametrize("bots", [{}, {2: "greedy"}])
def test_where_no_clock_runs_no_move_is_followed_by_a_word_about_it(bots: dict[int, str]) -> None:
    async def evening(house: House) -> None:
        people = tuple(range(3 - len(bots)))
        table, guest = await started(house, here=people, bots=bots, bot_pace="instant")
        await moment(0.4)
        before = len(guest.messages("presence"))
        for _ in range(30):
            for seat in set(people) & set(table.live.table.to_act):
                decide(table, guest, seat)
            await moment(0.4)
        assert len(guest.messages("step")) > 30
        assert len(guest.messages("presence")) == before

    spend(evening)


@timeless
async def test_whoever_comes_is_told_at_once_who_is_here(house: House) -> None:
    table, _ = await started(house, here=(0, 1, 2))
    await moment(10)
    for seats in ((), (1,)):
        guest = table.guest(*seats)
        await moment(0.1)
        assert [message["type"] for message in guest.messages()] == ["welcome", "presence"]


# --- Bots ---------------------------------------------------------------------------------------------------------


@timeless
async def test_bots_take_their_time_like_people(house: House) -> None:
    took = []
    for _ in range(12):
        _, guest = await started(house, bots={1: "greedy", 2: "random"})
        begun = guest.messages("step")[0]["at"]
        await moment(10)
        took += [steps_by(guest, seat)[0]["at"] - begun for seat in (1, 2)]
        guest.hang_up()
        await moment()
    low, high = (TURN_MS * quantile // 1000 for quantile in (QUANTILES[0], QUANTILES[-1]))
    assert all(low <= ms <= high + 1 for ms in took), took
    assert TURN_MS / 2 < sum(took) / len(took) < 2 * TURN_MS
    assert len(set(took)) > 12


@timeless
async def test_bots_act_at_once_if_so_agreed(house: House) -> None:
    _, guest = await started(house, bots={1: "greedy", 2: "random"}, bot_pace="instant")
    begun = guest.messages("step")[0]["at"]
    await moment(10)
    assert [steps_by(guest, seat)[0]["at"] - begun for seat in (1, 2)] == [INSTANT_MS] * 2


@pytest.mark.parametrize("game", ["buffet", "dash"])
def test_a_move_of_a_bot_is_followed_by_one_refresh(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refresh, refreshed = Scheduler.refresh, []

    def counted(scheduler: Scheduler) -> None:
        refreshed.append(scheduler)
        refresh(scheduler)

    async def evening(house: House) -> None:
        options = {"first_opener": 1} if game == "dash" else {}
        bots = {1: "greedy", 2: "greedy"}
        table, guest = await started(house, game, bots=bots, options=options, bot_pace="instant", countdown_s=0)
        monkeypatch.setattr(Scheduler, "refresh", counted)
        before = table.live.table.number
        await moment(1)
        moves = table.live.table.number - before
        late = sum(entry["do"] == "late" for entry in guest.entries())
        assert moves > 1
        assert len(refreshed) <= moves + late

    spend(evening)


@timeless
async def test_bots_in_real_time_look_reach_and_decide_one_after_the_other(house: House) -> None:
    options = {"first_opener": 1, "max_rounds": 1}
    table, guest = await started(house, "dash", bots={1: "greedy", 2: "greedy"}, options=options)
    await moment(300)
    assert table.view.phase == "over"
    for seat in (1, 2):
        times = [step["entries"][0]["ms"] for step in steps_by(guest, seat)]
        gaps = [later - earlier for earlier, later in pairwise(times)]
        assert len(times) > 8
        assert min(gaps) > 20
        assert 200 < sorted(gaps)[len(gaps) // 2] < 3000


@timeless
async def test_a_bot_that_opens_the_next_round_leaves_time_to_read_the_score(house: House) -> None:
    options = {"first_opener": 1, "max_rounds": 2}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bot_players, "LATER_ROUNDS", replace(bot_players.LATER_ROUNDS, spread=0))
        _, guest = await started(house, "dash", bots={1: "greedy", 2: "greedy"}, options=options, countdown_s=0)
        await moment(300)
    steps = guest.messages("step")
    scored = next(step["at"] for step in steps if any(entry["do"] == "score" for entry in step["entries"]))
    first, second = (step["at"] for step in steps if step["entries"][0]["do"] == "open")
    assert first - steps[0]["at"] < SCORE_MS
    assert second - scored == SCORE_MS


@timeless
async def test_a_table_at_which_nobody_looks_stands_still_and_goes_on_when_somebody_comes(house: House) -> None:
    table, guest = await started(house, bots={1: "greedy", 2: "greedy"}, grace_s=5)
    await moment(0.001)
    number = table.live.table.number
    guest.hang_up()
    await moment(HOUR)
    live = await house.registry.table(table.code)
    assert live.table.number == number
    guest = table.guest(after=number)
    await moment(10)
    assert "away" in guest.house()
    assert len(steps_by(guest, 1)) >= 1


@timeless
async def test_in_real_time_the_clock_stands_still_too(house: House) -> None:
    options = {"first_opener": 0, "round_limit_s": 60}
    table, guest = await started(house, "dash", here=(0, 1, 2), options=options, countdown_s=0)
    guest.act("open", seat=0)
    await moment(3)
    guest.act("look", seat=1)
    await moment()
    looked = guest.entries()[-2]["ms"]
    guest.hang_up()
    await moment(24 * HOUR)
    guest = table.guest(0, 1, 2)
    await moment()
    [welcome] = guest.messages("welcome")
    assert welcome["clock_ms"] == looked
    await moment(56.9)
    assert not guest.messages("step")
    await moment(0.2)
    assert guest.entries()[0] | {"do": "score", "why": "limit"} == guest.entries()[0]


@timeless
async def test_a_game_is_played_on_for_those_who_only_watch(house: House) -> None:
    table, guest = await started(house, bots={1: "greedy", 2: "greedy"}, grace_s=5)
    guest.hang_up()
    watcher = table.guest()
    await moment(HOUR)
    assert table.view.phase == "over"
    assert watcher.entries()[-1]["do"] == "end"


# --- Clocks -------------------------------------------------------------------------------------------------------


@timeless
async def test_a_round_in_real_time_begins_when_the_countdown_is_over(house: House) -> None:
    _, guest = await started(house, "dash", here=(0, 1, 2), options={"first_opener": 2})
    guest.act("open", seat=2)
    await moment(2.99)
    assert guest.entries()[-1]["do"] == "shuffle"
    await moment(0.02)
    [countdown] = guest.messages("countdown")
    step = guest.messages("step")[-1]
    assert step["entries"][0]["do"] == "open"
    assert step["at"] - countdown["at"] == countdown["ms"] == 3000


@timeless
async def test_a_round_ends_by_itself_one_moment_after_its_limit(house: House) -> None:
    options = {"first_opener": 0, "round_limit_s": 60, "max_rounds": 1}
    table, guest = await started(house, "dash", here=(0, 1, 2), options=options, countdown_s=0)
    guest.act("open", seat=0)
    await moment()
    opened = guest.entries()[-1]["ms"]
    await moment(59.9)
    assert guest.entries()[-1]["do"] == "open"
    await moment(0.2)
    assert (guest.entries()[-2]["why"], guest.entries()[-2]["ms"]) == ("limit", opened + 60_001)
    assert table.view.phase == "over"


@timeless
async def test_a_timer_that_comes_too_early_is_set_again(house: House) -> None:
    options = {"first_opener": 0, "round_limit_s": 60, "max_rounds": 1}
    table, guest = await started(house, "dash", here=(0, 1, 2), options=options, countdown_s=0)
    guest.act("open", seat=0)
    await moment(30)
    table.live.scheduler._run_out()
    await moment()
    assert table.view.phase == "playing"
    await moment(31)
    assert table.view.phase == "over"


@timeless
async def test_the_table_does_not_wait_forever_for_a_nonce_and_shuffles_without_it(house: House) -> None:
    table = await house.table("buffet", bots={2: "greedy"})
    one, two = table.guest(0), table.guest(1)
    await moment()
    nonces = [bytes([seat]) * 32 for seat in range(2)]
    for guest, nonce in zip((one, two), nonces, strict=True):
        guest.ask("pledge", hash=commitment(nonce))
    one.ask("start")
    one.ask("nonce", nonce=nonces[0].hex())
    await moment(NONCE_MS / 1000 - 0.01)
    assert table.view.phase == "shuffling"
    await moment(0.02)
    assert table.view.phase == "playing"
    late = two.ask("nonce", nonce=nonces[1].hex())
    await moment()
    assert two.answer(late)["code"] == "wrong-phase"
    assert table.live.table.header()["fairness"]["nonces"] == [nonces[0].hex(), None, None]


# --- Thinking -----------------------------------------------------------------------------------------------------


class SlowBot:
    """A bot that thinks until it is told to decide."""

    def __init__(self) -> None:
        self.thinks = threading.Event()
        self.may_decide = threading.Event()

    def __call__(self, seen: Any, stream: Any) -> Decision:
        self.thinks.set()
        assert self.may_decide.wait(PATIENCE_S)
        decision: Decision = seen.legal[0]
        return decision


def test_while_a_bot_thinks_nobody_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowBot()

    async def evening(house: House) -> None:
        monkeypatch.setattr(bots, "find", lambda game, level: slow)
        table, guest = await started(house, bots={1: "greedy"}, here=(0, 2))
        _, other = await started(house, here=(0, 1, 2))
        loop = asyncio.get_running_loop()
        assert isinstance(loop, TimelessLoop)
        loop.leap(10)
        await until(slow.thinks.is_set, pause=0)
        try:
            here, there = guest.ask("say", seat=0, text="hello?"), other.ask("say", seat=0, text="hello!")
            await until(lambda: b"hello?" in guest.heard[-1] and b"hello!" in other.heard[-1], pause=0)
            assert guest.answer(here)["text"] == "hello?"
            assert other.answer(there)["text"] == "hello!"
            decided = decide(table, guest, 0)
            await until(lambda: guest.messages()[-1].get("id") == decided, pause=0)
            assert not steps_by(guest, 1)
        finally:
            slow.may_decide.set()
        await moment()
        assert len(steps_by(guest, 1)) == 1

    spend(evening)
