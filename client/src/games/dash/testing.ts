/** Views for tests. */

import type { DashStance, DashView } from "~/wire/messages";
import type { DashPicture, PictureHand } from "./picture";

/** What the rules would say of a hand at an open buffet. */
function stanceOf({ gone, holds, stack }: Partial<PictureHand>): DashStance {
  if (gone) return "gone";
  if (holds) return "weighs";
  return stack ? "turns" : "chooses";
}

export function aHand(changes: Partial<PictureHand> = {}): PictureHand {
  return {
    ...{ hand: null, stack: 0, holds: false, card: null, would_double: [], display: [], doubles: [], gone: false },
    ...{ ready_at: 0, stance: stanceOf(changes), ...changes },
  };
}

/** Seat 0 sees an open buffet, with cards at the first forty places. */
export function aView(hands: PictureHand[][], changes: Partial<DashPicture> = {}): DashPicture {
  const view: DashView = {
    game: "dash",
    seat: 0,
    hand: null,
    round: 1,
    opener: 0,
    is_open: true,
    time: 0,
    deadline: null,
    pace: 0,
    exits: 3,
    exits_left: 3,
    to_act: hands.map((_, seat) => seat),
    heap: Array.from({ length: 40 }, (_, place) => ({ place, card: null, seen_by: [], surely_food: false })),
    seats: hands.map((each) => ({ total: 0, missing: 75, hands: each })),
    target: 75,
    reached: false,
    over: false,
    legal: [],
  };
  return { ...view, ...changes };
}
