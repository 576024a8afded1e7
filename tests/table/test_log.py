"""Lines of the log: typed events, stored and read again, and encoded once for each view of them."""

from __future__ import annotations

import json

import pytest

from tafelrunde.games import find
from tafelrunde.table.log import NOBODY, AnyEvent, Chat, Countdown, House, LogLine, Reaction, Step, read_line

BUFFET = find("buffet")
LAID = {"by": 1, "do": "lay", "card": 7}
EVENTS: list[AnyEvent] = [
    House("sit", 2, {"code": "kafemulotabi"}),
    House("begin", None, {"code": "kafemulotabi"}),
    Countdown(0, 3000),
    Chat(1, "Mahlzeit!"),
    Reaction(1, "yum"),
    Step(BUFFET, [LAID], [2, 3]),
    Step(BUFFET, [LAID], [], {"arrived": 17, "lag": 5, "window": 60}),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
@pytest.mark.parametrize(("by", "command"), [(None, None), (1, None), (1, "a-1")])
def test_a_line_is_read_back_as_it_was_stored(event: AnyEvent, by: int | None, command: str | None) -> None:
    line = LogLine(7, 1000, by, command, event)
    again = read_line(7, line.stored(), BUFFET)
    assert type(again.event) is type(event)
    assert (again.number, again.at, again.by, again.command) == (7, 1000, by, command)
    assert again.stored() == line.stored()
    assert again.encoded(frozenset({1})) == line.encoded(frozenset({1}))
    assert again.encoded(NOBODY) == line.encoded(NOBODY)


def test_only_the_owner_sees_what_was_laid_and_all_others_share_one_encoding() -> None:
    line = LogLine(7, 1000, 1, "a-1", Step(BUFFET, [LAID], [2, 3]))
    assert json.loads(line.encoded(frozenset({1})))["entries"] == [LAID]
    assert json.loads(line.encoded(NOBODY))["entries"] == [{"by": 1, "do": "lay"}]
    assert line.encoded(frozenset({0, 2})) is line.encoded(NOBODY)
    assert line.encoded(frozenset({1, 2})) is line.encoded(frozenset({1}))


def test_the_answer_is_the_line_with_the_id_of_the_command() -> None:
    line = LogLine(7, 1000, 1, "a-1", Step(BUFFET, [LAID], [2, 3]))
    answer, seen = json.loads(line.answer(frozenset({1}))), json.loads(line.encoded(frozenset({1})))
    assert answer == {"id": "a-1"} | seen


def test_what_is_only_for_the_store_is_not_sent() -> None:
    line = LogLine(7, 1000, 1, "a-1", EVENTS[-1])
    stored, sent = json.loads(line.stored()), json.loads(line.encoded(frozenset({1})))
    assert stored.keys() - sent.keys() == {"by", "command", "claim"}
    moved = LogLine(8, 1000, 2, None, House("take", 2, {}, ("hash", None, None)))
    assert "hash" not in moved.stored()


def test_events_say_themselves_what_they_mean() -> None:
    assert House("close", 0, {}).closes_table
    assert not House("leave", 0, {}).closes_table
    assert [do for do in ("sit", "take", "leave", "pass") if House(do, 0, {}).changes_client] == ["sit", "take"]  # type: ignore[arg-type]


def test_a_line_of_an_unknown_type_is_refused() -> None:
    with pytest.raises(ValueError, match="dance"):
        read_line(1, '{"type":"dance","number":1,"at":0}', BUFFET)
