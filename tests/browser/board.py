"""Boards on the screen, as their players handle them: what all have in common, and buffet's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error, Locator, expect

from tests.browser.guest import Guest

GLANCE_MS = 100
"""So long one looks at one screen before looking at the next."""
MOST_DECISIONS = 400
"""No game takes so many."""
NAME = ".visually-hidden"
"""What a card is called, for those who do not see its picture."""


class AnyBoard:
    """What one guest sees of a game."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.result = guest.dialog("result.won").or_(guest.dialog("result.you")).or_(guest.dialog("result.shared"))
        self.log = guest.find("log", "log.label")

    def press(self, what: Locator) -> None:
        if self.guest.touches:
            what.tap()
        else:
            what.click()

    def is_over(self) -> bool:
        return self.result.is_visible()


class BoardWithTurns(AnyBoard, ABC):
    """The board of a game in which people are asked to decide."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(guest)
        self.reopen = guest.button("table.result")

    @property
    @abstractmethod
    def asked(self) -> Locator:
        """There if a decision is ours."""

    @abstractmethod
    def decide(self) -> None:
        """The first that comes to mind."""

    def wait_until_asked(self) -> None:
        expect(self.asked).to_be_visible()

    def take_part(self) -> bool:
        """Decide if it is our moment; else be impatient and skip what is being shown."""
        if self.asked.is_visible():
            self.decide()
            return True
        if self.reopen.is_visible():
            self.reopen.click()  # it had come just before our impatience
        elif not self.is_over():
            self.guest.page.keyboard.press("Escape")
            glance(self.asked.or_(self.result))
        return False

    def play_turns(self, turns: int) -> None:
        """Take so many decisions as they come; all others are bots."""
        for _ in range(turns):
            self.wait_until_asked()
            self.decide()


class Board(BoardWithTurns):
    """buffet."""

    def __init__(self, guest: Guest) -> None:
        super().__init__(guest)
        self.hand = guest.find("region", "buffet.hand")
        """The cards, and what can be done with them."""
        self.cards = guest.button("buffet.card", self.hand)
        self.usable = self.hand.get_by_role("button", name=guest.words.pattern("buffet.card"), disabled=False)
        self.exchange = self.hand.get_by_role("button", name=guest.words.pattern("buffet.exchange"), disabled=False)

    @property
    def asked(self) -> Locator:
        return self.usable.or_(self.exchange).first

    def values(self) -> list[str]:
        """The cards of the hand as they are called."""
        return self.cards.locator(NAME).all_text_contents()

    def lay(self, nth: int = 0) -> str:
        """Raise a card and lay it; gives its name."""
        card = self.usable.nth(nth)
        name = card.locator(NAME).text_content()
        assert name
        self.press(card)
        self.press(self.guest.button("buffet.lay", self.hand))
        return name

    def keep_all(self) -> None:
        self.press(self.exchange)

    def decide(self) -> None:
        if self.exchange.is_visible():
            self.keep_all()
        else:
            self.lay()


def play_on(*boards: BoardWithTurns, until: Callable[[], Any] | None = None) -> None:
    """All of them decide whenever they are asked, until all see the result, or what else is waited for."""
    decisions = 0
    ends = until or (lambda: all(board.is_over() for board in boards))
    while not ends():
        decisions += sum(board.take_part() for board in boards)
        assert decisions < MOST_DECISIONS


def glance(what: Locator) -> bool:
    """Is it there, or about to be?"""
    try:
        what.first.wait_for(timeout=GLANCE_MS)
    except Error:
        return False
    return True
