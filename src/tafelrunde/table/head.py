"""The head of a table: everything but its game. A public part, and a private part that never leaves the server."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from tafelrunde import bots, fairness
from tafelrunde.errors import BadToken, NotYourSeat, SeatTaken, TableClosed, UnknownBot, WrongPhase
from tafelrunde.game import DEFAULT_NAMES
from tafelrunde.games import find
from tafelrunde.games.contract import Deck, GameSpec
from tafelrunde.table import codes
from tafelrunde.wire import NewTable, Phase, Seat, TableView

PASS_MS = 10 * 60 * 1000
"""How long a pass to another device is valid."""


class Pass(BaseModel):
    """A permission to move a seat to another device."""

    hash: str
    seat: int
    until: int


class Private(BaseModel):
    """What never leaves the server: token hashes, the secret of the shuffles, nonces until the game begins."""

    tokens: list[str | None]
    secret: str
    nonces: list[str | None]
    passes: list[Pass] = []


_NAMES: dict[type[BaseModel], set[str]] = {}


def share_names(model: BaseModel) -> None:
    """Let all models of a class share one ``model_fields_set``, which is not used here.

    Otherwise each has its own of 0.7 KB: with all seats, half of the memory of an idle table.
    """
    names = _NAMES.setdefault(type(model), set())
    names |= model.model_fields_set
    object.__setattr__(model, "__pydantic_fields_set__", names)


class Head(BaseModel):
    """A table without its game: the public part as it is sent, and the private part."""

    view: TableView
    private: Private
    first: int = 0
    """The number of the first line of the current or last game; 0: none."""
    players: list[str] = []
    """Who sat down to that game; seats may have changed hands since."""
    deck: str | None = None
    """The text of a custom deck file, used for every game at this table."""

    @classmethod
    def read(cls, text: str) -> Head:
        """A head from the store."""
        head = cls.model_validate_json(text)
        for part in (head, head.view, head.view.terms, *head.view.seats, head.private):
            share_names(part)
        return head

    @property
    def spec(self) -> GameSpec:
        """The game that is played here."""
        return find(self.view.game)

    def read_deck(self) -> Deck | None:
        """The deck, in a game whose cards are data."""
        return self.spec.read_deck(self.deck)

    @property
    def listed(self) -> bool:
        """Is the table shown in the lobby? Yes while somebody waits there for others."""
        has_free = any(seat.kind == "free" for seat in self.view.seats)
        return self.view.terms.public and self.view.phase == "gathering" and has_free and bool(self.people())

    def people(self) -> list[int]:
        """The seats of persons."""
        return [number for number, seat in enumerate(self.view.seats) if seat.kind == "person"]

    def begin(self, number: int) -> None:
        """The game begins; this is the number of its first line."""
        self.view.phase = "playing"
        self.first = number
        self.players = [seat.name or "" for seat in self.view.seats]

    def keys(self, tokens: Iterable[str]) -> dict[int, str]:
        """The seats that these tokens open, with the hash of each token; a token that opens none is refused."""
        keys: dict[int, str] = {}
        for token in tokens:
            hash = codes.hashed(token)
            opened = [seat for seat, kept in enumerate(self.private.tokens) if codes.same(hash, kept)]
            if not opened:
                raise BadToken("This token opens no seat of this table, or not any more.")
            keys |= dict.fromkeys(opened, hash)
        return keys

    def in_phase(self, *phases: Phase) -> None:
        """Refuse what is not possible in the current phase."""
        self.check_open()
        if self.view.phase not in phases:
            now = {
                "gathering": "The game has not begun yet.",
                "shuffling": "The cards are just being shuffled.",
                "playing": "The game is going on.",
                "over": "The game is over.",
            }
            raise WrongPhase(now[self.view.phase])

    def check_open(self) -> None:
        """Refuse everything at a closed table."""
        if self.view.phase == "closed":
            raise TableClosed("The host has closed this table.")

    def seat(self, number: int) -> Seat:
        """A seat of this table."""
        if not 0 <= number < len(self.view.seats):
            raise NotYourSeat(f"This table has no seat {number}; they go from 0 to {len(self.view.seats) - 1}.")
        return self.view.seats[number]

    # --- Who sits where -------------------------------------------------------------------------------------------

    def seat_person(self, number: int | None, name: str, pledge: str | None) -> tuple[int, str]:
        """Seat a person; returns the seat and the token that opens it."""
        self.in_phase("gathering", "playing", "over")
        open_kinds = ("left",) if self.view.phase == "playing" else ("free", "left")
        free = [n for n, seat in enumerate(self.view.seats) if seat.kind in open_kinds]
        if number is None:
            if not free:
                raise SeatTaken("All seats are taken; you may watch.")
            number = free[0]
        self.seat(number)
        if number not in free:
            raise SeatTaken("That seat is taken.")
        self.view.seats[number] = Seat(kind="person", name=name, pledge=pledge)
        if self.view.host is None:
            self.view.host = number
        return number, self.new_token(number)

    def new_token(self, number: int) -> str:
        """A new token for a seat; the previous one is no longer valid."""
        token = codes.new_token()
        self.private.tokens[number] = codes.hashed(token)
        return token

    @property
    def in_game(self) -> bool:
        """Has a game been started that is not over yet?"""
        return self.view.phase in ("playing", "shuffling")

    def free_seat(self, number: int) -> None:
        """Somebody has left. During a game a bot plays on and anybody may take over; otherwise the seat is free."""
        left = Seat(kind="left", name=self.seat(number).name, bot=self.spec.stand_in)
        self._vacate(number, left if self.in_game else Seat(kind="free"))

    def remove_person(self, number: int) -> None:
        """Somebody was removed. During a game a bot gets the seat, so that they can not simply take it again."""
        name = self.seat(number).name
        self._vacate(number, Seat(kind="free"))
        if self.in_game:
            self.seat_bot(number, self.spec.stand_in, unlike=name)

    def _vacate(self, number: int, seat: Seat) -> None:
        self.view.seats[number] = seat
        self.private.tokens[number] = None
        self.private.passes = [one for one in self.private.passes if one.seat != number]
        if self.view.host == number:
            self.view.host = next(iter(self.people()), None)

    def seat_bot(self, number: int, level: str | None, unlike: str | None = None) -> None:
        """Put a bot on a seat, or free the seat; its name is one that nobody else has, and not ``unlike``."""
        if self.seat(number).kind == "person":
            raise SeatTaken("A person sits there.")
        if level is not None and level not in bots.names(self.view.game):
            known = ", ".join(bots.names(self.view.game))
            raise UnknownBot(f"No bot {level!r} plays {self.view.game} here; there is {known}.")
        taken = {unlike, *(seat.name for other, seat in enumerate(self.view.seats) if other != number)}
        name = next(
            (guest for guest in (*DEFAULT_NAMES[number:], *DEFAULT_NAMES) if guest not in taken), DEFAULT_NAMES[number]
        )
        self.view.seats[number] = Seat(kind="free") if level is None else Seat(kind="bot", name=name, bot=level)

    # --- Games ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """The table is closed for good."""
        self.check_open()
        self.view.phase = "closed"
        self.private.passes = []

    def next_match(self) -> None:
        """Prepare another game: a new secret, no nonces, and seats of those who left are free."""
        secret = fairness.fresh()
        self.private.secret = secret.hex()
        self.private.nonces = [None] * len(self.view.seats)
        self.view.commitment = fairness.commitment(secret)
        self.view.phase = "gathering"
        self.view.match += 1
        self.first = 0
        for number, seat in enumerate(self.view.seats):
            if seat.kind == "left":
                self.view.seats[number] = Seat(kind="free")
            seat.pledge = None
            if seat.kind == "person":
                seat.bot, seat.stand_in = None, False

    def awaited_nonces(self) -> list[int]:
        """The seats that have pledged a nonce but not given it yet."""
        return [n for n in self.people() if self.view.seats[n].pledge and self.private.nonces[n] is None]


def new_head(wanted: NewTable, code: str) -> tuple[Head, str]:
    """A new table with its host seated, and the host's token; raises if anything is wrong with the request."""
    spec = find(wanted.game)
    seats = spec.check_seats(wanted.seats)
    options = spec.full_options(wanted.options, seats)
    deck = spec.read_deck(wanted.deck)
    spec.settings(options, seats, deck)  # raises for values that the game does not accept
    view = TableView(
        code=code, game=spec.id, options=options, terms=wanted.terms,  # type: ignore[arg-type]
        seats=[Seat(kind="free") for _ in range(seats)], host=None, phase="gathering", match=0, commitment="",
        deck=None if deck is None else deck.name,
    )  # fmt: skip
    head = Head(view=view, private=Private(tokens=[None] * seats, secret="", nonces=[]), deck=wanted.deck)
    head.next_match()
    _, token = head.seat_person(wanted.seat, wanted.name, wanted.pledge)
    for bot in wanted.bots:
        head.seat_bot(bot.seat, bot.level)
    return head, token
