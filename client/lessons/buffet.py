"""buffet: two short rounds, in which the learner first wins a plate and then loses it again."""

from __future__ import annotations

from client.lessons.script import Lesson, Position
from tests.games.buffet.tables import exchange, lay, table, turn

BO, CY, DI = 1, 2, 3


def lesson() -> Lesson:
    """Plates, secret cards, the walk, who is out, the duel, a covered plate, the exchange, the score."""
    script = Lesson(
        table(
            hands=([5, 3, 7, 0, -1, 2, 4, 8, 9], [3, 1, 4, 1], [0, 6, 2, 3], [4, 4, 2, 5, 3, 1]),
            plates=("cheese4", "pizza2", "salad-1", "sausage5", "salami1", "cheese-1"),
            draw=(4, 5, 5, 6, 6, 3, 1, 6, 6, 7, 9),
        )
    )
    script.say("hello")
    script.say("plates", "plates")
    script.say("ring", "ring")
    script.ask("first", "card:5", lay(5))
    others(script, {BO: 3, CY: 0, DI: 4})
    script.say("walked", "ring")
    script.say("out", f"seat:{CY}")
    script.ask("again", "card:3", lay(3))
    script.follow(CY, exchange())
    others(script, {BO: 1, DI: 4})
    script.ask("duel", "card:7", lay(7))
    others(script, {DI: 2})
    script.say("won", "me")
    script.say("gain", "plate:cheese-1")
    script.ask("cover", "card:0", lay(0))
    others(script, {BO: 4, CY: 6, DI: 5})
    script.say("covered", "me")
    script.ask("exchange", "hand", exchange(-1, 1))
    others(script, {BO: 1, CY: 2, DI: 3})
    script.say("rest", f"seat:{BO}")
    others(script, {CY: 3, DI: 1})
    script.say("score", "me")
    script.say("end")
    return script


def others(script: Lesson, cards: dict[int, int]) -> None:
    """They lay, and the turn is over."""
    for seat, card in cards.items():
        script.follow(seat, lay(card))
    script.look()


def positions() -> list[Position]:
    """The examples of the rulebook that are about a card."""
    return [alone_at_the_back(), the_duel()]


def alone_at_the_back() -> Position:
    """Example 2, from Ada's seat: what if she had laid another card?"""
    hand = [-1, 0, 1, 2, 4, 5, 6, 7, 8]
    position = Position(2, table([hand, [0], [4], [0]], plates=("sausage4", "cheese1", "salad-1")))
    for card in hand:
        position.choice(lay(card), (1, lay(0)), (2, lay(4)), (3, lay(0)))
    return position


def the_duel() -> Position:
    """Example 3, from Cy's seat: Di is five fields ahead."""
    hands = [[4, -1, 0, 7, 1, 2, 5, 8, 9], [0, 2, 6, 2], [-1], [0, 2, 0]]
    game = table(hands, plates=("sausage4", "cheese1", "salad-1"), start_seat=2)
    turn(game, {0: 4, 1: 0, 2: -1, 3: 0})
    game.act(2, exchange())
    turn(game, {0: -1, 1: 2, 3: 2})
    turn(game, {0: 0, 1: 6, 3: 0})
    position = Position(3, game, ("Cy", "Di", "Ada", "Bo"))
    for card in (1, 2, 5, 7, 8, 9):
        position.choice(lay(card), (1, lay(2)))
    return position
