"""Damaging records, and what has to be said about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import tafelrunde
from tafelrunde import Record
from tafelrunde.record import to_line

Lines = list[dict[str, object]]
Damage = tuple[Callable[[Lines], object], str, str | None]
"""A change of a record, a part of what is said about it, and the rule behind it."""


def write(path: Path, lines: Lines) -> Path:
    path.write_text("".join(to_line(line) + "\n" for line in lines), encoding="utf-8")
    return path


def lines_of(record: Record) -> Lines:
    return json.loads(json.dumps([record.header, *record.entries]))  # type: ignore[no-any-return]


def first(lines: Lines, verb: str, nth: int = 0) -> int:
    """The index of the nth entry of a verb."""
    return [i for i, line in enumerate(lines) if line.get("do") == verb][nth]


def assert_named(
    record: Record, change: Callable[[Lines], object], reason: str, rule: str | None, folder: Path
) -> None:
    """The first line that was changed is named, with the reason and the rule."""
    lines, before = lines_of(record), lines_of(record)
    change(lines)
    verdict = tafelrunde.verify(write(folder / "damaged.tafel", lines))
    assert verdict.error is not None, "the damage went unnoticed"
    assert reason in verdict.error.sentence
    assert verdict.error.rule == rule
    pairs = enumerate(zip(map(to_line, lines), map(to_line, before), strict=False))
    touched = next((i for i, (line, was) in pairs if line != was), len(before))
    assert verdict.error.line == touched + 1
    assert str(verdict).startswith(f"line {verdict.error.line}: ")
