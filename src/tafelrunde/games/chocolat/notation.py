"""The notation of chocolat: decisions, record entries and observations as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tafelrunde.errors import Malformed
from tafelrunde.games.chocolat import state as c
from tafelrunde.games.chocolat.deck import INGREDIENTS, POWER_NAMES, card_of
from tafelrunde.games.contract import Chance, Decision, Entry, Notation, Observation, is_whole
from tafelrunde.games.kernel import VERB_SHIFT

CARD_CODES = {
    f"{name}-{value}-{coins}": card_of(number, value, coins)
    for number, name in enumerate(INGREDIENTS)
    for value in range(c.LEAST_VALUE, c.MOST_VALUE + 1)
    for coins in range(c.LEAST_COINS[number], c.MOST_COINS[number] + 1)
}
CARD_NAMES = {code: name for name, code in CARD_CODES.items()}

CONSEQUENCES = {
    c.V_DRAW: "draw",
    c.V_HELPERS: "helpers",
    c.V_ROUND: "round",
    c.V_MARKET: "market",
    c.V_REVEAL: "reveal",
    c.V_GAIN: "gain",
}
CHANCES = {
    c.CHOOSE_PANTRY: Chance("choose", "pantry_seat", rule="C6"),
    c.SHUFFLE_INGREDIENTS: Chance("shuffle", "ingredients", rule="C7"),
    c.SHUFFLE_HELPERS: Chance("shuffle", "helpers", rule="C6", open=True),
}
RULES = {
    ("choose", None): "C6",
    ("helpers", None): "C13",
    ("round", None): "C7",
    ("market", None): "C7",
    ("market", "cards"): "C14",
    ("lay", None): "C8",
    ("reveal", None): "C9",
    ("reveal", "helper"): "C15",
    ("draft", None): "C9",
    ("dig", None): "C15",
    ("fetch", None): "C15",
    ("gain", None): "C15",
    ("combine", None): "C10",
    ("pass", None): "C10",
    ("end", None): "C16",
    ("end", "scores"): "C11",
}

DECISIONS = {
    "lay": frozenset({"card", "helper"}),
    "draft": frozenset({"take", "give", "helper"}),
    "dig": frozenset({"card", "helper"}),
    "fetch": frozenset({"card", "helper"}),
    "combine": frozenset({"cards", "kept", "helper", "changed", "as"}),
    "pass": frozenset({"helper"}),  # a helper can not be used to pass: refused, not ignored
}
FORMS = {
    "lay": ({"card"}, {"card", "helper"}),
    "draft": ({"take"}, {"take", "give", "helper"}),
    "dig": ({"card", "helper"},),
    "fetch": ({"card", "helper"},),
    "combine": (
        {"cards", "kept"},
        {"cards", "kept", "helper"},
        {"cards", "kept", "helper", "changed"},
        {"cards", "kept", "helper", "changed", "as"},
    ),
    "pass": (set[str](),),
}
"""The sets of fields that each decision may have."""

DECISION_CODES = dict(zip(FORMS, (c.LAY, c.DRAFT, c.DIG_CARD, c.FETCH_CARD, c.COMBINE, c.PASS), strict=True))
DECISION_NAMES = {code: name for name, code in DECISION_CODES.items()}


def cards(codes: Sequence[int]) -> list[str]:
    """The names of these cards: ingredient, value and coins."""
    return [CARD_NAMES[code] for code in codes if code != c.NOTHING]


def card_code(card: object) -> int:
    """The code of a card; C2."""
    if isinstance(card, str) and card in CARD_CODES:
        return CARD_CODES[card]
    raise Malformed(f"There is no card {card!r}: cards are ingredient, value and coins, like 'nuts-3-8'.", "C2")


def card_codes(listed: object, least: int, most: int, rule: str) -> list[int]:
    """The codes of a list of ``least`` to ``most`` cards; raises Malformed with this rule."""
    if isinstance(listed, (tuple, list)) and least <= len(listed) <= most:
        return [card_code(card) for card in listed]
    count = str(least) if least == most else f"{least} to {most}"
    raise Malformed(f"Here belongs a list of {count} cards, not {listed!r}.", rule)


def rank_code(rank: object) -> int:
    """Check the rank of a helper; C3."""
    if is_whole(rank) and 1 <= rank <= c.HELPERS:
        return rank
    raise Malformed(f"There is no helper {rank!r}: ranks go from 1 to {c.HELPERS}.", "C3")


def packed(codes: Sequence[int]) -> int:
    """Up to four cards as part of a decision code."""
    return sum(code + 1 << c.CARD_BITS * place for place, code in enumerate(codes))


def unpacked(code: int) -> list[int]:
    """The cards of a decision code."""
    return [card for place in range(4) if (card := (code >> c.CARD_BITS * place & c.CARD_MASK) - 1) >= 0]


def gain_of(code: int) -> int:
    """C11: the points for a decision: the values of the kept cards, which come first in the code of a combination."""
    kept = code >> c.KEPT_SHIFT & c.SMALL_MASK
    return sum(c.snack_value((code >> c.CARD_BITS * place & c.CARD_MASK) - 1) for place in range(kept))


class ChocolatNotation(Notation):
    """Decisions and entries of chocolat."""

    decisions = DECISIONS
    consequences = CONSEQUENCES
    optional_fields = {"reveal": frozenset({"helper"})}  # noqa: RUF012
    chances = CHANCES
    rules = RULES

    def code_of(self, decision: Decision) -> int:
        """One of the six verbs with what belongs to it."""
        fields = decision.fields
        if fields.keys() not in FORMS.get(decision.do, ()):
            known = "; ".join(" ".join((verb, *sorted(forms[-1]))) for verb, forms in FORMS.items())
            raise Malformed(f"{decision!r} is no decision of chocolat. There is: {known}.", "C8")
        code = DECISION_CODES[decision.do]
        if "helper" in fields:
            code |= rank_code(fields["helper"]) << c.RANK_SHIFT
        if "card" in fields:
            code |= packed([card_code(fields["card"])])
        if "take" in fields:
            count = 3 if "give" in fields else 2
            code |= packed(sorted(card_codes(fields["take"], count, count, "C9")))
        if "give" in fields:
            code |= packed([c.NOTHING, c.NOTHING, c.NOTHING, card_code(fields["give"])])
        return code | self._combination(decision) if decision.do == "combine" else code

    def _combination(self, decision: Decision) -> int:
        """C11: the code of a combination: the kept cards first, then the others in the order of ``cards``."""
        fields = decision.fields
        listed = card_codes(fields["cards"], 3, 4, "C10")
        kept = sorted(card_codes(fields["kept"], 1, 3, "C11"))
        discarded, to_keep = [], Counter(kept)
        for card in listed:
            if to_keep[card]:
                to_keep[card] -= 1
            else:
                discarded.append(card)
        if to_keep.total():
            raise Malformed("Only cards of the combination can be kept.", "C11")
        code = packed(kept + discarded) | len(kept) << c.KEPT_SHIFT
        if "changed" in fields:
            changed = card_code(fields["changed"])
            if changed not in listed:
                raise Malformed("Only a card of the combination can be changed.", "C15")
            code |= 1 + (kept + discarded).index(changed) << c.CHANGED_SHIFT
        if "as" in fields:
            if not isinstance(fields["as"], str) or fields["as"] not in INGREDIENTS:
                raise Malformed(f"There is no ingredient {fields['as']!r}: {', '.join(INGREDIENTS)}.", "C1")
            code |= 1 + INGREDIENTS.index(fields["as"]) << c.AS_SHIFT
        return code

    def verb_and_fields(self, code: int) -> tuple[str, Entry]:
        """Verb and fields of the decision with this code."""
        verb = DECISION_NAMES[code >> VERB_SHIFT << VERB_SHIFT]
        named = tuple(cards(unpacked(code)))
        rank, kept, changed, colour = (
            code >> shift & c.SMALL_MASK for shift in (c.RANK_SHIFT, c.KEPT_SHIFT, c.CHANGED_SHIFT, c.AS_SHIFT)
        )
        fields: Entry = {}
        if verb in ("lay", "dig", "fetch"):
            fields["card"] = named[0]
        elif verb == "draft":
            fields["take"] = named[:3]
            if rank:
                fields["give"] = named[3]
        elif verb == "combine":
            fields |= {"cards": named, "kept": named[:kept]}
        if rank:
            fields["helper"] = rank
        if changed:
            fields["changed"] = named[changed - 1]
        if colour:
            fields["as"] = INGREDIENTS[colour - 1]
        return verb, fields

    def fields_of(self, verb: int, args: Sequence[int]) -> Entry:
        """The fields of a consequence."""
        if verb == c.V_DRAW:
            return {"seat": args[0], "cards": cards(args[1:])}
        if verb == c.V_HELPERS:
            return {"seats": list(args[1 : 1 + args[0]]), "spare": list(args[1 + args[0] :])}
        if verb == c.V_ROUND:
            return {"number": args[0]}
        if verb == c.V_MARKET:
            return {"new": cards(args[1 + args[0] :]), "cards": cards(args[1:])}
        if verb == c.V_GAIN:
            return {"seat": args[0], "card": CARD_NAMES[args[1]]}
        seat, card, coins, rank = args
        fields: Entry = {"seat": seat, "card": CARD_NAMES[card], "coins": coins}
        return fields | {"helper": rank} if rank else fields

    def item_of(self, pile: str, code: int) -> int | str:
        """A helper's rank or a card."""
        return code if pile == "helpers" else CARD_NAMES[code]

    def code_in(self, pile: str, item: object) -> int:
        """The rank of a helper or the code of a card."""
        return rank_code(item) if pile == "helpers" else card_code(item)

    def rule_of(self, entry: Entry, field: str | None, cause: str | None) -> str:
        """The rule of some entries depends on their cause."""
        verb = entry["do"]
        setting_up = cause in (None, "choose")
        if verb in ("draw", "shuffle"):
            if cause == "dig":
                return "C15"
            if setting_up:
                return "C6" if entry.get("pile") == "helpers" else "C4"
            return "C7"
        if verb == "helpers" and setting_up:
            return "C6"
        if verb in ("round", "market") and entry.get("number") == 1:
            return "C5"
        return super().rule_of(entry, field, cause)


