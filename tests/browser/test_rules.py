"""What is refused is refused with a reason, and behind the reason stands the rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.proxy import Line
from tests.browser.tables import lay_table
from tests.browser.test_coming_back import sit
from tests.browser.words import LANGUAGES
from tests.server.running import RunningServer

DOCS = Path(__file__).parents[2] / "docs" / "rules"
RULES = [f"B{number}" for number in range(1, 29)]


def written(language: str) -> str:
    """The rules of buffet as they stand in the docs."""
    return (DOCS / ("" if language == "en" else language) / "buffet.md").read_text(encoding="utf-8")


def rule_in(language: str, rule: str) -> str:
    """The text of one rule, in one line and without signs."""
    found = re.search(rf"- \*\*{rule}\*\* (.*?)(?=\n- \*\*|\n\n|\Z)", written(language), re.DOTALL)
    assert found
    plain = re.sub(r"\*\(([^)]*)\)\*", r"\1", found[1]).replace("*", "")
    return " ".join(plain.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_late_card_is_refused_with_the_rule_behind_it(
    line: Line, arrive: Arrive, server: RunningServer, language: str
) -> None:
    """The same seat at two devices: the second one has not heard yet that the card is laid."""
    table = lay_table(server.url, "Ada", "Bo")
    quick, slow = arrive(), arrive(url=line.url, language=language)
    boards = sit(quick, table), sit(slow, table)
    line.hold()
    boards[0].lay()
    expect(boards[0].usable).to_have_count(0)
    boards[1].lay(1)
    line.mend()
    refusal = slow.page.get_by_role("alert").filter(has_text=slow.words.text("buffet.refused.not-your-moment.B7"))
    expect(refusal.first).to_be_visible()
    refusal.get_by_role("button", name=re.compile(f"{re.escape(slow.words.text('why'))}.*B7")).click()
    dialog = slow.dialog("rules.rule", rule="B7")
    expect(dialog).to_contain_text(rule_in(language, "B7"))
    with slow.context.expect_page() as opened:
        slow.link("rules.whole", dialog).click()
    book = opened.value
    expect(book).to_have_url(re.compile(r"/rules/buffet#B7$"))
    expect(book.get_by_text(rule_in(language, "B7"))).to_be_in_viewport()
    assert len(table.laid_by(0)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_stands_in_the_book_and_rulings_are_marked(arrive: Arrive, language: str) -> None:
    guest = arrive(language=language)
    guest.open("/rules/buffet")
    text = guest.page.get_by_role("main")
    for rule in RULES:
        expect(text.get_by_role("link", name=rule, exact=True).first).to_be_visible()
    said = " ".join(text.inner_text().split()).replace("−", "-")
    for rule in RULES:
        beginning = rule_in(language, rule)[:40]
        assert beginning in said, rule
    ruling = guest.words.text("rules.ruling")
    marks = text.get_by_text(ruling, exact=True)
    marked = written(language).count(f"*({ruling})*")
    assert marked > 10
    assert marks.count() >= marked
