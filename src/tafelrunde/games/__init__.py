"""The games, one folder each. ``find`` gives one by its name; ``GAMES`` has them all."""

from tafelrunde.games.registry import GAMES, find

__all__ = ["GAMES", "find"]
