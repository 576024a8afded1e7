"""Deck files: what is sound, and what is said of those that are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafelrunde
from tafelrunde.errors import BadDeck
from tafelrunde.games.chocolat import deck
from tafelrunde.games.chocolat.deck import Deck
from tests.browser.words import LANGUAGES, catalogue
from tests.decks import OURS, TURNED

NAMED = 'name = "mine"'
MINE = OURS.replace('name = "reconstructed"', NAMED)


def other_deck() -> Deck:
    """Another deck: the cards of sugar are all alike, and the powers are turned around."""
    return deck.parse(TURNED)


def test_our_deck_is_sound_and_has_the_values_of_the_rules() -> None:
    assert deck.check(OURS) == []
    assert deck.describe(deck.STANDARD) == "sound: reconstructed, 80 cards (80 reconstructed), 7 helpers"
    assert [helper.animal for helper in deck.STANDARD.helpers] == [
        "ant", "bee", "squirrel", "hamster", "mole", "dung beetle", "cockroach",
    ]  # fmt: skip


def test_every_value_tells_where_it_comes_from() -> None:
    assert set(deck.STANDARD.sources.values()) == {"reconstructed"}
    assert len(deck.STANDARD.sources) == 25
    powers = [helper.sources[2] for helper in deck.STANDARD.helpers]
    assert powers == ["partly attested"] * 3 + ["reconstructed"] * 3 + ["partly attested"]
    assert {helper.sources[:2] for helper in deck.STANDARD.helpers} == {("reconstructed", "attested")}


def line(text: str, part: str) -> int:
    """The first line that has this in it."""
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)


FAULTS = {
    "too many coins": ("[8, 8, 7, 7]", "[8, 8, 7, 9]", "[8, 8, 7, 9]", "coins", "go from 3 to 8, not 9"),
    "too few coins": ("[1, 1, 1]", "[1, 1, 0]", "[1, 1, 0]", "coins", "go from 1 to 4, not 0"),
    "coins that are no number": ("[6, 6, 5, 5]", '[6, 6, 5, "5"]', '"5"', "coins", "not '5'"),
    "coins that are true": ("[2, 1, 1]", "[2, 1, true]", "true", "coins", "not true"),
    "coins that are a date": ("[2, 1, 1]", "[2, 1, 1999-12-31]", "1999", "coins", "not 1999-12-31"),
    "coins beyond all numbers": ("[2, 1, 1]", f"[2, 1, 0x{'f' * 3700}]", "0x", "coins", "not …"),
    "a card missing": ("[6, 6, 5, 5]", "[6, 6, 5]", "[cards.eggs]", "cards-count", "16 cards of eggs, not 15"),
    "a card too many": ("[3, 3, 2], s", "[3, 3, 2, 2], s", "[cards.sugar]", "cards-count", "16 cards of sugar, not 17"),
    "a value of eight": ("\n7 = { coins = [2, 1, 1]", "\n8 = { coins = [2, 1, 1]", "8 = {", "value", "3 to 7, not '8'"),
    "cards that are a list": ("7 = { coins =", "7 = [0]\n# {", "7 = [0]", "cards-form", "{ coins = [2, 1, 1], source"),
    "an unknown ingredient": ("[cards.sugar]", "[cards.salt]", "[cards.salt]", "cards-unknown", "ingredient 'salt'"),
    "an ingredient missing": ("[cards.sugar]", "[cards.salt]", "[cards.eggs]", "cards-missing", "[cards.sugar] is"),
    "a source that is none": ('"ant", source = "attested"', '"ant", source = "heard"', '"heard"', "source", "printed"),
    "an unknown power": ('is = "dig"', 'is = "fly"', '"fly"', "power", "no power 'fly'"),
    "a power that is none": ('is = "dig"', "is = []", "is = []", "power", "no power []"),
    "a power without a word": ('is = "dig", ', "", "power = { source", "helpers-form", "power = { is = …, source = …"),
    "a power twice": ('is = "coins"', 'is = "three"', '"three", source = "partly', "power-twice", "helper 4 already"),
    "an animal without a name": ('is = "ant"', 'is = ""', 'is = ""', "animal", "animal"),
    "a helper without an animal": ("animal = {", "# {", "[helpers.1]", "helpers-form", "has animal = {"),
    "a helper too many": ("[helpers.7]", "[helpers.8]", "[helpers.8]", "helpers-unknown", "helper '8'"),
    "a helper missing": ("[helpers.7]", "[helpers.8]", "[helpers.1]", "helpers-missing", "[helpers.7] is"),
    "an unknown key": (NAMED, f'{NAMED}\ncolour = "red"', 'colour = "red"', "unknown-key", "'colour'"),
    "an unknown key of a card": ("{ coins =", "{ rare = 1, coins =", "rare", "unknown-key", "'rare'; here stands"),
    "no name": (NAMED, "name = 3", "name = 3", "name", "name"),
    "a name that is too long": (NAMED, f'name = "{"m" * 61}"', 'name = "mmm', "name", "1 to 60"),
}  # fmt: skip
WHOLE = {
    "too-long": ("name = 3" + "\n" * 20 + "#" * 8000, 21),
    "too-many-lines": ("\n" * 600, 501),
    "not-toml": ("name = 3\nname = 4", 2),
    "name-ours": (OURS.replace("[6, 6, 5, 5]", "[6, 6, 5, 4]", 1), line(OURS, "name = ")),
}
"""By kind: files of which nothing but this is said."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_line(fault: str) -> None:
    old, new, where, kind, said = FAULTS[fault]
    text = MINE.replace(old, new, 1)
    assert text != MINE
    named = [(error.line, error.kind, error.rule) for error in deck.check(text) if said in error.sentence]
    assert (line(text, where), kind, deck.FAULTS[kind][1]) in named
    with pytest.raises(BadDeck, match="line"):
        deck.parse(text)


