"""What chocolat says over the wire: the types of its decisions, entries and views."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from tafelrunde.games.schema import Closed, Decided, EndEntry, Followed, Number, Seat, Time, Whole

ChocolatIngredient = TypeAliasType("ChocolatIngredient", Literal["eggs", "fruit", "nuts", "chocolate", "sugar"])
ChocolatCard = TypeAliasType(
    "ChocolatCard",
    Annotated[
        str,
        Field(
            pattern=r"^(eggs-[3-7]-[1-6]|fruit-[3-7]-[2-7]|nuts-[3-7]-[3-8]|chocolate-[3-7]-[3-8]|sugar-[3-7]-[1-4])$"
        ),
    ],
)
ChocolatRank = TypeAliasType("ChocolatRank", Literal[1, 2, 3, 4, 5, 6, 7])
ChocolatPower = TypeAliasType("ChocolatPower", Literal["four", "colour", "value", "three", "dig", "fetch", "coins"])

# A keyword and numbers can not be written as fields of a class.
Coloured = TypedDict("Coloured", {"as": NotRequired[ChocolatIngredient]})
ByRank = TypedDict(
    "ByRank",
    {
        "1": ChocolatPower,
        "2": ChocolatPower,
        "3": ChocolatPower,
        "4": ChocolatPower,
        "5": ChocolatPower,
        "6": ChocolatPower,
        "7": ChocolatPower,
    },
)


class ChocolatLay(Closed):
    """Lay a card face down; with ``helper`` it counts three coins more."""

    do: Literal["lay"]
    card: ChocolatCard
    helper: NotRequired[ChocolatRank]


class ChocolatDraft(Closed):
    """Take two cards from the market, or with ``helper`` three, and ``give`` one."""

    do: Literal["draft"]
    take: list[ChocolatCard]
    give: NotRequired[ChocolatCard]
    helper: NotRequired[ChocolatRank]


class ChocolatDig(Closed):
    """Give up a card and draw one."""

    do: Literal["dig"]
    card: ChocolatCard
    helper: ChocolatRank


class ChocolatFetch(Closed):
    """Give up a card for the one on top of the discard pile."""

    do: Literal["fetch"]
    card: ChocolatCard
    helper: ChocolatRank


class ChocolatCombine(Coloured, Closed):
    """Lay out cards and keep some of them; ``changed`` counts as one higher, or as of the colour ``as``."""

    do: Literal["combine"]
    cards: list[ChocolatCard]
    kept: list[ChocolatCard]
    helper: NotRequired[ChocolatRank]
    changed: NotRequired[ChocolatCard]


class ChocolatPass(Closed):
    """Lay out nothing in this round."""

    do: Literal["pass"]


ChocolatDecision = TypeAliasType(
    "ChocolatDecision",
    Annotated[
        ChocolatLay | ChocolatDraft | ChocolatDig | ChocolatFetch | ChocolatCombine | ChocolatPass,
        Field(discriminator="do"),
    ],
)


class ChocolatDecided(Decided):
    """A decision of chocolat; the table may have noted its time."""

    ms: NotRequired[Time]


class ChocolatLayEntry(ChocolatDecided):
    """A card was laid; only its seat sees which, and whether a helper lies under it."""

    do: Literal["lay"]
    card: NotRequired[ChocolatCard]
    helper: NotRequired[ChocolatRank]


class ChocolatDraftEntry(ChocolatDraft, ChocolatDecided):
    """A seat has taken cards from the market."""


class ChocolatDigEntry(ChocolatDig, ChocolatDecided):
    """A seat has given up a card, to draw one."""


class ChocolatFetchEntry(ChocolatFetch, ChocolatDecided):
    """A seat has given up a card for the one on top of the discard pile."""


class ChocolatCombineEntry(ChocolatCombine, ChocolatDecided):
    """A seat has laid out cards and kept some of them."""


class ChocolatPassEntry(ChocolatPass, ChocolatDecided):
    """A seat has laid out nothing."""


class ChocolatChooseEntry(Followed):
    """Chance has settled where the spare helpers lie."""

    do: Literal["choose"]
    option: Literal["pantry_seat"]
    value: Seat


class ChocolatShuffleIngredientsEntry(Followed):
    """The ingredients were shuffled."""

    do: Literal["shuffle"]
    pile: Literal["ingredients"]
    order: NotRequired[list[ChocolatCard]]
    count: NotRequired[Whole]


class ChocolatShuffleHelpersEntry(Followed):
    """The helpers were shuffled, openly."""

    do: Literal["shuffle"]
    pile: Literal["helpers"]
    order: list[ChocolatRank]


ChocolatShuffleEntry = TypeAliasType(
    "ChocolatShuffleEntry",
    Annotated[ChocolatShuffleIngredientsEntry | ChocolatShuffleHelpersEntry, Field(discriminator="pile")],
)


class ChocolatDrawEntry(Followed):
    """A seat has drawn cards."""

    do: Literal["draw"]
    seat: Seat
    cards: NotRequired[list[ChocolatCard]]
    count: NotRequired[Whole]


class ChocolatHelpersEntry(Followed):
    """Who has which helper now."""

    do: Literal["helpers"]
    seats: list[ChocolatRank]
    spare: list[ChocolatRank]


class ChocolatRoundEntry(Followed):
    """A round begins."""

    do: Literal["round"]
    number: Number


class ChocolatMarketEntry(Followed):
    """The market was filled: what is new, and all that lies there."""

    do: Literal["market"]
    new: list[ChocolatCard]
    cards: list[ChocolatCard]


class ChocolatRevealEntry(Followed):
    """A card was turned over; ``helper`` if that has added coins."""

    do: Literal["reveal"]
    seat: Seat
    card: ChocolatCard
    coins: Number
    helper: NotRequired[ChocolatRank]


class ChocolatGainEntry(Followed):
    """A seat has fetched this card."""

    do: Literal["gain"]
    seat: Seat
    card: ChocolatCard


ChocolatEntry = TypeAliasType(
    "ChocolatEntry",
    Annotated[
        ChocolatLayEntry
        | ChocolatDraftEntry
        | ChocolatDigEntry
        | ChocolatFetchEntry
        | ChocolatCombineEntry
        | ChocolatPassEntry
        | ChocolatChooseEntry
        | ChocolatShuffleEntry
        | ChocolatDrawEntry
        | ChocolatHelpersEntry
        | ChocolatRoundEntry
        | ChocolatMarketEntry
        | ChocolatRevealEntry
        | ChocolatGainEntry
        | EndEntry,
        Field(discriminator="do"),
    ],
)


class ChocolatLaid(Closed):
    """The own card lying face down, and whether a helper lies under it."""

    card: ChocolatCard
    helper: bool


class ChocolatSeat(Closed):
    """Somebody at the table, as all see them."""

    helper: ChocolatRank | None
    next_helper: ChocolatRank | None
    used: bool
    has_laid: bool
    played: ChocolatCard | None
    coins: Number | None
    hand_size: Whole
    known: list[ChocolatCard]
    kept: list[ChocolatCard]
    points: Whole


class ChocolatPowers(ByRank, Closed):
    """The power of each rank."""


class ChocolatView(Closed):
    """What a seat of chocolat sees, or a spectator."""

    game: Literal["chocolat"]
    seat: Seat | None
    round: Whole
    last_round: bool
    phase: Literal["setup", "laying", "drafting", "scoring", "over"]
    to_act: list[Seat]
    order: list[Seat]
    hand: list[ChocolatCard]
    laid: ChocolatLaid | None
    market: list[ChocolatCard]
    market_full: Number
    """How many cards lie in the market when a round begins."""
    seats: list[ChocolatSeat]
    spare: list[ChocolatRank]
    pantry: Seat | None
    powers: ChocolatPowers
    discard: list[ChocolatCard]
    draw_pile: Whole
    target: Number
    gains: list[Whole] | None
    """What each of ``legal`` would add to the own points; null while no combination can be laid out."""
    over: bool
    legal: list[ChocolatDecision]


DECISION, ENTRY, VIEW = ChocolatDecision, ChocolatEntry, ChocolatView
