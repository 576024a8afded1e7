"""chocolat: one round, from a card with many coins to a run in one colour."""

from __future__ import annotations

from collections.abc import Sequence

from client.lessons.script import LEARNER, Fork, Lesson, Position
from tests.games.chocolat.tables import (
    ANT,
    BEE,
    BEETLE,
    COCKROACH,
    HAMSTER,
    MOLE,
    PASS,
    SQUIRREL,
    at_scoring,
    combine,
    draft,
    lay,
    lay_all,
    table,
)

from tafelrunde import Decision, Game
from tafelrunde.games.chocolat.deck import STANDARD

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
    script.ask("combine", "hand", combine(*RUN, kept=("fruit-7-3",)), alike=True)
    script.follow(CY, PASS)
    script.follow(BO, PASS)
    script.look()
    script.say("kept", "me")
    script.say("colours", "me")
    script.say("passed", "me")
    script.say("target", "me")
    script.say("end")
    return script


# --- Examples of the rulebook ----------------------------------------------------------------------------------------


def positions() -> list[Position]:
    """The examples that are about a decision, from the seat that has to take it."""
    helped = [one_hand(helper) for helper in (HAMSTER, BEE, ANT)]
    return [coins_and_a_tie(), three_for_two(), four_ways(), a_squirrel(), *helped, on_top_of_the_pile()]


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
        then = position.choice(one, (1, lay("sugar-3-4")), (2, lay("nuts-3-7")), (3, lay("fruit-3-7")))
        view = then.game.observe(LEARNER)
        coins = [seat["coins"] for seat in view.seats]
        tie = coins.count(coins[LEARNER]) > 1
        then.say(f"draft-{'tie-' if tie else ''}{view.order.index(LEARNER) + 1}", "C9")
    return position


def three_for_two() -> Position:
    """Example 2, from Di's seat: the hamster takes three cards and gives one."""
    game = table(
        hands=(
            ("nuts-3-8", "fruit-5-4", "sugar-6-2", "eggs-4-4", "sugar-3-3"),
            ("sugar-3-4",),
        ),
        market=("fruit-6-4", "fruit-7-3", "sugar-7-1"),
        helpers=(HAMSTER, ANT),
    )
    lay_all(game, "nuts-3-8", "sugar-3-4")
    position = Position(2, game, ("Di", "Bo"))
    for one in game.legal(LEARNER):
        position.choice(one).say("three" if "give" in one.fields else "two", "C15" if "give" in one.fields else "C9")
    return position


def four_ways() -> Position:
    """Example 3, from Cy's seat: six cards, in which there is every kind of combination."""
    hand = ("eggs-7-1", "eggs-7-1", "eggs-7-2", "nuts-7-3", "eggs-6-2", "eggs-5-3")
    position = Position(3, at_scoring(hand, HAMSTER), ("Cy", "Di"))
    score(position)
    return position


def a_squirrel() -> Position:
    """Example 4, from Ada's seat."""
    position = Position(4, at_later_scoring(("nuts-4-6", "nuts-5-5", "nuts-5-6", "eggs-7-1"), SQUIRREL))
    score(position)
    return position


def one_hand(helper: int) -> Position:
    """Example 5, from Bo's seat: the same cards with three helpers."""
    game = at_later_scoring(("sugar-3-3", "fruit-4-5", "fruit-5-4", "eggs-6-2", "fruit-7-2"), helper)
    position = Position(5, game, ("Bo", "Cy"), f"helper.{STANDARD.helper(helper).power}.with")
    score(position)
    return position


def on_top_of_the_pile() -> Position:
    """Example 6, from Ada's seat: Bo has just laid out three sevens, and her dung beetle looks at what he left."""
    game = at_scoring(
        ("fruit-5-4", "fruit-6-4", "eggs-3-6", "nuts-6-4", "sugar-3-3", "chocolate-5-5"),
        BEETLE,
        other=("nuts-7-3", "eggs-7-2", "fruit-7-3"),
        other_helper=COCKROACH,
        before=combine("nuts-7-3", "eggs-7-2", "fruit-7-3", kept=("nuts-7-3",)),
    )
    position = Position(6, game)
    for one in game.legal(LEARNER):
        then = position.choice(one)
        if one == PASS:
            then.say("passed", "C10")
        else:
            score(then.say("fetched", "C15"))
    return position


def at_later_scoring(hand: Sequence[str], helper: int) -> Game:
    """Two players; the learner has these four cards in the second round, or five in the third, and this helper."""
    rounds = len(hand) - 2
    bids = ["chocolate-3-8", "nuts-3-8", "chocolate-3-8"][:rounds]
    sold = ("sugar-4-2", "eggs-4-5", "chocolate-4-7")
    held = [*bids[1:], *hand][:3]  # what remains of the first round
    bought = [(sold[2], held[2]), *batched(hand[4 - rounds :])]
    low = "sugar-7-1"
    game = table(
        hands=((bids[0], *sold[:2], *held[:2]), (low, low, low)),
        market=(*bought[0], "sugar-3-4"),
        draw=hand[4 - rounds :],
        helpers=[*[rank for rank in (COCKROACH, BEETLE, MOLE) if rank != helper][:rounds], helper],
        pantry_seat=1,
    )
    for nth, bid in enumerate(bids):
        lay_all(game, bid, low)
        game.act(LEARNER, draft(*bought[nth]))
        game.act(BO, game.legal(BO)[0])
        let_pass(game, BO)
        if nth < rounds - 1:
            game.act(LEARNER, PASS if nth else combine(*sold, kept=sold[:1]))
            let_pass(game, BO)
    return game


def batched(cards: Sequence[str]) -> list[Sequence[str]]:
    """Two by two."""
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def let_pass(game: Game, seat: int) -> None:
    """If it is this seat's turn to score."""
    if game.observe(None).phase == "scoring" and game.to_act == (seat,):
        game.act(seat, PASS)


def score(fork: Fork) -> None:
    """Everything that can be laid out now; the order of what is discarded makes no difference."""
    listed: dict[object, Decision] = {}
    for one in fork.game.legal(LEARNER):
        listed.setdefault(regardless_of_order(one), one)
    for one in listed.values():
        fork.choice(one, alike=True).say(*verdict(one))


def regardless_of_order(decision: Decision) -> object:
    """The same for all orders of the cards."""
    tidy = {name: sorted(value) if name == "cards" else value for name, value in decision.fields.items()}
    return decision.do, str(tidy)


def verdict(decision: Decision) -> tuple[str, str]:
    """What is to be said of a combination, or of none."""
    if decision == PASS:
        return "passed", "C10"
    if len(decision.cards) == 4:
        return "four", "C15"
    changed, colour = decision.fields.get("changed"), decision.fields.get("as")
    if changed in decision.kept and colour is None:
        return "printed", "C15"
    parts = {card: card.split("-") for card in decision.cards}
    values = {int(value) + (card == changed and colour is None) for card, (_, value, _) in parts.items()}
    colours = {colour if colour and card == changed else own for card, (own, _, _) in parts.items()}
    return f"{'set' if len(values) == 1 else 'run'}-{'one' if len(colours) == 1 else 'different'}", "C11"
