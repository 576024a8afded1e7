"""All errors of Tafelrunde, with stable codes.

Each error says in one sentence what is wrong and, if a rule of the game is the reason, names that rule.

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
    """The base class; ``code`` never changes, ``rule`` is a rule id or None, ``sentence`` is for people.

    For errors in files ``line`` is the line number, from 1; otherwise it is 0.
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
    """A decision that breaks the rules."""

    code = "illegal"


class NotYourMoment(TafelrundeError):
    """A decision that this seat can not take now."""

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
    """The game can not be played by this many players, or there is no such seat."""

    code = "bad-seats"


class UnknownOption(TafelrundeError):
    """The game has no option of this name."""

    code = "unknown-option"


class BadOption(TafelrundeError):
    """The option does not take this value."""

    code = "bad-option"


class BadDeck(TafelrundeError):
    """A deck file with errors."""

    code = "bad-deck"
    faults: tuple[BadDeck, ...] = ()
    """All errors of the file, by line; this error is the first of them."""

    def __init__(
        self,
        sentence: str,
        rule: str | None = None,
        line: int = 0,
        kind: str = "",
        values: Mapping[str, str | int] | None = None,
    ) -> None:
        """``kind`` never changes; with ``values`` it says the same as the sentence, for translations."""
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
    """No pace has this name, a time is out of range, or the game has turns and needs no pace."""

    code = "bad-pace"


class Endless(TafelrundeError):
    """The bots do not bring the game to an end."""

    code = "endless"


class BadRecord(TafelrundeError):
    """A record that breaks the rules or the format; ``line`` is the first wrong line."""

    code = "bad-record"


class NoSuchTable(TafelrundeError):
    """No table has this code."""

    code = "no-such-table"


class NoSuchMatch(TafelrundeError):
    """No such game was finished at this table."""

    code = "no-such-match"


class SeatTaken(TafelrundeError):
    """Somebody else has this seat, or no seat is free."""

    code = "seat-taken"


class NotYourSeat(TafelrundeError):
    """The seat is not yours, or you have no seat, or several and did not say which."""

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
    """The token or pass belongs to no seat of this table."""

    code = "bad-token"


class BadNonce(TafelrundeError):
    """The nonce is not the pledged one, or no nonce is wanted now."""

    code = "bad-nonce"


class BadMessage(TafelrundeError):
    """Not a message of the protocol."""

    code = "bad-message"


class WrongHost(TafelrundeError):
    """The request names a host that this server does not answer for."""

    code = "wrong-host"


class TooLarge(TafelrundeError):
    """The message, body or record is too large."""

    code = "too-large"


class TooFast(TafelrundeError):
    """A rate limit was reached; wait a moment."""

    code = "too-fast"


class Unavailable(TafelrundeError):
    """The server can not do this right now; nothing has changed, try again."""

    code = "unavailable"
