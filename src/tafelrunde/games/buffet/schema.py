"""What buffet says over the wire: the types of its decisions, entries and views."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType

from tafelrunde.games.schema import Closed, Decided, EndEntry, Followed, Number, Seat, Time, Whole

BuffetCard = TypeAliasType("BuffetCard", Literal[-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
BuffetValue = TypeAliasType("BuffetValue", Literal[-1, 1, 2, 3, 4, 5])
BuffetStake = TypeAliasType("BuffetStake", Literal["last", "winner", "behind"])
BuffetPlate = TypeAliasType(
    "BuffetPlate", Annotated[str, Field(pattern=r"^(cheese|salami|sausage|pizza|drumstick|salad)(-1|[1-5])$")]
)


class BuffetLay(Closed):
    """Lay a card face down."""

    do: Literal["lay"]
    card: BuffetCard


class BuffetExchange(Closed):
    """The first one out discards these cards and draws as many."""

    do: Literal["exchange"]
    cards: list[BuffetCard]


BuffetDecision = TypeAliasType("BuffetDecision", Annotated[BuffetLay | BuffetExchange, Field(discriminator="do")])


class BuffetDecided(Decided):
    """A decision of buffet; the table may have noted its time."""

    ms: NotRequired[Time]


class BuffetLayEntry(BuffetDecided):
    """A card was laid; only its seat sees which."""

    do: Literal["lay"]
    card: NotRequired[BuffetCard]


class BuffetExchangeEntry(BuffetExchange, BuffetDecided):
    """Cards were discarded openly."""


class BuffetChooseEntry(Followed):
    """Chance has settled who has the start token."""

    do: Literal["choose"]
    option: Literal["start_seat"]
    value: Seat


class BuffetShuffleMiceEntry(Followed):
    """The mouse cards were shuffled."""

    do: Literal["shuffle"]
    pile: Literal["mice"]
    order: NotRequired[list[BuffetCard]]
    count: NotRequired[Whole]


class BuffetShufflePlatesEntry(Followed):
    """The plates were shuffled."""

    do: Literal["shuffle"]
    pile: Literal["plates"]
    order: NotRequired[list[BuffetPlate]]
    count: NotRequired[Whole]


BuffetShuffleEntry = TypeAliasType(
    "BuffetShuffleEntry", Annotated[BuffetShuffleMiceEntry | BuffetShufflePlatesEntry, Field(discriminator="pile")]
)


class BuffetDrawEntry(Followed):
    """A seat has drawn cards."""

    do: Literal["draw"]
    seat: Seat
    cards: NotRequired[list[BuffetCard]]
    count: NotRequired[Whole]


class BuffetRoundEntry(Followed):
    """A round begins, or part two of one."""

    do: Literal["round"]
    number: Number
    part: Literal[1, 2]
    start: Seat
    plates: list[BuffetPlate]
    later: NotRequired[list[BuffetPlate]]


class BuffetRevealEntry(Followed):
    """A card was turned over, and its mouse has moved."""

    do: Literal["reveal"]
    seat: Seat
    card: BuffetCard
    at: int


class BuffetOutEntry(Followed):
    """A mouse has left the track."""

    do: Literal["out"]
    seat: Seat
    plate: BuffetPlate | None


class BuffetWinEntry(Followed):
    """The mouse in front has taken the last plate."""

    do: Literal["win"]
    seat: Seat
    plate: BuffetPlate


class BuffetStartEntry(Followed):
    """The start token has a new holder."""

    do: Literal["start"]
    seat: Seat


BuffetEntry = TypeAliasType(
    "BuffetEntry",
    Annotated[
        BuffetLayEntry
        | BuffetExchangeEntry
        | BuffetChooseEntry
        | BuffetShuffleEntry
        | BuffetDrawEntry
        | BuffetRoundEntry
        | BuffetRevealEntry
        | BuffetOutEntry
        | BuffetWinEntry
        | BuffetStartEntry
        | EndEntry,
        Field(discriminator="do"),
    ],
)


class BuffetStacks(Closed, total=False):
    """The values of each dish before a seat, from bottom to top."""

    cheese: list[BuffetValue]
    salami: list[BuffetValue]
    sausage: list[BuffetValue]
    pizza: list[BuffetValue]
    drumstick: list[BuffetValue]
    salad: list[BuffetValue]


class BuffetSeat(Closed):
    """Somebody at the table, as all see them."""

    racing: bool
    at: int
    has_laid: bool
    hand_size: Whole
    stacks: BuffetStacks
    points: int
    best: BuffetPlate | None
    """The best visible plate, which settles ties."""


class BuffetView(Closed):
    """What a seat of buffet sees, or a spectator."""

    game: Literal["buffet"]
    seat: Seat | None
    round: Whole
    rounds: Number
    last_round: bool
    part: Literal[1, 2]
    start: Seat | None
    to_act: list[Seat]
    hand: list[BuffetCard]
    laid: BuffetCard | None
    served: Number
    """How many plates this round, or this part of it, began with."""
    plates: list[BuffetPlate]
    stakes: list[BuffetStake | None]
    """Who gets each of ``plates`` next."""
    later: list[BuffetPlate]
    gains: list[int] | None
    """What each of ``plates`` and then of ``later`` would add to the own points now; null for a spectator."""
    last: Seat | None
    """Who is alone at the back and would be out now; null in a tie and in a duel."""
    duel: bool
    """Only two mice are left in the race."""
    seats: list[BuffetSeat]
    exchange: Seat | None
    discard: list[BuffetCard]
    draw_pile: Whole
    plates_to_come: list[BuffetPlate]
    over: bool
    legal: list[BuffetDecision]


DECISION, ENTRY, VIEW = BuffetDecision, BuffetEntry, BuffetView
