"""Loops over arrays for compiled code.

Numba compiles each slice assignment to much broadcasting code; these loops compile faster.
"""

from __future__ import annotations

from tafelrunde.games.compiler import Words, kernel


@kernel
def fill(words: Words, word: int) -> None:
    """Set every word."""
    for i in range(words.size):
        words[i] = word


@kernel
def copy(to: Words, source: Words, n: int) -> None:
    """Copy the first n words."""
    for i in range(n):
        to[i] = source[i]
