/** Times in the reader's words. */

import { language, t } from "./words.svelte";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** The largest unit of which there is at least one. */
function inUnits(seconds: number): { count: number; unit: (typeof UNITS)[number][0] } {
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
  return { count: Math.floor(seconds / length), unit };
}

/** "2 minutes" */
export function duration(seconds: number): string {
  const { count, unit } = inUnits(seconds);
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** "1.5 seconds" */
export function seconds(count: number): string {
  return new Intl.NumberFormat(language(), { style: "unit", unit: "second", unitDisplay: "long" }).format(count);
}

/** "3 hours ago" */
export function ago(moment: number, now = Date.now()): string {
  const { count, unit } = inUnits((now - moment) / 1000);
  if (unit === "second") return t("just-now");
  return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(-count, unit);
}
