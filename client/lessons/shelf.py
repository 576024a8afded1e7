"""All that there is to write: the lessons that the folders of the games bring, by the path of each file."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "src" / "games"
GAMES = {
    path.parent.parent.name: import_module(f"client.src.games.{path.parent.parent.name}.lesson.lesson")
    for path in sorted(FOLDER.glob("*/lesson/lesson.py"))
}


def documents() -> dict[str, str]:
    """The texts of all files."""
    lessons = {f"{game}/lesson/lesson.json": module.lesson().to_json() for game, module in GAMES.items()}
    examples = {
        f"{game}/lesson/example-{number}.json": one for game in GAMES for number, one in examples_of(game).items()
    }
    return {name: compact(document) for name, document in (lessons | examples).items()}


def examples_of(game: str) -> dict[int, list[Any]]:
    """The examples of a rulebook that can be tried, by their number; one may have several positions."""
    found: dict[int, list[Any]] = {}
    for position in GAMES[game].positions():
        found.setdefault(position.example, []).append(position.to_json())
    return found


def compact(document: Any) -> str:
    """JSON without a space too many."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n"
