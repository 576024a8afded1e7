"""dash: one round, in which the learner gets away with three cards and the others do not fare so well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from client.lessons.script import LEARNER, Fork, Lesson, Position
from tests.games.dash.tables import FOOD, do, grab, lay_out, lay_stack, new_table, play_round, table

from tafelrunde import Game

BO, CY = 1, 2
STACKS = (("A1", "B1", "C2"), ("E4", "F5", "G6"), ("B2", "D4", "F7"))
LYING = {20: "D3", 27: "E7", 35: "X", 12: "X"}
"""What the round is about, by its place; elsewhere lies whatever comes."""
BACK, FREE = 63, 60
SIDES = ("left", "right")


def heap(stacks: Sequence[Sequence[str]], lying: Mapping[int, str]) -> list[str]:
    """All cards that were not dealt, with those that matter at their places."""
    used = {card for stack in stacks for card in stack} | set(lying.values())
    spare = [card for card in FOOD if card not in used]
    return [lying[place] if place in lying else spare.pop(0) for place in range(len(spare) + len(lying))]


def lesson() -> Lesson:
    """The own stack, a double, the heap, somebody quicker, the exit, squares."""
    game = table(3, STACKS, heap(STACKS, LYING), opened=False)
    script = Lesson(game)
    script.say("hello")
    script.say("heap", "heap")
    script.ask("open", "open", do("open"))
    script.look()
    script.ask("look", "hand", do("look"))
    script.look()
    script.ask("keep", "hand", do("keep"))
    stack_of(script, BO, keep=2)
    script.look()
    script.ask("more", "hand", do("look"))
    script.look()
    script.ask("double", "hand", do("back", place=BACK), alike=True)
    script.follow(CY, do("look"))
    script.look()
    script.ask("last", "hand", do("look"))
    script.look()
    script.ask("fits", "hand", do("keep"))
    script.follow(CY, do("keep"))
    script.look()
    script.ask("take", "heap", do("take", place=20), alike=True)
    script.look()
    script.ask("taken", "hand", do("keep"))
    stack_of(script, CY, keep=1)
    script.look()
    script.ask("late", "heap", do("take", place=27), alike=True, before=((BO, do("take", place=27)),))
    script.look()
    script.say("quicker", "heap")
    script.follow(BO, do("keep"))
    script.look()
    script.ask("again", "heap", do("take", place=35), alike=True)
    script.look()
    script.say("exit", "hand")
    script.ask("off", "hand", do("exit"))
    script.look()
    script.say("gone", "others")
    script.follow(BO, do("take", place=12))
    script.follow(BO, do("exit"))
    lay_out(game, (), ())
    script.look()
    script.say("score", "score")
    script.say("squares", "score")
    script.say("end")
    return script


def stack_of(script: Lesson, seat: int, keep: int) -> None:
    """Somebody else goes through the rest of their stack: so many are kept, the others put back."""
    for nth in range(script.game.observe(LEARNER).seats[seat]["hands"][0]["stack"]):
        script.follow(seat, do("look"))
        script.follow(seat, do("keep") if nth < keep else do("back", place=FREE - seat))


# --- Examples of the rulebook ----------------------------------------------------------------------------------------


def positions() -> list[Position]:
    """The examples that are about what a hand does, from the seat that it belongs to."""
    return [squares_and_doubles(), exit_put_back(), late_claim(), two_players()]


def squares_and_doubles() -> Position:
    """Example 1, from Bo's seat, before he goes: whichever card he reaches for, it is the last exit card."""
    cy, di, ada, exit_at = 1, 2, 3, 27
    stacks = (("A2", "C5", "D3"), ("B2", "G5", "F1"), ("D1", "E2", "F4"), ("A1", "B3", "C4"))
    lying = {10: "F5", exit_at: "X", 12: "X", 33: "E6", 21: "G7", 6: "X"}
    game = new_table(4)
    play_round(game, {ada: 7, LEARNER: 7, cy: 6})
    play_round(game, {ada: 1, LEARNER: 4, cy: 6})
    play_round(game, {ada: 1, LEARNER: 1, di: 6})
    play_round(game, {di: 2, ada: 0, cy: 0})
    lay_out(game, stacks, heap(stacks, lying))
    game.act(game.to_act[0], do("open"))
    for seat, stack in enumerate(stacks):
        lay_stack(game, seat, [card for card in stack if card != "F1"])
    grab(game, LEARNER, 10)
    grab(game, cy, 12)
    grab(game, ada, 33, 21, 6)
    position = Position(1, game, ("Bo", "Cy", "Di", "Ada"))
    leave_or_stay(position, exit_at, di, "double", "D18")
    for card in ("A2", "C5", "D3", "F5"):
        then = position.choice(do("return", card=card, place=FREE), alike=True).say("returned", "D11")
        leave_or_stay(then, exit_at, di, *(("square", "D19") if card.endswith("5") else ("double", "D18")))
    return position


