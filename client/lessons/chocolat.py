"""chocolat: one round, from a card with many coins to a run in one colour."""

from __future__ import annotations

from client.lessons.script import LEARNER, Lesson, Position
from tests.games.chocolat.tables import ANT, BEE, COCKROACH, HAMSTER, MOLE, PASS, combine, draft, lay, table

BO, CY = 1, 2
RUN = ("fruit-5-4", "fruit-6-4", "fruit-7-3")


def lesson() -> Lesson:
    """Coins and values, the helper, drafting, a combination and what is kept of it, passing on, the target."""
    game = table(
        hands=(
            ("nuts-3-7", "fruit-5-4", "fruit-7-3", "eggs-4-4", "sugar-7-1"),
            ("nuts-3-8", "eggs-7-2", "sugar-5-2", "chocolate-6-5", "nuts-7-3"),
            ("sugar-4-3", "chocolate-3-8", "fruit-3-7", "eggs-3-6", "nuts-5-6"),
        ),
        market=("fruit-6-4", "eggs-6-2", "sugar-3-3", "chocolate-4-6"),
        helpers=(COCKROACH, BEE, HAMSTER, ANT),
        pantry_seat=CY,
    )
    script = Lesson(game)
    script.say("hello")
    script.say("cards", "hand")
    script.say("market", "market")
    script.say("helper", "me")
    script.ask("lay", "hand", lay("nuts-3-7", helper=COCKROACH))
    script.follow(BO, lay("nuts-3-8"))
    script.follow(CY, lay("sugar-4-3"))
    script.look()
    script.say("order", "queue")
    script.ask("draft", "market", draft("fruit-6-4", "eggs-6-2"))
    script.follow(BO, draft("nuts-3-7", "chocolate-4-6"))
    script.follow(CY, draft("nuts-3-8", "sugar-3-3"))
    script.look()
    script.say("left", "market")
    script.ask("combine", "hand", combine(*RUN, kept=("fruit-7-3",)))
    script.follow(CY, PASS)
    script.follow(BO, PASS)
    script.look()
    script.say("kept", "me")
    script.say("colours", "me")
    script.say("passed", "me")
    script.say("target", "me")
    script.say("end")
    return script


def positions() -> list[Position]:
    """The example of the rulebook about equal coins."""
    return [coins_and_a_tie()]


def coins_and_a_tie() -> Position:
    """Example 1, from Cy's seat: which card, and with the cockroach or without it?"""
    game = table(
        hands=(
            ("eggs-4-4", "sugar-5-2", "nuts-4-6", "fruit-6-3", "chocolate-7-3"),
            ("sugar-3-4",),
            ("nuts-3-7",),
            ("fruit-3-7",),
        ),
        market=("eggs-7-1", "fruit-5-4", "nuts-6-4", "sugar-7-1", "chocolate-3-8"),
        helpers=(COCKROACH, HAMSTER, ANT, MOLE),
    )
    position = Position(1, game, ("Cy", "Di", "Ada", "Bo"))
    for one in game.legal(LEARNER):
        position.choice(one, (1, lay("sugar-3-4")), (2, lay("nuts-3-7")), (3, lay("fruit-3-7")))
    return position
