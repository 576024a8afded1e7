/** How this player likes to hold the cards; the device remembers it. */

import { SORTINGS, type Sorting } from "./cards";

const PLACE = "tafelrunde.chocolat.sorting";

function load(): Sorting {
  try {
    const kept = localStorage.getItem(PLACE);
    return SORTINGS.find((one) => one === kept) ?? "value";
  } catch {
    return "value"; // nothing may be kept here
  }
}

let chosen = $state<Sorting>(load());

export const sorting = (): Sorting => chosen;

export function sortBy(by: Sorting): void {
  chosen = by;
  try {
    localStorage.setItem(PLACE, by);
  } catch {
    // A browser that keeps nothing still plays.
  }
}
