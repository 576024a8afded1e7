/**
 * In lessons it makes no difference which of two places one reaches for, as long as both look the same: what is
 * written down goes on as if they had been the other way round from the beginning.
 */

import { same } from "~/gamekit/decisions";
import type { Exchange } from "~/gamekit/game";
import type { DashDecision, DashPlace, DashView } from "~/wire/messages";

/** How the wanted place and the chosen one are exchanged; undefined if they do not look the same. */
export function exchange(view: DashView, want: DashDecision, chosen: DashDecision): Exchange | undefined {
  if (!("place" in want) || !("place" in chosen)) return undefined;
  const [one, other] = [want.place, chosen.place];
  if (!same({ ...chosen, place: one }, want) || !view.legal.some((legal) => same(legal, chosen))) return undefined;
  if (looks(view, one) !== looks(view, other)) return undefined;
  return (thing) => renamed(thing, (place) => (place === one ? other : place === other ? one : place));
}

function looks(view: DashView, place: DashPlace): string {
  const spot = view.heap.find((one) => one.place === place);
  return spot ? JSON.stringify({ ...spot, place: null }) : "free";
}

/** What is written down, with the places exchanged. */
function renamed<Thing>(thing: Thing, swap: (place: DashPlace) => DashPlace, key?: string): Thing {
  if (typeof thing === "number") return (key === "place" ? swap(thing) : thing) as Thing;
  if (Array.isArray(thing)) return thing.map((one: unknown) => renamed(one, swap)) as Thing;
  if (typeof thing !== "object" || thing === null) return thing;
  return Object.fromEntries(Object.entries(thing).map(([name, one]) => [name, renamed(one, swap, name)])) as Thing;
}
