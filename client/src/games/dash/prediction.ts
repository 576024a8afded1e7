/** What the own hands do is shown at once, as if the table had said yes; its entries correct it. */

import type { DashDecision, DashEntry } from "~/wire/messages";
import { handOf, type DashPicture } from "./picture";
import { staging } from "./staging";

/** A decision on its way to the table. */
export interface Intent {
  decision: DashDecision;
  /** When it was taken, by the game's clock. */
  ms: number;
}

const unfold = (picture: DashPicture, entry: DashEntry): DashPicture => staging.unfold(picture, entry);

/**
 * The picture as it will be if all goes well. What can not be any more is left out: if somebody else has the card by
 * now, the hand is seen empty at once, and the table's "too late" only confirms it.
 */
export function predict(picture: DashPicture, seat: number, intents: readonly Intent[]): DashPicture {
  return intents.reduce((shown, intent) => follow(shown, seat, intent), picture);
}

function follow(picture: DashPicture, seat: number, { decision, ms }: Intent): DashPicture {
  if (decision.do === "open") return picture; // begins with a countdown, for all
  const hand = picture.seats[seat]?.hands[handOf(decision)];
  if (!hand || hand.gone) return picture;
  const free = "place" in decision && !picture.heap.some(({ place }) => place === decision.place);
  const entry = { ...decision, by: seat, ms };
  switch (entry.do) {
    case "look":
      return !hand.holds && hand.stack > 0 ? unfold(picture, entry) : picture;
    case "take":
      return !hand.holds && !free ? unfold(picture, entry) : picture;
    case "keep": {
      const { card } = hand;
      if (!hand.holds || card === null) return picture;
      const side = decision.hand && { hand: decision.hand };
      return unfold(unfold(picture, entry), { by: "table", do: "show", seat, card, ...side });
    }
    case "back":
      return hand.holds && free ? unfold(picture, entry) : picture;
    case "return":
      return hand.display.includes(entry.card) && free ? unfold(picture, entry) : picture;
    case "exit":
      return hand.holds ? unfold(picture, entry) : picture;
  }
}
