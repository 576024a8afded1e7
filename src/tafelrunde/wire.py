"""The protocol, defined once: HTTP bodies, commands of clients, messages of the table.

JSON Schema and OpenAPI are generated from these classes (``schema``), and so are the types of the browser client.
Clients set up and join tables over HTTP and play over one WebSocket: the client says ``hello``, is welcomed, and from
then on sends commands and receives numbered lines. docs/protocol.md explains it all. Docstrings of the models appear in
the schema as descriptions.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter
from pydantic.json_schema import models_json_schema

from tafelrunde.games.schema import LooksLike, WithoutTitles

PROTOCOL = 1
"""The version; raised by changes that existing clients would not understand."""

LONGEST_MESSAGE = 16 * 1024
"""Bytes of the largest message of a client; the largest decisions need a tenth of it."""

LONGEST_RECORD = 1024 * 1024
"""Bytes of the largest HTTP body with a record; the longest games of people need a third of it."""

MOST_SEATS = 10


def _printable(text: str) -> str:
    """Normalise spaces; refuse control characters, invisible direction marks and lone surrogates."""
    cleaned = " ".join(text.split())
    if not cleaned or not all(sign.isprintable() or sign in "\u200d\ufe0f" for sign in cleaned):
        raise ValueError("has to be printable text")
    return cleaned


def line_of_text(most: int) -> Any:
    """The type of a line of printable text with this many characters at most."""
    return Annotated[str, StringConstraints(min_length=1, max_length=most), AfterValidator(_printable)]


Name = line_of_text(24)
"""The name of a player."""
Said = line_of_text(200)
CommandId = Annotated[str, StringConstraints(min_length=1, max_length=40, pattern=r"^[\x21-\x7e]+$")]
"""Chosen by the client, unique for each command; sending a command again with the same id is harmless."""
Token = Annotated[str, StringConstraints(min_length=22, max_length=86, pattern=r"^[A-Za-z0-9_-]+$")]
"""The key to a seat: 192 random bits. The server keeps only its hash."""
Hex32 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal."""
SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS, strict=True)]
Reaction = Literal["yum", "wow", "haha", "oops", "cheers", "hurry"]
REACTIONS: tuple[str, ...] = get_args(Reaction)
LEFT_OUT = "left out"
"""Marks a key that is left out if it is None; all other keys of what the server sends are always present."""
Entry = Annotated[dict[str, Any], LooksLike("ENTRY")]
"""An entry of the game record (docs/record.md), without what the receiver may not see."""
Observed = Annotated[dict[str, Any], LooksLike("VIEW")]
"""The view of a seat as JSON."""


class Incoming(BaseModel):
    """What is sent to us: nothing unknown, and a number is a number."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Outgoing(BaseModel):
    """What we send; a client of an older version passes over keys that it does not know."""

    model_config = ConfigDict(extra="ignore")


# --- A table as everybody may see it -------------------------------------------------------------------------------


Phase = Literal["gathering", "shuffling", "playing", "over", "closed"]
"""``shuffling``: the game has been started, nonces are being collected. ``closed``: by its host, for good."""


class Seat(Outgoing):
    """A place at the table and who has it."""

    kind: Literal["free", "person", "bot", "left"]
    """``left``: the person has gone for good during the game; a bot plays, and anybody may take the seat over."""
    name: str | None = None
    bot: str | None = None
    """The level of the bot that plays here, for a bot or in somebody's stead."""
    stand_in: bool = False
    """A bot plays for the person, who is away and takes the seat back by coming back."""
    pledge: str | None = None
    """SHA-256 of the nonce that this player will add to the shuffles of the next game."""


class Terms(Incoming):
    """What was agreed when the table was set up."""

    public: bool = False
    """Shown in the lobby; else only whoever has the code finds it."""
    chat: bool = True
    grace_s: Annotated[int, Field(ge=5, le=86_400)] | None = 60
    """A person who is away for so long is played for by a bot, when it is their moment; null: never."""
    decision_s: Annotated[int, Field(ge=5, le=86_400)] | None = None
    """Time for a decision, then a bot takes it; null: as long as you like."""
    bot_pace: Literal["human", "instant"] = "human"
    window_ms: Annotated[int, Field(ge=0, le=250)] = 60
    """In real time: claims that arrive within this window are put in order by the measured lag; 0: as they arrive."""
    countdown_s: Annotated[int, Field(ge=0, le=10)] = 3
    """In real time: from the opener's signal to the beginning of the round."""


