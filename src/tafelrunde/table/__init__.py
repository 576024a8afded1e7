"""A table: seats, people and bots around one game after another. No clock, network or database in here.

``Table`` takes commands and returns numbered lines. The server stores them and then sends them to everybody. The log is
the truth: a table is loaded from its head and by replaying the lines of the current game.
"""

from tafelrunde.table.log import LogLine
from tafelrunde.table.outcome import Match, Outcome
from tafelrunde.table.table import Table

__all__ = ["LogLine", "Match", "Outcome", "Table"]
