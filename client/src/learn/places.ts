/**
 * In dash it makes no difference which of two places one reaches for, as long as both look the same: a lesson goes on
 * as if they had been the other way round from the beginning.
 */

import type { DashPlace, DashView, GameDecision, GameView } from "~/wire/messages";
import type { Lesson } from "./script";

/** The lesson with the wanted place and the chosen one exchanged; undefined if they do not look the same. */
export function swapPlaces(
  lesson: Lesson,
  from: number,
  view: GameView,
  want: GameDecision,
  chosen: GameDecision,
): Lesson | undefined {
  if (view.game !== "dash" || !("place" in want) || !("place" in chosen) || want.do !== chosen.do) return undefined;
  const [one, other] = [want.place, chosen.place];
  if (!view.legal.some((legal) => legal.do === chosen.do && "place" in legal && legal.place === other))
    return undefined;
  if (looks(view, one) !== looks(view, other)) return undefined;
  const swap = (place: DashPlace) => (place === one ? other : place === other ? one : place);
  const moments = lesson.moments.map((moment, i) => (i < from ? moment : renamed(moment, swap)));
  return { ...lesson, moments };
}

function looks(view: DashView, place: DashPlace): string {
  const spot = view.heap.find((one) => one.place === place);
  return spot ? JSON.stringify({ ...spot, place: null }) : "free";
}

function renamed<Thing>(thing: Thing, swap: (place: DashPlace) => DashPlace, key?: string): Thing {
  if (typeof thing === "number") return (key === "place" ? swap(thing) : thing) as Thing;
  if (Array.isArray(thing)) return thing.map((one) => renamed(one, swap)) as Thing;
  if (typeof thing !== "object" || thing === null) return thing;
  return Object.fromEntries(Object.entries(thing).map(([name, one]) => [name, renamed(one, swap, name)])) as Thing;
}
