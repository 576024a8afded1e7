"""Records of chocolat: what holds, and what is said of damaged ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tafelrunde
from tafelrunde import Decision, Record, bots
from tafelrunde.games.chocolat import deck
from tests.games.chocolat.tables import (
    ALL_CARDS,
    ANT,
    BEE,
    BEETLE,
    COCKROACH,
    HAMSTER,
    MOLE,
    SQUIRREL,
    at_scoring,
    combine,
)
from tests.games.chocolat.test_deck import other_deck
from tests.records import Damage, Lines, assert_named, first, lines_of, write


def played(seats: int = 4, **options: Any) -> Record:
    """By players who try everything."""
    game = tafelrunde.new("chocolat", seats=seats, seed=2, **options)
    return bots.play(game, [bots.find("chocolat", "random")] * seats, seed=1).record()


def at(lines: Lines, verb: str, nth: int = 0) -> Any:
    return lines[first(lines, verb, nth)]


def with_helper(lines: Lines, verb: str, rank: int) -> Any:
    """The first entry of a verb in which this helper helps."""
    return next(line for line in lines if line.get("do") == verb and line.get("helper") == rank)


def plain(lines: Lines, verb: str) -> Any:
    """The first entry of a verb without a helper."""
    return next(line for line in lines if line.get("do") == verb and "helper" not in line)


DAMAGE: dict[str, Damage] = {
    "no deck": (lambda ls: ls[0].pop("deck"), "name of the deck", "C2"),
    "a deck without a name": (lambda ls: ls[0].update(deck=7), "name of the deck", "C2"),
    "no helpers": (lambda ls: ls[0].pop("helpers"), "each rank", "C3"),
    "a helper missing": (lambda ls: ls[0]["helpers"].pop("3"), "each rank", "C3"),  # type: ignore[attr-defined]
    "a helper too many": (lambda ls: ls[0]["helpers"].update({"8": "four"}), "each rank", "C3"),  # type: ignore[attr-defined]
    "a power twice": (lambda ls: ls[0]["helpers"].update({"3": "four"}), "one helper", "C15"),  # type: ignore[attr-defined]
    "a power that is none": (lambda ls: ls[0]["helpers"].update({"3": []}), "one helper", "C15"),  # type: ignore[attr-defined]
    "too many seats": (lambda ls: ls[0].update(seats=["?"] * 7), "2 to 6", "C5"),
    "a target of nothing": (lambda ls: ls[0]["options"].update(target=0), "1 to 1000", "C16"),  # type: ignore[attr-defined]
    "an option missing": (lambda ls: ls[0]["options"].pop("target"), "lacks target", None),  # type: ignore[attr-defined]
    "a pantry beyond the table": (lambda ls: at(ls, "choose").update(value=4), "", "C6"),
    "a card twice": (lambda ls: at(ls, "shuffle")["order"].__setitem__(0, "sugar-7-1"), "lies in the pile", "C4"),
    "a card that does not exist": (lambda ls: at(ls, "shuffle")["order"].__setitem__(0, "salt-1-1"), "salt-1-1", "C2"),
    "another pile": (lambda ls: at(ls, "shuffle").update(pile="helpers"), "shuffle ingredients", "C4"),
    "other cards dealt": (lambda ls: at(ls, "draw")["cards"].reverse(), "draw", "C4"),
    "a helper twice": (lambda ls: at(ls, "shuffle", 1).update(order=[1] * 7), "lies in the pile", "C6"),
    "a helper of rank 9": (lambda ls: at(ls, "shuffle", 1).update(order=[9, 1, 2, 3, 4, 5, 6]), "helper 9", "C3"),
    "helpers handed out otherwise": (lambda ls: at(ls, "helpers")["seats"].reverse(), "helpers", "C6"),
    "helpers passed on otherwise": (lambda ls: at(ls, "helpers", 1)["seats"].reverse(), "helpers", "C13"),
    "a round skipped": (lambda ls: at(ls, "round", 1).update(number=3), '"number":2', "C7"),
    "another market": (lambda ls: at(ls, "market")["new"].reverse(), "market", "C7"),
    "a market without what was left": (lambda ls: at(ls, "market", 1)["cards"].pop(0), "market", "C14"),
    "a card laid that is not held": (lambda ls: at(ls, "lay").update(card=missing(ls)), "hold", "C8"),
    "laid twice": (lambda ls: ls.insert(first(ls, "lay") + 1, at(ls, "lay")), "already", "C8"),
    "an order other than by coins": (lambda ls: swap(ls, first(ls, "reveal")), "reveal", "C9"),
    "other coins": (lambda ls: at(ls, "reveal").update(coins=99), "coins", "C9"),
    "coins that nobody added": (lambda ls: plain(ls, "reveal").update(helper=7), "reveal", "C15"),
    "a helper that was not told": (lambda ls: with_helper(ls, "reveal", 7).pop("helper"), "reveal", "C15"),
    "drafted out of turn": (lambda ls: at(ls, "draft").update(by=at(ls, "draft", 1)["by"]), "somebody else", "C9"),
    "drafted what is not there": (lambda ls: at(ls, "draft").update(take=["sugar-7-1"] * 2), "market", "C9"),
    "drafted one card": (lambda ls: at(ls, "draft")["take"].pop(), "2 cards", "C9"),
    "drafted by the wrong helper": (lambda ls: plain(ls, "draft").update(give="eggs-7-1", helper=4), "3 cards", "C9"),
    "a card given without a helper": (lambda ls: plain(ls, "draft").update(give="eggs-7-1"), "no decision", "C8"),
    "passed with a helper": (lambda ls: at(ls, "pass").update(helper=1), "no decision", "C8"),
    "dug without a helper": (lambda ls: at(ls, "dig").pop("helper"), "no decision", "C8"),
    "another card drawn": (lambda ls: drawn_after_dig(ls).update(cards=["eggs-7-1"] * 2), "draw", "C15"),
    "another card gained": (lambda ls: at(ls, "gain").update(card="eggs"), "gain", "C15"),
    "no combination": (lambda ls: plain(ls, "combine").update(cards=HELD_BY_NOBODY), "kept", "C11"),
    "kept the wrong card": (lambda ls: plain(ls, "combine").update(kept=["eggs"]), "eggs", "C2"),
    "kept nothing": (lambda ls: at(ls, "combine").update(kept=[]), "1 to 3 cards", "C11"),
    "changed without a helper": (lambda ls: with_helper(ls, "combine", 2).pop("helper"), "no decision", "C8"),
    "changed to no colour": (lambda ls: with_helper(ls, "combine", 2).update({"as": 4}), "ingredient 4", "C1"),
    "wrong points": (lambda ls: ls[-1].update(scores=[0, 0, 0, 0]), "end", "C11"),
    "another winner": (lambda ls: ls[-1]["places"].reverse(), "end", "C16"),  # type: ignore[attr-defined]
    "more after the end": (lambda ls: ls.append({"by": 0, "do": "pass"}), "over", "C16"),
}
HELD_BY_NOBODY = ["eggs-3-6", "eggs-4-5", "eggs-5-4"]


def missing(lines: Lines) -> str:
    seat = at(lines, "lay")["by"]
    hand = next(line["cards"] for line in lines if line.get("do") == "draw" and line["seat"] == seat)
    return next(card for card in ("eggs-7-1", "nuts-3-8", "fruit-3-7", "sugar-3-4") if card not in hand)  # type: ignore[operator]


def swap(lines: Lines, at: int) -> None:
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def drawn_after_dig(lines: Lines) -> Any:
    return lines[first(lines, "dig") + 1]


@pytest.fixture(scope="module")
def record() -> Record:
    """A game in which every helper has helped."""
    game = played(4, target=60)
    used = {entry["helper"] for entry in game.entries if entry["by"] != "table" and "helper" in entry}
    assert used == set(range(1, 8))
    return game


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_named_with_line_reason_and_rule(damage: str, record: Record, tmp_path: Path) -> None:
    assert_named(record, *DAMAGE[damage], tmp_path)


def test_keys_that_an_entry_does_not_have_are_passed_over(record: Record, tmp_path: Path) -> None:
    lines = lines_of(record)
    for verb in ("pass", "dig", "market", "gain"):
        at(lines, verb).update(changed="eggs-7-1", colour="red")
    assert tafelrunde.verify(write(tmp_path / "more.tafel", lines)).finished


def test_lists_may_be_written_in_any_order(record: Record, tmp_path: Path) -> None:
    lines = lines_of(record)
    for line in lines:
        for key in {"take", "kept"} & line.keys():
            line[key].reverse()  # type: ignore[attr-defined]
    assert tafelrunde.verify(write(tmp_path / "turned.tafel", lines)).finished


def test_the_order_of_a_combination_decides_what_is_on_top_of_the_discards() -> None:
    """Of equal cards the first listed is the kept one."""
    hand = ["nuts-5-5", "nuts-5-5", "eggs-5-3", "fruit-3-7", "fruit-3-7", "fruit-3-6"]
    for order in (["nuts-5-5", "eggs-5-3", "nuts-5-5"], ["nuts-5-5", "nuts-5-5", "eggs-5-3"]):
        game = at_scoring(hand, MOLE)
        game.act(0, Decision.from_json({"do": "combine", "cards": order, "kept": ["nuts-5-5"]}))
        assert game.observe(None).discard == order[:0:-1]


@pytest.mark.parametrize("helper", [ANT, BEE, SQUIRREL, HAMSTER, MOLE, BEETLE, COCKROACH])
def test_the_rank_in_an_entry_is_the_helper_held(helper: int, record: Record) -> None:
    for entry in record.entries:
        if entry.get("helper") == helper and entry["by"] != "table":
            power = deck.STANDARD.helper(helper).power
            verb = {"four": "combine", "colour": "combine", "value": "combine", "three": "draft", "coins": "lay"}
            assert entry["do"] == verb.get(power, power)


def test_a_record_of_another_deck_needs_no_file(tmp_path: Path) -> None:
    record = played(3, deck=other_deck())
    assert record.header["deck"] == "turned"
    path = write(tmp_path / "other.tafel", lines_of(record))
    verdict = tafelrunde.verify(path)
    assert verdict.finished
    assert verdict.game is not None
    assert verdict.game.record().text() == record.text()
    lines = lines_of(record)
    lines[0]["deck"] = "reconstructed"
    verdict = tafelrunde.verify(write(path, lines))
    assert verdict.error is not None
    assert verdict.error.line == first(lines, "shuffle") + 1, "these are not the cards of that deck"


@pytest.mark.parametrize("wrong", ["eggs-3-6", "nuts-3-8"])
def test_another_deck_keeps_to_what_is_attested(wrong: str, tmp_path: Path) -> None:
    """C1: sixteen of each ingredient."""
    lines = lines_of(played(2, deck=other_deck()))
    at(lines, "shuffle")["order"] = [wrong] * 80
    verdict = tafelrunde.verify(write(tmp_path / "other.tafel", lines))
    assert verdict.error is not None
    assert (verdict.error.line, verdict.error.rule) == (first(lines, "shuffle") + 1, "C4")


def test_combinations_keep_their_words_through_a_record() -> None:
    game = at_scoring(["nuts-4-6", "nuts-5-5", "nuts-5-6", "eggs-7-1", "sugar-3-3", "sugar-3-3"], SQUIRREL)
    cards = ["nuts-5-6", "nuts-4-6", "nuts-5-5"]
    entry = game.act(0, combine(*cards, kept=["nuts-5-6", "nuts-5-5"], helper=3, changed="nuts-4-6"))[0]
    assert entry == {
        "by": 0, "do": "combine", "cards": ["nuts-5-5", "nuts-5-6", "nuts-4-6"], "kept": ["nuts-5-5", "nuts-5-6"],
        "helper": 3, "changed": "nuts-4-6",
    }  # fmt: skip


EXAMPLE = Path(__file__).parents[3] / "docs" / "record.md"


def test_the_example_of_the_docs_holds(tmp_path: Path) -> None:
    """As far as it is written out; the shuffled cards that it leaves out are those that turn up, then the others."""
    text = EXAMPLE.read_text(encoding="utf-8").partition("## An example of chocolat")[2]
    written = text.partition("```text\n")[2].partition("\n…\n")[0].splitlines()
    lines: Lines = [json.loads(line.replace(",…]", "]")) for line in written]
    turned_up = [card for line in lines for card in (line["new"] if "new" in line else drawn(line))]  # type: ignore[attr-defined]
    rest = ALL_CARDS.copy()
    rest.subtract(turned_up)
    shuffled = at(lines, "shuffle")
    assert turned_up[: len(shuffled["order"])] == shuffled["order"]
    shuffled["order"] = [*turned_up, *rest.elements()]
    verdict = tafelrunde.verify(write(tmp_path / "example.tafel", lines))
    assert verdict.holds, verdict
    assert verdict.lines == len(lines)


def drawn(line: dict[str, Any]) -> list[str]:
    return line["cards"] if line.get("do") == "draw" else []
