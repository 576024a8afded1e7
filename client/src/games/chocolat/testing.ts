/** Views for tests. */

import type { ChocolatSeat, ChocolatView } from "~/wire/messages";

export function aSeat(changes: Partial<ChocolatSeat> = {}): ChocolatSeat {
  return {
    helper: 1,
    next_helper: 2,
    used: false,
    has_laid: false,
    played: null,
    coins: null,
    hand_size: 5,
    known: [],
    kept: [],
    points: 0,
    ...changes,
  };
}

/** Seat 0 sees the middle of a game, and all have to lay. */
export function aView(seats: number, changes: Partial<ChocolatView> = {}): ChocolatView {
  return {
    game: "chocolat",
    seat: 0,
    round: 3,
    last_round: false,
    phase: "laying",
    to_act: Array.from({ length: seats }, (_, seat) => seat),
    order: [],
    hand: ["nuts-3-8", "eggs-4-4", "fruit-5-4", "eggs-6-2", "fruit-7-2"],
    laid: null,
    market: ["eggs-7-1", "sugar-7-1", "nuts-6-4", "chocolate-3-8"].slice(0, seats + 1),
    market_full: seats + 1,
    seats: Array.from({ length: seats }, (_, seat) =>
      aSeat({ helper: ((seat + 1) % 7 || 7) as 1, next_helper: (seat || 7) as 1 }),
    ),
    spare: [7, 6, 5],
    pantry: seats - 1,
    powers: { 1: "four", 2: "colour", 3: "value", 4: "three", 5: "dig", 6: "fetch", 7: "coins" },
    discard: ["nuts-4-6"],
    draw_pile: 40,
    target: 30,
    gains: null,
    over: false,
    legal: [],
    ...changes,
  };
}
