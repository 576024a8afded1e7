"""The rules in other languages are the same rules: the same ids, references, rulings, tables and numbers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

RULES = Path(__file__).parent.parent / "docs" / "rules"
RULING = {"en": "ruling", "de": "Auslegung", "ja": "裁定"}
TRANSLATIONS = sorted(RULES.glob("*/*.md"))

# English writes small numbers as words where other languages may have digits.
WORDS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "first": "1", "second": "2", "third": "3", "fourth": "4",
}  # fmt: skip

every_translation = pytest.mark.parametrize(
    "page", TRANSLATIONS, ids=lambda page: page.relative_to(RULES).with_suffix("").as_posix()
)


# --- Reading pages ------------------------------------------------------------------------------------------------


def original(page: Path) -> Path:
    return RULES / page.name


def blocks(page: Path) -> list[str]:
    """Headings, paragraphs, list items and tables; what is indented belongs to the item above it."""
    text = page.read_text(encoding="utf-8")
    return [block for block in re.split(r"\n(?=#|- )|\n\n+(?! )", text) if block.strip()]


def kind(block: str) -> str:
    """What a block is: a heading with its level, a rule with its id, an item, a table, code or a paragraph."""
    found = re.match(r"#+ |- \*\*[A-Z][0-9]+\*\*|- |\||```", block)
    return found[0] if found else "paragraph"


def pairs(page: Path) -> list[tuple[str, str]]:
    """Each block of the English page with its translation."""
    return list(zip(blocks(original(page)), blocks(page), strict=True))


def rules(page: Path) -> dict[str, str]:
    """The text of each rule by its id."""
    found = [(re.match(r"- \*\*([A-Z][0-9]+)\*\*", block), block) for block in blocks(page)]
    return {match[1]: block for match, block in found if match}


def cited(block: str) -> set[str]:
    """Ids of rules; Japanese puts no space around them."""
    return set(re.findall(r"\b[A-Z][0-9]+\b", block, re.ASCII))


def numbers(text: str) -> Counter[str]:
    """What is written in digits, ids and cards too; a decimal comma is as good as a point."""
    return Counter(found.replace(",", ".") for found in re.findall(r"[A-Z]?-?[0-9]+(?:[.,][0-9]+)?", text))


def in_words(text: str) -> Counter[str]:
    return Counter(WORDS[word] for word in re.findall(r"\w+", text.lower()) if word in WORDS)


def tables(block: str) -> list[list[str]]:
    """The cells of each row, rows of all tables in the block one after the other."""
    return [[cell.strip() for cell in row.split("|")] for row in re.findall(r"^ *\|(.*)\|$", block, re.MULTILINE)]


def anchors(page: Path) -> set[str]:
    """What the headings are called in links."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


# --- The whole page -----------------------------------------------------------------------------------------------


@every_translation
def test_it_translates_a_page_into_a_known_language(page: Path) -> None:
    assert original(page).exists()
    assert page.parent.name in RULING


@every_translation
def test_there_are_the_same_rules_in_the_same_order(page: Path) -> None:
    assert list(rules(page)) == list(rules(original(page)))


@every_translation
def test_headings_items_paragraphs_and_tables_come_in_the_same_order(page: Path) -> None:
    assert [kind(block) for block in blocks(page)] == [kind(block) for block in blocks(original(page))]


@every_translation
def test_every_block_refers_to_the_same_rules(page: Path) -> None:
    for english, translated in pairs(page):
        assert cited(translated) == cited(english), translated


@every_translation
def test_every_number_in_digits_is_in_the_translation(page: Path) -> None:
    for english, translated in pairs(page):
        assert numbers(english).keys() <= numbers(translated).keys(), translated


@every_translation
def test_links_to_headings_lead_to_headings_of_the_same_page(page: Path) -> None:
    for english, translated in pairs(page):
        links = re.findall(r"\]\(#([^)]+)\)", translated)
        assert len(links) == len(re.findall(r"\]\(#([^)]+)\)", english)), translated
        assert set(links) <= anchors(page)


# --- Rules --------------------------------------------------------------------------------------------------------


@every_translation
def test_every_rule_has_as_many_rulings_and_other_marks(page: Path) -> None:
    language = page.parent.name
    for english, translated in pairs(page):
        assert translated.count(f"*({RULING[language]})*") == english.count(f"*({RULING['en']})*"), translated
        assert len(re.findall(r"\*\([^)]+\)\*", translated)) == len(re.findall(r"\*\([^)]+\)\*", english)), translated


@every_translation
def test_every_mark_is_shown_as_one(page: Path) -> None:
    """Markdown takes the stars for stars if letters touch them from outside, as they easily do in Japanese."""
    for mark in re.finditer(r"(.?)\*\([^)]+\)\*(.?)", page.read_text(encoding="utf-8")):
        assert not any(map(str.isalnum, mark.groups())), mark[0]


@every_translation
def test_every_rule_names_the_same_options(page: Path) -> None:
    translated = rules(page)
    for rule, english in rules(original(page)).items():
        assert set(re.findall(r"`(.+?)`", translated[rule])) == set(re.findall(r"`(.+?)`", english)), rule


# --- Tables -------------------------------------------------------------------------------------------------------


@every_translation
def test_tables_have_the_same_rows_and_columns(page: Path) -> None:
    for english, translated in pairs(page):
        assert [[bool(cell) for cell in row] for row in tables(translated)] == [
            [bool(cell) for cell in row] for row in tables(english)
        ], translated


@every_translation
def test_every_cell_of_a_table_has_the_same_numbers(page: Path) -> None:
    """All in digits that are in digits in English; others only where English has them in words."""
    for english, translated in pairs(page):
        for row, translated_row in zip(tables(english), tables(translated), strict=True):
            for cell, translated_cell in zip(row, translated_row, strict=True):
                assert not numbers(cell) - numbers(translated_cell), translated_row
                assert not numbers(translated_cell) - numbers(cell) - in_words(cell), translated_row


@every_translation
def test_cells_without_words_are_the_same(page: Path) -> None:
    for english, translated in pairs(page):
        for row, translated_row in zip(tables(english), tables(translated), strict=True):
            for cell, translated_cell in zip(row, translated_row, strict=True):
                if re.fullmatch(r"[-+=→0-9 ]*", cell):
                    assert translated_cell == cell, translated_row
