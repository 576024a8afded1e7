"""The ground that compiled rules stand on."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tafelrunde.games import GAMES
from tafelrunde.games.compiler import blank
from tafelrunde.games.log import LOG, SEAT_BITS
from tafelrunde.games.streams import STREAM, draw_word, shuffle_order
from tafelrunde.stream import Stream

MASK = 0xFFFFFFFF


def reference(state: list[int]) -> int:
    """xoshiro128++ as its authors publish it, in plain integers."""

    def turn(word: int, by: int) -> int:
        return (word << by | word >> 32 - by) & MASK

    result = (turn((state[0] + state[3]) & MASK, 7) + state[0]) & MASK
    shifted = state[1] << 9 & MASK
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = turn(state[3], 11)
    return result


def test_the_generator_is_xoshiro128_plus_plus() -> None:
    streams = blank(STREAM)
    streams[0] = (1, 2, 3, 4)
    state = [1, 2, 3, 4]
    assert [draw_word(streams) for _ in range(100)] == [reference(state) for _ in range(100)]


def test_lanes_games_and_seeds_have_streams_of_their_own() -> None:
    firsts = [
        Stream(seed, game, lane).getrandbits(64)
        for seed in (0, 1, 2**32, 2**62)
        for game in (0, 1, 2**33)
        for lane in (0, 1, 5)
    ]
    assert len(set(firsts)) == len(firsts)


def test_a_stream_is_the_same_for_ever() -> None:
    """Records of seeds would be worthless if the numbers changed; these must never change."""
    assert [Stream(7).getrandbits(32) for _ in range(1)] == [Stream(7).getrandbits(32)]
    stream = Stream(2026, game=3, lane=2)
    assert [stream.getrandbits(32) for _ in range(3)] == EXPECTED


EXPECTED = [3160372737, 2865771427, 4241116002]


def test_shuffling_is_fair() -> None:
    """All 24 orders of four cards come up about equally often."""
    stream = Stream(5)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        cards = np.arange(4)
        shuffle_order(stream.raw, cards, 4)
        seen[tuple(cards.tolist())] += 1
    assert len(seen) == 24
    chi_square = sum((count - 1000) ** 2 / 1000 for count in seen.values())
    assert chi_square < 49.7, "more than this happens once in a thousand times (23 degrees of freedom)"


def test_a_log_that_is_off_stays_empty() -> None:
    rules = GAMES["buffet"].rules
    table, log = blank(rules.STATE), blank(LOG)
    rules.setup(table, 3, np.array([0]), log)
    order = np.empty(rules.MAX_CHANCE, np.int64)
    for _ in range(2):
        word = rules.resume(table, order, rules.offer(table, order), log)
    assert word & SEAT_BITS == 0b111
    assert log["used"][0] == 0
