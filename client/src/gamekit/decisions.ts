import type { GameDecision } from "~/wire/messages";

/** Two decisions are the same if they say the same, in whatever order. */
export function same(one: GameDecision, other: GameDecision): boolean {
  return canonical(one) === canonical(other);
}

function canonical(decision: GameDecision): string {
  const fields = Object.entries<unknown>({ ...decision }).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.toSorted() : value,
  ]);
  return JSON.stringify(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
