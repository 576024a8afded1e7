/** What somebody is doing just now. */

import type { BuffetView } from "~/wire/messages";

export type Status = "thinking" | "laid" | "out" | "exchanging";

export function statusOf(view: BuffetView, seat: number): Status | null {
  const it = view.seats[seat];
  if (!it || view.over) return null;
  if (view.exchange === seat) return "exchanging";
  if (!it.racing) return "out";
  if (it.has_laid) return "laid";
  return view.to_act.includes(seat) ? "thinking" : null;
}
