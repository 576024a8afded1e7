"""Secrets and nonces: 32 random bytes each, and the commitments that are published beforehand."""

from __future__ import annotations

import secrets
from hashlib import sha256

SIZE = 32
"""Bytes of a secret, and of a nonce."""


def fresh() -> bytes:
    """A new secret or nonce, for one game only."""
    return secrets.token_bytes(SIZE)


def commitment(value: bytes) -> str:
    """What is published of a secret or a nonce beforehand: it gives nothing away and fits no other one."""
    return sha256(value).hexdigest()
