"""Tables of buffet with chosen cards and plates, for tests that tell a story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tafelrunde import Decision, Entries, Game
from tafelrunde.games import find
from tafelrunde.games.buffet.notation import PLATE_NAMES, card_code, plate_code

SPEC = find("buffet")
ALL_CARDS = [card for card in range(-1, 10) for _ in range(10)]
NAMES = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay")


def lay(card: int) -> Decision:
    return Decision("lay", card=card)


def exchange(*cards: int) -> Decision:
    return Decision("exchange", cards=cards)


def fill_up(wanted: Sequence[Sequence[int]], draw: Sequence[int]) -> list[int]:
    """All 110 cards: hands first, topped up with whatever is left, then the draw pile beginning as wanted."""
    rest = Counter(ALL_CARDS)
    rest.subtract([card for hand in wanted for card in hand])
    rest.subtract(draw)
    assert min(rest.values()) >= 0, "there are only ten of each card"
    spare = sorted(rest.elements(), key=lambda card: (card * 7) % 11)
    order: list[int] = []
    for hand in wanted:
        order += hand
        order += [spare.pop() for _ in range(9 - len(hand))]
    return order + list(draw) + spare


def table(
    hands: Sequence[Sequence[int]], plates: Sequence[str] = (), draw: Sequence[int] = (), start_seat: int | None = 0
) -> Game:
    """A game with these hands and with these plates on top of the pile, before the first decision."""
    game = Game(SPEC, NAMES[: len(hands)], {"start_seat": start_seat}, stream=None)
    game.supply([card_code(card) for card in fill_up(hands, draw)])
    game.supply([plate_code(p) for p in [*plates, *(p for p in PLATE_NAMES if p not in plates)]])
    return game


def turn(game: Game, cards: dict[int, int]) -> list[dict[str, object]]:
    """Everybody lays; returns what followed the last card."""
    entries: Entries | None = None
    for seat, card in cards.items():
        entries = game.act(seat, lay(card))
    assert entries is not None
    return list(entries[1:])


def shuffle_on(game: Game) -> None:
    """Supply the chance that is needed, unshuffled."""
    while game.needs is not None:
        game.supply(game.offer())


def did(entries: Sequence[dict[str, object]], verb: str) -> list[dict[str, object]]:
    """Only the entries of one verb."""
    return [entry for entry in entries if entry["do"] == verb]
