"""A guided first round: whoever has taken it can play."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.board import Board
from tests.browser.conftest import Arrive
from tests.browser.guest import PHONE
from tests.browser.pupil import Pupil
from tests.browser.test_keyboard import press, tab_to


@pytest.mark.parametrize(
    ("game", "language", "device"),
    [("buffet", "en", {}), ("dash", "ja", {"viewport": PHONE, "has_touch": True}), ("chocolat", "de", {})],
)
def test_a_whole_lesson(arrive: Arrive, game: str, language: str, device: dict[str, object]) -> None:
    ada = arrive(language=language, **device)
    pupil = Pupil(ada, game)
    ada.open()
    ada.page.locator(f'a[href="/learn/{game}"]').click()
    for number in range(len(pupil.moments) - 1):
        pupil.do(number)
    pupil.expect_moment(len(pupil.moments) - 1)
    ada.button("learn.for-real").click()
    expect(ada.page).to_have_url(re.compile(r"/t/\w+$"))
    expect(ada.heading(f"game.{game}")).to_be_attached()


def test_it_is_left_and_gone_on_with(arrive: Arrive) -> None:
    ada = arrive()
    pupil = Pupil(ada, "buffet")
    pupil.open()
    for number in range(6):
        pupil.do(number)
    pupil.expect_moment(6)
    ada.link("learn.leave").click()
    ada.link("home.learn-on").click()
    pupil.expect_moment(6)
    expect(Board(ada).cards).to_have_count(8)
    ada.page.reload()
    pupil.do(6)
    pupil.expect_moment(7)
    ada.button("learn.again").click()
    pupil.expect_moment(0)
    expect(Board(ada).cards).to_have_count(9)


def test_what_the_lesson_is_not_about_is_kindly_declined(arrive: Arrive) -> None:
    ada = arrive()
    pupil = Pupil(ada, "buffet")
    pupil.open()
    pupil.expect_moment(0)
    pupil.decide({"do": "lay", "card": 9})
    expect(pupil.bubble).to_contain_text(ada.words.text("learn.read-first"))
    for number in range(3):
        pupil.do(number)
    pupil.decide({"do": "lay", "card": 9})
    expect(pupil.bubble).to_contain_text(ada.words.text("learn.buffet.first.hint"))
    expect(Board(ada).cards).to_have_count(9)
    pupil.do(3)
    pupil.expect_moment(4)


def test_by_keyboard_alone(arrive: Arrive) -> None:
    """The focus is led to what can be done: to the button of the bubble, or to the card that is spoken of."""
    ada = arrive()
    pupil = Pupil(ada, "buffet")
    ada.open()
    tab_to(ada, ada.page.locator('a[href="/learn/buffet"]'))
    press(ada, "Enter")
    for number, moment in enumerate(pupil.moments[:-1]):
        pupil.expect_moment(number)
        want = moment.get("want")
        if want is None:
            expect(pupil.next).to_be_focused()
            press(ada, "Enter")
            continue
        if want["do"] == "lay":
            expect(pupil.spot(f"card:{want['card']}")).to_be_focused()
            press(ada, "Enter")
        else:
            for card in want["cards"]:
                press(ada, str(card).removesuffix("1") or "1")
        tab_to(ada, ada.button("buffet.lay"), Board(ada).exchange)
        press(ada, "Enter")
    pupil.expect_moment(len(pupil.moments) - 1)
    expect(ada.button("learn.for-real")).to_be_focused()


def test_newcomers_are_shown_the_way_at_their_first_table(arrive: Arrive) -> None:
    ada = arrive()
    ada.open()
    ada.button("home.play").first.click()
    offer = ada.find("complementary", "home.learn")
    expect(offer).to_contain_text(ada.words.text("learn.offer"))
    ada.button("close", offer).click()
    expect(offer).to_have_count(0)
    ada.page.reload()
    Board(ada).wait_until_asked()
    expect(offer).to_have_count(0)


def test_it_needs_no_server(arrive: Arrive) -> None:
    ada = arrive()
    ada.expects_cuts()
    pupil = Pupil(ada, "dash")
    pupil.open()
    pupil.expect_moment(0)
    ada.context.set_offline(True)
    for number in range(6):
        pupil.do(number)
    pupil.expect_moment(6)
