/** What the own hands may do: as the server has listed it, and where it has not had time to, as things lie. */

import type { DashDecision, DashPlace, DashSide, DashView } from "~/wire/messages";
import { SIDE, SPOTS } from "./heap";
import { handOf, type DashPicture, type PictureHand } from "./staging";

/** What a hand is up to. */
export type Stance = "waits" | "opens" | "turns" | "chooses" | "weighs" | "gone";

const lists = (picture: DashPicture, side: DashSide | null, what: DashDecision["do"]): boolean =>
  picture.legal.some((one) => one.do === what && (one.do === "open" || (one.hand ?? null) === side));

export function stanceOf(picture: DashPicture, hand: PictureHand): Stance {
  if (lists(picture, null, "open") && !picture.is_open) return "opens";
  if (hand.gone) return "gone";
  if (picture.over || !picture.is_open) return "waits";
  if (hand.holds) return "weighs";
  if (hand.stack > 0) return "turns";
  return picture.stale || lists(picture, hand.hand, "take") || lists(picture, hand.hand, "return")
    ? "chooses"
    : "waits";
}

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
