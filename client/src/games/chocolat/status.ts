/** What somebody is doing just now. */

import type { ChocolatView } from "~/wire/messages";

export type Status = "thinking" | "laid";

export function statusOf(view: ChocolatView, seat: number): Status | null {
  if (view.over) return null;
  if (view.seats[seat]?.has_laid) return "laid";
  return view.to_act.includes(seat) ? "thinking" : null;
}
