/** Helpers: who they are, and where they go next. */

import type { ChocolatPower, ChocolatRank, ChocolatView } from "~/wire/messages";

export const RANKS = [1, 2, 3, 4, 5, 6, 7] as const satisfies ChocolatRank[];

/** An animal is known by what it can do; which rank it has is the deck's affair. */
export const powerOf = (view: Pick<ChocolatView, "powers">, rank: ChocolatRank): ChocolatPower => view.powers[rank];

export const helperOf = (view: ChocolatView, seat: number): ChocolatPower | null => {
  const rank = view.seats[seat]?.helper;
  return rank == null ? null : powerOf(view, rank);
};

/** Who has this helper; null: it lies in the spare row. */
export function holderOf(view: ChocolatView, rank: ChocolatRank): number | null {
  const seat = view.seats.findIndex(({ helper }) => helper === rank);
  return seat < 0 ? null : seat;
}

/** Who gets this helper after the round, as the server has told; null: the spare row, or nobody knows yet. */
export function nextOf(view: ChocolatView, rank: ChocolatRank): number | null {
  const seat = view.seats.findIndex(({ next_helper }) => next_helper === rank);
  return seat < 0 ? null : seat;
}

/** Is it known where helpers go? */
export const passesOn = (view: ChocolatView): boolean => view.seats.some(({ next_helper }) => next_helper !== null);
