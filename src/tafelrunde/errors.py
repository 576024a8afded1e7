"""Everything Tafelrunde refuses, as a small family of errors with stable codes.

Each error says what is wrong in one sentence and, where a rule of the game is behind it, names that rule.

>>> import tafelrunde
>>> game = tafelrunde.new("buffet", seats=4, seed=1)
>>> try:
...     game.act(0, tafelrunde.Decision("lay", card=12))
... except tafelrunde.TafelrundeError as error:
...     print(error.code, error.rule)
malformed B1
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class TafelrundeError(Exception):
    """The root of the family; ``code`` never changes, ``rule`` is a rule id or None, ``sentence`` is for people.

    Where a file is at fault, ``line`` says where, from 1; otherwise it is 0.
    """

    code: ClassVar[str] = "error"

    def __init__(self, sentence: str, rule: str | None = None, line: int = 0) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.rule = rule
        self.line = line

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.sentence} [{self.code}{', ' + self.rule if self.rule else ''}]"


class Malformed(TafelrundeError):
    """Not a decision of this game at all."""

    code = "malformed"


class Illegal(TafelrundeError):
    """A decision that the rules do not allow."""

    code = "illegal"


class NotYourMoment(TafelrundeError):
    """Such a decision is possible, but not by this seat now."""

    code = "not-your-moment"


class GameOver(TafelrundeError):
    """The game has ended."""

    code = "game-over"


class BadChance(TafelrundeError):
    """A shuffle or choice that is not needed now or does not fit the pile."""

    code = "bad-chance"


class UnknownGame(TafelrundeError):
    """No game has this name."""

    code = "unknown-game"


class BadSeats(TafelrundeError):
    """The game can not be played by this many, or there is no such seat."""

    code = "bad-seats"


class UnknownOption(TafelrundeError):
    """The game has no option of this name."""

    code = "unknown-option"


class BadOption(TafelrundeError):
    """The option does not take this value."""

    code = "bad-option"


class BadDeck(TafelrundeError):
    """A deck file that is not sound."""

    code = "bad-deck"
    faults: tuple[BadDeck, ...] = ()
    """Everything that is wrong with it, by line; the error itself is the first of them."""

    def __init__(
        self,
        sentence: str,
        rule: str | None = None,
        line: int = 0,
        kind: str = "",
        values: Mapping[str, str | int] | None = None,
    ) -> None:
        """``kind`` never changes; it and the values are what the sentence says, for other languages."""
        super().__init__(sentence, rule, line)
        self.kind = kind
        self.values = values or {}


class BadSeed(TafelrundeError):
    """A seed is a whole number from 0 to 2**63 - 1."""

    code = "bad-seed"


class UnknownBot(TafelrundeError):
    """No bot of this name plays this game."""

    code = "unknown-bot"


class BadPace(TafelrundeError):
    """No pace has this name, no hand takes so long, or the game has turns and needs none."""

    code = "bad-pace"


class Endless(TafelrundeError):
    """Bots that do not bring a game to its end."""

    code = "endless"


class BadRecord(TafelrundeError):
    """A record that does not hold; ``line`` is the first line at fault."""

    code = "bad-record"


class NoSuchTable(TafelrundeError):
    """No table has this code."""

    code = "no-such-table"


class NoSuchMatch(TafelrundeError):
    """No such game was finished at this table."""

    code = "no-such-match"


class SeatTaken(TafelrundeError):
    """Somebody else sits there, or no seat is free."""

    code = "seat-taken"


class NotYourSeat(TafelrundeError):
    """The seat is not yours, or you have none, or several and did not say which."""

    code = "not-your-seat"


class NotHost(TafelrundeError):
    """Only the host of the table may do this."""

    code = "not-host"


class WrongPhase(TafelrundeError):
    """Not now: the game has not begun, or has begun, or is over."""

    code = "wrong-phase"


class TableClosed(TafelrundeError):
    """The host has closed the table for good."""

    code = "table-closed"


class ChatOff(TafelrundeError):
    """The host has switched the chat off."""

    code = "chat-off"


class BadToken(TafelrundeError):
    """The token or pass opens no seat of this table."""

    code = "bad-token"


class BadNonce(TafelrundeError):
    """The nonce is not the one that was pledged, or none was asked for."""

    code = "bad-nonce"


class BadMessage(TafelrundeError):
    """What was sent is not a message of the protocol."""

    code = "bad-message"


class WrongHost(TafelrundeError):
    """The server was asked under a name that it does not go by."""

    code = "wrong-host"


class TooLarge(TafelrundeError):
    """A message or body beyond all need."""

    code = "too-large"


class TooFast(TafelrundeError):
    """More in this time than anybody needs; wait a moment."""

    code = "too-fast"


class Unavailable(TafelrundeError):
    """The server can not do this right now; nothing was changed, try again."""

    code = "unavailable"