def leave_or_stay(fork: Fork, place: int, other: int, say: str, rule: str) -> None:
    """Take the exit card; then keep it, or put it back, where somebody else finds it."""
    holding = fork.choice(do("take", place=place), alike=True)
    holding.choice(do("exit")).say(say, rule)
    found = ((other, do("take", place=place)), (other, do("exit")))
    holding.choice(do("back", place=place), *found, alike=True).say("stayed", "D17")


def exit_put_back() -> Position:
    """Example 2, from Bo's seat: whichever card he reaches for, it is an exit card; he has just two cards yet."""
    cy, di, ada, exit_at = 1, 2, 3, 17
    stacks = (("A2", "D3", "A4"), ("B2", "G5", "F1"), ("D1", "E2", "F4"), ("A1", "B3", "C4"))
    game = table(4, stacks, heap(stacks, {exit_at: "X", 4: "X", 34: "X"}))
    lay_stack(game, LEARNER, stacks[0][:2])
    for seat in (cy, di, ada):
        lay_stack(game, seat, stacks[seat])
    position = Position(2, game, ("Bo", "Cy", "Di", "Ada"))
    holding = position.choice(do("take", place=exit_at), alike=True)
    others_go = [(seat, one) for seat, place in ((cy, 4), (ada, 34)) for one in (do("take", place=place), do("exit"))]
    holding.choice(do("exit"), *others_go).say("small", "D19")
    back = holding.choice(do("back", place=exit_at), alike=True).say("unseen", "D12")
    curious = (cy, do("take", place=exit_at))
    back.choice(do("take", place=exit_at), (cy, do("exit")), before=[curious]).say("snatched", "D13")
    back.choice(do("take", place=9), curious, (cy, do("exit")), alike=True).say("meanwhile", "D10")
    return position


def late_claim() -> Position:
    """Example 3, from Di's seat: whoever reaches for place 8 comes after Ada."""
    stacks = (("A2", "D3", "B4"), ("B2", "G5", "F1"), ("D1", "E2", "F4"), ("A1", "B3", "C4"))
    game = table(4, stacks, heap(stacks, {4: "X", 17: "X", 34: "X"}))
    for seat, stack in enumerate(stacks):
        lay_stack(game, seat, stack)
    position = Position(3, game, ("Di", "Ada", "Bo", "Cy"))
    first = (1, do("take", place=8))
    late = position.choice(do("take", place=8), before=[first]).say("late", "D13")
    late.choice(do("take", place=9), alike=True).say("alone", "D9")
    position.choice(do("take", place=9), before=[first], alike=True).say("alone", "D9")
    return position


def two_players() -> Position:
    """Example 5, from Ada's seat: either of her hands can find the last exit card."""
    exit_at = 27
    stacks = (("A1", "B2", "C3"), ("A6", "B7", "G1"), ("C4", "E3", "F1"), ("B5", "D5", "F6"))
    lying = {10: "D4", 13: "E5", exit_at: "X", 12: "X", 33: "G2", 6: "X"}
    game = new_table(2)
    play_hands(game, {(LEARNER, "left"): 7, (LEARNER, "right"): 5, (BO, "left"): 7})
    play_hands(game, {(LEARNER, "left"): 2, (LEARNER, "right"): 1, (BO, "left"): 6})
    play_hands(game, {(LEARNER, "left"): 0, (BO, "left"): 1, (BO, "right"): 0})
    lay_out(game, stacks, heap(stacks, lying))
    game.act(game.to_act[0], do("open"))
    for nth, stack in enumerate(stacks):
        lay_stack(game, nth // 2, stack, SIDES[nth % 2])
    grab(game, LEARNER, 10, 13, hand="left")
    grab(game, BO, 33, 12, hand="left")
    grab(game, BO, 6, hand="right")
    position = Position(5, game)
    for hand in SIDES:
        holding = position.choice(do("take", place=exit_at, hand=hand), alike=True)
        holding.choice(do("exit", hand=hand)).say(f"{hand}-hand", "D27")
    return position


def play_hands(game: Game, gains: Mapping[tuple[int, str], int]) -> None:
    """A round of two, in which these hands leave with so many cards."""
    cards = [f"{food}{(i + j) % 7 + 1}" for j in range(3) for i, food in enumerate("ABCDEFG")]
    lay_out(game, [], ["X", "X", "X", *cards])
    game.act(game.to_act[0], do("open"))
    for seat in (LEARNER, BO):
        for hand in SIDES:
            lay_stack(game, seat, hand=hand)
    for number, ((seat, hand), count) in enumerate(gains.items()):
        grab(game, seat, *range(3 + 7 * number, 3 + 7 * number + count), number, hand=hand)
