"""The checker by itself, with made-up histories: it finds what is wrong, and nothing else."""

from __future__ import annotations

import json

import pytest

from tests.chaos.checker import Checker, Held

ALL: Held = frozenset()
ADA: Held = frozenset({0})


def say(number: int, text: str = "") -> bytes:
    return json.dumps({"type": "say", "number": number, "at": 1, "text": text or f"line {number}"}).encode()


def step(number: int, card: int | None, at: int = 1) -> bytes:
    entry = {"by": 0, "do": "lay"} | ({} if card is None else {"card": card})
    line = {"type": "step", "number": number, "at": at, "entries": [entry], "to_act": []}
    return json.dumps(line, separators=(",", ":")).encode()


def body(number: int, text: str = "", by: int | None = None, command: str | None = None) -> str:
    cause = {} if command is None else {"by": by, "command": command}
    return json.dumps(cause | json.loads(say(number, text)))


def seen(number: int, kept: str, held: Held) -> bytes:
    line = json.loads(kept)
    return json.dumps({key: value for key, value in line.items() if key not in ("by", "command")}).encode()


@pytest.fixture
def checker() -> Checker:
    checker = Checker()
    checker.created("t")
    return checker


def tell(checker: Checker, *numbers: int, generation: int | None = None, text: str = "", who: str = "Ada") -> None:
    at = checker.generation if generation is None else generation
    for number in numbers:
        checker.told("t", number, ALL, say(number, text), at, who)


def found(checker: Checker) -> list[str]:
    """The kinds of all that was found."""
    return [what.partition(":")[0] for what in checker.wrong]


def test_a_log_that_has_everything_is_sound(checker: Checker) -> None:
    tell(checker, 1, 2, 3)
    checker.acknowledged("t", 0, "a1", 2, 0, "Ada")
    checker.audit("t", [(1, body(1)), (2, body(2, by=0, command="a1")), (3, body(3)), (4, body(4))], seen)
    assert checker.wrong == []


def test_a_lost_line_is_found(checker: Checker) -> None:
    tell(checker, 1, 2, 3)
    checker.audit("t", [(1, body(1)), (2, body(2))], seen)
    assert found(checker) == ["lost"]
    assert "line 3 of t is not there; Ada was told" in checker.wrong[0]


def test_a_gap_is_found(checker: Checker) -> None:
    checker.audit("t", [(1, body(1)), (3, body(3)), (4, body(4))], seen)
    assert found(checker) == ["lost"]
    assert "line 2 is missing" in checker.wrong[0]


def test_a_number_that_is_there_twice_is_found(checker: Checker) -> None:
    checker.audit("t", [(1, body(1)), (2, body(2)), (2, body(2, "other")), (3, body(3))], seen)
    assert found(checker) == ["doubled"]


def test_a_changed_line_is_found_with_both_texts(checker: Checker) -> None:
    tell(checker, 1)
    checker.audit("t", [(1, body(1, "something else"))], seen)
    assert found(checker) == ["contradicted"]
    assert "line 1" in checker.wrong[0]
    assert "something else" in checker.wrong[0]


def test_a_line_that_is_told_in_two_ways_is_found_at_once(checker: Checker) -> None:
    tell(checker, 1)
    tell(checker, 1, who="Bo")
    assert checker.wrong == []
    tell(checker, 1, text="other", who="Cy")
    assert found(checker) == ["contradicted"]


def test_seats_may_see_more_of_a_step_but_not_another_step(checker: Checker) -> None:
    checker.told("t", 1, ADA, step(1, 7), 0, "Ada")
    checker.told("t", 1, ALL, step(1, None), 0, "Bo")
    assert checker.wrong == []
    checker.told("t", 1, ADA, step(1, 8), 0, "Ada")
    checker.told("t", 1, frozenset({1}), step(1, None, at=2), 0, "Cy")
    assert found(checker) == ["contradicted", "contradicted"]


def test_a_skipped_line_is_found(checker: Checker) -> None:
    checker.skipped("t", 4, 5, "Ada")
    assert "was told line 5 where line 4 was next" in checker.wrong[0]


def test_an_acknowledged_command_that_is_not_there_is_lost(checker: Checker) -> None:
    checker.acknowledged("t", 0, "a1", 2, 0, "Ada")
    checker.audit("t", [(1, body(1)), (2, body(2, by=0, command="a2"))], seen)
    assert found(checker) == ["lost"]
    assert '"command": "a2"' in checker.wrong[0]


def test_a_command_of_another_seat_is_not_the_one_that_was_acknowledged(checker: Checker) -> None:
    checker.acknowledged("t", 0, "a1", 1, 0, "Ada")
    checker.audit("t", [(1, body(1, by=1, command="a1"))], seen)
    assert found(checker) == ["lost"]


def test_a_command_that_was_carried_out_twice_is_found(checker: Checker) -> None:
    checker.audit("t", [(1, body(1, by=0, command="a1")), (2, body(2, by=0, command="a1"))], seen)
    assert found(checker) == ["doubled"]


def test_a_command_that_is_acknowledged_with_another_line_is_found_at_once(checker: Checker) -> None:
    checker.acknowledged("t", 0, "a1", 1, 0, "Ada")
    checker.acknowledged("t", 0, "a1", 1, 0, "Ada")
    assert checker.wrong == []
    checker.acknowledged("t", 0, "a1", 2, 0, "Ada")
    assert found(checker) == ["doubled"]
    assert checker.counts["acknowledged"] == 1


