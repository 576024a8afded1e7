"""The words of the games as types: what decisions, entries and views look like in JSON.

Decisions, entries and views are plain dicts and stay so: these types say what is in them, so that their JSON Schema is
exact and a client can generate its own types from it. Nothing is checked or converted by them at run time. What there
is to say is decided in the ``notation`` of each game; the tests hold both together.

Every type is closed: it has these keys and no others. A key that a seat may not see (docs/record.md) is not required,
and neither is the ``count`` that stands in its place. How many cards there are in a list, and which keys go together,
is for the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter, with_config
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import TypeAliasType, TypedDict

# --- In every game ------------------------------------------------------------------------------------------------

Whole = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]
Seat = Annotated[int, Field(ge=0, le=9)]
Time = Whole
"""Milliseconds since the first entry."""
Secret = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@with_config(ConfigDict(extra="forbid", strict=True))
class Closed(TypedDict):
    """These keys and no others; nothing is read as something else."""


class Decided(Closed):
    """An entry that a player has decided."""

    by: Seat


class Followed(Closed):
    """An entry that followed."""

    by: Literal["table"]


class EndEntry(Followed):
    """The game is over."""

    do: Literal["end"]
    scores: list[int]
    places: list[Number]
    secret: NotRequired[Secret]
    """Of a table that proves its shuffles."""


# --- buffet -------------------------------------------------------------------------------------------------------

BuffetCard = TypeAliasType("BuffetCard", Literal[-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
BuffetValue = TypeAliasType("BuffetValue", Literal[-1, 1, 2, 3, 4, 5])
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
    part: Literal[1, 2]
    start: Seat | None
    to_act: list[Seat]
    hand: list[BuffetCard]
    laid: BuffetCard | None
    plates: list[BuffetPlate]
    later: list[BuffetPlate]
    gains: list[int] | None
    """What each of ``plates`` and then of ``later`` would add to the own points now; null for a spectator."""
    seats: list[BuffetSeat]
    exchange: Seat | None
    discard: list[BuffetCard]
    draw_pile: Whole
    plates_to_come: list[BuffetPlate]
    over: bool
    legal: list[BuffetDecision]


# --- dash ---------------------------------------------------------------------------------------------------------

DashFood = TypeAliasType("DashFood", Annotated[str, Field(pattern=r"^[A-G][1-7]$")])
DashCard = TypeAliasType("DashCard", Annotated[str, Field(pattern=r"^([A-G][1-7]|X)$")])
DashPlace = TypeAliasType("DashPlace", Annotated[int, Field(ge=0, le=63)])
DashSide = TypeAliasType("DashSide", Literal["left", "right"])


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
    display: list[DashFood]
    gone: bool
    ready_at: Time


class DashSeat(Closed):
    """Somebody at the table."""

    total: int
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
    exits_left: Whole
    to_act: list[Seat]
    heap: list[DashSpot]
    seats: list[DashSeat]
    target: Number
    over: bool
    legal: list[DashDecision]


# --- chocolat -----------------------------------------------------------------------------------------------------

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
    phase: Literal["setup", "laying", "drafting", "scoring", "over"]
    to_act: list[Seat]
    order: list[Seat]
    hand: list[ChocolatCard]
    laid: ChocolatLaid | None
    market: list[ChocolatCard]
    seats: list[ChocolatSeat]
    spare: list[ChocolatRank]
    pantry: Seat | None
    powers: ChocolatPowers
    discard: list[ChocolatCard]
    draw_pile: Whole
    target: Number
    over: bool
    legal: list[ChocolatDecision]


# --- All of them --------------------------------------------------------------------------------------------------

GameDecision = TypeAliasType("GameDecision", BuffetDecision | DashDecision | ChocolatDecision)
GameEntry = TypeAliasType("GameEntry", BuffetEntry | DashEntry | ChocolatEntry)
GameView = TypeAliasType("GameView", Annotated[BuffetView | DashView | ChocolatView, Field(discriminator="game")])


@dataclass(frozen=True)
class LooksLike:
    """``Annotated[dict[str, Any], LooksLike(GameEntry)]``: a plain dict at run time, this type in the JSON Schema."""

    type: Any

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(TypeAdapter(self.type).core_schema)


class Untitled(GenerateJsonSchema):
    """Leaves the titles of fields out: they only repeat the names, and generators of types make types of them."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Never."""
        return False


def schema(ref_template: str = "#/$defs/{model}") -> dict[str, Any]:
    """The types under their names, to be merged with the ``$defs`` of another JSON Schema.

    >>> [part["$ref"] for part in schema()["BuffetDecision"]["oneOf"]]
    ['#/$defs/BuffetLay', '#/$defs/BuffetExchange']
    """
    kinds: tuple[Any, ...] = (GameDecision, GameEntry, GameView)
    adapters: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (kind.__name__, "validation", TypeAdapter(kind)) for kind in kinds
    ]
    _, whole = TypeAdapter.json_schemas(adapters, ref_template=ref_template, schema_generator=Untitled)
    definitions: dict[str, Any] = whole["$defs"]
    return definitions
