/**
 * What the page works out by itself from the moment that something happens until the next view says it, so that the own
 * hand never waits for an answer: what is double (D18), what a hand may do, until when it is busy (D29).
 *
 * Nothing else on the page knows these rules. What a view says holds, and pictures of what it says are not worked out.
 */

import type { DashCard, DashFood, DashItem, DashStance } from "~/wire/messages";
import { EXIT, ITEMS } from "./menu";
import type { DashPicture, PictureHand } from "./picture";

/** Foods and drinks that lie in this display more than once. */
export function doublesIn(display: readonly DashFood[]): DashItem[] {
  const signs = display.join("");
  return ITEMS.filter((sign) => signs.indexOf(sign) !== signs.lastIndexOf(sign));
}

/** What would be there twice if this card came to the display. */
export function wouldDouble(display: readonly DashFood[], card: DashCard | null): DashItem[] {
  if (card === null || card === EXIT) return [];
  const signs = display.join("");
  return ITEMS.filter((sign) => card.includes(sign) && signs.includes(sign));
}

/** What a hand is up to, as things lie. */
export function stanceMeanwhile(picture: DashPicture, hand: PictureHand): DashStance {
  if (hand.gone) return "gone";
  if (picture.over || !picture.is_open) return "waits";
  if (hand.holds) return "weighs";
  return hand.stack > 0 ? "turns" : "chooses";
}

/** Until when a hand is busy with its card at calm pace: as the view says, or reckoned from when it got the card. */
export function busyUntil({ holds, since, ready_at }: PictureHand, pace: number): number {
  if (!holds) return 0;
  return since === undefined ? ready_at : since + pace;
}
