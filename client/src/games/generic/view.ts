/** Games that have no folder here: all that is known of their messages, and how a view is put into groups. */

export interface AnyDecision {
  do: string;
  [field: string]: unknown;
}

export interface AnyEntry {
  by: number | "table";
  do: string;
  [field: string]: unknown;
}

export interface AnyView {
  game: string;
  seat: number | null;
  to_act: readonly number[];
  over: boolean;
  legal: AnyDecision[];
  [field: string]: unknown;
}

/** The picture: what a seat sees, and what has happened last. */
export interface AnyPicture extends AnyView {
  recent?: readonly AnyEntry[];
}

/** Something that is seen, by the name that the game has for it. */
export type Fact = readonly [name: string, value: unknown];

export interface Groups {
  /** Only for the one who looks. */
  own: Fact[];
  /** What belongs to each seat. */
  seats: Fact[][];
  /** Everything else. */
  table: Fact[];
}

/** What the table itself shows, around the board or in other words. */
const AROUND = ["game", "seat", "to_act", "over", "legal", "recent"];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isBySeat = (value: unknown, seats: number): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length === seats && value.every(isObject);

/** What there is; nothing is said of what there is not. */
const factsOf = (thing: object): Fact[] => Object.entries(thing).filter(([, value]) => value !== null);

/** By the two names that games agree on: `seats` has one object for each seat, what begins with `hand` is one's own. */
export function grouped(view: AnyPicture, seats: number): Groups {
  const facts = factsOf(view).filter(([name]) => !AROUND.includes(name));
  const bySeat = isBySeat(view.seats, seats) ? view.seats : null;
  const isOwn = ([name]: Fact) => name.startsWith("hand");
  return {
    own: view.seat === null ? [] : facts.filter(isOwn),
    seats: Array.from({ length: seats }, (_, seat) => factsOf(bySeat?.[seat] ?? {})),
    table: facts.filter((fact) => !isOwn(fact) && !(bySeat && fact[0] === "seats")),
  };
}
