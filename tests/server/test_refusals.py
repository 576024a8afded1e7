"""Errors as clients are told of them."""

from __future__ import annotations

import pytest

from tafelrunde import wire
from tafelrunde.errors import BadDeck, BadMessage, BadRecord, Illegal, NoSuchTable, TafelrundeError, TooFast
from tafelrunde.server.refusals import refusal_of, status_of


@pytest.mark.parametrize(
    ("error", "status"), [(NoSuchTable("None."), 404), (TooFast("Wait."), 429), (Illegal("No.", "B1"), 422)]
)
def test_every_code_has_its_status_and_all_others_are_unprocessable(error: TafelrundeError, status: int) -> None:
    assert status_of(error) == status


def test_where_requests_become_sockets_all_others_are_forbidden() -> None:
    assert status_of(BadMessage("Pages of another server may not."), default=403) == 403
    assert status_of(TooFast("Wait."), default=403) == 429


def test_a_refusal_names_code_rule_and_sentence() -> None:
    assert refusal_of(Illegal("No.", "B1")) == {"code": "illegal", "rule": "B1", "sentence": "No."}


def test_a_record_is_refused_with_the_line_at_fault() -> None:
    told = wire.RecordRefusal.model_validate(refusal_of(BadRecord("No.", line=7)))
    assert (told.code, told.line) == ("bad-record", 7)


def test_a_deck_is_refused_with_all_its_faults() -> None:
    error = BadDeck("No card.", "B2", 3, "no-card", {"card": 9})
    error.faults = (error, BadDeck("No name.", None, 5, "no-name"))
    told = wire.DeckRefusal.model_validate(refusal_of(error))
    assert [(fault.line, fault.kind, fault.values) for fault in told.faults] == [
        (3, "no-card", {"card": 9}),
        (5, "no-name", {}),
    ]
