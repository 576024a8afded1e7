"""buffet: Schlacht am Buffet, simultaneous secret cards."""

from __future__ import annotations

from tafelrunde.errors import BadSeats, GameOver, Illegal, Malformed, NotYourMoment
from tafelrunde.games.buffet import rules
from tafelrunde.games.buffet import state as b
from tafelrunde.games.buffet.notation import BuffetNotation, BuffetObservation
from tafelrunde.games.contract import GameSpec, Option, Refusal, Secret

GAME = GameSpec(
    id="buffet",
    package=__name__,
    position=1,
    title="Schlacht am Buffet",
    credit="Martin Wallace, KOSMOS 2011",
    rules=rules,
    notation=BuffetNotation(),
    observation=BuffetObservation,
    options=(
        Option(
            "start_seat",
            kind="seat",
            default=None,
            text="Who has the start token in the first round; nobody named: chance decides.",
            rule="B5",
        ),
    ),
    refusals={
        b.R_OVER: Refusal(GameOver, "B21", "The game is over."),
        b.R_WAIT: Refusal(NotYourMoment, "B18", "The cards are being shuffled."),
        b.R_OUT: Refusal(NotYourMoment, "B10", "You are out until the next race begins."),
        b.R_LAID: Refusal(NotYourMoment, "B7", "Your card for this turn is already on the table."),
        b.R_NOT_HELD: Refusal(Illegal, "B7", "You do not hold that card."),
        b.R_NO_EXCHANGE: Refusal(NotYourMoment, "B12", "Only the first one out may exchange cards."),
        b.R_NO_EXCHANGE_PART_TWO: Refusal(NotYourMoment, "B27", "Nobody exchanges cards in part two."),
        b.R_EXCHANGE_DONE: Refusal(NotYourMoment, "B12", "You have already decided about your exchange."),
        b.R_EXCHANGED_NOT_HELD: Refusal(Illegal, "B12", "You can only exchange cards that you hold."),
        b.R_NO_DECISION: Refusal(Malformed, "B7", "That is no decision of this game."),
        b.R_NO_SEAT: Refusal(BadSeats, None, "Nobody sits there."),
    },
    secrets={
        "draw": Secret("seat", frozenset({"cards"})),
        "lay": Secret("by", frozenset({"card"})),
    },
    seats_rule="B6",
)
