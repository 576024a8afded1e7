"""Random streams that give the same numbers on every machine, in Python and in compiled code."""

from __future__ import annotations

import random
import secrets
from typing import Any

from tafelrunde.errors import BadSeed
from tafelrunde.games.compiler import blank
from tafelrunde.games.contract import is_whole
from tafelrunde.games.streams import STREAM, draw_word, seed_streams

SEEDS = 2**63


def check_seed(seed: object) -> int:
    """Check a seed; for None, choose a random one."""
    if seed is None:
        return secrets.randbelow(SEEDS)
    if is_whole(seed) and 0 <= seed < SEEDS:
        return seed
    raise BadSeed(f"A seed is a whole number from 0 to 2**63 - 1, not {seed!r}.")


class Stream(random.Random):
    """The random stream of one lane of one game, with all methods of ``random.Random``.

    Lane 0 is the table's chance, lane s + 1 belongs to the player at seat s, so the random numbers of a bot never
    change the cards. ``raw`` is the state of the stream, shared with compiled code.

    >>> Stream(7).randrange(100) == Stream(7).randrange(100)
    True
    >>> Stream(7, lane=1).random() == Stream(7, lane=2).random()
    False
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Stream:
        """Hide the arguments from the base class, which would take them for its own seed."""
        return super().__new__(cls)

    def __init__(self, seed: int | None = None, game: int = 0, lane: int = 0) -> None:
        lanes = blank(STREAM, lane + 1)
        seed_streams(lanes, check_seed(seed), game)
        self.raw = lanes[lane:].copy()
        super().__init__()

    def seed(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing but what the base class needs: a stream is seeded once, in ``__init__``."""
        self.gauss_next = None

    def getrandbits(self, k: int, /) -> int:
        """The next k bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        bits = 0
        for at in range(0, k, 32):
            bits |= int(draw_word(self.raw)) << at
        return bits & (1 << k) - 1

    def random(self) -> float:
        """A number from 0 up to, but not including, 1, with 53 random bits."""
        return self.getrandbits(53) * 2.0**-53

    def getstate(self) -> tuple[Any, ...]:
        """The state, for ``setstate``."""
        return tuple(self.raw[0].item())

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go back to an earlier state."""
        self.raw[0] = state
