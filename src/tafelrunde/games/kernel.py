"""What rules and bots are written with: ``from tafelrunde.games.kernel import *``.

Everything here runs compiled (Numba) and, with ``NUMBA_DISABLE_JIT=1`` in the environment, as plain Python from the
same source. To make both ways bit-identical all arithmetic stays inside signed 64-bit integers.
"""

from tafelrunde.games.arrays import copy, fill
from tafelrunde.games.compiler import RecordArray, Words, entry_point, kernel, release_gil
from tafelrunde.games.hands import CHOOSES, OPENS, TURNS, WAITS, WEIGHS
from tafelrunde.games.log import (
    ENTRY_HEAD,
    FIRST_VERB,
    NO_TIME,
    TABLE,
    V_END,
    VERB_SHIFT,
    Log,
    begin,
    log_choice,
    log_decision,
    log_shuffle,
    moment_word,
    place_among,
    put,
)
from tafelrunde.games.streams import Stream, below, shuffle

__all__ = [
    "CHOOSES", "ENTRY_HEAD", "FIRST_VERB", "NO_TIME", "OPENS", "TABLE", "TURNS", "VERB_SHIFT", "V_END", "WAITS",
    "WEIGHS", "Log", "RecordArray", "Stream", "Words", "begin", "below", "copy", "entry_point", "fill", "kernel",
    "log_choice", "log_decision", "log_shuffle", "moment_word", "place_among", "put", "release_gil", "shuffle",
]  # fmt: skip
