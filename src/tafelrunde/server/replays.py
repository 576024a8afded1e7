"""Games to look back at: worked out from what was kept, or from a record that somebody has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from tafelrunde import wire
from tafelrunde.lookback import look_back
from tafelrunde.record import read_lines


def replay_of(header: dict[str, Any], steps: Sequence[Mapping[str, Any]]) -> bytes:
    """A finished game of a table: its steps were noted with their numbers and times."""
    entries = [entry for step in steps for entry in step["entries"]]
    replay = look_back(enumerate([header, *entries], start=1))
    for shown, kept in zip(replay.steps, steps, strict=True):
        shown.number, shown.at = kept["number"], kept["at"]
    return _in_json(replay)


def replay_text(text: str) -> bytes:
    """A record as its file has it; raises BadRecord with the first line that does not hold."""
    return _in_json(look_back(read_lines(BytesIO(text.encode()))))


def _in_json(replay: wire.ReplayData) -> bytes:
    return replay.model_dump_json().encode()
