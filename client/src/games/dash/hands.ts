/** What the own hands may do: as the view says, and where there is none yet, as things lie. */

import type { DashDecision, DashPlace, DashSide, DashStance, DashView } from "~/wire/messages";
import { SIDE, SPOTS } from "./heap";
import { stanceMeanwhile } from "./meanwhile";
import { handOf, type DashPicture, type PictureHand } from "./picture";

/** What a hand is up to. */
export const stanceOf = (picture: DashPicture, hand: PictureHand): DashStance =>
  picture.stale ? stanceMeanwhile(picture, hand) : hand.stance;

/** With two hands a decision names its hand. */
export const named = (hand: PictureHand): { hand?: DashSide } => (hand.hand === null ? {} : { hand: hand.hand });

/**
 * Which of the hands a touch at a place is meant for: the one that can do something there; if both can, the one that
 * was asked for, else the one on that side of the heap.
 */
export function handFor(
  picture: DashPicture,
  hands: readonly PictureHand[],
  place: DashPlace,
  asked: DashSide | null,
): PictureHand | undefined {
  const lies = picture.heap.some((spot) => spot.place === place);
  const able = hands.filter((hand) => stanceOf(picture, hand) === (lies ? "chooses" : "weighs"));
  const side = asked ?? (SPOTS[place]!.column < SIDE / 2 ? "left" : "right");
  return able.find((hand) => hand.hand === side) ?? able[0];
}

/** Has somebody put a card there before ours arrived? */
export const isFilled = (decision: DashDecision, picture: Pick<DashView, "heap">): boolean =>
  (decision.do === "back" || decision.do === "return") && picture.heap.some(({ place }) => place === decision.place);

/** Has the table gone on before ours arrived, so that everybody sees why nothing came of it? */
export const isOvertaken = (decision: DashDecision, picture: Pick<DashView, "heap" | "is_open">): boolean =>
  isFilled(decision, picture) || (decision.do !== "open" && !picture.is_open);

/** Does a decision on its way belong to this hand? */
export const isOf = (decision: DashDecision, hand: PictureHand): boolean =>
  decision.do !== "open" && handOf(decision) === handOf(named(hand));
