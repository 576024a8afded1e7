"""Replays of finished games: from the log of a table, or from a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from tafelrunde import wire
from tafelrunde.lookback import look_back
from tafelrunde.record import read_lines


def replay_of(header: dict[str, Any], steps: Sequence[Mapping[str, Any]]) -> bytes:
    """A finished game of a table, whose steps have line numbers and times."""
    entries = [entry for step in steps for entry in step["entries"]]
    replay = look_back(enumerate([header, *entries], start=1))
    for shown, stored in zip(replay.steps, steps, strict=True):
        shown.number, shown.at = stored["number"], stored["at"]
    return _to_json(replay)


def replay_text(text: str) -> bytes:
    """The text of a record file; raises BadRecord with the first line that is wrong."""
    return _to_json(look_back(read_lines(BytesIO(text.encode()))))


def _to_json(replay: wire.ReplayData) -> bytes:
    return replay.model_dump_json().encode()
