/** How games of ours have ended: kept here also when their tables are long gone. */

import type { Result } from "~/wire/messages";
import { keep, recall, RESULTS } from "./storage";

export interface KeptResult extends Result {
  code: string;
  game: string;
  /** Which seats were ours. */
  mine: number[];
}

const MOST = 200;

/** The latest first. */
export function keptResults(): KeptResult[] {
  const kept = recall(RESULTS);
  return Array.isArray(kept) ? (kept as Partial<KeptResult>[]).filter(sound) : [];
}

function sound(one: Partial<KeptResult> | null): one is KeptResult {
  const lists = [one?.names, one?.scores, one?.places, one?.mine];
  return lists.every(Array.isArray) && typeof one?.code === "string" && typeof one.ended === "number";
}

/**
 * Keep results; those that are known already stay as they are. A game may have been played twice, though: a server that
 * was put back to a backup knows nothing of the first time. Then the later one counts.
 */
export function keepResults(fresh: readonly KeptResult[]): KeptResult[] {
  const kept = new Map(keptResults().map((one) => [`${one.code} ${one.match}`, one]));
  for (const one of fresh) {
    const game = `${one.code} ${one.match}`;
    if (one.ended > (kept.get(game)?.ended ?? -Infinity)) kept.set(game, one);
  }
  const all = [...kept.values()];
  all.sort((one, other) => other.ended - one.ended);
  const latest = all.slice(0, MOST);
  if (fresh.length > 0) keep(RESULTS, latest);
  return latest;
}
