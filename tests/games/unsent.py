"""Views that clients are not sent, because what they were sent before still serves them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from tafelrunde import Game
from tafelrunde.testing import random_walk

MOST_STEPS = 60
View = dict[str, Any]


def unsent_views(game: Game, chooser: random.Random) -> Iterator[tuple[View, View]]:
    """For everybody to whom a decision brings no view: the last one that was sent, and what there is to see now."""
    viewers = (None, *range(game.seats))
    sent: dict[int | None, View] = {}
    fresh: dict[int | None, tuple[Any, ...]] = {}
    told = len(game.entries)
    for _, moment in zip(range(MOST_STEPS), random_walk(game, chooser), strict=False):
        actors = {entry["by"] for entry in moment.entries[told:]}
        told = len(moment.entries)
        for viewer in viewers:
            now, seen = moment.freshness(viewer), moment.observe(viewer).to_json()
            if viewer in sent and viewer not in actors and now == fresh[viewer]:
                yield sent[viewer], seen
            else:
                sent[viewer], fresh[viewer] = seen, now


def without(view: View, fields: set[str], of_seats: set[str]) -> View:
    """A view less some of its fields, and less some of each of its seats."""
    seats = [{key: value for key, value in seat.items() if key not in of_seats} for seat in view["seats"]]
    return {key: value for key, value in view.items() if key not in fields} | {"seats": seats}
