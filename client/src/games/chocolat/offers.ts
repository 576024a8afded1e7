/**
 * Combinations as people think of them.
 *
 * The server lists every decision that the rules allow: each use of a helper, each choice of kept cards, each order of
 * the cards that are discarded. People choose cards; of all that can be done with the same cards the best guess comes
 * first, and the others are there for whoever asks.
 */

import type { ChocolatCard, ChocolatCombine, ChocolatView } from "~/wire/messages";
import { contains, partsOf, sorted, without } from "./cards";

/** One way to lay out some cards, and what it adds to the own points. */
export interface Way extends Omit<ChocolatCombine, "do"> {
  decision: ChocolatCombine;
  points: number;
}

/** Cards that can be laid out together, and every way to do it, the best guess first. */
export interface Offer {
  cards: ChocolatCard[];
  ways: Way[];
}

/** What is open about a combination of the same cards: each can be chosen on its own, one after the other. */
export interface Choices {
  /** How the helper is used, or not at all. */
  helps: Way[];
  /** C11: what is kept with that help. */
  keeps: Way[];
  /** C11: in which order the rest is discarded then. */
  orders: Way[];
}

const best = ({ ways }: Offer): Way => ways[0]!;

export function offersIn({ legal, gains }: Pick<ChocolatView, "legal" | "gains">): Offer[] {
  const offers = new Map<string, Way[]>();
  legal.forEach((decision, i) => {
    if (decision.do !== "combine") return;
    const way = { ...decision, decision, points: gains?.[i] ?? 0 };
    const cards = sorted(decision.cards).join();
    const ways = offers.get(cards);
    if (ways) ways.push(way);
    else offers.set(cards, [way]);
  });
  return [...offers.values()]
    .map((ways) => ({ cards: sorted(ways[0]!.cards), ways: bestFirst(ways) }))
    .toSorted(byBest);
}

const uses = ({ helper }: Way): number => (helper === undefined ? 0 : 1);

/** The more, the sooner: points, then no helper where none is needed, and nothing tasty left on the discard pile. */
const promise = (way: Way): number => way.points * 1000 - uses(way) * 100 - appetite(way);

function bestFirst(ways: readonly Way[]): Way[] {
  const weighed = ways.map((way) => ({ way, weight: promise(way) }));
  return weighed.toSorted((one, other) => other.weight - one.weight).map(({ way }) => way);
}

/** How much one would like the card that ends up on top of the discard pile, where the dung beetle finds it. */
function appetite(way: Way): number {
  const top = discarded(way).at(-1);
  if (top === undefined) return 0;
  const { value, coins } = partsOf(top);
  return value * 10 + coins;
}

/** Most points first; for the same, fewer cards, and no helper. */
function byBest(one: Offer, other: Offer): number {
  const [a, b] = [best(one), best(other)];
  return b.points - a.points || one.cards.length - other.cards.length || uses(a) - uses(b);
}

/** Those that these cards are part of. */
export const offersWith = (offers: readonly Offer[], cards: readonly ChocolatCard[]): Offer[] =>
  cards.length === 0 ? [...offers] : offers.filter((offer) => contains(offer.cards, cards));

/** The one of exactly these cards. */
export const offerOfAll = (offers: readonly Offer[], cards: readonly ChocolatCard[]): Offer | undefined =>
  offers.find((offer) => offer.cards.length === cards.length && contains(offer.cards, cards));

// --- What is open ----------------------------------------------------------------------------------------------------

/** The last one ends up on top. */
export const discarded = ({ cards, kept }: Pick<Way, "cards" | "kept">): ChocolatCard[] => without(cards, kept);

const helpIn = ({ helper, changed, as }: Way): string => [helper, changed, as].join();
const keptIn = ({ kept }: Way): string => sorted(kept).join();
const orderIn = (way: Way): string => discarded(way).join();

/** What else can be done with the same cards, seen from one way to lay them out. */
export function choicesIn({ ways }: Offer, way: Way): Choices {
  const helped = ways.filter((one) => helpIn(one) === helpIn(way));
  return {
    helps: firstOfEach(ways, helpIn),
    keeps: firstOfEach(helped, keptIn),
    orders: helped.filter((one) => keptIn(one) === keptIn(way)),
  };
}

function firstOfEach(ways: readonly Way[], kind: (way: Way) => string): Way[] {
  const first = new Map<string, Way>();
  for (const way of ways) if (!first.has(kind(way))) first.set(kind(way), way);
  return [...first.values()];
}

const KINDS = { helps: helpIn, keeps: keptIn, orders: orderIn };

/** Is this the chosen one of its kind? */
export const isChosen = (kind: keyof Choices, one: Way, way: Way): boolean => KINDS[kind](one) === KINDS[kind](way);

/** Do they come to the same? */
export const isSame = (one: Way, other: Way): boolean =>
  Object.values(KINDS).every((kind) => kind(one) === kind(other));

/** Choose another help or other cards to keep; what was chosen besides stays as far as that is possible. */
export function chosenAnew({ ways }: Offer, kind: "helps" | "keeps", one: Way, way: Way): Way {
  const helped = ways.filter((other) => isChosen("helps", other, one));
  const kept = helped.filter((other) => isChosen("keeps", other, kind === "keeps" ? one : way));
  return kept.find((other) => isChosen("orders", other, way)) ?? kept[0] ?? one;
}
