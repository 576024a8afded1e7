"""Looking back: what the pages of an album say is what every seat saw."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from tafelrunde import lookback
from tafelrunde.errors import BadRecord, TooLarge
from tafelrunde.lookback import diff, look_back
from tafelrunde.record import read_lines
from tafelrunde.verification import Replay
from tafelrunde.wire import ReplayData
from tests.golden import path_of

GAMES = [("buffet", 3), ("buffet", 5), ("dash", 2), ("dash", 3), ("chocolat", 4)]


def album_of(text: str) -> ReplayData:
    return look_back(read_lines(BytesIO(text.encode())))


def golden(game: str = "buffet", seats: int = 3) -> list[str]:
    return path_of(game, seats).read_text(encoding="utf-8").splitlines(keepends=True)


def changed(view: Any, changes: dict[str, Any]) -> Any:
    """A view after it has changed, as any client would work it out."""
    for path, value in changes.items():
        view = put(view, path.split("/"), value)
    return view


def put(whole: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    first, *rest = path
    if isinstance(whole, dict):
        return whole | {first: put(whole[first], rest, value)}
    start, _, end = first.partition(":")
    if end:
        return whole[: int(start)] + value + whole[int(end) :]
    return [*whole[: int(start)], put(whole[int(start)], rest, value), *whole[int(start) + 1 :]]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_every_seat_sees_after_each_step_what_it_saw(game: str, seats: int) -> None:
    album = album_of("".join(golden(game, seats)))
    eyes = [*range(seats), None]
    views: list[Any] = album.views
    run = Replay(album.header)
    for number, step in enumerate(album.steps):
        for entry in step.entries:
            run.feed(entry)
        assert run.settled
        if number:
            views = [changed(view, changes) for view, changes in zip(views, step.changes, strict=True)]
        assert views == [run.game.spectate(eye).to_json() for eye in eyes]
    assert run.finished
    assert album.finished
    assert album.real_time == (game == "dash")


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_entries_are_hidden_as_they_were(game: str, seats: int) -> None:
    album = album_of("".join(golden(game, seats)))
    spec = Replay(album.header).game.spec
    for eye in (*range(seats), None):
        for step in album.steps:
            seen = list(step.entries)
            for one in step.hidden:
                if one.seat is None or one.seat != eye:
                    seen[one.entry] = one.seen
            assert seen == [spec.hide(entry, eye) for entry in step.entries]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_rounds_are_found_with_the_points_of_then(game: str, seats: int) -> None:
    album = album_of("".join(golden(game, seats)))
    numbers = [one.number for one in album.rounds]
    assert numbers == list(range(1, len(numbers) + 1))
    assert album.rounds[0].step == 0
    assert album.rounds[0].scores == [0] * seats
    for one in album.rounds:
        assert any(entry["do"] == "round" for entry in album.steps[one.step].entries)


def test_nothing_can_be_decided_any_more() -> None:
    assert all(view["legal"] == [] for view in album_of("".join(golden())).views)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ([1, 2, 3], [1, 3], {"a/1:2": []}),
        ([1, 3], [1, 2, 3], {"a/1:1": [2]}),
        ([1, 1], [1, 1, 1], {"a/2:2": [1]}),
        ([], [1], {"a/0:0": [1]}),
        ([1], [], {"a/0:1": []}),
        ([1, 2], [1, 4], {"a/1": 4}),
        ({"b": 1}, {"b": 2}, {"a/b": 2}),
        ({"b": 1}, {"c": 1}, {"a": {"c": 1}}),
        (1, True, {"a": True}),
        (None, [], {"a": []}),
        ([1], [1], {}),
    ],
)  # fmt: skip
def test_only_what_is_different_is_told(before: Any, after: Any, changes: dict[str, Any]) -> None:
    assert diff({"a": before}, {"a": after}) == changes
    assert changed({"a": before}, changes) == {"a": after}


# --- Records that do not go to the end, or do not hold --------------------------------------------------------------


def test_a_record_may_stop_early_and_shows_whole_steps() -> None:
    lines = golden()
    whole = album_of("".join(lines))
    for count in range(10, 40):
        album = album_of("".join(lines[:count]))
        assert not album.finished
        assert [step.entries for step in album.steps] == [step.entries for step in whole.steps[: len(album.steps)]]


def line_at_fault(text: str) -> tuple[int, str | None]:
    with pytest.raises(BadRecord) as caught:
        album_of(text)
    return caught.value.line, caught.value.rule


def test_the_first_line_that_does_not_hold_is_named_with_its_rule() -> None:
    lines = golden()
    number = next(i for i, line in enumerate(lines) if '"reveal"' in line)
    entry = json.loads(lines[number])
    lines[number] = json.dumps(entry | {"at": entry["at"] + 1}) + "\n"
    assert line_at_fault("".join(lines)) == (number + 1, "B9")


@pytest.mark.parametrize("text", ["", "\n", "{", "[]\n", "{}\n", '{"tafelrunde":1}\n', "\0", '{"a":1,"a":2}\n'])
def test_what_is_no_record_is_refused_with_its_first_line(text: str) -> None:
    assert line_at_fault(text)[0] == 1


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_record_that_ends_before_the_game_begins_shows_nothing(count: int) -> None:
    assert line_at_fault("".join(golden()[:count]))[0] == count


def test_a_game_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookback, "MOST_VIEWS", 100)
    with pytest.raises(TooLarge):
        album_of("".join(golden()))
