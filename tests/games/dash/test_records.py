"""Records of dash: what holds, and what is said of damaged ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Game, Record, bots
from tafelrunde.testing import games
from tests.records import Damage, Lines, assert_named, first, lines_of, write


def played(seats: int = 4, **options: Any) -> Record:
    game = tafelrunde.new("dash", seats=seats, seed=1, **{"max_rounds": 2, "first_opener": 0, **options})
    return bots.play(game, [bots.find("dash", "greedy")] * seats, seed=1).record()


def at(lines: Lines, verb: str, nth: int = 0) -> Any:
    return lines[first(lines, verb, nth)]


DAMAGE: dict[str, Damage] = {
    "an option missing": (lambda ls: ls[0]["options"].pop("pace_ms"), "lacks pace_ms", None),  # type: ignore[attr-defined]
    "a switch that is a number": (lambda ls: ls[0]["options"].update(keep_for_good=0), "true or false", "D22"),  # type: ignore[attr-defined]
    "another opener": (lambda ls: at(ls, "round").update(opener=1), '"opener":0', "D6"),
    "another number": (lambda ls: at(ls, "round", 1).update(number=3), '"number":2', "D6"),
    "a food card twice": (lambda ls: at(ls, "shuffle")["order"].__setitem__(0, "A1"), "in the pile", "D4"),
    "an exit card among the food": (
        lambda ls: at(ls, "shuffle")["order"].__setitem__(0, "X"),
        "lies in the pile",
        "D4",
    ),
    "a card that does not exist": (lambda ls: at(ls, "shuffle")["order"].__setitem__(0, "H1"), "H1", "D1"),
    "an exit card too many": (lambda ls: at(ls, "shuffle", 1)["order"].__setitem__(0, "X"), "in the pile", "D5"),
    "another pile": (lambda ls: at(ls, "shuffle", 1).update(pile="food"), "shuffle heap", "D5"),
    "other cards dealt": (lambda ls: at(ls, "deal")["cards"].reverse(), "deal", "D4"),
    "opened by another": (lambda ls: at(ls, "open").update(by=1), "Somebody else opens", "D6"),
    "grabbed before the opening": (lambda ls: ls.insert(first(ls, "open"), LOOK), "not open", "D6"),
    "seen what does not lie on top": (lambda ls: at(ls, "see").update(card="X"), "see", "D8"),
    "seen by another": (lambda ls: at(ls, "see").update(seat=9), "see", "D8"),
    "a card shown that is not held": (lambda ls: at(ls, "show").update(card="X"), "show", "D8"),
    "put where a card lies": (lambda ls: at(ls, "back").update(place=0), "lies there", "D8"),
    "put nowhere": (lambda ls: at(ls, "back").pop("place"), "no decision", "D7"),
    "taken from beyond the table": (lambda ls: at(ls, "take").update(place=64), "place 64", "D5"),
    "taken without a card there": (lambda ls: at(ls, "take").update(place=63), "", "D13"),
    "seen instead of late": (lambda ls: at(ls, "late").update(do="see", card="A1"), "late", "D13"),
    "late elsewhere": (lambda ls: at(ls, "late").update(place=1000), "late", "D13"),
    "left with food": (lambda ls: at(ls, "keep").update(do="exit"), "no exit card", "D10"),
    "kept an exit": (lambda ls: at(ls, "exit").update(do="keep"), "leaving", "D10"),
    "a hand where there is one": (lambda ls: at(ls, "look").update(hand="left"), "two hands", "D7"),
    "no time": (lambda ls: at(ls, "look").pop("ms"), "real time", None),
    "time that falls": (lambda ls: at(ls, "look").update(ms=0), "never falls", None),
    "wrong points": (lambda ls: at(ls, "score").update(points=[0, 0, 0, 0]), "score", "D19"),
    "wrong totals": (lambda ls: at(ls, "score").update(totals=[0, 0, 0, 0]), "score", "D20"),
    "another reason": (lambda ls: at(ls, "score").update(why="limit"), "exits", "D15"),
    "a score out of the blue": (lambda ls: ls.insert(first(ls, "look"), at(ls, "score")), "waits for seat", "D15"),
    "time over without a limit": (lambda ls: ls.insert(first(ls, "look"), LIMIT), "waits for seat", "D30"),
    "another winner": (lambda ls: ls[-1].update(places=[9, 9, 9, 9]), "end", "D21"),
    "more after the end": (lambda ls: ls.append(LOOK), "over", "D21"),
}
LOOK: dict[str, object] = {"by": 0, "do": "look", "ms": 9_000_000}
LIMIT: dict[str, object] = {"by": "table", "do": "score", "why": "limit", "ms": 9_000_000}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_named_with_line_reason_and_rule(damage: str, tmp_path: Path) -> None:
    assert_named(played(), *DAMAGE[damage], tmp_path)


TWO_HANDED: dict[str, Damage] = {
    "no hand": (lambda ls: at(ls, "look").pop("hand"), "which hand", "D24"),
    "a third hand": (lambda ls: at(ls, "look").update(hand="other"), "'other'", "D24"),
    "dealt to another hand": (lambda ls: at(ls, "deal").update(hand="right"), "left", "D23"),
    "seen by another hand": (lambda ls: at(ls, "see").update(hand="both"), "see", "D24"),
    "points not by hand": (lambda ls: at(ls, "score").update(points=[0, 0]), "score", "D19"),
}


@pytest.mark.parametrize("damage", TWO_HANDED)
def test_damage_of_a_game_with_two_hands_is_named(damage: str, tmp_path: Path) -> None:
    assert_named(played(2), *TWO_HANDED[damage], tmp_path)


TIMED: dict[str, Damage] = {
    "over without a time": (lambda ls: at(ls, "score").pop("ms"), "'ms' says when", "D30"),
    "other points": (lambda ls: at(ls, "score").update(points=[9, 9, 9, 9]), "score", "D19"),
    "over too soon": (
        lambda ls: ls.insert(first(ls, "look"), {**at(ls, "score"), "ms": TOO_SOON}),
        "not run out",
        "D30",
    ),
}
TOO_SOON = 9000


def timed() -> Record:
    return played(round_limit_s=15, pace_ms=1500)


@pytest.mark.parametrize("damage", TIMED)
def test_damage_of_a_round_that_time_ended_is_named(damage: str, tmp_path: Path) -> None:
    assert_named(timed(), *TIMED[damage], tmp_path)


def test_that_time_is_over_may_be_noticed_late(tmp_path: Path) -> None:
    lines = lines_of(timed())
    score = at(lines, "score")
    assert score["ms"] == at(lines, "open")["ms"] + 15_000
    score["ms"] += 700
    again = tafelrunde.verify(write(tmp_path / "late.tafel", lines))
    assert again.finished
    assert again.game is not None
    assert lines_of(again.game.record()) == lines, "what was noticed late is kept so"


def test_calm_pace_is_checked(tmp_path: Path) -> None:
    lines = lines_of(timed())
    look, keep = at(lines, "look"), at(lines, "keep")
    assert keep["ms"] >= look["ms"] + 1500
    hasty = [*lines[: first(lines, "look") + 2], {**keep, "by": look["by"], "ms": look["ms"] + 1499}]
    verdict = tafelrunde.verify(write(tmp_path / "hasty.tafel", hasty))
    assert verdict.error is not None
    assert verdict.error.rule == "D29"


def test_after_the_limit_nothing_counts(tmp_path: Path) -> None:
    lines = lines_of(timed())
    cut = [*lines[: first(lines, "score")], {"by": 0, "do": "take", "place": 0, "ms": at(lines, "score")["ms"] + 1}]
    verdict = tafelrunde.verify(write(tmp_path / "after.tafel", cut))
    assert verdict.error is not None
    assert verdict.error.line == len(cut)


@given(games("dash"), st.data())
def test_every_beginning_of_a_game_holds_as_unfinished(game: Game, data: st.DataObject) -> None:
    record = game.record()
    cut = data.draw(st.integers(0, len(record.entries)))
    replayed = tafelrunde.replay(Record(record.header, record.entries[:cut]))
    assert list(replayed.entries)[:cut] == record.entries[:cut]


def test_the_header_is_as_the_format_says() -> None:
    game = tafelrunde.new("dash", names=["Ada", "Bo"], seed=1, first_opener=1)
    assert game.record().text().splitlines()[0] == (
        '{"tafelrunde":1,"game":"dash","rules":1,"seats":["Ada","Bo"],"options":{"target":100,"keep_for_good":false,'
        '"pace_ms":0,"round_limit_s":0,"max_rounds":0,"first_opener":1}}'
    )