class TableView(Outgoing):
    """All that is public about a table, besides the game itself."""

    code: str
    game: str
    options: dict[str, int | bool | None]
    terms: Terms
    seats: list[Seat]
    host: int | None
    """The seat that may fill seats, remove, start and offer a rematch; passed on when the host leaves."""
    phase: Phase
    match: int
    """Which game at this table it is, from 1; a rematch begins the next one."""
    commitment: str
    """SHA-256 of the table's secret for this game: published before anything is shuffled."""
    deck: str | None = None
    """The name of the deck, in a game whose cards are data."""


class Presence(Outgoing):
    """Who is connected, and how long their line takes there and back; sent when it changes, not numbered."""

    type: Literal["presence"] = "presence"
    here: list[bool]
    rtt_ms: list[int | None]
    watching: int
    due: list[int | None]
    """When a bot will decide for a seat or stand in for its person, in milliseconds since 1970 by the server's clock;
    null: no such clock is running."""


# --- Lines: what has happened at the table, numbered ----------------------------------------------------------------


class Line(Outgoing):
    """Something that has happened; numbers go up by one from line to line."""

    number: int
    at: int
    """When, in milliseconds since 1970."""
    id: Annotated[str | None, LEFT_OUT] = None
    """The line is the answer to your command of this id: it was accepted."""


class Step(Line):
    """Something has happened in the game."""

    type: Literal["step"] = "step"
    entries: list[Entry]
    to_act: list[int]
    """Who has a decision to take now."""


HouseVerb = Literal[
    "sit", "leave", "remove", "bot", "terms", "pledge", "pass", "take",
    "start", "nonce", "begin", "away", "back", "rematch", "close",
]  # fmt: skip


class House(Line):
    """Something has happened at the table: somebody sat down, left, began …"""

    type: Literal["house"] = "house"
    do: HouseVerb
    seat: int | None = None
    table: TableView
    """The table after it."""


class Countdown(Line):
    """In real time: the round begins when this time is over, by the server's clock."""

    type: Literal["countdown"] = "countdown"
    seat: int
    ms: int


class Chat(Line):
    """Somebody has said something."""

    type: Literal["say"] = "say"
    seat: int
    text: str


class React(Line):
    """Somebody has shown a reaction."""

    type: Literal["react"] = "react"
    seat: int
    sign: Reaction


AnyLine = Annotated[Step | House | Countdown | Chat | React, Field(discriminator="type")]


# --- Other messages of the table ----------------------------------------------------------------------------------


class View(Outgoing):
    """What a seat sees now, whole."""

    seat: int | None
    """None: a spectator's view."""
    observation: Observed
    """The game in words, and the decisions that the seat may take."""
    raw: str | None = None
    """The same as the flat record of this version of the rules (base64), for compiled bots; only on request."""


class Views(Outgoing):
    """What some of your seats see now, right behind the line that makes it necessary; not numbered itself."""

    type: Literal["views"] = "views"
    number: int
    """The line after which it is so."""
    views: list[View]
    """Those of your seats (or a spectator's) for which something has changed that entries do not tell; after a break
    all of them."""


class Welcome(Outgoing):
    """The first message: everything as it is now."""

    type: Literal["welcome"] = "welcome"
    protocol: int = PROTOCOL
    number: int
    """Of the last line that is contained in this."""
    now: int
    """The server's clock, in milliseconds since 1970."""
    epoch: str
    """Which history the numbers of lines belong to; say it with the number when you come back."""
    clock_ms: int | None = None
    """In real time: milliseconds since the first entry, by the server's clock."""
    table: TableView
    seats: list[int]
    """Your seats."""
    views: list[View]
    """One for each of your seats, or a spectator's; none before the game has begun."""
    to_act: list[int]
    talk: list[Annotated[Chat | React, Field(discriminator="type")]]
    """What was said last."""
    lines: list[AnyLine] = []
    """What you asked to recall: the lines of the game that is going on or just over, as you may see them, without ids;
    if they are very many, the last ones."""


