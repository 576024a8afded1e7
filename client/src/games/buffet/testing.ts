/** Views for tests. */

import type { BuffetSeat, BuffetView } from "~/wire/messages";

export function aSeat(changes: Partial<BuffetSeat> = {}): BuffetSeat {
  return { racing: true, at: 0, has_laid: false, hand_size: 9, stacks: {}, points: 0, best: null, ...changes };
}

/** Seat 0 sees the middle of a game, and all have to lay. */
export function aView(seats: number, changes: Partial<BuffetView> = {}): BuffetView {
  return {
    game: "buffet",
    seat: 0,
    round: 3,
    rounds: 9,
    last_round: false,
    part: 1,
    start: 0,
    to_act: Array.from({ length: seats }, (_, seat) => seat),
    hand: [-1, 0, 3, 3, 7],
    laid: null,
    served: 3,
    plates: ["cheese5", "pizza2", "salad-1"],
    stakes: [null, null, "last"],
    later: [],
    gains: null,
    last: null,
    duel: false,
    seats: Array.from({ length: seats }, () => aSeat()),
    exchange: null,
    discard: [],
    draw_pile: 50,
    plates_to_come: [],
    over: false,
    legal: [],
    ...changes,
  };
}
