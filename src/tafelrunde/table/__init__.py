"""A table: seats, people and bots around one game after another. No clock, no network, no database in here.

``Table`` takes commands and answers with numbered lines; the server makes them durable and then tells everybody. The
lines are the truth: a table is loaded by reading its head and replaying the lines of the game that is going on.
"""

from tafelrunde.table.lines import Line, StepLine
from tafelrunde.table.table import Outcome, Table

__all__ = ["Line", "Outcome", "StepLine", "Table"]
