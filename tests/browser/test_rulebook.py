"""The rulebook is a book to look things up in: it can be searched, and has pictures."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Arrive
from tests.browser.guest import Guest
from tests.browser.words import LANGUAGES

WORDS = {"de": "startplättchen", "en": "START TOKEN", "ja": "スタートプレイヤー"}

DAY_INK, NIGHT_INK = "rgb(43, 33, 24)", "rgb(245, 235, 221)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_looked_for_is_marked_and_shown(arrive: Arrive, language: str) -> None:
    ada = arrive(language=language)
    ada.open("/rules/buffet")
    ada.find("searchbox", "rules.search").fill(WORDS[language])
    marks = ada.page.locator("mark")
    expect(marks.first).to_be_in_viewport()
    found = marks.count()
    assert found > 5
    assert {text.lower() for text in marks.all_inner_texts()} == {WORDS[language].lower()}
    status = ada.page.get_by_role("status")
    expect(status.filter(has_text=ada.words.text("rules.found", at=1, count=found))).to_be_visible()
    ada.button("rules.found-before").click()
    expect(status.filter(has_text=ada.words.text("rules.found", at=found, count=found))).to_be_visible()
    expect(marks.last).to_be_in_viewport()
    ada.find("searchbox", "rules.search").press("Enter")
    expect(marks.first).to_be_in_viewport()
    ada.find("searchbox", "rules.search").fill("xyzzy")
    expect(status.filter(has_text=ada.words.text("rules.found-none"))).to_be_visible()
    expect(marks).to_have_count(0)


@pytest.mark.parametrize(
    ("game", "rules"), [("buffet", "B1 B2 B4 B9 B16"), ("dash", "D1 D2 D18"), ("chocolat", "C1 C3")]
)
def test_there_are_pictures_of_what_the_rules_speak_of(arrive: Arrive, game: str, rules: str) -> None:
    ada = arrive()
    ada.open(f"/rules/{game}")
    for rule in rules.split():
        picture = ada.find("img", "rules.picture", ada.page.locator(f"#{rule}"), rule=rule)
        expect(picture.locator("svg").first).to_be_visible()


def test_on_paper_it_is_the_rules_alone_and_dark_on_light(arrive: Arrive) -> None:
    ada = arrive(color_scheme="dark")
    ada.open("/rules/buffet")
    rule = ada.page.locator("#B1")
    expect(rule).to_have_css("color", NIGHT_INK)
    ada.page.emulate_media(media="print")
    expect(rule).to_have_css("color", DAY_INK)
    expect(rule).to_be_visible()
    expect(ada.page.get_by_role("button")).to_have_count(0)
    expect(ada.link("skip")).to_have_count(0)
    expect(ada.find("navigation", "rules.contents")).to_have_count(0)


def test_an_example_can_be_tried(arrive: Arrive) -> None:
    """The duel: too slow, and once more; level, and then in front. What came of it is said, with the rule."""
    ada = arrive()
    ada.open("/rules/buffet")
    example = ada.page.locator('[data-picture="example-4"]')
    ada.button("try.open", example).click()
    said = example.get_by_role("status")
    expect(said).to_have_text(ada.words.inside("buffet.prompt.duel", name="Di"))
    lay(ada, example, 5)
    expect(said).to_contain_text(ada.words.text("try.buffet.duel-lost"))
    expect(ada.button("rule.open", said, rule="B14")).to_be_visible()
    ada.button("try.again", example).click()
    lay(ada, example, 7)
    expect(said).to_contain_text(ada.words.text("try.buffet.level"))
    lay(ada, example, 1)
    expect(said).to_contain_text(ada.words.text("try.buffet.duel-won"))
    won = ada.words.text("buffet.tell.win", name="Cy", plate=ada.words.text("buffet.plate", dish="sausage", value="4"))
    expect(example.get_by_role("list").last).to_contain_text(won)


def lay(guest: Guest, table: Locator, card: int) -> None:
    table.locator(f'[data-spot="card:{card}"]').click()
    guest.button("buffet.lay", table).click()


def test_one_hand_can_be_tried_with_several_helpers(arrive: Arrive) -> None:
    ada = arrive()
    ada.open("/rules/chocolat")
    example = ada.page.locator('[data-picture="example-5"]')
    ada.button("try.open", example).click()
    for helper, count in (("three", 3), ("four", 5)):
        ada.find("radio", f"helper.{helper}.with", example).check()
        expect(ada.button("chocolat.combinations", example, count=count)).to_be_visible()


def test_a_key_is_for_the_example_with_the_focus(arrive: Arrive) -> None:
    ada = arrive()
    ada.open("/rules/buffet")
    before, here = (ada.page.locator(f'[data-picture="example-{number}"]') for number in (2, 4))
    for example in (before, here):
        ada.button("try.open", example).focus()
        ada.page.keyboard.press("Enter")
        expect(ada.find("region", "try.label", example)).to_be_focused()
    ada.page.keyboard.press("1")
    expect(ada.button("buffet.lay", here, card="1")).to_be_enabled()
    expect(ada.button("buffet.choose", before)).to_be_visible()
