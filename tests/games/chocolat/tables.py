"""Tables of chocolat with chosen cards and helpers, for tests that tell a story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tafelrunde import Decision, Game
from tafelrunde.games import find
from tafelrunde.games.chocolat.deck import STANDARD, Deck
from tafelrunde.games.chocolat.notation import CARD_NAMES, card_code

SPEC = find("chocolat")
NAMES = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay")
ALL_CARDS = Counter(CARD_NAMES[card] for card in STANDARD.cards)
ANT, BEE, SQUIRREL, HAMSTER, MOLE, BEETLE, COCKROACH = range(1, 8)


def lay(card: str, **fields: Any) -> Decision:
    return Decision("lay", card=card, **fields)


def draft(*take: str, **fields: Any) -> Decision:
    return Decision("draft", take=take, **fields)


def combine(*cards: str, kept: Sequence[str], **fields: Any) -> Decision:
    return Decision("combine", cards=cards, kept=tuple(kept), **fields)


PASS = Decision("pass")


def table(
    hands: Sequence[Sequence[str]],
    market: Sequence[str] = (),
    draw: Sequence[str] = (),
    helpers: Sequence[int] = (),
    pantry_seat: int = 0,
    target: int = 30,
    deck: Deck = STANDARD,
) -> Game:
    """A game with these hands, market, top of the draw pile and helpers, before the first decision.

    What is not told is filled up: with cards in turn, and with the lowest helpers that are left.
    """
    seats = len(hands)
    rest = ALL_CARDS.copy()
    rest.subtract([card for hand in hands for card in hand] + list(market) + list(draw))
    assert min(rest.values()) >= 0, "there are not so many of a card"
    spare = sorted(rest.elements(), key=lambda card: (card_code(card) * 7) % 41)
    order: list[str] = []
    for hand in hands:
        order += [*hand, *(spare.pop() for _ in range(5 - len(hand)))]
    order += [*market, *(spare.pop() for _ in range(seats + 1 - len(market))), *draw, *spare]
    game = Game(SPEC, NAMES[:seats], {"pantry_seat": pantry_seat, "target": target}, None, deck)
    game.supply([card_code(card) for card in order])
    game.supply([*helpers, *(rank for rank in range(1, 8) if rank not in helpers)])
    return game


def lay_all(game: Game, *cards: str | Decision) -> list[dict[str, Any]]:
    """Everybody lays, from seat 0 on; returns what followed the last card."""
    entries: list[dict[str, Any]] = []
    for seat, card in enumerate(cards):
        entries = list(game.act(seat, lay(card) if isinstance(card, str) else card))
    return entries[1:]


def shop(game: Game) -> None:
    """Everybody lays their lowest card and drafts the first cards that there are; then scoring begins."""
    while game.observe(None).phase in ("laying", "drafting"):
        game.act(game.to_act[0], game.legal(game.to_act[0])[0])


def at_scoring(
    hand: Sequence[str], helper: int, *, other: Sequence[str] = (), before: Decision = PASS, **more: Any
) -> Game:
    """Two players; seat 0 has these six cards and this helper, and it is its turn to score.

    Seat 1 was dealt some ``other`` cards; if its helper is the higher one, it has decided ``before``.
    """
    assert len(hand) == 6
    bid = next(card for card in ("nuts-3-8", "chocolate-3-8") if card not in hand)
    low = "sugar-7-1"
    game = table(
        [[*hand[:4], bid], [low, *other]],
        market=hand[4:],
        helpers=(helper, more.pop("other_helper", 1 if helper != 1 else 2)),
        **more,
    )
    lay_all(game, bid, low)
    game.act(0, draft(*hand[4:]))
    game.act(1, game.legal(1)[0])
    if game.to_act == (1,):
        game.act(1, before)
    return game


def seats(game: Game) -> list[dict[str, Any]]:
    """Everybody, as all see them."""
    listed: list[dict[str, Any]] = game.observe(None).seats
    return listed


def did(entries: Sequence[dict[str, Any]], verb: str) -> list[dict[str, Any]]:
    """Only the entries of one verb."""
    return [entry for entry in entries if entry["do"] == verb]