@pytest.mark.parametrize("kind", WHOLE)
def test_a_file_that_is_wrong_as_a_whole_is_told_nothing_else_of(kind: str) -> None:
    text, at = WHOLE[kind]
    assert [(error.line, error.kind) for error in deck.check(text)] == [(at, kind)]


def test_whatever_can_be_wrong_is_tried_here() -> None:
    assert {kind for *_, kind, _ in FAULTS.values()} | WHOLE.keys() == deck.FAULTS.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_words_for_whatever_can_be_wrong(language: str) -> None:
    words = {
        key.removeprefix("chocolat.deck.fault."): set(re.findall(r"{(\w+)", text))
        for key, text in catalogue(language).items()
        if key.startswith("chocolat.deck.fault.")
    }
    assert words.keys() == deck.FAULTS.keys()
    for kind, (sentence, _) in deck.FAULTS.items():
        # The parser speaks English only.
        assert words[kind] == set(re.findall(r"{(\w+)", sentence)) - {"why"}, kind


def test_all_faults_are_told_at_once_by_line() -> None:
    text = MINE.replace("[6, 6, 5, 5]", "[6, 6, 5, 9]", 1).replace('is = "coins"', 'is = "luck"')
    assert [error.line for error in deck.check(text)] == [line(text, "9]"), line(text, "luck")]


def test_an_error_has_all_faults_with_it() -> None:
    with pytest.raises(BadDeck) as caught:
        deck.parse(MINE.replace("[6, 6, 5, 5]", "[6, 6, 5, 9]", 1).replace('is = "coins"', 'is = "luck"'))
    assert [fault.rule for fault in caught.value.faults] == ["C2", "C15"]
    assert caught.value.faults[0] is caught.value


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("[cards.eggs]", "[ cards . eggs ]", "cards . eggs"),
        ('name = "mine"', "'name' = 3", "'name'"),
        ('power = { is = "four"', 'power.is = "fly"\npower.source = "printed"\n# {', "power.is"),
    ],
)
def test_lines_are_found_however_keys_are_written(old: str, new: str, where: str) -> None:
    text = MINE.replace(old, new, 1).replace("[6, 6, 5, 5]", "[6, 6, 5]", 1)
    assert line(text, where) in [fault.line for fault in deck.check(text)]


def test_lines_are_found_however_the_file_is_laid_out() -> None:
    text = MINE.replace("coins = [6, 6, 5, 5]", "coins = [\n    6, 6,\n    5, 9,\n]", 1)
    (fault,) = deck.check(text)
    assert fault.line == line(text, "coins = [\n".strip())


@pytest.mark.parametrize(
    ("text", "at"),
    [("name = ", 1), ("\n\n[cards", 3), ('name = "a"\nname = "b"', 2), ("=", 1)],
)
def test_what_is_not_toml_is_named_with_its_line(text: str, at: int) -> None:
    (fault,) = deck.check(text)
    assert "not TOML" in fault.sentence
    assert fault.line == at


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 7000,
        "a = " + "9" * 7000,
        "a = " + "#" * 9000,
        "a = 2000-99-99",
        "\n" * 600,
        "\n".join(f"a{i} = 1" for i in range(490)),
    ],
)
def test_what_would_keep_the_check_busy_is_refused(text: str) -> None:
    faults = deck.check(text)
    assert 1 <= len(faults) <= 100
    assert all(len(str(fault)) < 300 for fault in faults)


def test_long_values_are_shortened_in_what_is_said() -> None:
    (fault,) = deck.check(MINE.replace("[2, 1, 1]", f'[2, 1, "{"x" * 3000}"]', 1))
    assert fault.kind == "coins"
    assert len(fault.sentence) < 200


@given(st.text(max_size=200) | st.integers(0, len(MINE)).map(lambda at: MINE[:at] + MINE[at + 7 :]))
def test_no_text_breaks_the_check(text: str) -> None:
    for fault in deck.check(text):
        assert fault.line >= 1
        assert fault.code == "bad-deck"


def test_a_table_plays_with_the_file_that_it_names(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE.replace("[6, 6, 5, 5]", "[6, 6, 6, 6]"), encoding="utf-8")
    game = tafelrunde.new("chocolat", seats=2, seed=1, deck=path)
    order = next(entry["order"] for entry in game.entries if "order" in entry)
    assert order.count("eggs-3-6") == 4
    assert game.record().header["deck"] == "mine"
    again = tafelrunde.new("chocolat", seats=2, seed=1, deck=deck.load(path))
    assert again.record().text() == game.record().text()


def test_files_that_can_not_be_read_are_refused(tmp_path: Path) -> None:
    large, binary = tmp_path / "large.toml", tmp_path / "binary.toml"
    large.write_bytes(b"#" * 60_000)
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "nothing.toml", tmp_path, large, binary):
        with pytest.raises(BadDeck):
            tafelrunde.new("chocolat", seats=2, deck=path)


def test_other_games_have_no_deck_of_their_own() -> None:
    with pytest.raises(BadDeck, match="always the same"):
        tafelrunde.new("buffet", seats=3, deck="mine.toml")
