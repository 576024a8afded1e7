"""Views come with the steps that make them necessary: to those who asked, of their own seats, and never too few."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import pytest
from pydantic_core import from_json, to_json

from tafelrunde import Decision, Game, wire
from tafelrunde.games import GAMES
from tafelrunde.server.table_store import table_of, writes_of
from tafelrunde.store import Write
from tafelrunde.table import Outcome, Table
from tafelrunde.testing import pick
from tests.server.timeless import Guest, House, Round, moment, spend, timeless

TABLES = [(game, seats) for game in sorted(GAMES) for seats in GAMES[game].seat_range]
LINES = ("step", "house", "countdown", "say", "react")


async def started(house: House, game: str = "buffet", seats: int = 3) -> tuple[Round, list[Guest]]:
    """A game has begun; everybody has a device that gets views, and last there is a spectator."""
    table = await house.table(game, seats, countdown_s=0, window_ms=0, grace_s=None)
    guests = [*(table.guest(seat, views=True) for seat in range(seats)), table.guest(views=True)]
    await moment()
    guests[0].ask("start")
    await moment()
    return table, guests


def game_of(table: Round) -> Game:
    game = table.live.table.game
    assert game is not None
    return game


async def decide(table: Round, guests: list[Guest], chooser: random.Random) -> int:
    """Somebody takes a decision; gives the seat."""
    game = game_of(table)
    seat = chooser.choice([seat for seat in game.to_act if game.legal(seat)])
    guests[seat].ask("act", seat=seat, decision=pick(game, seat, chooser).to_json())
    await moment()
    return seat


def views_in(guest: Guest, since: int = 0) -> list[tuple[int, int | None]]:
    """The number and the viewer of each view that came by itself, since so many messages were heard."""
    came = [json.loads(text) for text in guest.heard[since:] if text.startswith(b'{"type":"views"')]
    return [(told["number"], view["seat"]) for told in came for view in told["views"]]


def newest(guest: Guest, seat: int | None) -> dict[str, Any]:
    """What the guest was last told that the seat sees."""
    for text in reversed(guest.heard):
        if b'"views":[' in text:
            for view in json.loads(text)["views"]:
                if view["seat"] == seat:
                    return dict(view["observation"])
    raise AssertionError("There was no view.")


def seen_now(table: Round, seat: int | None) -> dict[str, Any]:
    """What the seat sees, as JSON would have it."""
    seen: dict[str, Any] = from_json(to_json(game_of(table).observe(seat).to_json()))
    return seen


def is_fresh(table: Round, guest: Guest, seat: int | None) -> bool:
    """Does the guest know what the seat may do, and what it holds?"""
    seen = seen_now(table, seat)
    keys = ["over", "round"] if seat is None or table.live.in_real_time else ["over", "round", "legal", "hand", "laid"]
    told = newest(guest, seat)
    return all(told[key] == seen[key] for key in keys)


# --- Who gets one -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_first_step_brings_everybody_a_view_right_behind_it(game: str, seats: int) -> None:
    async def evening(house: House) -> None:
        table, guests = await started(house, game, seats)
        for viewer, guest in zip((*range(seats), None), guests, strict=True):
            lines = [message for message in guest.messages() if message["type"] in (*LINES, "views")]
            assert [line["type"] for line in lines[-2:]] == ["step", "views"]
            assert lines[-1]["number"] == lines[-2]["number"]
            assert views_in(guest) == [(table.live.durable, viewer)]
            assert lines[-1]["views"][0]["observation"] == seen_now(table, viewer)

    spend(evening)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_one_does_and_others_only_see_brings_one_view(game: str, seats: int) -> None:
    """A card laid face down, or turned up by one hand, does not cost as many views as there are people."""

    async def evening(house: House) -> None:
        table, guests = await started(house, game, seats)
        if table.live.in_real_time:
            opener = game_of(table).to_act[0]
            guests[opener].act("open")
            await moment()
        before = [len(guest.heard) for guest in guests]
        for seat in range(seats - 1):
            guests[seat].ask("act", decision=game_of(table).legal(seat)[0].to_json())
            await moment()
            number = table.live.durable
            news = [views_in(guest, at) for guest, at in zip(guests, before, strict=True)]
            assert news == [[(number, seat)] if at == seat else [] for at in range(seats + 1)]
            told = [json.loads(text)["type"] for text in guests[seat].heard[before[seat] :]]
            assert [type for type in told if type != "presence"] == ["step", "views"]
            before = [len(guest.heard) for guest in guests]

    spend(evening)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_nobody_is_left_with_a_view_that_does_not_serve_any_more(game: str, seats: int) -> None:
    async def evening(house: House) -> None:
        table, guests = await started(house, game, seats)
        chooser = random.Random(seats)
        steps, sent = 0, 0
        for _ in range(40):
            if table.view.phase == "over":
                break
            before = [game_of(table).freshness(viewer) for viewer in (*range(seats), None)]
            heard = [len(guest.heard) for guest in guests]
            by = await decide(table, guests, chooser)
            steps += 1
            for at, (viewer, guest) in enumerate(zip((*range(seats), None), guests, strict=True)):
                came = len(views_in(guest, heard[at]))
                assert came == (viewer == by or game_of(table).freshness(viewer) != before[at])
                assert is_fresh(table, guest, viewer)
                sent += came
        assert sent < steps * (seats + 1)

    spend(evening)


@timeless
async def test_on_a_slow_line_one_may_decide_a_way_there_and_back_sooner(house: House) -> None:
    table = await house.table(grace_s=None)
    host, told, asks = table.guest(0), table.guest(1, views=True, lag_ms=40), table.guest(2, lag_ms=40)
    await moment(0.1)
    host.ask("start")
    await moment(0)
    while not asks.messages("step"):
        await moment(0.001)
    step_at = {guest: arrival(guest, "step") for guest in (told, asks)}
    await moment((step_at[asks] - now_ms()) / 1000)
    asks.ask("look")
    await moment(1)
    assert arrival(told, "views") - step_at[told] == 0
    assert arrival(asks, "accepted") - step_at[asks] == pytest.approx(80)


def now_ms() -> float:
    return asyncio.get_running_loop().time() * 1000


def arrival(guest: Guest, type: str) -> float:
    """When the newest message of this type came to the guest."""
    of_type = [at for message, at in zip(guest.messages(), guest.heard_at_ms, strict=True) if message["type"] == type]
    return of_type[-1]


@timeless
async def test_talk_brings_no_views_and_neither_does_what_happens_to_seats(house: House) -> None:
    table, guests = await started(house)
    told = [views_in(guest) for guest in guests]
    guests[1].ask("say", text="Well")
    guests[2].ask("react", sign="yum")
    guests[0].ask("terms", terms={})
    guests[1].ask("pass")
    await moment()
    assert [views_in(guest) for guest in guests] == told
    assert table.live.durable == guests[3].messages("house")[-1]["number"]


@timeless
async def test_whoever_does_not_ask_gets_none_and_nothing_is_worked_out(house: House) -> None:
    table = await house.table(grace_s=None)
    everybody = table.guest(0, 1, 2)
    await moment()
    with patch.object(Game, "freshness", side_effect=AssertionError):
        everybody.ask("start", seat=0)
        await moment()
        for _ in range(10):
            await decide(table, [everybody] * 3, random.Random(1))
    assert len(everybody.messages("step")) == 11
    assert not everybody.messages("views")


@timeless
async def test_only_seats_that_somebody_wants_views_of_are_worked_out(house: House) -> None:
    table = await house.table(grace_s=None)
    guests = [table.guest(0), table.guest(1, views=True), table.guest(2)]
    gone = table.guest(2, views=True)
    await moment()
    gone.hang_up()
    with patch.object(Game, "freshness", autospec=True, side_effect=Game.freshness) as worked_out:
        guests[0].ask("start", seat=0)
        await moment()
        await decide(table, guests, random.Random(1))
    assert {call.args[1] for call in worked_out.call_args_list} == {1}


@timeless
async def test_a_view_is_encoded_once_for_all_who_hold_the_seat(house: House) -> None:
    table = await house.table(grace_s=None)
    guests = [table.guest(0, 1, 2, views=True), table.guest(0, views=True), table.guest(0, views=True, raw=True)]
    await moment()
    with patch("tafelrunde.server.fresh_views.view_of", side_effect=AssertionError) as encoding:
        encoding.side_effect = None
        encoding.return_value = {}
        guests[0].ask("start", seat=0)
        await moment()
    assert sorted((call.args[0].seat, call.args[1]) for call in encoding.call_args_list) == [
        (0, False), (0, True), (1, False), (2, False),
    ]  # fmt: skip


@timeless
async def test_several_seats_come_in_one_message_and_raw_views_on_request(house: House) -> None:
    table = await house.table(grace_s=None)
    both, alone = table.guest(0, 2, views=True), table.guest(1, views=True, raw=True)
    await moment()
    both.ask("start", seat=0)
    await moment()
    [told] = both.messages("views")
    assert [(view["seat"], view["raw"]) for view in told["views"]] == [(0, None), (2, None)]
    [told] = alone.messages("views")
    looked = alone.ask("look", raw=True)
    await moment()
    assert alone.answer(looked)["views"] == told["views"]
    again = table.guest(1, raw=True)
    await moment()
    assert again.messages("welcome")[0]["views"] == told["views"]


# --- Coming, coming back, going -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(GAMES))
def test_after_a_break_the_views_follow_what_was_missed(game: str) -> None:
    async def evening(house: House) -> None:
        table, guests = await started(house, game)
        for _ in range(12):
            await decide(table, guests, random.Random(4))
        last = table.live.durable
        for after in range(last + 1):
            for held in ((), (1,), (0, 2)):
                back = table.guest(*held, after=after, views=True)
                await moment()
                back.hang_up()
                kinds = [message["type"] for message in back.messages() if message["type"] != "presence"]
                assert kinds[0] == "resumed"
                assert kinds[-1] == "views"
                assert len(kinds) == 2 + last - after
                assert views_in(back) == [(last, viewer) for viewer in held or (None,)]
                for viewer in held or (None,):
                    assert newest(back, viewer) == seen_now(table, viewer)

    spend(evening)


@timeless
async def test_before_the_game_a_break_ends_with_no_views_to_show(house: House) -> None:
    table = await house.table()
    back = table.guest(0, after=0, views=True)
    await moment()
    assert [told["views"] for told in back.messages("views")] == [[]]
    quiet = table.guest(0, after=0)
    await moment()
    assert quiet.messages("resumed")
    assert not quiet.messages("views")


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("after", [None, 0])
def test_whoever_comes_while_others_decide_misses_no_view(game: str, after: int | None) -> None:
    """The table is ahead of the disk: a welcome waits for it, and what is decided meanwhile comes behind."""

    async def evening(house: House) -> None:
        table, guests = await started(house, game, 4)
        chooser = random.Random(7)
        for _ in range(30):
            coming: list[tuple[int, Guest]] = []
            for seat in range(4):
                state = game_of(table)
                if able := [one for one in state.to_act if state.legal(one)]:
                    by = chooser.choice(able)
                    guests[by].ask("act", decision=pick(state, by, chooser).to_json())
                coming.append((seat, table.guest(seat, after=after, views=True)))
            await moment()
            for seat, guest in coming:
                assert is_fresh(table, guest, seat)
                guest.hang_up()

    spend(evening)


@timeless
async def test_a_rematch_brings_views_again(house: House) -> None:
    table, guests = await started(house)
    chooser = random.Random(2)
    while table.view.phase != "over":
        await decide(table, guests, chooser)
    assert all(newest(guest, seat)["over"] for seat, guest in zip((0, 1, 2, None), guests, strict=True))
    told = [views_in(guest) for guest in guests]
    guests[0].ask("rematch")
    await moment()
    assert [views_in(guest) for guest in guests] == told
    guests[0].ask("start")
    await moment()
    for seat, guest in zip((0, 1, 2, None), guests, strict=True):
        assert newest(guest, seat) == seen_now(table, seat)


@timeless
async def test_whoever_leaves_gets_no_more_views_of_the_seat_but_those_of_a_spectator(house: House) -> None:
    table, guests = await started(house)
    await decide(table, guests, random.Random(1))
    guests[1].ask("leave")
    await moment()
    left = guests[1].messages("house")[-1]["number"]
    assert views_in(guests[1])[-1] == (left, None)
    for _ in range(8):
        await moment(60)  # a bot plays on
        await decide(table, guests, random.Random(1))
    assert {viewer for number, viewer in views_in(guests[1]) if number >= left} == {None}


@timeless
async def test_a_seat_that_was_taken_along_is_shown_on_the_new_device_only(house: House) -> None:
    table, guests = await started(house)
    asked = guests[1].ask("pass")
    await moment()
    taken = await house.service.take(table.code, wire.Take.model_validate({"pass": guests[1].answer(asked)["pass"]}))
    heard = len(guests[1].heard)
    table.tokens[1] = taken.token
    new = table.guest(1, views=True)
    await moment()
    new.ask("act", decision=game_of(table).legal(1)[0].to_json())
    await moment()
    assert views_in(new) == [(table.live.durable, 1)]
    assert not views_in(guests[1], heard)


# --- The disk and other processes ---------------------------------------------------------------------------------


def elsewhere(house: House, table: Round, seat: int, now: int) -> Outcome:
    """Another process takes the first legal decision for a seat, and is on the disk first."""
    stored = house.store.find(table.code)
    assert stored is not None
    other = table_of(stored, house.store.lines(stored.id, Table.lines_needed_after(stored.head, stored.number)))
    assert other.game is not None
    decision = Decision.from_json(other.game.legal(seat)[0].to_json())
    return other.decide(seat, decision, now)


@timeless
async def test_what_another_process_has_written_brings_the_views_that_it_makes_necessary(house: House) -> None:
    table, guests = await started(house)
    told = [views_in(guest) for guest in guests]
    for seat in range(3):
        outcome = elsewhere(house, table, seat, house.runtime.clock())
        assert not house.store.append(writes_of(table.live.table.id, outcome), house.runtime.clock())
        table.live.catch_up(outcome.number)
        await moment()
        if seat < 2:
            told[seat].append((outcome.number, seat))
            assert [views_in(guest) for guest in guests] == told
        assert all(is_fresh(table, guests[one], one) for one in range(3))


@timeless
async def test_after_a_lost_race_everybody_gets_a_view_and_void_ones_are_never_sent(house: House) -> None:
    table, guests = await started(house)
    append = house.store.append
    told = [len(guest.heard) for guest in guests]
    number = table.live.durable

    def too_late(writes: Sequence[Write], now: int) -> set[int]:
        house.store.append = append  # type: ignore[method-assign]
        assert not append(writes_of(table.live.table.id, elsewhere(house, table, 2, now)), now)
        return append(writes, now)

    house.store.append = too_late  # type: ignore[method-assign]
    guests[0].ask("act", decision=game_of(table).legal(0)[-1].to_json())
    await moment()
    assert table.live.durable == number + 2
    news = [views_in(guest, since) for guest, since in zip(guests, told, strict=True)]
    assert news == [[(number + 1, 0), (number + 2, 0)], [(number + 1, 1)], [(number + 1, 2)], [(number + 1, None)]]
    assert all(is_fresh(table, guests[one], one) for one in range(3))


@timeless
async def test_a_view_is_sent_when_its_line_is_durable_and_shows_the_table_as_it_was_then(house: House) -> None:
    """Though the table in memory is further on by then."""
    table, guests = await started(house)
    await moment()
    decisions = [game_of(table).legal(seat)[0].to_json() for seat in range(3)]
    told = len(guests[0].messages("views"))
    for guest, decision in zip(guests, decisions, strict=False):
        guest.ask("act", decision=decision)
    assert table.live.table.number == table.live.durable + 3
    await asyncio.sleep(0)
    assert len(guests[0].messages("views")) == told
    await moment()
    first, last = guests[0].messages("views")[told:]
    laid = decisions[0]["card"]
    assert first["views"][0]["observation"]["laid"] == laid
    assert first["views"][0]["observation"]["legal"] == []
    assert last["number"] == first["number"] + 2
