"""dash: one round, in which the learner gets away with three cards and the others do not fare so well."""

from __future__ import annotations

from client.lessons.script import LEARNER, Lesson, Position
from tests.games.dash.tables import FOOD, do, lay_out, ready_table, table

BO, CY = 1, 2
STACKS = (("A1", "B1", "C2"), ("E4", "F5", "G6"), ("B2", "D4", "F7"))
LYING = {20: "D3", 27: "E7", 35: "X", 12: "X"}
"""What the round is about, by its place; elsewhere lies whatever comes."""
BACK, FREE = 63, 60


def heap() -> list[str]:
    """All cards that were not dealt, with those that matter at their places."""
    used = {card for stack in STACKS for card in stack} | set(LYING.values())
    spare = [card for card in FOOD if card not in used]
    return [LYING[place] if place in LYING else spare.pop(0) for place in range(len(spare) + len(LYING))]


def lesson() -> Lesson:
    """The own stack, a double, the heap, somebody quicker, the exit, squares."""
    game = table(3, STACKS, heap(), opened=False)
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
    script.ask("double", "hand", do("back", place=BACK), anywhere=True)
    script.follow(CY, do("look"))
    script.look()
    script.ask("last", "hand", do("look"))
    script.look()
    script.ask("fits", "hand", do("keep"))
    script.follow(CY, do("keep"))
    script.look()
    script.ask("take", "heap", do("take", place=20), anywhere=True)
    script.look()
    script.ask("taken", "hand", do("keep"))
    stack_of(script, CY, keep=1)
    script.look()
    script.ask("late", "heap", do("take", place=27), anywhere=True, before=((BO, do("take", place=27)),))
    script.look()
    script.say("quicker", "heap")
    script.follow(BO, do("keep"))
    script.look()
    script.ask("again", "heap", do("take", place=35), anywhere=True)
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


def positions() -> list[Position]:
    """The example of the rulebook about two hands at one place."""
    return [late_claim()]


def late_claim() -> Position:
    """Example 3, from Di's seat: whoever reaches for place 8 comes after Ada."""
    game = ready_table(4, heap=FOOD[:12])
    position = Position(3, game, ("Di", "Ada", "Bo", "Cy"))
    first = (1, do("take", place=8))
    for place in (7, 8, 9):
        position.choice(do("take", place=place), before=[first])
    return position
