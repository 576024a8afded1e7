"""What is seen of a game, as it is sent."""

from __future__ import annotations

import base64

from tafelrunde import wire
from tafelrunde.games.contract import Observation
from tafelrunde.table.log import Held

Viewer = int | None
"""Whose eyes: those of a seat, or a spectator's."""


def viewers(held: Held) -> list[Viewer]:
    """Through whose eyes the holder of these seats looks: through theirs, or without any as a spectator."""
    return [*sorted(held)] or [None]


def view_of(seen: Observation, raw: bool) -> wire.View:
    """A view in words; ``raw``: as a flat record too."""
    packed = base64.b64encode(seen.raw.tobytes()).decode() if raw else None
    return wire.View(seat=seen.seat, observation=seen.to_json(), raw=packed)
