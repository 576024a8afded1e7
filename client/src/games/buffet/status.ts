/** What somebody is doing just now. */

import type { BuffetView } from "~/wire/messages";
import { racers } from "./staging";

export type Status = "thinking" | "laid" | "out" | "exchanging";

export function statusOf(view: BuffetView, seat: number): Status | null {
  const it = view.seats[seat];
  if (!it || view.over) return null;
  if (view.exchange === seat) return "exchanging";
  if (!it.racing) return "out";
  if (it.has_laid) return "laid";
  return view.to_act.includes(seat) ? "thinking" : null;
}

/** Who is alone behind all others while three or more race: theirs would be the plate on the right. */
export function lastOf(view: BuffetView): number | null {
  if (racers(view) < 3) return null;
  const racing = view.seats.flatMap(({ racing, at }, seat) => (racing ? [{ seat, at }] : []));
  const hindmost = Math.min(...racing.map(({ at }) => at));
  const there = racing.filter(({ at }) => at === hindmost);
  return there.length === 1 ? there[0]!.seat : null;
}
