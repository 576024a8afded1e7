/** Views of a game that nobody here knows, for tests. */

import type { AnyView } from "./view";

export const NAMES = ["Ada", "Bo"];

/** Ada sees the middle of a card duel, and both have to lay. */
export function aView(changes: Partial<AnyView> = {}): AnyView {
  return {
    game: "duel",
    seat: 0,
    round: 3,
    to_act: [0, 1],
    hand: [2, 5, 9],
    seats: [
      { points: 1, has_laid: false, laid: null },
      { points: 1, has_laid: false, laid: null },
    ],
    played: [1, 4, 7, 8],
    over: false,
    legal: [2, 5, 9].map((card) => ({ do: "lay", card })),
    ...changes,
  };
}
