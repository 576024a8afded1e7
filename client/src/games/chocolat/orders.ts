/**
 * In lessons it makes no difference in which order the rest of a combination is discarded (C11): what is written down
 * goes on with the cards as they were named.
 */

import { same } from "~/gamekit/decisions";
import type { Exchange } from "~/gamekit/game";
import type { ChocolatCard, ChocolatDecision, ChocolatView } from "~/wire/messages";
import { sorted } from "./cards";
import { discarded } from "./offers";

type Cards = readonly ChocolatCard[];

/** How the wanted order and the chosen one are exchanged; undefined if they are more than two orders of the same. */
export function exchange(view: ChocolatView, want: ChocolatDecision, chosen: ChocolatDecision): Exchange | undefined {
  if (want.do !== "combine" || chosen.do !== "combine") return undefined;
  if (!equal(sorted(want.cards), sorted(chosen.cards)) || !same({ ...chosen, cards: want.cards }, want))
    return undefined;
  if (!view.legal.some((legal) => same(legal, chosen))) return undefined;
  const [wanted, put] = [discarded(want).toReversed(), discarded(chosen).toReversed()];
  const below = view.discard.length;
  return (thing) =>
    JSON.parse(JSON.stringify(thing), (name, value: unknown) => {
      if (name === "cards" && equal(value as Cards, want.cards)) return chosen.cards;
      return name === "discard" ? inserted(value as Cards, below, wanted, put) : value;
    }) as typeof thing;
}

const equal = (some: Cards, others: Cards): boolean => some.join() === others.join();

/** A discard pile on which, above so many cards, others have been put. */
function inserted(pile: Cards, below: number, wanted: Cards, put: Cards): Cards {
  const at = pile.length - below - wanted.length;
  return at >= 0 && equal(pile.slice(at, pile.length - below), wanted) ? pile.toSpliced(at, put.length, ...put) : pile;
}
