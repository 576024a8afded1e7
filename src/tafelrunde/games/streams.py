"""Random streams for compiled code: xoshiro128++ (Blackman and Vigna), four 32-bit words.

Chosen because all its steps fit into signed 64-bit integers, so that compiled code and plain Python give the same
numbers on every machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tafelrunde.games.compiler import RecordArray, Words, entry_point, kernel

STREAM = np.dtype([("a", "i8"), ("b", "i8"), ("c", "i8"), ("d", "i8")])
Stream = Any  # a record of layout STREAM

_LOW32 = 0xFFFFFFFF


@kernel
def _multiply_32(a: int, b: int) -> int:
    """The low 32 bits of a product; in plain Python ``int`` avoids NumPy's overflow warnings."""
    return int(a) * int(b) & _LOW32


@kernel
def _mix(word: int) -> int:
    """MurmurHash3's finaliser: every bit of the input affects every bit of the output."""
    word ^= word >> 16
    word = _multiply_32(word, 0x85EBCA6B)
    word ^= word >> 13
    word = _multiply_32(word, 0xC2B2AE35)
    return word ^ (word >> 16)


@kernel
def _seed_word(seed: int, game: int, lane: int, start: int) -> int:
    """One word of a stream's first state, hashed from seed, game and lane."""
    mixed = _mix(start ^ (seed & _LOW32))
    mixed = _mix((mixed + (seed >> 32)) & _LOW32)
    mixed = _mix(mixed ^ (game & _LOW32))
    mixed = _mix((mixed + (game >> 32)) & _LOW32)
    return _mix(mixed ^ (lane + 1))


@entry_point
def seed_streams(streams: RecordArray, seed: int, game: int) -> None:
    """Seed all streams of one game: lane 0 is the table's chance, lane s + 1 the player at seat s."""
    for lane in range(streams.size):
        stream = streams[lane]
        stream.a = _seed_word(seed, game, lane, 0x9E3779B9)
        stream.b = _seed_word(seed, game, lane, stream.a)
        stream.c = _seed_word(seed, game, lane, stream.b)
        stream.d = _seed_word(seed, game, lane, stream.c) | 1  # never all zero: xoshiro would only give zeros


@kernel
def _rotate_left(word: int, by: int) -> int:
    return ((word << by) | (word >> (32 - by))) & _LOW32


@kernel
def _step(a: int, b: int, c: int, d: int) -> Any:
    """The next 32 random bits and the new state."""
    word = (_rotate_left((a + d) & _LOW32, 7) + a) & _LOW32
    shifted = (b << 9) & _LOW32
    c ^= a
    d ^= b
    return word, a ^ d, b ^ c, c ^ shifted, _rotate_left(d, 11)


@kernel
def _step_below(n: int, a: int, b: int, c: int, d: int) -> Any:
    """A number from 0 to n - 1, all exactly equally likely (Lemire's method), and the new state."""
    word, a, b, c, d = _step(a, b, c, d)
    product = word * n
    if product & _LOW32 < n:
        least = (_LOW32 + 1 - n) % n
        while product & _LOW32 < least:
            word, a, b, c, d = _step(a, b, c, d)
            product = word * n
    return product >> 32, a, b, c, d


@kernel
def next_word(stream: Stream) -> int:
    """The next 32 random bits."""
    word, stream.a, stream.b, stream.c, stream.d = _step(stream.a, stream.b, stream.c, stream.d)
    return word


@kernel
def below(stream: Stream, n: int) -> int:
    """A number from 0 to n - 1, all exactly equally likely."""
    number, stream.a, stream.b, stream.c, stream.d = _step_below(n, stream.a, stream.b, stream.c, stream.d)
    return number


@kernel
def shuffle(stream: Stream, cards: Words, n: int) -> None:
    """Put the first n cards into random order (Fisher and Yates)."""
    a, b, c, d = (
        stream.a,
        stream.b,
        stream.c,
        stream.d,
    )  # in registers: the compiler must assume that cards overlap the stream
    for i in range(n - 1, 0, -1):
        j, a, b, c, d = _step_below(i + 1, a, b, c, d)
        cards[i], cards[j] = cards[j], cards[i]
    stream.a, stream.b, stream.c, stream.d = a, b, c, d


@entry_point
def draw_word(streams: RecordArray) -> int:
    """The next 32 random bits of the first stream, for callers in Python."""
    return next_word(streams[0])


@entry_point
def shuffle_order(streams: RecordArray, cards: Words, n: int) -> None:
    """Put the first n cards into random order by the first stream, for callers in Python."""
    shuffle(streams[0], cards, n)
