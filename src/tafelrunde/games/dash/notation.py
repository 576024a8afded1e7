"""The notation of dash: decisions, record entries and observations as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tafelrunde.errors import Malformed
from tafelrunde.games.contract import Chance, Decision, Entry, Notation, Observation, is_whole
from tafelrunde.games.dash import state as d
from tafelrunde.games.dash.menu import DRINKS, FOODS
from tafelrunde.games.kernel import VERB_SHIFT

CARD_NAMES = (*(food.sign + drink.sign for food in FOODS for drink in DRINKS), "X")
CARD_CODES = {name: code for code, name in enumerate(CARD_NAMES)}
SIDES = (None, "left", "right")
SIDE_CODES = {"left": 1, "right": 2}

DECISION_FIELDS: dict[str, tuple[str, ...]] = {
    "open": (),
    "look": (),
    "take": ("place",),
    "keep": (),
    "back": ("place",),
    "exit": (),
    "return": ("card", "place"),
}
"""The fields of each decision; with two players all but ``open`` also name the hand."""

DECISION_CODES = dict(
    zip(DECISION_FIELDS, (d.OPEN_BUFFET, d.LOOK, d.TAKE, d.KEEP, d.BACK, d.LEAVE, d.RETURN), strict=True)
)
DECISION_NAMES = {code: name for name, code in DECISION_CODES.items()}
WHY = {d.BY_EXITS: "exits", d.BY_LIMIT: "limit"}

CONSEQUENCES = {
    d.V_ROUND: "round",
    d.V_DEAL: "deal",
    d.V_SEE: "see",
    d.V_LATE: "late",
    d.V_SHOW: "show",
    d.V_SCORE: "score",
}
CHANCES = {
    d.CHOOSE_OPENER: Chance("choose", "first_opener", rule="D6"),
    d.SHUFFLE_FOOD: Chance("shuffle", "food", rule="D4"),
    d.SHUFFLE_HEAP: Chance("shuffle", "heap", rule="D5"),
}
RULES = {
    ("choose", None): "D6",
    ("round", None): "D6",
    ("deal", None): "D4",
    ("deal", "hand"): "D23",
    ("open", None): "D6",
    ("look", None): "D8",
    ("see", None): "D9",
    ("see", "hand"): "D24",
    ("take", None): "D9",
    ("late", None): "D13",
    ("late", "hand"): "D24",
    ("keep", None): "D8",
    ("show", None): "D8",
    ("show", "hand"): "D24",
    ("back", None): "D8",
    ("exit", None): "D10",
    ("return", None): "D11",
    ("score", None): "D15",
    ("score", "points"): "D19",
    ("score", "totals"): "D20",
    ("end", None): "D21",
}


def cards(codes: Sequence[int]) -> list[str]:
    """The names of these cards: letter and digit."""
    return [CARD_NAMES[code] for code in codes]


def card_code(card: object) -> int:
    """The code of a card; D1."""
    if isinstance(card, str) and card in CARD_CODES:
        return CARD_CODES[card]
    raise Malformed(f"There is no card {card!r}: cards are a food A-G and a drink 1-7, like 'C4', or 'X'.", "D1")


def place_code(place: object) -> int:
    """Check a place on the heap; D5."""
    if is_whole(place) and 0 <= place < d.PLACES:
        return place
    raise Malformed(f"There is no place {place!r} on the table: they go from 0 to {d.PLACES - 1}.", "D5")


def side_code(hand: object) -> int:
    """The code of left or right; D24."""
    if isinstance(hand, str) and hand in SIDE_CODES:
        return SIDE_CODES[hand]
    raise Malformed(f"A hand is 'left' or 'right', not {hand!r}.", "D24")


def on_side(side: int, fields: Entry) -> Entry:
    """Add the hand to an entry; only games of two have one."""
    return {"hand": SIDES[side]} | fields if side else fields


def items_with(display: int, card: int) -> list[str]:
    """D18: the food and the drink of a card, as far as this display has them already."""
    food, drink = divmod(card, d.KINDS)
    found = ((FOODS[food].sign, display & d.ROW << d.KINDS * food), (DRINKS[drink].sign, display & d.COLUMN << drink))
    return [sign for sign, there in found if there]


@lru_cache(maxsize=1024)
def doubles_in(display: int) -> tuple[str, ...]:
    """D18: the foods and drinks that a display has more than once."""
    foods = (food.sign for i, food in enumerate(FOODS) if (display & d.ROW << d.KINDS * i).bit_count() > 1)
    drinks = (drink.sign for i, drink in enumerate(DRINKS) if (display & d.COLUMN << i).bit_count() > 1)
    return (*foods, *drinks)


class DashNotation(Notation):
    """Decisions and entries of dash."""

    decisions = {  # noqa: RUF012 - the base class says that nobody changes it
        verb: frozenset(fields if verb == "open" else (*fields, "hand")) for verb, fields in DECISION_FIELDS.items()
    }
    consequences = CONSEQUENCES
    chances = CHANCES
    rules = RULES

    def code_of(self, decision: Decision) -> int:
        """One of the seven verbs with what belongs to it."""
        fields = DECISION_FIELDS.get(decision.do)
        given = decision.fields.keys()
        if fields is None or given - {"hand"} != set(fields) or (decision.do == "open" and given):
            known = "; ".join(" ".join((verb, *named)) for verb, named in DECISION_FIELDS.items())
            raise Malformed(f"{decision!r} is no decision of dash. There is: {known}.", "D7")
        code = DECISION_CODES[decision.do]
        if "hand" in given:
            code |= side_code(decision.hand) << d.HAND_SHIFT
        if "card" in given:
            code |= card_code(decision.card) << d.CARD_SHIFT
        if "place" in given:
            code |= place_code(decision.place)
        return code

    def verb_and_fields(self, code: int) -> tuple[str, Entry]:
        """Verb and fields of the decision with this code."""
        verb = DECISION_NAMES[code >> VERB_SHIFT << VERB_SHIFT]
        fields: Entry = {}
        for field in DECISION_FIELDS[verb]:
            card = CARD_NAMES[code >> d.CARD_SHIFT & d.CARD_MASK]
            fields[field] = card if field == "card" else code & d.PLACE_MASK
        return verb, on_side(code >> d.HAND_SHIFT & d.SIDE_MASK, fields)

    def fields_of(self, verb: int, args: Sequence[int]) -> Entry:
        """The fields of a consequence."""
        if verb == d.V_ROUND:
            return {"number": args[0], "opener": args[1]}
        if verb == d.V_DEAL:
            return {"seat": args[0], **on_side(args[1], {"cards": cards(args[2:])})}
        if verb in (d.V_SEE, d.V_SHOW):
            return {"seat": args[0], **on_side(args[1], {"card": CARD_NAMES[args[2]]})}
        if verb == d.V_LATE:
            return {"seat": args[0], **on_side(args[1], {"place": args[2]})}
        return self._score(WHY[args[0]], args[1], args[2:])

    def _score(self, why: str, hands: int, numbers: Sequence[int]) -> Entry:
        """D27: two players have points for the left and for the right hand."""
        points: list[Any] = list(numbers[:hands])
        totals = list(numbers[hands:])
        if hands > len(totals):
            points = [points[:2], points[2:]]
        return {"points": points, "totals": totals, "why": why}

    def item_of(self, pile: str, code: int) -> str:
        """A card."""
        return CARD_NAMES[code]

    def code_in(self, pile: str, item: object) -> int:
        """The code of a card."""
        return card_code(item)

    def rule_of(self, entry: Entry, field: str | None, cause: str | None) -> str:
        """The rule of some entries depends on their cause."""
        verb = entry["do"]
        if verb == "shuffle":
            return "D5" if cause == "deal" else "D4"
        if verb == "see" and cause == "look" and field != "hand":
            return "D8"
        if verb == "score" and entry.get("why") == "limit" and field in (None, "why", "ms"):
            return "D30"
        return super().rule_of(entry, field, cause)


class DashObservation(Observation):
    """What a seat of dash sees, and what it knows about cards that it has seen (D12)."""

    __slots__ = ()

    secret = ()  # D12: a seat sees a face only by a decision of its own, and can follow the card from then on

    shown = (
        "seat", "hand", "round", "opener", "is_open", "time", "deadline", "pace", "exits", "exits_left", "to_act",
        "heap", "seats", "target", "reached", "over",
    )  # fmt: skip

    @property
    def hand(self) -> str | None:
        """D24: which hand is asked for a decision; None if there is one hand only, or either may act."""
        asked = self._word("hand")
        return SIDES[1 + asked % 2] if asked >= 0 and self._word("seats") == 2 else None

    @property
    def opener(self) -> int | None:
        """D6: who opens the buffet, if known."""
        return self._known("opener")

    @property
    def is_open(self) -> bool:
        """D6: has the buffet been opened?"""
        return self._word("phase") == d.EATING

    @property
    def time(self) -> int:
        """When the last decision was taken, in milliseconds since the first entry."""
        return self._word("now")

    @property
    def deadline(self) -> int | None:
        """D30: the last moment of this round, if it has one."""
        return self._known("deadline")

    @property
    def pace(self) -> int:
        """D29: how long a hand is busy with a card that it has looked at or taken, in milliseconds; 0: not at all."""
        return self._word("pace")

    @property
    def exits(self) -> int:
        """D3, D23: how many exit cards a round begins with."""
        return d.exits_for(self._word("seats"))

    @property
    def exits_left(self) -> int:
        """D15: how many exit cards nobody has kept yet."""
        return self._word("exits_left")

    @property
    def target(self) -> int:
        """D21, D28: the points at which the game ends."""
        return self._word("target")

    @property
    def reached(self) -> bool:
        """D21, D28: has somebody had so many points after a round?"""
        return bool(self._word("reached"))

    @property
    def heap(self) -> list[dict[str, Any]]:
        """The face-down cards by place: what this seat knows of each, and which seats have seen it."""
        face, known = self._list("face"), self._list("known")
        return [
            {
                "place": place,
                "card": None if face[place] == d.UNKNOWN else CARD_NAMES[face[place]],
                "seen_by": [seat for seat in range(self._word("seats")) if known[place] >> seat & 1],
                "surely_food": bool(known[place] & d.SURELY_FOOD),
            }
            for place in sorted(self._list("spots")[: self._word("heap_size")])
        ]

    @property
    def free(self) -> list[int]:
        """Places without a card."""
        return sorted(self._list("spots")[self._word("heap_size") :])

    @property
    def seats(self) -> list[dict[str, Any]]:
        """Everybody at the table: points so far and, for each hand, stack, card in hand and display."""
        seats = self._word("seats")
        each = self._word("hands") // seats
        totals = self._list("totals")
        return [
            {
                "total": totals[seat],
                "missing": max(0, self.target - totals[seat]),
                "hands": [self._hand(seat * each + i, each) for i in range(each)],
            }
            for seat in range(seats)
        ]

    def _hand(self, hand: int, each: int) -> dict[str, Any]:
        unlaid, holds, gone, ready = (self._list(name)[hand] for name in ("unlaid", "holds", "gone", "ready_at"))
        held = self._list("held")[hand]
        display = self._list("display")[hand]
        return {
            "hand": SIDES[1 + hand % 2] if each == 2 else None,
            "stack": unlaid - holds if unlaid else 0,
            "holds": bool(holds),
            "card": CARD_NAMES[held] if held >= 0 else None,
            "would_double": items_with(display, held) if 0 <= held < d.FOOD_CARDS else [],
            "display": [CARD_NAMES[card] for card in range(d.FOOD_CARDS) if display >> card & 1],
            "doubles": list(doubles_in(display)),
            "gone": bool(gone),
            "ready_at": ready,
            "stance": self._stance(hand, each),
        }

    def _stance(self, hand: int, each: int) -> str:
        """D6 to D10: what a hand can do now; D25: while the other hand has a stack to lay, it waits."""
        gone, holds, unlaid = (self._list(name) for name in ("gone", "holds", "unlaid"))
        phase = self._word("phase")
        if gone[hand]:
            return "gone"
        if phase == d.OPENING and hand == self._word("opener") * each:
            return "opens"
        if phase != d.EATING:
            return "waits"
        if holds[hand]:
            return "weighs"
        if unlaid[hand]:
            return "turns"
        return "waits" if each == 2 and unlaid[hand ^ 1] else "chooses"

    def derived(self) -> tuple[object, ...]:
        """Points, and what is double before anybody: it changes at the end of a round, and seldom in between."""
        doubles = [doubles_in(display) for display in self._list("display")]
        return (self._list("totals"), self._word("reached"), doubles)
