"""All that there is to write, by the name of its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from client.lessons import buffet, chocolat, dash

FOLDER = Path(__file__).parent.parent / "src" / "learn" / "scripts"
GAMES = {"buffet": buffet, "dash": dash, "chocolat": chocolat}


def documents() -> dict[str, str]:
    """The texts of all files."""
    lessons = {f"{game}.json": module.lesson().to_json() for game, module in GAMES.items()}
    examples = {f"examples/{game}-{number}.json": one for game in GAMES for number, one in examples_of(game).items()}
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
