"""Commands that are sent again: the same id brings the same answer, and nothing happens twice."""

from __future__ import annotations

import random

import pytest

from tafelrunde import wire
from tafelrunde.errors import WrongPhase
from tafelrunde.table import Table
from tafelrunde.table.table import REMEMBERED_COMMANDS
from tests.table.tables import Evening, portrait, read_command

ONCE: list[tuple[int, str, dict[str, object]]] = [
    (1, "say", {"text": "hello"}),
    (1, "react", {"sign": "cheers"}),
    (1, "pledge", {"hash": "0" * 64}),
    (1, "pass", {}),
    (1, "leave", {}),
    (0, "bot", {"on": 2, "level": "greedy"}),
    (0, "remove", {"whom": 1}),
    (0, "terms", {"terms": {"public": True}}),
]


def ask_again(evening: Evening, table: Table, seat: int, do: str, **fields: object) -> int:
    """Send the command with the id ``same``; nothing may happen, and the answer is a number."""
    before = portrait(table, evening.now)
    outcome = table.command(frozenset({seat}), read_command(do, id="same", **fields), evening.now)
    assert (outcome.lines, outcome.head, outcome.match, outcome.secret) == ([], None, None, None)
    assert portrait(table, evening.now) == before
    return outcome.number


@pytest.mark.parametrize(("seat", "do", "fields"), ONCE)
def test_the_same_command_again_has_the_same_number(seat: int, do: str, fields: dict[str, object]) -> None:
    evening = Evening(people=2)
    number = evening.ask(seat, do, id="same", **fields).number
    evening.ask(0, "say", text="something else")
    assert ask_again(evening, evening.table, seat, do, **fields) == number


@pytest.mark.parametrize(("seat", "do", "fields"), ONCE)
def test_also_by_a_table_that_was_loaded_since(seat: int, do: str, fields: dict[str, object]) -> None:
    evening = Evening(people=2)
    number = evening.ask(seat, do, id="same", **fields).number
    evening.ask(0, "say", text="something else")
    assert ask_again(evening, evening.load(), seat, do, **fields) == number


@pytest.mark.parametrize("playing", [False, True])
def test_also_by_a_table_that_was_loaded_long_after(playing: bool) -> None:
    evening = Evening(people=3)
    number = evening.ask(1, "say", id="same", text="hello").number
    for _ in range(REMEMBERED_COMMANDS // 2):
        evening.ask(0, "say", text="blah")
    if playing:
        evening.start().play(random.Random(1), 30)
    assert ask_again(evening, evening.load(), 1, "say", text="hello") == number


def test_a_decision_is_taken_once_even_if_it_would_be_legal_again() -> None:
    evening = Evening().start().play(random.Random(1), 30)
    assert evening.table.game is not None
    seat = evening.table.to_act[0]
    decision = evening.table.game.legal(seat)[0].to_json()
    number = evening.ask(seat, "act", id="same", decision=decision).number
    for table in (evening.table, evening.load()):
        assert ask_again(evening, table, seat, "act", decision=decision) == number
        assert ask_again(evening, table, seat, "act", decision={"do": "sing"}) == number


def test_start_and_nonce_are_answered_with_their_own_line_not_with_what_followed() -> None:
    evening = Evening(people=1)
    for seat in (1, 2):
        evening.ask(0, "bot", on=seat, level="greedy")
    outcome = evening.ask(0, "start", id="same")
    assert len(outcome.lines) == 3
    assert ask_again(evening, evening.table, 0, "start") == outcome.lines[0].number == outcome.number


def test_the_same_id_of_another_seat_is_another_command() -> None:
    evening = Evening()
    first = evening.ask(0, "say", id="same", text="one")
    second = evening.ask(1, "say", id="same", text="two")
    assert second.number == first.number + 1


def test_a_command_that_was_refused_may_be_sent_again_with_its_id() -> None:
    evening = Evening(people=2)
    with pytest.raises(WrongPhase):
        evening.ask(0, "start", id="same")
    evening.ask(0, "bot", on=2, level="greedy")
    assert evening.ask(0, "start", id="same").lines


def test_looking_may_be_repeated_and_shows_what_is_now() -> None:
    evening = Evening().start()
    first = evening.ask(0, "look", id="same").number
    evening.play(random.Random(2), 3)
    assert evening.ask(0, "look", id="same").number == first + 3


def test_only_so_many_commands_are_remembered() -> None:
    evening = Evening(people=1)
    evening.ask(0, "say", id="same", text="first")
    for number in range(REMEMBERED_COMMANDS):
        evening.ask(0, "say", text=f"{number}")
    assert evening.ask(0, "say", id="same", text="first").lines


def test_the_one_who_asked_gets_the_line_with_the_id_and_others_without() -> None:
    evening = Evening()
    line = evening.ask(1, "say", id="same", text="hello").lines[0]
    assert line.answer(frozenset({1})).startswith(b'{"id":"same",')
    assert b"same" not in line.encoded(frozenset({1}))
    assert wire.MESSAGES.validate_json(line.answer(frozenset({1}))).id == "same"  # type: ignore[union-attr]


def test_whoever_takes_over_a_seat_does_not_have_to_know_the_ids_of_the_one_before() -> None:
    evening = Evening(people=2)
    evening.ask(1, "say", id="same", text="good evening")
    evening.ask(0, "say", id="same", text="good evening")
    evening.ask(1, "leave", id="1")
    evening.sit("Zoe", seat=1)
    for table in (evening.load(), evening.table):
        assert table.command(frozenset({1}), read_command("say", id="same", text="hello"), evening.now).lines
        assert not table.command(frozenset({0}), read_command("say", id="same", text="hello"), evening.now).lines


def test_a_device_that_takes_a_seat_along_counts_its_commands_anew() -> None:
    evening = Evening(people=2)
    pass_ = evening.ask(1, "pass", id="same").secret
    assert pass_ is not None
    evening.take(pass_)
    assert evening.ask(1, "say", id="same", text="hello").lines
