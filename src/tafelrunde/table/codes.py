"""Table codes that can be read out over the telephone, and seat tokens that can not be guessed."""

from __future__ import annotations

import hashlib
import hmac
import secrets

CONSONANTS = "bdfgklmnprstvz"
VOWELS = "aeiou"
SYLLABLES = 6
TOKEN_BYTES = 24


def new_code() -> str:
    """Six syllables, like ``kafemulotabi``, easy to say in many languages. There are 118 billion codes.

    Guessing at the rate that one address is allowed finds one of a thousand tables in about four years.
    """
    return "".join(secrets.choice(CONSONANTS) + secrets.choice(VOWELS) for _ in range(SYLLABLES))


def read_code(written: str) -> str:
    """A code however it was written down: ``Kafe-Mulo-Tabi`` is ``kafemulotabi``."""
    return "".join(sign for sign in written.lower() if sign.isalpha())


def new_token() -> str:
    """192 random bits. Sent in messages and bodies, never in a URL."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """What is stored of a token. Tokens are random, so a plain hash gives nothing away."""
    return hashlib.sha256(token.encode()).hexdigest()


def opens(token: str, stored: str | None) -> bool:
    """Does this token have the stored hash? Compared in constant time."""
    return same(hashed(token), stored)


def same(hash: str, stored: str | None) -> bool:
    """Is this the stored hash? Compared in constant time."""
    return hmac.compare_digest(hash, stored or "-" * 64)
