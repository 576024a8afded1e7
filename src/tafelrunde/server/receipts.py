"""Receipts: in real time, who reached for the same card, when, and who got it."""

from __future__ import annotations

from typing import Any

from tafelrunde import wire


def receipts_of(steps: list[dict[str, Any]]) -> wire.Receipts:
    """The contested claims of a finished game, from its stored steps."""
    receipts: list[wire.Receipt] = []
    last_at: dict[int, wire.Receipt] = {}
    for step in steps:
        if "claim" not in step:
            continue
        place = step["entries"][0]["place"]
        won = step["entries"][1]["do"] != "late"
        claim = wire.Claim(
            seat=step["by"],
            arrived_ms=step["claim"]["arrived"],
            lag_ms=step["claim"]["lag"],
            window_ms=step["claim"]["window"],
            number=step["number"],
            won=won,
        )
        if won or place not in last_at:
            last_at[place] = wire.Receipt(place=place, claims=[])
            receipts.append(last_at[place])
        last_at[place].claims.append(claim)
    return wire.Receipts(receipts=[one for one in receipts if len(one.claims) > 1])