class Resumed(Outgoing):
    """The first message after a break: what was missed follows, line by line."""

    type: Literal["resumed"] = "resumed"
    number: int
    """Of the last line there is."""
    now: int
    epoch: str
    """From now on say this one when you come back."""
    clock_ms: int | None = None
    seats: list[int]


class Accepted(Outgoing):
    """A command was carried out, and there is no new line for it: it changes nothing, or was carried out before."""

    type: Literal["accepted"] = "accepted"
    id: str
    number: int
    """Of the line that the command brought about, or of the last line."""
    views: Annotated[list[View] | None, LEFT_OUT] = None
    pass_: Annotated[str | None, LEFT_OUT] = Field(default=None, alias="pass")
    """For another device: take your seat along with this."""


class Refusal(Outgoing):
    """Why something was refused: a code that never changes, the rule behind it, a sentence for people."""

    code: str
    rule: str | None = None
    sentence: str


class DeckFault(Outgoing):
    """Something in a deck file that is not as it should be."""

    line: int
    """From 1."""
    rule: str | None
    kind: str
    """What is wrong, in one word that never changes; with its values it says all that the sentence does."""
    values: dict[str, str | int]
    sentence: str


class DeckRefusal(Refusal):
    """Why a table was not set up: with a deck file that is not sound, everything that is wrong with it, by line."""

    faults: list[DeckFault] = []


class Refused(Refusal):
    """A command was not carried out; nothing has changed."""

    type: Literal["refused"] = "refused"
    id: str | None
    """None if the message could not be read so far."""


class Bye(Refusal):
    """The last message before the server closes the connection."""

    type: Literal["bye"] = "bye"
    again: bool
    """Is it worth connecting again?"""


Message = Annotated[
    Welcome | Resumed | Step | House | Countdown | Chat | React | Views | Presence | Accepted | Refused | Bye,
    Field(discriminator="type"),
]


# --- Commands of clients ------------------------------------------------------------------------------------------


class Hello(Incoming):
    """The first message of a client: its seats, and how far it has followed the table before."""

    do: Literal["hello"]
    tokens: Annotated[list[Token], Field(max_length=MOST_SEATS)] = []
    """None: you watch."""
    after: Annotated[int, Field(ge=0)] | None = None
    """The number of the last line you have; null: you know nothing."""
    epoch: Annotated[str, StringConstraints(max_length=40)] | None = None
    """The epoch that you were told last. Without it nobody knows whether your number counts the same lines."""
    recall: bool = False
    """Tell me with the welcome what has happened in this game so far."""
    views: bool = False
    """Send me the views of my seats with the steps that make them necessary."""
    raw: bool = False
    """All views that come unasked, those of the welcome too, shall have their ``raw``."""


class Command(Incoming):
    """What every command has."""

    id: CommandId
    seat: SeatNumber | None = None
    """Which of your seats; not needed if you have just one."""


class Act(Command):
    """Take a decision in the game."""

    do: Literal["act"]
    decision: Annotated[dict[str, Any], LooksLike("DECISION")]
    """Verb and fields as in the game record: ``{"do": "lay", "card": 7}``."""


class Look(Command):
    """Ask for the whole view again, with the decisions you may take."""

    do: Literal["look"]
    raw: bool = False


class Say(Command):
    """Say something to all."""

    do: Literal["say"]
    text: Said  # type: ignore[valid-type]


class ShowReaction(Command):
    """Show a reaction to all."""

    do: Literal["react"]
    sign: Reaction


class Pledge(Command):
    """Before the game: the SHA-256 of a nonce of yours, which will be part of the shuffles."""

    do: Literal["pledge"]
    hash: Hex32


class Nonce(Command):
    """When the game has been started: the nonce itself."""

    do: Literal["nonce"]
    nonce: Hex32