class ChocolatObservation(Observation):
    """What a seat of chocolat sees."""

    __slots__ = ()

    secret = ("hand", "laid", "bold")

    shown = (
        "seat", "round", "last_round", "phase", "to_act", "order", "hand", "laid", "market", "market_full", "seats",
        "spare", "pantry", "powers", "discard", "draw_pile", "target", "gains", "over",
    )  # fmt: skip

    @property
    def last_round(self) -> bool:
        """C16: does the game end with this round, because somebody has reached the target or it is over?"""
        return self.over or max(self._list("points")) >= self.target

    @property
    def phase(self) -> str:
        """The phase: laying, drafting or scoring; before and between them setup."""
        return {c.LAYING: "laying", c.DRAFTING: "drafting", c.SCORING: "scoring", c.FINISHED: "over"}.get(
            self._word("phase"), "setup"
        )

    @property
    def order(self) -> list[int]:
        """C9, C10: who still has to draft or score, in order."""
        if self.phase not in ("drafting", "scoring"):
            return []
        return self._list("order")[self._word("turn") : self._word("seats")]

    @property
    def hand(self) -> list[str]:
        """The own cards, lowest value first; empty for a spectator."""
        return cards(self._list("hand"))

    @property
    def laid(self) -> dict[str, Any] | None:
        """C8: the own face-down card, and whether a helper lies under it (C15)."""
        laid = self._known("laid")
        return None if laid is None else {"card": CARD_NAMES[laid], "helper": bool(self._word("bold"))}

    @property
    def market(self) -> list[str]:
        """The cards of the market, oldest first."""
        return cards(self._list("market")[: self._word("market_size")])

    @property
    def market_full(self) -> int:
        """C5, C7: how many cards lie in the market when a round begins."""
        return self._word("seats") + 1

    @property
    def seats(self) -> list[dict[str, Any]]:
        """Everybody at the table: helper, the next one, known cards in hand, card played, victory cards, points."""
        helper, used, laid, played, coins, size, points = (
            self._list(name) for name in ("helper", "used", "has_laid", "played", "coins", "hand_size", "points")
        )
        return [
            {
                "helper": helper[seat] or None,
                "next_helper": self._coming_to(seat),
                "used": bool(used[seat]),
                "has_laid": bool(laid[seat]),
                "played": CARD_NAMES.get(played[seat]),
                "coins": coins[seat] if played[seat] != c.NOTHING else None,
                "hand_size": size[seat],
                "known": cards(sorted(self._of(seat, "known"))),
                "kept": cards(self._of(seat, "kept")),
                "points": points[seat],
            }
            for seat in range(self._word("seats"))
        ]

    def _coming_to(self, seat: int) -> int | None:
        """C13: the helper that a seat gets after this round, or None before helpers are dealt."""
        helpers, pantry = self._list("helper"), self._known("pantry")
        right = (seat - 1) % self._word("seats")
        if pantry is None or not helpers[right]:
            return None
        coming: int = self._list("spare")[0] if right == pantry else helpers[right]
        return coming

    def _of(self, seat: int, what: str) -> list[int]:
        """The known cards or the victory cards of a seat."""
        size = self._word(f"{what}_size")
        owned = zip(self._list(f"{what}_card")[:size], self._list(f"{what}_seat")[:size], strict=True)
        return [card for card, owner in owned if owner == seat]

    @property
    def spare(self) -> list[int]:
        """C6, C13: the helpers beside the pantry seat, leftmost first."""
        return [rank for rank in self._list("spare") if rank > 0]

    @property
    def pantry(self) -> int | None:
        """C6: the seat beside the spare helpers, if known."""
        return self._known("pantry")

    @property
    def powers(self) -> dict[int, str]:
        """C15: the power of each rank."""
        return {rank: POWER_NAMES[power] for rank, power in enumerate(self._list("power")) if rank}

    @property
    def discard(self) -> list[str]:
        """The discard pile, the top card first."""
        return cards(self._list("discard")[: self._word("discard_size")][::-1])

    @property
    def draw_pile(self) -> int:
        """How many cards are left to draw."""
        return self._word("pile_left")

    @property
    def target(self) -> int:
        """C16: the points that make a round the last one."""
        return self._word("target")

    @property
    def gains(self) -> list[int] | None:
        """C11: what each of ``legal`` adds to the own points; None while no combination can be laid out."""
        if self._word("phase") != c.SCORING or not self.legal:
            return None
        return [gain_of(decision.code(self.game.notation)) for decision in self.legal]

    def derived(self) -> tuple[object, ...]:
        """Points and what follows from them, and who gets which helper next."""
        lists = (self.raw[name].tobytes() for name in ("points", "helper", "spare"))
        return (self.last_round, *lists)
