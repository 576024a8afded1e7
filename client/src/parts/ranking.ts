import type { Sentence } from "~/gamekit/game";

/** Seats in the order of a number that each of them has, the least first; equal ones by their seats. */
export function seatsBy(numbers: readonly number[]): number[] {
  return numbers.map((_, seat) => seat).sort((one, other) => numbers[one]! - numbers[other]!);
}

/** Who has the first place, alone or with others. */
export const winnersOf = (places: readonly number[]): number[] =>
  places.flatMap((place, seat) => (place === 1 ? [seat] : []));

interface Reasons {
  /** Somebody has the most points. */
  first(seat: number): Sentence;
  /** One is before the other with the same points. */
  tie(ahead: number, behind: number): Sentence;
}

/** Why the places are as they are, from the first to the last, where points and then something else decide. */
export function reasonsFor(scores: readonly number[], places: readonly number[], why: Reasons): Sentence[] {
  const ranking = seatsBy(places);
  const [first] = ranking;
  const neighbours = ranking.slice(1).map((behind, i) => [ranking[i]!, behind] as const);
  const ties = neighbours.filter(([ahead, behind]) => scores[ahead] === scores[behind]);
  const alone = first !== undefined && ties[0]?.[0] !== first;
  return [...(alone ? [why.first(first)] : []), ...ties.map(([ahead, behind]) => why.tie(ahead, behind))];
}
