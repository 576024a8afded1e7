/** How things stand at a table of ours, in a few words. */

import type { KeptTable } from "~/device/keys.svelte";
import type { TableState } from "~/wire/messages";
import { listed, t } from "~/words/words.svelte";

export interface TableStatus {
  text: string;
  /** Everybody waits for us. */
  mine: boolean;
}

export function tableStatus({ keys }: KeptTable, { table, to_act, waits_for }: TableState): TableStatus {
  // Whoever was asked to leave has the key still, but not the seat.
  const ours = (seat: number | null) => keys.some((key) => key.seat === seat && table.seats[seat]?.kind === "person");
  if (table.phase === "closed") return { text: t("mine.closed"), mine: false };
  if (table.phase === "over") return { text: t("mine.over"), mine: false };
  if (table.phase === "playing") {
    if (to_act.some(ours)) return { text: t("mine.move"), mine: true };
    return { text: t("mine.waits", { names: listed(waits_for) }), mine: false };
  }
  const free = table.seats.filter(({ kind }) => kind === "free").length;
  if (free > 0) return { text: t("mine.gathering", { free }), mine: false };
  if (ours(table.host)) return { text: t("mine.start"), mine: true };
  return { text: t("mine.waits", { names: listed(waits_for) }), mine: false };
}