class Leave(Command):
    """Get up for good."""

    do: Literal["leave"]


class Pass(Command):
    """Ask for a pass with which another device takes this seat along."""

    do: Literal["pass"]


class SetBot(Command):
    """Host, before the game: put a bot on a free seat or another one in its place; null frees the seat."""

    do: Literal["bot"]
    on: SeatNumber
    level: Annotated[str, StringConstraints(max_length=40)] | None


class Remove(Command):
    """Host: ask a player to leave; during a game a bot plays on in the seat."""

    do: Literal["remove"]
    whom: SeatNumber


class SetTerms(Command):
    """Host: change what was agreed, like switching the chat off."""

    do: Literal["terms"]
    terms: Terms


class Start(Command):
    """Host: begin the game; free seats must have been filled."""

    do: Literal["start"]


class Rematch(Command):
    """Host, after the game: another one with the same people."""

    do: Literal["rematch"]


class Close(Command):
    """Host: close the table for everybody and for good, also during a game."""

    do: Literal["close"]


AnyCommand = Annotated[
    Act
    | Look
    | Say
    | ShowReaction
    | Pledge
    | Nonce
    | Leave
    | Pass
    | SetBot
    | Remove
    | SetTerms
    | Start
    | Rematch
    | Close,
    Field(discriminator="do"),
]


class Identified(Outgoing):
    """What can be said of a message that is no command: perhaps it has an id."""

    id: CommandId


IDENTIFIED: TypeAdapter[Identified] = TypeAdapter(Identified)
HELLO: TypeAdapter[Hello] = TypeAdapter(Hello)
COMMANDS: TypeAdapter[AnyCommand] = TypeAdapter(AnyCommand)
MESSAGES: TypeAdapter[Message] = TypeAdapter(Message)


# --- HTTP bodies --------------------------------------------------------------------------------------------------


class BotSeat(Incoming):
    """A bot for a seat."""

    seat: SeatNumber
    level: Annotated[str, StringConstraints(max_length=40)]


class NewTable(Incoming):
    """A table to be set up; who sets it up gets a seat and is its host."""

    game: Annotated[str, StringConstraints(max_length=20)]
    seats: Annotated[int, Field(ge=1, le=MOST_SEATS)]
    name: Name  # type: ignore[valid-type]
    seat: SeatNumber = 0
    options: Annotated[
        dict[Annotated[str, StringConstraints(max_length=40)], int | bool | None], Field(max_length=20)
    ] = {}
    bots: Annotated[list[BotSeat], Field(max_length=MOST_SEATS)] = []
    terms: Terms = Terms()
    pledge: Hex32 | None = None
    deck: str | None = None
    """In a game whose cards are data: the text of a deck file; null: the deck that comes with the game."""


class Sit(Incoming):
    """Somebody sits down."""

    name: Name  # type: ignore[valid-type]
    seat: SeatNumber | None = None
    """Null: any that is free."""
    pledge: Hex32 | None = None


class Take(Incoming):
    """A seat is taken along to this device."""

    pass_: Token = Field(alias="pass")


class Seated(Outgoing):
    """You have a seat. Keep the token: it is the only key to it, and is told only once."""

    code: str
    seat: int
    token: str


class TableState(Outgoing):
    """A table from outside."""

    table: TableView
    number: int
    to_act: list[int]
    waits_for: list[str]
    """The names of those whom everybody waits for."""


class LobbyTable(Outgoing):
    """A table that one may join."""

    code: str
    game: str
    host: str
    seats: int
    free: int
    people: list[str]


class Lobby(Outgoing):
    """Tables that are open to all."""

    tables: list[LobbyTable]


class OptionInfo(Outgoing):
    """An option of a game."""

    name: str
    kind: Literal["seat", "number", "switch"]
    default: int | bool | None
    default_for_two: int | bool | None
    least: int
    most: int
    rule: str
    text: str


class GameInfo(Outgoing):
    """A game that can be played here."""

    id: str
    title: str
    credit: str
    rules: int
    least_seats: int
    most_seats: int
    real_time: bool
    options: list[OptionInfo]
    bots: list[str]
    deck: str | None = None
    """The name of the deck that comes with the game, for which a table may bring another one; null: always the same."""
    secrets: dict[str, list[str]] = Field(default_factory=dict)
    """By verb: fields of its entries that not everybody sees while the game runs."""


