"""buffet on the screen, as its players handle it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from playwright.sync_api import Error, Locator, expect

from tests.browser.guest import Guest

GLANCE_MS = 100
"""So long one looks at one screen before looking at the next."""
MOST_DECISIONS = 400
"""No game takes so many."""
NAME = ".visually-hidden"
"""What a card is called, for those who do not see its picture."""


class Board:
    """What one guest sees of the game and does in it."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.hand = guest.find("region", "buffet.hand")
        """The cards, and what can be done with them."""
        self.cards = guest.button("buffet.card", self.hand)
        self.usable = self.hand.get_by_role("button", name=guest.words.pattern("buffet.card"), disabled=False)
        self.exchange = self.hand.get_by_role("button", name=guest.words.pattern("buffet.exchange"), disabled=False)
        self.result = guest.dialog("result.won").or_(guest.dialog("result.you")).or_(guest.dialog("result.shared"))
        self.reopen = guest.button("table.result")
        self.log = guest.find("log", "log.label")

    @property
    def asked(self) -> Locator:
        """There if a decision is ours."""
        return self.usable.or_(self.exchange).first

    def values(self) -> list[str]:
        """The cards of the hand as they are called."""
        return self.cards.locator(NAME).all_text_contents()

    def lay(self, nth: int = 0) -> str:
        """Raise a card and lay it; gives its name."""
        card = self.usable.nth(nth)
        name = card.locator(NAME).text_content()
        assert name
        self._press(card)
        self._press(self.guest.button("buffet.lay", self.hand))
        return name

    def keep_all(self) -> None:
        self._press(self.exchange)

    def decide(self) -> None:
        """The first that comes to mind."""
        if self.exchange.is_visible():
            self.keep_all()
        else:
            self.lay()

    def _press(self, what: Locator) -> None:
        if self.guest.touches:
            what.tap()
        else:
            what.click()

    def wait_until_asked(self) -> None:
        expect(self.asked).to_be_visible()

    def is_over(self) -> bool:
        return self.result.is_visible()

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


class Player(Protocol):
    """Somebody at the board of any game."""

    def take_part(self) -> bool: ...
    def is_over(self) -> bool: ...


def play_on(*boards: Player, until: Callable[[], Any] | None = None) -> None:
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
