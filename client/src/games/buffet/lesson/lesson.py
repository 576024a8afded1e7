"""buffet: two short rounds, in which the learner first wins a plate and then loses it again."""

from __future__ import annotations

from collections.abc import Iterator

from client.lessons.script import LEARNER, Fork, Lesson, Position
from tests.games.buffet.tables import exchange, lay, table, turn

from tafelrunde import Decision

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


# --- Examples of the rulebook ----------------------------------------------------------------------------------------


def positions() -> list[Position]:
    """The examples that are about a card to lay or to give away, from the seat that decides."""
    return [alone_at_the_back(), the_exchange(), the_duel(), once_round(), a_covered_plate(), three_players()]


def answer(cards: dict[int, int]) -> tuple[tuple[int, Decision], ...]:
    """What the others lay."""
    return tuple((seat, lay(card)) for seat, card in cards.items())


def tries(fork: Fork, cards: dict[int, int], *more: tuple[int, Decision]) -> Iterator[tuple[int, Fork]]:
    """Each card that can be laid now, with how things are when the others have laid these."""
    for decision in fork.game.legal(LEARNER):
        yield decision.card, fork.choice(decision, *more, *answer(cards))


def took(fork: Fork) -> str | None:
    """The plate that the learner got in the last turn; empty: none, in a duel."""
    for entry in reversed(fork.game.entries):
        if entry["do"] in ("out", "win") and entry["seat"] == LEARNER:
            return entry["plate"] or ""
        if entry["do"] == "lay":
            return None
    return None


def alone_at_the_back() -> Position:
    """Example 2, from Ada's seat: what if she had laid another card?"""
    hand = [-1, 0, 1, 2, 4, 5, 6, 7, 8]
    position = Position(2, table([hand, [0], [4], [0]], plates=("sausage4", "cheese1", "salad-1")))
    for card, then in tries(position, {BO: 0, CY: 4, DI: 0}):
        if card < 0:
            then.say("behind", "B9")
        else:
            then.say("shared" if card == 0 else "others-shared", "B11")
    return position


def the_exchange() -> Position:
    """Example 3, from Ada's seat again: she is out, and the others have laid their next cards already."""
    hand = [-1, 0, 0, 0, 2, 2, 8, 8, 8]
    game = table(
        [hand, [0, 2], [4, -1], [0, 2]], plates=("sausage4", "cheese1", "salad-1"), draw=(9, 3, 7, 5, 6, 4, 1, 9)
    )
    turn(game, {LEARNER: -1, BO: 0, CY: 4, DI: 0})
    for seat, decision in answer({BO: 2, CY: -1, DI: 2}):
        game.act(seat, decision)
    position = Position(3, game)
    for decision in game.legal(LEARNER):
        position.choice(decision).say("exchanged" if decision.cards else "exchanged-none", "B12")
    return position


def the_duel() -> Position:
    """Example 4, from Cy's seat: Di is five fields ahead."""
    ada, bo, di = 2, 3, 1
    hands = [[4, -1, 0, 7, 1, 2, 5, 8, 9], [0, 2, 6, 2, 0], [-1], [0, 2, 0]]
    game = table(hands, plates=("sausage4", "cheese1", "salad-1"), start_seat=ada)
    turn(game, {LEARNER: 4, di: 0, ada: -1, bo: 0})
    game.act(ada, exchange())
    turn(game, {LEARNER: -1, di: 2, bo: 2})
    turn(game, {LEARNER: 0, di: 6, bo: 0})
    position = Position(4, game, ("Cy", "Di", "Ada", "Bo"))
    for _, then in tries(position, {di: 2}):
        if took(then) is None:
            then.say("level", "B14")
            for _, last in tries(then, {di: 0}):
                last.say("duel-won", "B14")
        else:
            then.say("duel-won" if took(then) else "duel-lost", "B14")
    return position


def once_round() -> Position:
    """Example 5, from Ada's seat: she and Di are level at 34, and the start field is near."""
    hands = [[9, 9, 8, 8, 1, 2, 5, 6, 9], [0], [1, 0], [9, 9, 8, 8, 3]]
    game = table(hands, plates=("sausage4", "cheese1", "salad-1"))
    turn(game, {LEARNER: 9, BO: 0, CY: 1, DI: 9})
    game.act(BO, exchange())
    turn(game, {LEARNER: 9, CY: 0, DI: 9})
    turn(game, {LEARNER: 8, DI: 8})
    turn(game, {LEARNER: 8, DI: 8})
    position = Position(5, game)
    for card, then in tries(position, {DI: 3}):
        if took(then):
            then.say("lap-won" if card >= 6 else "duel-won", "B9" if card >= 6 else "B14")
        else:
            then.say("duel-lost", "B14")
    return position


def a_covered_plate() -> Position:
    """Example 6, from Bo's seat: cheese 5 and salami 2 lie before him, and there is more cheese to come."""
    cy, di, ada = 1, 2, 3
    plates = ("cheese5", "pizza2", "salad1", "pizza4", "sausage3", "salami2", "drumstick3", "cheese1", "cheese-1")
    between, slow, steady, fast = [3, 6, 8] * 3, [0] * 3, [4] * 3, [9] * 3
    hands = ([5, 5, 5, 0], [1, 1, 1, 2], [3, 1, 3, 1, 1, 6, 1], [4, 3, 2, 4, 3, 2, 5, 5, 6])
    game = table(hands, plates, draw=[*between, *slow, *steady, *fast])
    turn(game, {LEARNER: 5, cy: 1, di: 3, ada: 4})
    game.act(cy, exchange())
    turn(game, {LEARNER: 5, di: 1, ada: 3})
    turn(game, {LEARNER: 5, ada: 2})
    turn(game, {LEARNER: 0, cy: 1, di: 3, ada: 4})
    game.act(LEARNER, exchange(*game.observe(LEARNER).hand))
    turn(game, {cy: 1, di: 1, ada: 3})
    turn(game, {di: 1, ada: 2})
    position = Position(6, game, ("Bo", "Cy", "Di", "Ada"))
    for _, first in tries(position, {cy: 2, di: 6, ada: 5}):
        if took(first):
            first.say("covered-minus", "B16")
            continue
        for _, second in tries(first, {di: 1, ada: 5}, (cy, exchange())):
            if took(second):
                second.say("covered-one", "B16")
                continue
            for _, third in tries(second, {ada: 6}):
                third.say("own-stack" if took(third) else "safe", "B16")
    return position


def three_players() -> Position:
    """Example 8, from Bo's seat: part two begins, and he has sausage 3 from part one."""
    cy, ada = 1, 2
    hands = ([5, 4, 0, 0, 0, 4, 4, 9, 9], [1, 3], [3, 2, 6, 4])
    game = table(hands, ("sausage4", "drumstick4", "sausage3", "drumstick3", "cheese1"))
    turn(game, {LEARNER: 5, cy: 1, ada: 3})
    game.act(cy, exchange())
    turn(game, {LEARNER: 4, ada: 2})
    position = Position(8, game, ("Bo", "Cy", "Ada"))
    for _, first in tries(position, {cy: 3, ada: 6}):
        if took(first):
            first.say("part-two-out", "B27")
            continue
        for _, second in tries(first, {ada: 4}):
            if took(second):
                second.say("part-two-won", "B16")
            else:
                second.say("part-two-empty", "B27")
    return position
