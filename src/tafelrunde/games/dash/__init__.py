"""dash: Ich bin dann mal weg!, real-time grabbing."""

from __future__ import annotations

from tafelrunde.errors import BadSeats, GameOver, Illegal, Malformed, NotYourMoment
from tafelrunde.games.contract import GameSpec, Option, RealTime, Refusal, Secret
from tafelrunde.games.dash import rules
from tafelrunde.games.dash import state as d
from tafelrunde.games.dash.notation import DashNotation, DashObservation

A_DAY = 86_400

GAME = GameSpec(
    id="dash",
    package=__name__,
    position=2,
    title="Ich bin dann mal weg!",
    credit="Chu-Lan Kao, Smiling Monster",
    rules=rules,
    notation=DashNotation(),
    observation=DashObservation,
    options=(
        Option(
            "target",
            kind="number",
            default=75,
            default_for_two=100,
            text="When somebody has so many points after a round, the game ends.",
            rule="D21",
            least=1,
            most=1_000_000,
        ),
        Option(
            "keep_for_good",
            kind="switch",
            default=False,
            text="Eat with purpose: what lies in a display stays there.",
            rule="D22",
        ),
        Option(
            "pace_ms",
            kind="number",
            default=0,
            text="Calm pace: so long a hand looks at a card, in milliseconds; 1500 is a good value, 0 is off.",
            rule="D29",
            most=60_000,
        ),
        Option(
            "round_limit_s",
            kind="number",
            default=0,
            text="So long a round lasts at most, in seconds; 0 is off.",
            rule="D30",
            most=A_DAY,
        ),
        Option(
            "max_rounds",
            kind="number",
            default=0,
            text="So many rounds are played at most; 0 is off.",
            rule="D21",
            most=1_000_000,
        ),
        Option(
            "first_opener",
            kind="seat",
            default=None,
            text="Who opens the buffet in the first round; nobody named: chance decides.",
            rule="D6",
        ),
    ),
    refusals={
        d.R_OVER: Refusal(GameOver, "D21", "The game is over."),
        d.R_WAIT: Refusal(NotYourMoment, "D5", "The cards are being laid out."),
        d.R_NOT_OPEN: Refusal(NotYourMoment, "D6", "The buffet is not open yet."),
        d.R_NOT_OPENER: Refusal(NotYourMoment, "D6", "Somebody else opens the buffet."),
        d.R_OPENED: Refusal(NotYourMoment, "D6", "The buffet is already open."),
        d.R_GONE: Refusal(NotYourMoment, "D10", "You have left this round."),
        d.R_HOLDS: Refusal(NotYourMoment, "D7", "First decide about the card in your hand."),
        d.R_HOLDS_NOTHING: Refusal(NotYourMoment, "D7", "There is no card in your hand."),
        d.R_STACK_USED: Refusal(NotYourMoment, "D8", "Your stack is used up."),
        d.R_STACK_FIRST: Refusal(NotYourMoment, "D8", "First lay all cards of your own stack."),
        d.R_BOTH_STACKS: Refusal(NotYourMoment, "D25", "First lay the cards of both your stacks."),
        d.R_NEVER: Refusal(Illegal, "D13", "No card has lain there in this round."),
        d.R_EMPTIED: Refusal(Illegal, "D13", "This hand has emptied that place itself."),
        d.R_NOT_FREE: Refusal(Illegal, "D8", "A card lies there already."),
        d.R_KEEPS_EXIT: Refusal(Illegal, "D10", "An exit card is kept by leaving: exit."),
        d.R_NO_EXIT: Refusal(Illegal, "D10", "The card in your hand is no exit card."),
        d.R_FOR_GOOD: Refusal(Illegal, "D22", "What lies in a display stays there."),
        d.R_NOT_SHOWN: Refusal(Illegal, "D11", "That card is not in the display of this hand."),
        d.R_PACE: Refusal(NotYourMoment, "D29", "Calm pace: your hand is still busy with the card."),
        d.R_LIMIT: Refusal(NotYourMoment, "D30", "The time of this round has run out."),
        d.R_PAST: Refusal(Malformed, None, "Time does not run backwards: something later has happened already."),
        d.R_WHICH_HAND: Refusal(Malformed, "D24", "With two players a decision says which hand: left or right."),
        d.R_ONE_HAND: Refusal(Malformed, "D7", "Only two players use two hands; here a decision names none."),
        d.R_NO_DECISION: Refusal(Malformed, "D7", "That is no decision of this game."),
        d.R_NO_SEAT: Refusal(BadSeats, None, "Nobody sits there."),
        d.R_NOT_YET: Refusal(NotYourMoment, "D30", "The time of this round has not run out."),
    },
    secrets={
        "deal": Secret(None, frozenset({"cards"})),
        "see": Secret("seat", frozenset({"card"})),
    },
    seats_rule="D3",
    quick={"max_rounds": 2},
    real_time=RealTime(
        signal="open",
        signal_rule="D6",
        claim="take",
        direct=frozenset({"open", "look"}),
        pace_option="pace_ms",  # D29
        lapse={"do": "score", "why": "limit"},  # D30
    ),
)
