/** A picture in which nothing happens: mice at these distances. */

import type { BuffetPicture } from "./staging";

export function aPicture(distances: readonly number[]): BuffetPicture {
  const seats = distances.map((at) => ({
    racing: true, at, has_laid: false, hand_size: 0, stacks: {}, points: 0, best: null,
  })); // prettier-ignore
  return {
    game: "buffet", seat: null, round: 1, rounds: 1, last_round: true, part: 1, start: 0, to_act: [],
    hand: [], laid: null, served: 0, plates: [], stakes: [], later: [], gains: null, last: null, duel: false, seats,
    exchange: null, discard: [], draw_pile: 0, plates_to_come: [], over: false, legal: [],
  }; // prettier-ignore
}
