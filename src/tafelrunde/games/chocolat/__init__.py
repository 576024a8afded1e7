"""chocolat: Maus au Chocolat, bidding, drafting and combinations."""

from __future__ import annotations

from tafelrunde.errors import BadSeats, GameOver, Illegal, Malformed, NotYourMoment
from tafelrunde.games.chocolat import deck, rules
from tafelrunde.games.chocolat import state as c
from tafelrunde.games.chocolat.notation import ChocolatNotation, ChocolatObservation
from tafelrunde.games.contract import Decks, GameSpec, Option, Refusal, Secret

GAME = GameSpec(
    id="chocolat",
    package=__name__,
    position=3,
    title="Maus au Chocolat",
    credit="Christian Fiore and Knut Happel, KOSMOS 2009",
    rules=rules,
    notation=ChocolatNotation(),
    observation=ChocolatObservation,
    options=(
        Option(
            "pantry_seat",
            kind="seat",
            default=None,
            text="Who sits beside the spare helpers; nobody named: chance decides.",
            rule="C6",
        ),
        Option(
            "target",
            kind="number",
            default=30,
            text="With so many victory points before somebody the round at hand is the last one.",
            rule="C16",
            least=1,
            most=1000,
        ),
    ),
    refusals={
        c.R_OVER: Refusal(GameOver, "C16", "The game is over."),
        c.R_WAIT: Refusal(NotYourMoment, "C7", "The cards are being shuffled."),
        c.R_NO_DECISION: Refusal(Malformed, "C8", "That is no decision of this game."),
        c.R_NO_SEAT: Refusal(BadSeats, None, "Nobody sits there."),
        c.R_NOT_LAYING: Refusal(NotYourMoment, "C8", "Cards are laid at the beginning of a round."),
        c.R_LAID: Refusal(NotYourMoment, "C8", "Your card for this round is already on the table."),
        c.R_NOT_DRAFTING: Refusal(NotYourMoment, "C9", "Cards are drafted once all have laid."),
        c.R_DRAFTS_LATER: Refusal(NotYourMoment, "C9", "It is somebody else's turn to draft: the most coins first."),
        c.R_NOT_SCORING: Refusal(NotYourMoment, "C10", "Combinations are laid out once all have drafted."),
        c.R_SCORES_LATER: Refusal(NotYourMoment, "C10", "It is somebody else's turn: the highest helper first."),
        c.R_NOT_HELD: Refusal(Illegal, "C8", "You do not hold that card."),
        c.R_NOT_ON_MARKET: Refusal(Illegal, "C9", "That card does not lie in the market."),
        c.R_NOT_GIVEN: Refusal(Illegal, "C15", "You can only give a card that you hold."),
        c.R_OTHER_HELPER: Refusal(Illegal, "C15", "You hold another helper."),
        c.R_HELPER_USED: Refusal(Illegal, "C15", "Your helper has already helped you in this round."),
        c.R_OTHER_POWER: Refusal(Illegal, "C15", "Your helper can not do that."),
        c.R_TOO_FEW: Refusal(Illegal, "C15", "Three can only be taken while three lie in the market."),
        c.R_NO_DISCARD: Refusal(Illegal, "C15", "There is nothing to fetch: the discard pile is empty."),
        c.R_FOUR_CARDS: Refusal(Illegal, "C10", "A combination has three cards; only the ant lays out four."),
        c.R_CHANGED: Refusal(Illegal, "C15", "Only a helper changes how a card counts."),
        c.R_SAME_COLOUR: Refusal(Illegal, "C15", "The card has that colour already; it counts as another one."),
        c.R_NO_EIGHT: Refusal(Illegal, "C15", "There is no value above seven."),
        c.R_NOT_IN_HAND: Refusal(Illegal, "C10", "You can only lay out cards that you hold."),
        c.R_NO_COMBINATION: Refusal(Illegal, "C10", "Neither are all values equal, nor do they follow one another."),
        c.R_LAST_CARD: Refusal(Illegal, "C12", "At least one card has to stay in your hand."),
        c.R_KEPT_COUNT: Refusal(Illegal, "C11", "That is not as many cards as this combination keeps."),
        c.R_KEPT_WRONG: Refusal(Illegal, "C11", "A run keeps its lowest card; of one colour, its highest."),
    },
    secrets={
        "draw": Secret("seat", frozenset({"cards"})),
        "lay": Secret("by", frozenset({"card", "helper"})),
    },
    seats_rule="C5",
    decks=Decks(
        standard=deck.STANDARD,
        load=deck.load,
        parse=deck.parse,
        from_header=deck.from_header,
        read_file=deck.read_text,
        text=deck.standard_text,
        check=deck.check,
        describe=deck.describe,
    ),
)
