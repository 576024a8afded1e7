/**
 * What the page works out by itself from the moment that something happens until the next view says it, so that the own
 * hand never waits for an answer: what is double (D18), what a hand may do (D6 to D10, D25), until when it is busy (D29).
 *
 * Nothing else on the page knows these rules. What a view says holds; only where none says it is it asked for here: of
 * a card that somebody returns, for those who hear the game, and of the displays that the rulebook shows as pictures.
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
  if (hand.stack > 0) return "turns";
  return othersOf(picture, hand).some(turns) ? "waits" : "chooses";
}

/** With two hands: the one beside this one. */
const othersOf = ({ seats }: DashPicture, hand: PictureHand): PictureHand[] =>
  (seats.find(({ hands }) => hands.includes(hand))?.hands ?? []).filter((one) => one !== hand);

/** D25: is a hand not through with its stack yet? */
const turns = ({ gone, stack, holds, from }: PictureHand): boolean => !gone && (stack > 0 || (holds && from === null));

/** Until when a hand is busy with its card at calm pace: as the view says, or reckoned from when it got the card. */
export function busyUntil({ holds, since, ready_at }: PictureHand, pace: number): number {
  if (!holds) return 0;
  return since === undefined ? ready_at : since + pace;
}
