"""Tables of dash with chosen cards, for tests that tell a story."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tafelrunde import Decision, Game, TafelrundeError
from tafelrunde.games import find
from tafelrunde.games.dash.notation import CARD_NAMES, card_code

SPEC = find("dash")
FOOD = CARD_NAMES[:49]
NAMES = ("Ada", "Bo", "Cy", "Di", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo")


def do(verb: str, **fields: Any) -> Decision:
    return Decision(verb, **fields)


def lay_out(game: Game, stacks: Sequence[Sequence[str]], heap: Sequence[str]) -> None:
    """Supply the chance of one round: stacks and heap begin as wanted, the rest comes as it comes."""
    while game.needs is not None and game.needs.do == "choose":
        game.supply([0])
    each = 3 if game.seats <= 6 else 2
    wanted = {card for stack in stacks for card in stack} | set(heap)
    spare = [card for card in FOOD if card not in wanted]
    dealt: list[str] = []
    for hand in range(game.hands):
        stack = list(stacks[hand]) if hand < len(stacks) else []
        dealt += stack + [spare.pop() for _ in range(each - len(stack))]
    rest = [card for card in FOOD if card not in dealt]
    game.supply([card_code(card) for card in dealt + rest])
    exits = game.observe(None).exits_left - list(heap).count("X")
    lying = [*heap, *(card for card in rest if card not in heap), *["X"] * exits]
    game.supply([card_code(card) for card in lying])


def table(
    seats: int = 3,
    stacks: Sequence[Sequence[str]] = (),
    heap: Sequence[str] = (),
    opened: bool = True,
    **options: Any,
) -> Game:
    """A game with these stacks and this heap (place 0, 1, 2 ...), opened by seat 0 at 1000 ms."""
    game = Game(SPEC, NAMES[:seats], {"first_opener": 0, **options}, stream=None)
    lay_out(game, stacks, heap)
    if opened:
        game.act(0, do("open"), 1000)
    return game


def lay_stack(game: Game, seat: int, keep: Sequence[str] = (), hand: str | None = None) -> None:
    """Go through the own stack: keep these cards, put the others to the last free places."""
    side = {"hand": hand} if hand else {}
    at = 1 if hand == "right" else 0
    while game.observe(seat).seats[seat]["hands"][at]["stack"]:
        game.act(seat, do("look", **side))
        card = game.observe(seat).seats[seat]["hands"][at]["card"]
        game.act(seat, do("keep", **side) if card in keep else do("back", place=game.observe(seat).free[-1], **side))


def ready_table(seats: int = 3, heap: Sequence[str] = (), keep: Sequence[str] = (), **options: Any) -> Game:
    """Everybody's stack is laid; seat 0 has kept these cards, the others nothing."""
    game = table(seats, stacks=[list(keep)], heap=heap, **options)
    for seat in range(seats):
        for hand in ("left", "right") if seats == 2 else (None,):
            lay_stack(game, seat, keep if seat == 0 and hand != "right" else (), hand)
    return game


def grab(game: Game, seat: int, *places: int, hand: str | None = None) -> None:
    """Take the cards from these places one by one and keep them."""
    side = {"hand": hand} if hand else {}
    for place in places:
        game.act(seat, do("take", place=place, **side))
        hands = game.observe(seat).seats[seat]["hands"]
        card = hands[1 if hand == "right" else 0]["card"]
        game.act(seat, do("exit" if card == "X" else "keep", **side))


def display(game: Game, seat: int, hand: str | None = None) -> list[str]:
    shown: list[str] = game.observe(None).seats[seat]["hands"][1 if hand == "right" else 0]["display"]
    return shown


def refused(game: Game, seat: int, decision: Decision, ms: int | None = None) -> tuple[str, str | None]:
    """Code and rule of the refusal; the state stays as it was."""
    before = game._table.tobytes()
    with pytest.raises(TafelrundeError) as error:
        game.act(seat, decision, ms)
    assert game._table.tobytes() == before
    return error.value.code, error.value.rule


def did(entries: Sequence[dict[str, Any]], verb: str) -> list[dict[str, Any]]:
    """Only the entries of one verb."""
    return [entry for entry in entries if entry["do"] == verb]


def score_of(game: Game) -> dict[str, Any]:
    """The last score that was written down."""
    return did(list(game.entries), "score")[-1]


def play_round(game: Game, gains: dict[int, int]) -> None:
    """A round in which these seats leave with so many cards; needs as many exits as the round has."""
    exits = game.observe(None).exits_left
    assert len(gains) == exits
    cards = [f"{food}{(i + j) % 7 + 1}" for j in range(3) for i, food in enumerate("ABCDEFG")]
    lay_out(game, [], [*["X"] * exits, *cards])
    game.act(game.to_act[0], do("open"))
    for seat in range(game.seats):
        lay_stack(game, seat)
    for number, (seat, count) in enumerate(gains.items()):
        first = exits + 7 * number
        grab(game, seat, *range(first, first + count), number)


def new_table(seats: int, **options: int) -> Game:
    return Game(SPEC, NAMES[:seats], {"first_opener": 0, **options}, stream=None)
