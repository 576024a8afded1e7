"""Somebody who takes a lesson and does what the mouse says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.guest import Guest

GAMES = Path(__file__).parents[2] / "client" / "src" / "games"


class Pupil:
    """A guest in the lesson of one game, moment by moment."""

    def __init__(self, guest: Guest, game: str) -> None:
        self.guest = guest
        self.game = game
        script = json.loads((GAMES / game / "lesson" / "lesson.json").read_text())
        self.moments: list[dict[str, Any]] = script["moments"]
        self.bubble = guest.find("region", "learn.mouse")
        self.next = guest.button("learn.next", self.bubble)

    def open(self) -> None:
        self.guest.open(f"/learn/{self.game}")

    def expect_moment(self, number: int) -> None:
        """What is said in it, with a light on what it is about."""
        moment = self.moments[number]
        expect(self.bubble).to_contain_text(self.guest.words.text(f"learn.{self.game}.{moment['say']}"))
        expect(self.bubble).to_contain_text(f"{number + 1}/{len(self.moments)}")
        if "at" in moment:
            expect(self.spot(moment["at"])).to_be_visible()

    def spot(self, name: str) -> Locator:
        return self.guest.page.locator(f'[data-spot="{name}"]').first

    def do(self, number: int) -> None:
        """Read on, or do as one is told."""
        self.expect_moment(number)
        want = self.moments[number].get("want")
        if want is None:
            self.next.click()
        else:
            self.decide(want)

    def decide(self, want: dict[str, Any]) -> None:
        {"buffet": self._buffet, "dash": self._dash, "chocolat": self._chocolat}[self.game](want)

    def _buffet(self, want: dict[str, Any]) -> None:
        for card in want.get("cards", [want.get("card")]):
            self.spot(f"card:{card}").click()
        self.guest.button("buffet.exchange" if want["do"] == "exchange" else "buffet.lay").click()

    def _dash(self, want: dict[str, Any]) -> None:
        if want["do"] == "take":  # any other card does as well
            cards = self.guest.button("dash.place.card", self.spot("heap"))
            cards.nth(want["place"] // 2).click()
        else:
            self.guest.button(f"dash.{'turn' if want['do'] == 'look' else want['do']}").click()

    def _chocolat(self, want: dict[str, Any]) -> None:
        if want["do"] == "draft":
            for card in want["take"]:
                self.spot(f"market:{card}").click()
            self.guest.button("chocolat.take").click()
            return
        for card in want.get("cards", [want.get("card")]):
            self.spot("hand").locator(f'[data-spot="card:{card}"]').click()
        if "helper" in want:
            self.guest.button("chocolat.bold").click()
        self.guest.button("chocolat.lay" if want["do"] == "lay" else "chocolat.combine").click()
