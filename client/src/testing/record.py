"""A whole game with turns, decision by decision: what is told of it, and what is seen after it. Prints it as JSON.

python record.py buffet 5 > ../games/buffet/fixtures/game-5.json
python record.py chocolat 4 target=10 > ../games/chocolat/fixtures/game-4.json

What all see is said once; what only a seat sees stands beside it. Which fields of the view that is, the game says in
its ``fixtures/shown.json``: of the ``table`` and of each ``seat``, those of which only the ``lengths`` are kept, and
the ``facts`` that the rules make of it, which mostly come with a fresh view.
"""

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

import tafelrunde
from tafelrunde.testing import random_walk

GAMES = Path(__file__).parents[1] / "games"
OWN = ("hand", "laid")


def main(name: str, seats: int, options: dict[str, int]) -> None:
    """Random decisions: all that can happen does."""
    game = tafelrunde.new(name, seats=seats, seed=seats, **options)
    shown = json.loads((GAMES / name / "fixtures" / "shown.json").read_text(encoding="utf-8"))
    steps: list[dict[str, Any]] = []
    told = 0
    known: dict[int | None, Any] = {}
    for now in itertools.chain(random_walk(game, random.Random(seats)), [game]):  # noqa: S311 - no secret
        known, before = {viewer: now.freshness(viewer) for viewer in (None, *range(seats))}, known
        fresh = [viewer for viewer in known if known[viewer] != before.get(viewer)]
        steps.append({**step(shown, now, told), "fresh": fresh})
        told = len(now.seen_by(None))
    print(json.dumps({"seats": seats, "steps": steps}, separators=(",", ":")))


def step(shown: dict[str, list[str]], game: tafelrunde.Game, told: int) -> dict[str, Any]:
    """What is new since so many entries, and how things are; for each seat, what others do not see of it."""
    common = game.seen_by(None)[told:]
    own = [
        {
            "entries": {i: one for i, one in enumerate(game.seen_by(seat)[told:]) if one != common[i]},
            **{key: game.observe(seat).to_json()[key] for key in OWN},
        }
        for seat in range(game.seats)
    ]
    view = game.observe(None).to_json()
    after = {
        **{key: view[key] for key in shown["table"]},
        **{key: len(view[key]) for key in shown["lengths"]},
        "seats": [{key: seat[key] for key in shown["seat"]} for seat in view["seats"]],
    }
    facts = {
        **{key: view[key] for key in shown["facts"]},
        "seats": [{key: seat[key] for key in shown["facts_of_a_seat"]} for seat in view["seats"]],
    }
    return {"entries": common, "to_act": list(game.to_act), "after": after, "facts": facts, "own": own}


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), {key: int(value) for key, value in (one.split("=") for one in sys.argv[3:])})
