/** How far this device has come in the lessons. */

import { keep, LESSONS, recall } from "./storage";

interface Progress {
  /** The moment to go on with. */
  at: number;
  /** It has been seen to its end. */
  done: boolean;
}

const NEW: Progress = { at: 0, done: false };

function load(): Record<string, Progress> {
  const kept = recall(LESSONS);
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter((one): one is [string, Progress] => sound(one[1])));
}

function sound(one: unknown): one is Progress {
  const { at, done } = (one ?? {}) as Partial<Progress>;
  return Number.isInteger(at) && at! >= 0 && typeof done === "boolean";
}

let lessons = $state.raw(load());

export const progress = (game: string): Progress => lessons[game] ?? NEW;

export function remember(game: string, changes: Partial<Progress>): void {
  lessons = { ...load(), [game]: { ...progress(game), ...changes } };
  keep(LESSONS, lessons);
}
