/**
 * In dash it makes no difference which of two places one reaches for, as long as both look the same: what is
 * written down goes on as if they had been the other way round from the beginning.
 */

import type { DashPlace, DashView, GameDecision, GameView } from "~/wire/messages";
import { same } from "./script";

type Swap = (place: DashPlace) => DashPlace;

/** How the wanted place and the chosen one are exchanged; undefined if they do not look the same. */
export function swapOf(view: GameView, want: GameDecision, chosen: GameDecision): Swap | undefined {
  if (view.game !== "dash" || !("place" in want) || !("place" in chosen)) return undefined;
  const [one, other] = [want.place, chosen.place];
  if (!same({ ...chosen, place: one }, want) || !view.legal.some((legal) => same(legal, chosen))) return undefined;
  if (looks(view, one) !== looks(view, other)) return undefined;
  return (place) => (place === one ? other : place === other ? one : place);
}

function looks(view: DashView, place: DashPlace): string {
  const spot = view.heap.find((one) => one.place === place);
  return spot ? JSON.stringify({ ...spot, place: null }) : "free";
}

/** What is written down, with the places exchanged. */
export function renamed<Thing>(thing: Thing, swap: Swap, key?: string): Thing {
  if (typeof thing === "number") return (key === "place" ? swap(thing) : thing) as Thing;
  if (Array.isArray(thing)) return thing.map((one) => renamed(one, swap)) as Thing;
  if (typeof thing !== "object" || thing === null) return thing;
  return Object.fromEntries(Object.entries(thing).map(([name, one]) => [name, renamed(one, swap, name)])) as Thing;
}