class Games(Outgoing):
    """What can be played here."""

    games: list[GameInfo]
    protocol: int = PROTOCOL


class Result(Outgoing):
    """A game that was played at a table."""

    match: int
    names: list[str]
    scores: list[int]
    places: list[int]
    ended: int


class Results(Outgoing):
    """The games that were finished at a table, the first one first."""

    results: list[Result]


class ReplayHidden(Outgoing):
    """An entry of which not everybody saw everything while the game ran."""

    entry: int
    """Which one of its step, from 0."""
    seat: int | None
    """Who saw all of it; null: nobody."""
    seen: Entry
    """What the others saw."""


class ReplayStep(Outgoing):
    """What one decision brought about."""

    number: int | None
    """The number of its line, and when it happened, in milliseconds since 1970; null: a record does not say."""
    at: int | None
    entries: list[Entry]
    """Nothing is hidden in them."""
    hidden: list[ReplayHidden]
    changes: list[dict[str, Any]]
    """What is different in the views after this step, each under its path; none for the first step."""


class ReplayRound(Outgoing):
    """A round began."""

    number: int
    step: int
    """With which step, from 0."""
    scores: list[int]
    """Points of all seats as they stood then."""


class ReplayData(Outgoing):
    """A game that the rules have checked, step by step, with what every seat saw."""

    header: dict[str, Any]
    views: list[Observed]
    """After the first step: one for each seat, and last a spectator's. No decisions are listed in them."""
    steps: list[ReplayStep]
    rounds: list[ReplayRound]
    real_time: bool
    """Is it a game in real time? Then the times of its decisions matter."""
    finished: bool
    """Does the record go to the end of the game?"""
    proven: bool
    """Has the server dealt all shuffles again from the secret and the nonces?"""


class RecordRefusal(Refusal):
    """Why a record can not be looked back at."""

    line: Annotated[int | None, LEFT_OUT] = None
    """The first line that does not hold."""


class RecordText(Incoming):
    """A record to be checked and looked back at."""

    record: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_RECORD)]
    """The text of a file as described in docs/record.md."""


class RecentGame(Outgoing):
    """A finished game of a public table."""

    code: str
    match: int
    game: str
    names: list[str]
    scores: list[int]
    places: list[int]
    ended: int
    """When, in milliseconds since 1970."""


class RecentGames(Outgoing):
    """Finished games of public tables, the latest first."""

    games: list[RecentGame]
    before: int | None
    """Ask for games that ended before this to get more; null: there are none."""


class Claim(Outgoing):
    """Somebody reached for a card."""

    seat: int
    arrived_ms: int
    """When the claim arrived, by the game's clock."""
    lag_ms: int
    """How much the line was taken to have held it up, as far as the window allows."""
    window_ms: int
    """The window that was agreed then."""
    number: int
    won: bool


class Receipt(Outgoing):
    """Claims for the same card: who came when, and who got it."""

    place: int
    claims: list[Claim]


class Receipts(Outgoing):
    """All contested claims of a finished game."""

    receipts: list[Receipt]


class Health(Outgoing):
    """Is the server well?"""

    status: Literal["ok"] = "ok"
    version: str


REF_TEMPLATE = "#/$defs/{model}"
"""Where references in the schema point to."""


def schema() -> dict[str, Any]:
    """The JSON Schema of everything sent over the socket: ``Hello``, ``Command`` and ``Message``."""
    _, definitions = models_json_schema(
        [(Hello, "validation")], ref_template=REF_TEMPLATE, schema_generator=WithoutTitles
    )
    parts = {}
    for name, adapter in (("Command", COMMANDS), ("Message", MESSAGES)):
        part = adapter.json_schema(ref_template=REF_TEMPLATE, schema_generator=WithoutTitles)
        definitions.setdefault("$defs", {}).update(part.pop("$defs"))
        parts[name] = part
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions["$defs"] | parts}
