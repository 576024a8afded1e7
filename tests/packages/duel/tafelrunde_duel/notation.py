"""How duel reads: decisions, entries and observations in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tafelrunde.errors import Malformed
from tafelrunde.games.contract import Chance, Decision, Entry, Notation, Observation, is_whole
from tafelrunde_duel import rules as r


def card_code(card: object) -> int:
    """T1: cards go from 1 to 10."""
    if is_whole(card) and 1 <= card <= r.CARDS:
        return card - 1
    raise Malformed(f"There is no card {card!r}: they go from 1 to {r.CARDS}.", "T1")


class DuelNotation(Notation):
    """Decisions and entries of duel."""

    decisions = {"lay": frozenset({"card"})}
    consequences = {r.V_DEAL: "deal", r.V_SHOW: "show", r.V_TRICK: "trick"}
    chances = {r.SHUFFLE: Chance("shuffle", "cards", rule="T1")}
    rules = {
        ("shuffle", None): "T1", ("deal", None): "T1", ("lay", None): "T2",
        ("show", None): "T3", ("trick", None): "T3", ("end", None): "T4",
    }  # fmt: skip

    def code_of(self, decision: Decision) -> int:
        if decision.do == "lay" and decision.fields.keys() == {"card"}:
            return r.LAY + card_code(decision.card)
        raise Malformed(f"{decision!r} is no decision of duel: there is lay with a card.", "T2")

    def verb_and_fields(self, code: int) -> tuple[str, dict[str, Any]]:
        return "lay", {"card": code - r.LAY + 1}

    def fields_of(self, verb: int, args: Sequence[int]) -> Entry:
        if verb == r.V_DEAL:
            return {"seat": args[0], "cards": [card + 1 for card in args[1:]]}
        return {"seat": args[0], "card": args[1] + 1} if verb == r.V_SHOW else {"seat": args[0]}

    def item_of(self, pile: str, code: int) -> int:
        return code + 1

    def code_in(self, pile: str, item: object) -> int:
        return card_code(item)


class DuelObservation(Observation):
    """What a seat of duel sees."""

    __slots__ = ()
    shown = ("seat", "trick", "to_act", "hand", "seats", "played", "over")

    @property
    def trick(self) -> int:
        return self._word("trick")

    @property
    def hand(self) -> list[int]:
        return self._cards("hand")

    @property
    def seats(self) -> list[dict[str, Any]]:
        """Points, whether a card lies there face down, and which one, if it is one's own."""
        laying = self._word("phase") == r.LAYING
        laid = self._known("laid")
        return [
            {
                "points": points,
                "has_laid": laying and seat not in self.to_act,
                "laid": laid + 1 if laid is not None and seat == self.seat else None,
            }
            for seat, points in enumerate(self._list("points"))
        ]

    @property
    def played(self) -> list[int]:
        return self._cards("played")

    def _cards(self, name: str) -> list[int]:
        return [card + 1 for card, there in enumerate(self._list(name)) if there]
