/** Views for tests. */

import type { DashView } from "~/wire/messages";
import type { DashPicture, PictureHand } from "./staging";

export function aHand(changes: Partial<PictureHand> = {}): PictureHand {
  return {
    ...{ hand: null, stack: 0, holds: false, card: null, display: [], gone: false, ready_at: 0 },
    ...changes,
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
    exits_left: 3,
    to_act: hands.map((_, seat) => seat),
    heap: Array.from({ length: 40 }, (_, place) => ({ place, card: null, seen_by: [], surely_food: false })),
    seats: hands.map((each) => ({ total: 0, hands: each })),
    target: 75,
    over: false,
    legal: [],
  };
  return { ...view, ...changes } as DashPicture;
}
