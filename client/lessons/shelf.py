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
    return {f"{game}.json": compact(module.lesson().to_json()) for game, module in GAMES.items()}


def compact(document: Any) -> str:
    """JSON without a space too many."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n"
