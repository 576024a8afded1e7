"""duel: two players, five cards each, the higher card takes the trick.

- **T1** Two play. Ten cards, 1 to 10, are shuffled; each gets five.
- **T2** Both lay a card face down.
- **T3** When both have laid, the cards are shown. The higher one takes the trick: one point.
- **T4** After five tricks, or as many as were agreed, the game is over. Most points win.
"""

from __future__ import annotations

from tafelrunde.errors import GameOver, Illegal, Malformed, NotYourMoment
from tafelrunde.games.contract import GameSpec, Option, Refusal, Secret
from tafelrunde_duel import rules
from tafelrunde_duel.notation import DuelNotation, DuelObservation

GAME = GameSpec(
    id="duel",
    package=__name__,
    title="Card duel",
    credit="an example",
    rules=rules,
    notation=DuelNotation(),
    observation=DuelObservation,
    options=(Option("tricks_played", "number", 5, "So many tricks are played.", "T4", least=1, most=5),),
    refusals={
        rules.R_OVER: Refusal(GameOver, "T4", "The game is over."),
        rules.R_WAIT: Refusal(NotYourMoment, "T1", "The cards are being shuffled."),
        rules.R_LAID: Refusal(NotYourMoment, "T2", "Your card is on the table already."),
        rules.R_NOT_HELD: Refusal(Illegal, "T2", "You do not hold that card."),
        rules.R_NO_DECISION: Refusal(Malformed, "T2", "That is no decision of this game."),
    },
    secrets={"deal": Secret("seat", frozenset({"cards"})), "lay": Secret("by", frozenset({"card"}))},
    seats_rule="T1",
)
