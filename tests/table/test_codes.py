"""Codes that can be said aloud, and keys that can not be guessed."""

from __future__ import annotations

import re

import pytest

from tafelrunde.table import codes
from tests.table.tables import Evening


def test_a_code_is_six_syllables_that_are_easy_to_say() -> None:
    written = {codes.new_code() for _ in range(500)}
    assert all(re.fullmatch(r"([bdfgklmnprstvz][aeiou]){6}", code) for code in written)
    assert len(written) > 490


@pytest.mark.parametrize("written", ["kafemulo", "Kafe-Mulo", "KAFE MULO", " ka fe/mu.lo ", "kafe_mulo!", "Ka1fe2mulo"])
def test_a_code_is_read_however_it_was_written_down(written: str) -> None:
    assert codes.read_code(written) == "kafemulo"


def test_reading_a_code_that_is_right_changes_nothing() -> None:
    assert all(codes.read_code(code) == code for code in (codes.new_code() for _ in range(100)))


def test_a_token_is_long_random_and_fits_into_a_message() -> None:
    tokens = {codes.new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{32}", token) for token in tokens)


def test_only_the_token_itself_opens_what_was_kept_of_it() -> None:
    token = codes.new_token()
    kept = codes.hashed(token)
    assert codes.opens(token, kept)
    for wrong in (codes.new_token(), token[:-1], token.swapcase(), kept, "", "-" * 64, "tök"):
        assert not codes.opens(wrong, kept)


def test_nothing_opens_a_seat_without_a_token() -> None:
    for wrong in (codes.new_token(), "", "-" * 64):
        assert not codes.opens(wrong, None)


def test_a_table_keeps_hashes_of_tokens_and_passes_only() -> None:
    evening = Evening(people=2)
    pass_ = evening.ask(1, "pass").secret
    assert pass_ is not None
    kept = evening.table.head.model_dump_json() + str(evening.kept()) + evening.store.dump()
    for secret in (*evening.tokens.values(), pass_):
        assert secret not in kept
        assert codes.hashed(secret) in kept