def test_a_command_that_the_table_may_have_forgotten_by_then_is_no_double(checker: Checker) -> None:
    checker.acknowledged("t", 0, "a1", 1, 0, "Ada")
    checker.acknowledged("t", 0, "a1", 600, 0, "Ada")
    assert checker.wrong == []


def test_a_refused_command_must_not_have_happened(checker: Checker) -> None:
    checker.refused("t", 0, "a1", "illegal")
    checker.audit("t", [(1, body(1, by=0, command="a1"))], seen)
    assert found(checker) == ["contradicted"]


def test_somebody_who_is_greeted_with_less_than_was_told_before_notices(checker: Checker) -> None:
    tell(checker, 1, 2, 3)
    checker.greeted("t", 3, checker.last("t", 0), 0, "Bo")
    assert checker.wrong == []
    checker.greeted("t", 2, checker.last("t", 0), 0, "Bo")
    assert found(checker) == ["lost"]


def test_a_table_that_was_acknowledged_has_to_be_there(checker: Checker) -> None:
    checker.audit("t", None, seen)
    checker.table_gone("t", "Ada")
    assert found(checker) == ["lost", "lost"]


@pytest.mark.parametrize("do", ["leave", "remove", "take"])
def test_a_command_of_somebody_whose_seat_is_another_s_by_then_is_found(checker: Checker, do: str) -> None:
    house = json.dumps({"by": 0, "type": "house", "number": 2, "at": 1, "do": do, "seat": 0})
    before, after = body(1, by=0, command="ada-1"), body(3, by=0, command="bo-1")
    checker.audit("t", [(1, before), (2, house), (3, after)], seen)
    assert checker.wrong == []
    checker.audit("t", [(1, before), (2, house), (3, body(3, by=0, command="ada-2"))], seen)
    assert found(checker) == ["contradicted"]
    assert f"before line 2 ({do})" in checker.wrong[0]


# --- After a backup was put back -----------------------------------------------------------------------------------


def test_what_is_not_in_the_backup_may_be_gone_and_numbers_are_used_again(checker: Checker) -> None:
    tell(checker, 1, 2)
    backup = checker.backup()
    tell(checker, 3, 4)
    checker.acknowledged("t", 0, "a1", 4, 0, "Ada")
    checker.restored(backup, {"t": 2})
    tell(checker, 3, text="another line 3")
    checker.audit("t", [(1, body(1)), (2, body(2)), (3, body(3, "another line 3"))], seen)
    assert checker.wrong == []


def test_what_is_in_the_backup_stays_mandatory(checker: Checker) -> None:
    tell(checker, 1, 2)
    checker.acknowledged("t", 0, "a1", 2, 0, "Ada")
    backup = checker.backup()
    checker.restored(backup, {"t": 2})
    tell(checker, 2, text="another line 2")
    checker.audit("t", [(1, body(1))], seen)
    assert found(checker) == ["contradicted", "lost", "lost"]


def test_a_backup_that_lacks_what_was_told_before_it_was_made_is_found(checker: Checker) -> None:
    tell(checker, 1, 2)
    backup = checker.backup()
    tell(checker, 3)
    checker.restored(backup, {"t": 1})
    assert found(checker) == ["lost"]
    assert "line 2" in checker.wrong[0]


def test_a_line_that_was_written_while_the_backup_was_made_may_be_in_it(checker: Checker) -> None:
    backup = checker.backup()
    tell(checker, 1)
    checker.restored(backup, {"t": 1})
    tell(checker, 1, text="another line 1")
    assert found(checker) == ["contradicted"]


def test_whoever_comes_back_from_a_history_that_was_given_up_must_not_be_resumed(checker: Checker) -> None:
    tell(checker, 1, 2)
    backup = checker.backup()
    tell(checker, 3, 4)
    checker.restored(backup, {"t": 2})
    tell(checker, 3, 4, 5, text="other")
    checker.resumed("t", 2, 0, 1, "Ada")
    checker.resumed("t", 4, 1, 1, "Bo")
    assert checker.wrong == []
    checker.resumed("t", 4, 0, 1, "Cy")
    assert found(checker) == ["contradicted"]
    assert "was resumed instead of welcomed" in checker.wrong[0]


def test_a_backup_of_a_history_that_was_given_up_brings_that_history_back(checker: Checker) -> None:
    old = checker.backup()
    tell(checker, 1, 2)
    young = checker.backup()
    checker.restored(old, {"t": 0})
    tell(checker, 1, 2, text="other")
    checker.restored(young, {"t": 2})
    checker.resumed("t", 2, 0, 2, "Ada")
    assert checker.wrong == []
    checker.resumed("t", 2, 1, 2, "Bo")
    assert found(checker) == ["contradicted"]
    checker.audit("t", [(1, body(1)), (2, body(2))], seen)
    assert len(checker.wrong) == 1


def test_what_was_acknowledged_before_the_backup_is_kept_and_what_came_later_need_not_be(checker: Checker) -> None:
    before = checker.moment()
    backup = checker.backup()
    after = checker.moment()
    assert checker.is_kept(0, before)
    assert checker.is_kept(0, after)
    checker.created("new")
    checker.restored(backup, {"t": 0})
    assert checker.is_kept(0, before)
    assert not checker.is_kept(0, after)
    checker.audit("new", None, seen)
    assert checker.wrong == []
    checker.restored(checker.backup(), {"t": 0})
    assert checker.is_kept(0, before)
    assert not checker.is_kept(0, after)
