"""Records: written, read, replayed, and what becomes of damaged ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde import Record, TafelrundeError
from tafelrunde.testing import games, random_walk
from tafelrunde.verification import check
from tests.records import Damage, Lines, assert_named, first, lines_of, write


def played(seats: int = 4, seed: int = 1) -> Record:
    game = tafelrunde.new("buffet", seats=seats, seed=seed)
    for _ in random_walk(game, random.Random(seed)):
        pass
    return game.record()


def test_a_record_is_written_read_and_holds(tmp_path: Path) -> None:
    record = played()
    record.write(tmp_path / "game.tafel")
    again = tafelrunde.read(tmp_path / "game.tafel")
    assert again == record
    assert again.text() == (tmp_path / "game.tafel").read_text(encoding="utf-8")
    verdict = tafelrunde.verify(tmp_path / "game.tafel")
    assert verdict.holds
    assert verdict.finished
    assert str(verdict) == f"holds: buffet, 4 seats, {len(record.entries) + 1} lines, finished"


def test_the_header_is_as_the_format_says() -> None:
    game = tafelrunde.new("buffet", names=["Ada", "Bo", "Cy", "Di"], seed=1, start_seat=0)
    header = '{"tafelrunde":1,"game":"buffet","rules":1,"seats":["Ada","Bo","Cy","Di"],"options":{"start_seat":0}}'
    assert game.record().text().splitlines()[0] == header


@given(games("buffet"), st.data())
def test_every_beginning_of_a_game_holds_as_unfinished(game: tafelrunde.Game, data: st.DataObject) -> None:
    record = game.record()
    cut = data.draw(st.integers(0, len(record.entries)))
    replayed = tafelrunde.replay(Record(record.header, record.entries[:cut]))
    assert list(replayed.entries)[:cut] == record.entries[:cut]


def test_finished_means_read_to_the_end(tmp_path: Path) -> None:
    lines = lines_of(played())
    assert tafelrunde.verify(write(tmp_path / "a", lines)).finished
    for cut in range(1, 8):
        verdict = tafelrunde.verify(write(tmp_path / "b", lines[:-cut]))
        assert verdict.holds
        assert not verdict.finished


DAMAGE: dict[str, Damage] = {
    "another format": (lambda ls: ls[0].update(tafelrunde=2), "tafelrunde", None),
    "format as text": (lambda ls: ls[0].update(tafelrunde="1"), "tafelrunde", None),
    "unknown game": (lambda ls: ls[0].update(game="poker"), "no game 'poker'", None),
    "game missing": (lambda ls: ls[0].pop("game"), "no game", None),
    "other rules": (lambda ls: ls[0].update(rules=9), "rules 9", None),
    "seats missing": (lambda ls: ls[0].pop("seats"), "names", None),
    "too few seats": (lambda ls: ls[0].update(seats=["a"]), "3 to 6", "B6"),
    "option missing": (lambda ls: ls[0].update(options={}), "lacks start_seat", None),
    "unknown option": (lambda ls: ls[0].update(options={"start_seat": 0, "x": 1}), "no option 'x'", None),
    "bad option": (lambda ls: ls[0].update(options={"start_seat": 9}), "0 to 3", "B5"),
    "options no object": (lambda ls: ls[0].update(options=[]), "options", None),
    "unknown verb": (lambda ls: ls[9].update(do="sing"), "'sing'", None),
    "verb missing": (lambda ls: ls[9].pop("do"), "None", None),
    "verb a list": (lambda ls: ls[9].update(do=["lay"]), "lay", None),
    "choice of nobody": (lambda ls: ls[1].update(value=4), "", "B5"),
    "choice of a huge number": (lambda ls: ls[1].update(value=10**30), "", "B5"),
    "choice of a text": (lambda ls: ls[1].update(value="1"), "", "B5"),
    "choice of another option": (lambda ls: ls[1].update(option="colour"), "choose start_seat", "B5"),
    "a card too many shuffled": (lambda ls: ls[2]["order"].append(5), "", "B5"),  # type: ignore[attr-defined]
    "a card swapped in the pile": (lambda ls: ls[2]["order"].__setitem__(0, 12), "12", "B1"),  # type: ignore[attr-defined]
    "no order": (lambda ls: ls[2].pop("order"), "order", "B18"),
    "a plate twice": (lambda ls: ls[3]["order"].__setitem__(0, ls[3]["order"][1]), "", "B5"),  # type: ignore[index, attr-defined]
    "a plate of another dish": (lambda ls: ls[3]["order"].__setitem__(0, "soup5"), "soup5", "B2"),  # type: ignore[attr-defined]
    "another pile": (lambda ls: ls[3].update(pile="mice"), "shuffle plates", "B5"),
    "a deal out of order": (lambda ls: ls[4].update(seat=1), '"seat":0', "B5"),
    "other plates": (lambda ls: ls[first(ls, "round")].update(plates=[]), "round", "B6"),
    "another start seat": (lambda ls: ls[first(ls, "round", 1)].update(start=9), "start", "B19"),
    "a card not held": (lambda ls: ls[first(ls, "lay")].update(card=missing_card(ls)), "hold", "B7"),
    "no card": (lambda ls: ls[first(ls, "lay")].pop("card"), "lay", "B7"),
    "laid twice": (lambda ls: ls.insert(first(ls, "lay") + 1, ls[first(ls, "lay")]), "already", "B7"),
    "laid by nobody": (lambda ls: ls[first(ls, "lay")].update(by=17), "no seat 17", None),
    "laid by a huge seat": (lambda ls: ls[first(ls, "lay")].update(by=10**30), "seat", None),
    "laid by a name": (lambda ls: ls[first(ls, "lay")].update(by="Ada"), "'by'", None),
    "laid by the table": (lambda ls: ls[first(ls, "lay")].update(by="table"), "waits for seat", "B7"),
    "revealed by a player": (lambda ls: ls[first(ls, "reveal")].update(by=0), "reveal", "B8"),
    "a reveal left out": (lambda ls: ls.pop(first(ls, "reveal")), "reveal", "B8"),
    "a wrong distance": (lambda ls: ls[first(ls, "reveal")].update(at=99), '"at"', "B9"),
    "a distance that is no whole number": (lambda ls: to_float(ls[first(ls, "reveal")]), '"at"', "B9"),
    "another one out": (lambda ls: ls[first(ls, "out")].update(seat=9), "out", "B10"),
    "another plate": (lambda ls: ls[first(ls, "out")].update(plate="cheese5x"), "out", "B10"),
    "the duel's loser with a plate": (lambda ls: duel(ls).update(plate="cheese5"), "null", "B14"),
    "another winner": (lambda ls: ls[first(ls, "win")].update(seat=9), "win", "B14"),
    "exchanged cards not held": (lambda ls: ls[first(ls, "exchange")].update(cards=[9] * 9), "exchange", "B12"),
    "drawn after an exchange": (lambda ls: draw_after(ls, "exchange").update(cards=[]), "draw", "B12"),
    "drawn after a round": (lambda ls: draw_after(ls, "win").update(cards=[]), "draw", "B17"),
    "an entry that nobody decides": (lambda ls: ls.insert(9, {"by": 0, "do": "win"}), "nothing that a player", "B14"),
    "a decision before the shuffle": (lambda ls: ls.insert(2, {"by": 0, "do": "lay", "card": 1}), "shuffle mice", "B5"),
    "wrong points": (lambda ls: ls[-1].update(scores=[0, 0, 0, 0]), "end", "B22"),
    "wrong places": (lambda ls: ls[-1].update(places=[1, 1, 1, 1]), "end", "B23"),
    "more after the end": (lambda ls: ls.append(ls[-1]), "over", "B22"),
    "a card after the end": (lambda ls: ls.append({"by": 0, "do": "lay", "card": 1}), "over", "B21"),
    "time that is none": (lambda ls: ls[9].update(ms="5"), "whole number", None),
    "time without end": (lambda ls: ls[9].update(ms=2**60), "whole number", None),
}


def missing_card(lines: Lines) -> int:
    entry = lines[first(lines, "lay")]
    hand = next(line["cards"] for line in lines if line.get("do") == "draw" and line["seat"] == entry["by"])
    return next(card for card in range(-1, 10) if card not in hand)  # type: ignore[operator]


def to_float(entry: dict[str, object]) -> None:
    entry["at"] = float(entry["at"])  # type: ignore[arg-type]


def duel(lines: Lines) -> dict[str, object]:
    return next(line for line in lines if line.get("do") == "out" and line["plate"] is None)


def draw_after(lines: Lines, verb: str) -> dict[str, object]:
    return next(line for before, line in pairwise(lines) if before.get("do") == verb and line["do"] == "draw")


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_named_with_line_reason_and_rule(damage: str, tmp_path: Path) -> None:
    assert_named(played(), *DAMAGE[damage], tmp_path)


def test_time_that_falls_is_named(tmp_path: Path) -> None:
    lines = lines_of(played())
    lines[9]["ms"], lines[10]["ms"] = 5, 4
    assert "never falls, not 4 after 5" in str(tafelrunde.verify(write(tmp_path / "falls.tafel", lines)))


RAW: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda text: b"", "empty"),
    "cut in the middle of a line": (lambda text: text[: len(text) // 2 - 7], "cut off"),
    "not UTF-8": (lambda text: text.replace(b"table", b"t\xe4ble", 1), "UTF-8"),
    "not JSON": (lambda text: text.replace(b'"by":0', b"by:0", 1), "JSON"),
    "a list": (lambda text: b"[1,2]\n" + text, "object"),
    "a blank line": (lambda text: text.replace(b"\n", b"\n\n", 1), "JSON"),
    "NaN": (lambda text: text.replace(b'"card":', b'"x":NaN,"card":', 1), "JSON"),
    "a key twice": (lambda text: text.replace(b'"card":', b'"card":3,"card":', 1), "twice"),
    "nested without end": (lambda text: text + b'{"a":' + b"[" * 100_000 + b"\n", "JSON"),
    "a number without end": (lambda text: text + b'{"a":' + b"9" * 10_000 + b"}\n", "JSON"),
    "binary": (lambda text: bytes(range(255, 0, -1)) * 4, "UTF-8"),
}


@pytest.mark.parametrize("damage", RAW)
def test_files_that_are_no_records_are_named_with_their_line(damage: str, tmp_path: Path) -> None:
    change, reason = RAW[damage]
    path = tmp_path / "raw.tafel"
    path.write_bytes(change(played().text().encode()))
    verdict = tafelrunde.verify(path)
    assert verdict.error is not None
    assert reason in verdict.error.sentence
    assert verdict.error.line >= 1
    with pytest.raises(TafelrundeError):
        tafelrunde.replay(tafelrunde.read(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.tafel", tmp_path):
        verdict = tafelrunde.verify(path)
        assert not verdict.holds
        assert "can not be read" in str(verdict)


def test_keys_that_nobody_knows_are_passed_over(tmp_path: Path) -> None:
    lines = lines_of(played())
    for line in lines:
        line["mood"] = {"of": "Ada"}
    lines[1]["pile"] = "of leaves"
    assert tafelrunde.verify(write(tmp_path / "extra.tafel", lines)).finished


def test_cards_of_an_exchange_may_stand_in_any_order_and_times_are_kept(tmp_path: Path) -> None:
    lines = lines_of(played())
    exchange = next(line for line in lines if line.get("do") == "exchange" and len(set(line["cards"])) > 1)  # type: ignore[arg-type]
    exchange["cards"].reverse()  # type: ignore[attr-defined]
    for ms, line in enumerate(lines[1:]):
        line["ms"] = ms
    verdict = tafelrunde.verify(write(tmp_path / "order.tafel", lines))
    assert verdict.finished
    assert verdict.game is not None
    assert next(e for e in verdict.game.entries if e["do"] == "lay")["ms"] == first(lines, "lay") - 1


@given(st.data())
def test_no_change_of_a_record_crashes_the_check(data: st.DataObject) -> None:
    """Whatever is put in place of a value: a verdict, with a line and a reason."""
    record = played(seats=3, seed=2)
    lines = lines_of(record)[:40]
    at = data.draw(st.integers(0, len(lines) - 1))
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    )
    lines[at][data.draw(st.sampled_from(sorted(lines[at])))] = data.draw(anything)
    verdict = check(enumerate(lines, start=1))
    assert verdict.error is None or verdict.error.line == at + 1
