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
