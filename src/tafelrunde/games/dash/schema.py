"""What dash says over the wire: the types of its decisions, entries and views."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType

from tafelrunde.games.schema import Closed, Decided, EndEntry, Followed, Number, Seat, Time, Whole

DashFood = TypeAliasType("DashFood", Annotated[str, Field(pattern=r"^[A-G][1-7]$")])
DashCard = TypeAliasType("DashCard", Annotated[str, Field(pattern=r"^([A-G][1-7]|X)$")])
DashPlace = TypeAliasType("DashPlace", Annotated[int, Field(ge=0, le=63)])
DashSide = TypeAliasType("DashSide", Literal["left", "right"])
DashItem = TypeAliasType("DashItem", Literal["A", "B", "C", "D", "E", "F", "G", "1", "2", "3", "4", "5", "6", "7"])
DashStance = TypeAliasType("DashStance", Literal["waits", "opens", "turns", "chooses", "weighs", "gone"])


class Handed(Closed):
    """With two players it is told which hand."""

    hand: NotRequired[DashSide]


class DashOpen(Closed):
    """Open the buffet."""

    do: Literal["open"]


class DashLook(Handed):
    """Look at the top card of the own stack."""

    do: Literal["look"]


class DashTake(Handed):
    """Reach for the card at a place."""

    do: Literal["take"]
    place: DashPlace


class DashKeep(Handed):
    """Put the food card in hand to the own display."""

    do: Literal["keep"]


class DashBack(Handed):
    """Put the card in hand face down to a free place."""

    do: Literal["back"]
    place: DashPlace


class DashExit(Handed):
    """Keep the exit card in hand: this hand is finished."""

    do: Literal["exit"]


class DashReturn(Handed):
    """Put a card of the own display face down to a free place."""

    do: Literal["return"]
    card: DashFood
    place: DashPlace


DashDecision = TypeAliasType(
    "DashDecision",
    Annotated[DashOpen | DashLook | DashTake | DashKeep | DashBack | DashExit | DashReturn, Field(discriminator="do")],
)


class DashDecided(Decided):
    """A decision of dash: in real time each has its moment."""

    ms: Time


class DashOpenEntry(DashOpen, DashDecided):
    """The buffet was opened."""


class DashLookEntry(DashLook, DashDecided):
    """A hand looks at the top card of its stack."""


class DashTakeEntry(DashTake, DashDecided):
    """A hand reaches for a place."""


class DashKeepEntry(DashKeep, DashDecided):
    """The card in hand goes to the display."""


class DashBackEntry(DashBack, DashDecided):
    """The card in hand goes back, face down."""


class DashExitEntry(DashExit, DashDecided):
    """A hand has kept an exit card and is finished."""


class DashReturnEntry(DashReturn, DashDecided):
    """A card of a display goes back, face down."""


class DashChooseEntry(Followed):
    """Chance has settled who opens the buffet in the first round."""

    do: Literal["choose"]
    option: Literal["first_opener"]
    value: Seat


class DashShuffleFoodEntry(Followed):
    """All food cards were shuffled."""

    do: Literal["shuffle"]
    pile: Literal["food"]
    order: NotRequired[list[DashFood]]
    count: NotRequired[Whole]


class DashShuffleHeapEntry(Followed):
    """The heap was shuffled: what lies at place 0, at place 1, and so on."""

    do: Literal["shuffle"]
    pile: Literal["heap"]
    order: NotRequired[list[DashCard]]
    count: NotRequired[Whole]


DashShuffleEntry = TypeAliasType(
    "DashShuffleEntry", Annotated[DashShuffleFoodEntry | DashShuffleHeapEntry, Field(discriminator="pile")]
)


class DashRoundEntry(Followed):
    """A round begins."""

    do: Literal["round"]
    number: Number
    opener: Seat


class DashDealEntry(Handed, Followed):
    """A hand has its stack; nobody has seen it yet."""

    do: Literal["deal"]
    seat: Seat
    cards: NotRequired[list[DashFood]]
    count: NotRequired[Whole]


class DashSeeEntry(Handed, Followed):
    """A hand has a card now; only its seat sees which."""

    do: Literal["see"]
    seat: Seat
    card: NotRequired[DashCard]


class DashLateEntry(Handed, Followed):
    """Another hand was faster."""

    do: Literal["late"]
    seat: Seat
    place: DashPlace


class DashShowEntry(Handed, Followed):
    """A card lies in a display now, for all to see."""

    do: Literal["show"]
    seat: Seat
    card: DashFood


class DashScoreEntry(Followed):
    """A round is over; two players have points for the left and for the right hand."""

    do: Literal["score"]
    points: list[int] | list[tuple[int, int]]
    totals: list[int]
    why: Literal["exits", "limit"]
    ms: NotRequired[Time]
    """When time ran out."""


DashEntry = TypeAliasType(
    "DashEntry",
    Annotated[
        DashOpenEntry
        | DashLookEntry
        | DashTakeEntry
        | DashKeepEntry
        | DashBackEntry
        | DashExitEntry
        | DashReturnEntry
        | DashChooseEntry
        | DashShuffleEntry
        | DashRoundEntry
        | DashDealEntry
        | DashSeeEntry
        | DashLateEntry
        | DashShowEntry
        | DashScoreEntry
        | EndEntry,
        Field(discriminator="do"),
    ],
)


class DashSpot(Closed):
    """A card lying face down, and what is known of it."""

    place: DashPlace
    card: DashCard | None
    seen_by: list[Seat]
    surely_food: bool


class DashHand(Closed):
    """A hand of somebody at the table; ``card`` only for those who know what it holds."""

    hand: DashSide | None
    stack: Whole
    holds: bool
    card: DashCard | None
    would_double: list[DashItem]
    """What would be double in the display with ``card``."""
    display: list[DashFood]
    doubles: list[DashItem]
    """The foods and drinks that are in the display more than once."""
    gone: bool
    ready_at: Time
    stance: DashStance
    """What the hand can do now: wait, open the buffet, look at its stack, choose at the heap, decide about a card."""


class DashSeat(Closed):
    """Somebody at the table."""

    total: int
    missing: Whole
    """How many points are missing to ``target``."""
    hands: list[DashHand]


class DashView(Closed):
    """What a seat of dash sees and knows, or a spectator."""

    game: Literal["dash"]
    seat: Seat | None
    hand: DashSide | None
    round: Whole
    opener: Seat | None
    is_open: bool
    time: Time
    deadline: Time | None
    pace: Time
    """How long a hand is busy with a card that it has looked at or taken."""
    exits: Number
    """How many exit cards a round begins with."""
    exits_left: Whole
    to_act: list[Seat]
    heap: list[DashSpot]
    seats: list[DashSeat]
    target: Number
    reached: bool
    """Somebody has had so many points after a round."""
    over: bool
    legal: list[DashDecision]


DECISION, ENTRY, VIEW = DashDecision, DashEntry, DashView
