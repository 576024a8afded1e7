"""Codes of tables that can be read out over the telephone, and keys to seats that can not be guessed."""

from __future__ import annotations

import hashlib
import hmac
import secrets

CONSONANTS = "bdfgklmnprstvz"
VOWELS = "aeiou"
SYLLABLES = 6
TOKEN_BYTES = 24


def new_code() -> str:
    """Six syllables, like ``kafemulotabi``: 118 billion of them, each easy to say in many languages.

    Whoever tries codes at random, as fast as one address may, finds one of a thousand tables in about four years.
    """
    return "".join(secrets.choice(CONSONANTS) + secrets.choice(VOWELS) for _ in range(SYLLABLES))


def read_code(written: str) -> str:
    """A code however it was written down: ``Kafe-Mulo-Tabi`` is ``kafemulotabi``."""
    return "".join(sign for sign in written.lower() if sign.isalpha())


def new_token() -> str:
    """192 random bits that go into a header or message, never into an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """What is kept of a token. It is random, so that a plain hash gives nothing away."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, kept: str | None) -> bool:
    """Is this the token whose hash was kept? Takes equally long however wrong it is."""
    return same(hashed(token), kept)


def same(hash: str, kept: str | None) -> bool:
    """Is this the hash that was kept? Takes equally long however wrong it is."""
    return hmac.compare_digest(hash, kept or "-" * 64)
