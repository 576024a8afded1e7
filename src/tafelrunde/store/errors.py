"""Errors of a store."""

from __future__ import annotations

from tafelrunde.errors import TafelrundeError


class StoreError(TafelrundeError):
    """The store can not be opened, read or written.

    ``reason`` is for the operator and may name files and machines; ``sentence`` is for everybody.
    """

    code = "store-error"

    def __init__(self, reason: str) -> None:
        super().__init__("What is kept of the tables can not be reached right now; try again in a moment.")
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.reason} [{self.code}]"


class CodeTaken(StoreError):
    """Another table has this code already."""

    code = "code-taken"
