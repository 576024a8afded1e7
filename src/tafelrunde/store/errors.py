"""What a store refuses."""

from __future__ import annotations

from tafelrunde.errors import TafelrundeError


class StoreError(TafelrundeError):
    """The store can not be opened, read or written."""

    code = "store-error"


class CodeTaken(StoreError):
    """Another table has this code already."""

    code = "code-taken"
