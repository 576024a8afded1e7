import type { GameDecision } from "~/wire/messages";

/**
 * Two decisions are the same if their fields are, in whatever order. Cards are compared as they are listed: decisions
 * are taken from what is legal, where whatever has no order is always named in the same one.
 */
export function same(one: GameDecision, other: GameDecision): boolean {
  return canonical(one) === canonical(other);
}

const canonical = (decision: GameDecision): string =>
  JSON.stringify(Object.entries<unknown>({ ...decision }).toSorted(([one], [other]) => (one < other ? -1 : 1)));
