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
    lessons = {f"{game}.json": compact(module.lesson().to_json()) for game, module in GAMES.items()}
    return lessons | {f"{game}-positions.json": compact(positions(game)) for game in GAMES}


def positions(game: str) -> list[Any]:
    """The examples of a rulebook that can be tried."""
    return [position.to_json() for position in GAMES[game].positions()]


def compact(document: Any) -> str:
    """JSON without a space too many."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n"
