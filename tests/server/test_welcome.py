"""What has happened in a game so far, told with the welcome: exactly what was told at the time, and to nobody more."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

import pytest

from tafelrunde.games import GAMES, find
from tafelrunde.server.recent_lines import MOST_LINES
from tafelrunde.server.table_store import MOST_MISSED
from tafelrunde.testing import pick
from tests.server.timeless import Guest, House, Round, moment, spend, timeless

LINES = {"step", "house", "countdown", "say", "react"}


async def started(house: House, game: str = "buffet", seats: int = 3) -> tuple[Round, Guest]:
    """A game has begun, and one device has all seats."""
    table = await house.table(game, seats, countdown_s=0, window_ms=0, grace_s=None)
    everybody = table.guest(*range(seats))
    await moment()
    everybody.ask("say", seat=0, text="before the game")
    everybody.ask("start", seat=0)
    await moment()
    return table, everybody


async def play(table: Round, everybody: Guest, decisions: int, chooser: random.Random) -> None:
    """So many decisions, or until the game is over; now and then something is said."""
    for _ in range(decisions):
        game = table.live.table.game
        assert game is not None
        able = [seat for seat in game.to_act if game.legal(seat)]
        if table.view.phase == "over" or not able:
            return
        seat = chooser.choice(able)
        if chooser.random() < 0.2:
            everybody.ask("react", seat=seat, sign="yum")
        everybody.ask("act", seat=seat, decision=pick(game, seat, chooser).to_json())
        await moment()


async def recalled(table: Round, *seats: int) -> tuple[list[bytes], dict[str, Any]]:
    """The lines that somebody with these seats is told with the welcome, to the byte, and the welcome."""
    guest = table.guest(*seats, recall=True)
    await moment()
    guest.hang_up()
    [text] = [text for text in guest.heard if text.startswith(b'{"type":"welcome"')]
    welcome = json.loads(text)
    lines = text[text.rindex(b'"lines":[') + len(b'"lines":[') : -len(b"]}")]
    assert sum(len(json.dumps(line)) for line in welcome["lines"]) >= len(lines)
    return split(lines, welcome["lines"]), welcome


def split(text: bytes, lines: Iterable[Any]) -> list[bytes]:
    """The texts of these JSON values, which stand in a row."""
    decoder, rest, parts = json.JSONDecoder(), text.decode(), []
    for _ in lines:
        _, end = decoder.raw_decode(rest)
        parts.append(rest[:end].encode())
        rest = rest[end + 1 :]
    assert not rest
    return parts


def told_since(guest: Guest, number: int) -> list[bytes]:
    """The lines that somebody was sent at the time, from this one on; they never come with the ids of others."""
    lines = [(json.loads(text), text) for text in guest.heard]
    return [text for line, text in lines if line["type"] in LINES and line["number"] >= number and "id" not in line]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_seat_recalls_exactly_what_it_was_sent_and_so_do_several_seats_and_a_spectator(game: str) -> None:
    async def evening(house: House) -> None:
        table, everybody = await started(house, game, 4)
        held: list[tuple[int, ...]] = [(0,), (3,), (1, 2), ()]
        others = {seats: table.guest(*seats, after=0) for seats in held}
        await moment()
        chooser = random.Random(8)
        for decisions in (1, 7, 40):
            await play(table, everybody, decisions, chooser)
            first, last = table.live.table.head.first, table.live.table.number
            for seats in held:
                lines, welcome = await recalled(table, *seats)
                assert lines == told_since(others[seats], first)
                assert welcome["number"] == last
                assert [line["number"] for line in welcome["lines"]] == list(range(first, last + 1))
                assert welcome["lines"][0]["do"] == "begin"
                assert welcome["views"][0]["observation"]["to_act"] == welcome["to_act"]

    spend(evening)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_recalled_shows_only_own_secrets(game: str) -> None:
    async def evening(house: House) -> None:
        table, everybody = await started(house, game, 4)
        await play(table, everybody, 60, random.Random(3))
        for seats in ((), (0,), (1, 3)):
            _, welcome = await recalled(table, *seats)
            shown = set()
            for entry in (entry for line in welcome["lines"] for entry in line.get("entries", ())):
                secret = find(game)._secret_of(entry)
                owner = None if secret is None or secret.owner is None else entry[secret.owner]
                if secret is not None and entry.keys() & secret.fields:
                    shown.add(owner)
            assert shown == set(seats)

    spend(evening)


@timeless
async def test_nothing_is_recalled_before_the_game_nor_by_those_who_do_not_ask(house: House) -> None:
    table = await house.table()
    guest = table.guest(0)
    await moment()
    guest.ask("say", text="hello")
    await moment()
    assert (await recalled(table, 0))[1]["lines"] == []
    guest.ask("start")
    await moment()
    [welcome] = guest.messages("welcome")
    assert welcome["lines"] == []
    other = table.guest(1)
    await moment()
    assert other.messages("welcome")[0]["lines"] == []


@timeless
async def test_a_game_that_is_over_can_be_recalled_until_the_next_one_and_then_no_more(house: House) -> None:
    table, everybody = await started(house)
    chooser = random.Random(1)
    await play(table, everybody, 10_000, chooser)
    assert table.view.phase == "over"
    everybody.ask("say", seat=1, text="well played")
    await moment()
    lines = (await recalled(table, 1))[1]["lines"]
    assert (lines[0]["do"], lines[-1]["text"], lines[-2]["entries"][-1]["do"]) == ("begin", "well played", "end")
    everybody.ask("rematch", seat=0)
    await moment()
    assert (await recalled(table, 1))[1]["lines"] == []
    everybody.ask("start", seat=0)
    await moment()
    await play(table, everybody, 5, chooser)
    begun = table.live.table.head.first
    _, welcome = await recalled(table, 1)
    assert [line["number"] for line in welcome["lines"]] == list(range(begun, welcome["number"] + 1))
    assert welcome["lines"][0]["table"]["match"] == 2


@timeless
async def test_also_what_is_no_longer_in_memory_is_recalled_up_to_a_limit(house: House) -> None:
    table, everybody = await started(house)
    first = table.live.table.head.first
    for many in (MOST_LINES - 3, 1, 1, 1, 1, MOST_LINES, MOST_MISSED):
        for number in range(many):
            everybody.ask("say", seat=number % 3, text=f"number {number}")
        await moment(1)
        last = table.live.table.number
        _, welcome = await recalled(table, 2)
        assert [line["number"] for line in welcome["lines"]] == list(
            range(max(first, last - MOST_MISSED + 1), last + 1)
        )


@timeless
async def test_a_table_that_was_loaded_anew_recalls_its_game(house: House) -> None:
    table, everybody = await started(house)
    await play(table, everybody, 20, random.Random(2))
    before, _ = await recalled(table, 1)
    everybody.hang_up()
    await moment(3600)
    assert await house.registry.table(table.code) is not table.live
    after, _ = await recalled(table, 1)
    assert after == before


@timeless
async def test_what_happens_while_somebody_comes_is_told_once(house: House) -> None:
    """Be it with the welcome or as a line after it."""
    table, everybody = await started(house)
    first = table.live.table.head.first
    for round in range(MOST_LINES + 40):
        comes = table.guest(0, recall=True) if round % 5 == 0 or round > MOST_LINES - 5 else None
        for number in range(3):
            everybody.ask("say", seat=1, text=f"number {round}.{number}")
        late = table.guest(recall=True)
        await moment()
        for guest in filter(None, (comes, late)):
            [welcome] = guest.messages("welcome")
            told = [line["number"] for line in (*welcome["lines"], *guest.messages("say"))]
            assert told == list(range(first, table.live.table.number + 1))
            assert [line["number"] for line in welcome["lines"]][-1] == welcome["number"]
            guest.hang_up()


@timeless
async def test_whoever_resumes_gets_what_was_missed_and_whoever_can_not_is_welcomed_with_the_game(house: House) -> None:
    table, everybody = await started(house)
    await play(table, everybody, 20, random.Random(4))
    number = table.live.table.number
    resuming, lost = table.guest(1, after=number - 5, recall=True), table.guest(1, after=number + 1, recall=True)
    await moment()
    [resumed] = resuming.messages("resumed")
    assert "lines" not in resumed
    assert [json.loads(text)["number"] for text in told_since(resuming, 0)] == list(range(number - 4, number + 1))
    [welcome] = lost.messages("welcome")
    first = table.live.table.head.first
    assert [line["number"] for line in welcome["lines"]] == list(range(first, number + 1))


@timeless
async def test_whoever_resumes_while_long_lines_are_being_written_misses_none_of_them(house: House) -> None:
    table = await house.table("dash", 10, people=2, bots=dict.fromkeys(range(2, 10), "greedy"))
    ada = table.guest(0)
    await moment()
    after = table.live.durable
    for _ in range(8):  # each line tells the whole table: all of them are more than is kept for a while
        ada.ask("terms", terms={})
    coming = table.guest(1, after=after)
    await moment()
    [resumed] = coming.messages("resumed")
    numbers = [message["number"] for message in coming.messages("house")]
    assert numbers[: resumed["number"] - after] == list(range(after + 1, resumed["number"] + 1))
