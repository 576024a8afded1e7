/**
 * Combinations as people think of them.
 *
 * The server lists every decision that the rules allow: each order of the cards that are discarded, each way of using a
 * helper, also those that change nothing. People choose cards; of all that can be done with the same cards they are
 * offered what differs in what they keep, the best first.
 */

import type { ChocolatCard, ChocolatCombine, ChocolatDecision } from "~/wire/messages";
import { contains, partsOf, sorted, without, worth } from "./cards";

/** One way to lay out some cards. */
export interface Variant {
  decision: ChocolatCombine;
  kept: ChocolatCard[];
  points: number;
}

/** Cards that can be laid out together, and what can be kept of them, the best first. */
export interface Offer {
  cards: ChocolatCard[];
  variants: Variant[];
}

const best = ({ variants }: Offer): Variant => variants[0]!;

export function offersIn(legal: readonly ChocolatDecision[]): Offer[] {
  const offers = new Map<string, Map<string, ChocolatCombine>>();
  for (const decision of legal) {
    if (decision.do !== "combine") continue;
    const cards = sorted(decision.cards).join();
    const kept = sorted(decision.kept).join();
    const ways = offers.get(cards) ?? new Map<string, ChocolatCombine>();
    const known = ways.get(kept);
    if (!known || isBetter(decision, known)) ways.set(kept, decision);
    offers.set(cards, ways);
  }
  return [...offers.values()].map(offerOf).toSorted(byBest);
}

function offerOf(ways: ReadonlyMap<string, ChocolatCombine>): Offer {
  const variants = [...ways.values()]
    .map((decision) => ({ decision, kept: sorted(decision.kept), points: worth(decision.kept) }))
    .toSorted((one, other) => other.points - one.points || uses(one.decision) - uses(other.decision));
  const plain = variants.find(({ decision }) => !uses(decision));
  const useful = variants.filter(({ decision, points }) => !uses(decision) || !plain || points > plain.points);
  return { cards: sorted(useful[0]!.decision.cards), variants: useful };
}

const uses = ({ helper }: ChocolatCombine): number => (helper === undefined ? 0 : 1);

/** Of two decisions that keep the same: no helper where none is needed, and nothing tasty left on the discard pile. */
function isBetter(one: ChocolatCombine, other: ChocolatCombine): boolean {
  return uses(one) - uses(other) < 0 || (uses(one) === uses(other) && appetite(one) < appetite(other));
}

/** How much one would like the card that ends up on top of the discard pile, where the dung beetle finds it. */
function appetite({ cards, kept }: ChocolatCombine): number {
  const top = without(cards, kept).at(-1);
  if (top === undefined) return 0;
  const { value, coins } = partsOf(top);
  return value * 10 + coins;
}

/** Most points first; for the same, fewer cards, and no helper. */
function byBest(one: Offer, other: Offer): number {
  const [a, b] = [best(one), best(other)];
  return b.points - a.points || one.cards.length - other.cards.length || uses(a.decision) - uses(b.decision) || 0;
}

/** Those that these cards are part of. */
export const offersWith = (offers: readonly Offer[], cards: readonly ChocolatCard[]): Offer[] =>
  cards.length === 0 ? [...offers] : offers.filter((offer) => contains(offer.cards, cards));

/** The one of exactly these cards. */
export const offerOfAll = (offers: readonly Offer[], cards: readonly ChocolatCard[]): Offer | undefined =>
  offers.find((offer) => offer.cards.length === cards.length && contains(offer.cards, cards));
