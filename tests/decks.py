"""Deck files to bring along: one that is sound and unlike ours, and one that is not."""

from __future__ import annotations

from tafelrunde.games.chocolat import deck

OURS = deck.standard_text()


def turned() -> str:
    """Another deck: the cards of sugar are all alike, and most powers are turned around."""
    text = OURS.replace('name = "reconstructed"', 'name = "turned"')
    head, sugar, tail = text.partition("[cards.sugar]")
    _, blank, helpers = tail.partition("\n\n")
    cards = '\n5 = { coins = [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2], source = "printed" }'
    for one, other in (("four", "coins"), ("colour", "fetch"), ("value", "dig")):
        helpers = helpers.replace(f'is = "{one}"', "is = ?").replace(f'is = "{other}"', f'is = "{one}"')
        helpers = helpers.replace("is = ?", f'is = "{other}"')
    return head + sugar + cards + blank + helpers


TURNED = turned()
NAME = "turned"
POWERS = {"1": "coins", "2": "fetch", "3": "dig", "4": "three", "5": "value", "6": "colour", "7": "four"}
SPOILT = OURS.replace("[6, 6, 5, 5]", "[6, 6, 5, 9]", 1).replace('is = "coins"', 'is = "luck"')


def line_of(part: str, text: str = SPOILT) -> int:
    """The first line that has this in it."""
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)
