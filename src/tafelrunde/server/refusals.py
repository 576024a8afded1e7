"""How errors are told to clients: over the socket, over HTTP, and before a request gets that far."""

from __future__ import annotations

from typing import Any

from tafelrunde import wire
from tafelrunde.errors import BadDeck, TafelrundeError

STATUS = {
    "no-such-table": 404, "no-such-match": 404, "table-closed": 410, "unknown-game": 422, "seat-taken": 409,
    "wrong-phase": 409, "bad-token": 403, "wrong-host": 421, "too-fast": 429, "too-large": 413, "unavailable": 503,
    "store-error": 503,
}  # fmt: skip
"""The HTTP status for each error code; all others are 422."""


def status_of(error: TafelrundeError, default: int = 422) -> int:
    """The HTTP status of an error."""
    return STATUS.get(error.code, default)


def refusal_of(error: TafelrundeError) -> dict[str, Any]:
    """The body of a refusal; with everything that is wrong with a deck, or the line of a record."""
    body = refusal(error.code, error.sentence, error.rule)
    if isinstance(error, BadDeck):
        body["faults"] = [wire.DeckFault.model_validate(one, from_attributes=True).model_dump() for one in error.faults]
    elif error.line:
        body["line"] = error.line
    return body


def refusal(code: str, sentence: str, rule: str | None = None) -> dict[str, Any]:
    """The body of a refusal for which there is no error class."""
    return {"code": code, "rule": rule, "sentence": sentence}
