"""The notation of buffet: decisions, record entries and observations as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tafelrunde.errors import Malformed
from tafelrunde.games.buffet import state as b
from tafelrunde.games.contract import Chance, Decision, Entry, Notation, Observation, is_whole

DISHES = ("cheese", "salami", "sausage", "pizza", "drumstick", "salad")
VALUES = (-1, 1, 2, 3, 4, 5)
PLATE_NAMES = tuple(f"{dish}{value}" for dish in DISHES for value in VALUES)
PLATE_CODES = {name: code for code, name in enumerate(PLATE_NAMES)}

CONSEQUENCES = {
    b.V_DRAW: "draw",
    b.V_ROUND: "round",
    b.V_REVEAL: "reveal",
    b.V_OUT: "out",
    b.V_WIN: "win",
    b.V_START: "start",
}
CHANCES = {
    b.CHOOSE_START: Chance("choose", "start_seat", rule="B5"),
    b.SHUFFLE_MICE: Chance("shuffle", "mice", rule="B18"),
    b.SHUFFLE_PLATES: Chance("shuffle", "plates", rule="B5"),
}
RULES = {
    ("choose", None): "B5",
    ("round", None): "B6",
    ("round", "part"): "B24",
    ("round", "start"): "B19",
    ("round", "later"): "B25",
    ("lay", None): "B7",
    ("reveal", None): "B8",
    ("reveal", "at"): "B9",
    ("out", None): "B10",
    ("win", None): "B14",
    ("start", None): "B13",
    ("exchange", None): "B12",
    ("end", None): "B22",
    ("end", "places"): "B23",
}


def cards(codes: Sequence[int]) -> list[int]:
    """The numbers printed on these cards."""
    return [code - 1 for code in codes]


def plates(codes: Sequence[int]) -> list[str]:
    """The names of these plates: dish and value."""
    return [PLATE_NAMES[code] for code in codes]


def card_code(card: object) -> int:
    """The code of a card; B1."""
    if is_whole(card) and -1 <= card <= 9:
        return card + 1
    raise Malformed(f"There is no mouse card {card!r}: they go from -1 to 9.", "B1")


def plate_code(plate: object) -> int:
    """The code of a plate; B2."""
    if isinstance(plate, str) and plate in PLATE_CODES:
        return PLATE_CODES[plate]
    raise Malformed(f"There is no plate {plate!r}: plates are a dish and a value, like 'pizza4'.", "B2")


def _value(plate: int) -> int:
    """The points for a visible plate; 0 for none."""
    return 0 if plate == b.NOTHING else VALUES[plate % 6]


class BuffetNotation(Notation):
    """Decisions and entries of buffet."""

    decisions = {"lay": frozenset({"card"}), "exchange": frozenset({"cards"})}  # noqa: RUF012
    consequences = CONSEQUENCES
    chances = CHANCES
    rules = RULES

    def code_of(self, decision: Decision) -> int:
        """``lay`` with a card, or ``exchange`` with a list of cards."""
        if decision.do == "lay" and decision.fields.keys() == {"card"}:
            return b.LAY + card_code(decision.card)
        if decision.do == "exchange" and decision.fields.keys() == {"cards"} and isinstance(decision.cards, tuple):
            if len(decision.cards) > b.FULL_HAND:
                raise Malformed(f"A hand never has more than {b.FULL_HAND} cards.", "B12")
            return b.EXCHANGE + sum(1 << b.COUNT_BITS * card_code(card) for card in decision.cards)
        raise Malformed(
            f"{decision!r} is no decision of buffet: there is lay with a card, and exchange with a list of cards.", "B7"
        )

    def verb_and_fields(self, code: int) -> tuple[str, dict[str, Any]]:
        """Verb and fields of the decision with this code."""
        if code < b.EXCHANGE:
            return "lay", {"card": code - b.LAY - 1}
        counts = code - b.EXCHANGE
        held = [card for card in range(b.CARD_KINDS) for _ in range(counts >> b.COUNT_BITS * card & b.COUNT_MASK)]
        return "exchange", {"cards": tuple(cards(held))}

    def fields_of(self, verb: int, args: Sequence[int]) -> Entry:
        """The fields of a consequence."""
        if verb == b.V_DRAW:
            return {"seat": args[0], "cards": cards(args[1:])}
        if verb == b.V_ROUND:
            number, part, start, first = args[:4]
            fields: Entry = {"number": number, "part": part, "start": start, "plates": plates(args[4 + first :])}
            return fields | {"later": plates(args[4 : 4 + first])} if first else fields
        if verb == b.V_REVEAL:
            return {"seat": args[0], "card": args[1] - 1, "at": args[2]}
        if verb in (b.V_OUT, b.V_WIN):
            return {"seat": args[0], "plate": None if args[1] == b.NOTHING else PLATE_NAMES[args[1]]}
        return {"seat": args[0]}

    def item_of(self, pile: str, code: int) -> int | str:
        """A mouse card or a plate."""
        return code - 1 if pile == "mice" else PLATE_NAMES[code]

    def code_in(self, pile: str, item: object) -> int:
        """The code of a mouse card or a plate."""
        return card_code(item) if pile == "mice" else plate_code(item)

    def rule_of(self, entry: Entry, field: str | None, cause: str | None) -> str:
        """The rule of a draw or shuffle depends on its cause."""
        verb = entry["do"]
        setting_up = cause in (None, "choose")
        if verb == "shuffle":
            return "B5" if setting_up else "B18"
        if verb == "draw":
            return "B5" if setting_up else {"exchange": "B12", "win": "B17"}.get(str(cause), "B15")
        if verb == "out" and entry.get("plate") is None:
            return "B14"
        return super().rule_of(entry, field, cause)


class BuffetObservation(Observation):
    """What a seat of buffet sees."""

    __slots__ = ()

    secret = ("hand", "laid")

    shown = (
        "seat", "round", "rounds", "last_round", "part", "start", "to_act", "hand", "laid", "served", "plates",
        "stakes", "later", "gains", "last", "duel", "seats", "exchange", "discard", "draw_pile", "plates_to_come",
        "over",
    )  # fmt: skip

    @property
    def rounds(self) -> int:
        """B21: the number of rounds of the game."""
        return b.PLATES // self._per_round

    @property
    def _per_round(self) -> int:
        return b.plates_for(self._word("seats"))

    @property
    def last_round(self) -> bool:
        """B21: does the game end with this round?"""
        return self.round == self.rounds

    @property
    def part(self) -> int:
        """B24: the part of the round; always 1 with four players and more."""
        return self._word("part")

    @property
    def start(self) -> int | None:
        """Who has the start token, if known."""
        return self._known("start")

    @property
    def hand(self) -> list[int]:
        """The own cards, lowest first; empty for a spectator."""
        return [code - 1 for code, count in enumerate(self._list("hand")) for _ in range(count)]

    @property
    def laid(self) -> int | None:
        """The own card that lies face down."""
        laid = self._known("laid")
        return None if laid is None else laid - 1

    @property
    def _layout(self) -> list[int]:
        layout: list[int] = self._list("layout")[: self._word("layout_size")]
        return layout

    @property
    def _first_at_stake(self) -> int:
        """B25: index of the first plate played for now; with three players the two best wait for part two."""
        return 2 if self._word("seats") == 3 and self.part == 1 else 0

    @property
    def served(self) -> int:
        """B6, B24: how many plates this round began with, or this part of it."""
        return self._per_round if self._word("seats") > 3 else 3 if self.part == 1 else 2

    @property
    def plates(self) -> list[str]:
        """The plates played for now, best first; the next one out gets the last of them."""
        return plates(self._layout[self._first_at_stake :])

    @property
    def later(self) -> list[str]:
        """B25: the plates that wait for part two."""
        return plates(self._layout[: self._first_at_stake])

    @property
    def _racing(self) -> list[int]:
        return [seat for seat, racing in enumerate(self._list("racing")) if racing]

    @property
    def stakes(self) -> Sequence[str | None]:
        """B10, B14, B25: who gets each of ``plates`` next: the last one, or in a duel the winner and the one behind."""
        racing, places = len(self._racing), self._word("layout_size") - self._first_at_stake
        if racing == 2:
            return ["winner", "behind"][:places]
        return [None] * (places - 1) + ["last"] if racing > 2 else [None] * places

    @property
    def last(self) -> int | None:
        """B10: whose mouse is alone at the back and would be out now; None in a tie (B11) and in a duel (B14)."""
        racing, at = self._racing, self._list("at")
        if len(racing) < 3:
            return None
        hindmost = min(at[seat] for seat in racing)
        behind = [seat for seat in racing if at[seat] == hindmost]
        return behind[0] if len(behind) == 1 else None

    @property
    def duel(self) -> bool:
        """B14: are only two mice left in the race?"""
        return len(self._racing) == 2

    @property
    def gains(self) -> list[int] | None:
        """B16, B22: how each of ``plates``, then of ``later``, would change the own points; None for a spectator."""
        if self.seat is None:
            return None
        visible, first = self._list("shown")[self.seat], self._first_at_stake
        return [
            VALUES[plate % 6] - _value(visible[plate // 6]) for plate in self._layout[first:] + self._layout[:first]
        ]

    @property
    def seats(self) -> list[dict[str, Any]]:
        """Everybody at the table: mouse, cards in hand, plates from bottom to top, points, the best visible plate."""
        racing, at, laid, size = (self._list(name) for name in ("racing", "at", "has_laid", "hand_size"))
        return [
            {
                "racing": bool(racing[seat]),
                "at": at[seat],
                "has_laid": bool(laid[seat]),
                "hand_size": size[seat],
                "stacks": self._stacks(seat),
                "points": sum(stack[-1] for stack in self._stacks(seat).values()),
                "best": self._best(seat),
            }
            for seat in range(self._word("seats"))
        ]

    def _stacks(self, seat: int) -> dict[str, list[int]]:
        """B16: the values of each dish before a seat, the last one visible."""
        stacks: dict[str, list[int]] = {}
        taken = self._word("taken")
        for plate, owner in zip(self._list("taken_plate")[:taken], self._list("taken_seat")[:taken], strict=True):
            if owner == seat:
                stacks.setdefault(DISHES[plate // 6], []).append(VALUES[plate % 6])
        return stacks

    def _best(self, seat: int) -> str | None:
        """B23: the most valuable visible plate, which breaks ties."""
        visible = [plate for plate in self._list("shown")[seat] if plate != b.NOTHING]
        return PLATE_NAMES[max(visible, key=b.worth_of)] if visible else None

    @property
    def exchange(self) -> int | None:
        """B12: who may still exchange cards."""
        return self._known("exchange")

    @property
    def discard(self) -> list[int]:
        """The cards on the discard pile, lowest first."""
        return [code - 1 for code, count in enumerate(self._list("discard")) for _ in range(count)]

    @property
    def draw_pile(self) -> int:
        """How many cards are left to draw."""
        return self._word("pile_left")

    @property
    def plates_to_come(self) -> list[str]:
        """The plates that nobody has seen yet, in a fixed order."""
        seen = {*self._list("taken_plate")[: self._word("taken")], *self._list("layout")[: self._word("layout_size")]}
        return [name for code, name in enumerate(PLATE_NAMES) if code not in seen]

    def derived(self) -> tuple[object, ...]:
        """The part, who is last, duels, who may exchange, and the plates that count."""
        shown = self.raw["shown"].tobytes()
        return (self.part, self.last, self.duel, self._word("exchange"), shown)
