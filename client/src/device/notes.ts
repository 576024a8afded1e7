/** What this device noted before cards were shuffled: with that the proof of the shuffles is compared after the game. */

import { keep, NOTES, recall } from "./storage";

interface Note {
  code: string;
  match: number;
  commitment: string; // what the table has promised its secret with
  nonces: Record<number, string>; // what we gave, by seat
}

const MOST = 200;

const isNote = (one: Partial<Note> | null): one is Note => typeof one?.commitment === "string";

function load(): Note[] {
  const kept = recall(NOTES);
  return Array.isArray(kept) ? kept.filter(isNote) : [];
}

/** We give our nonce now, and this is what the table has promised; what was noted first counts. */
export function note(code: string, match: number, commitment: string, seat: number, nonce: string): void {
  const notes = load();
  const known = notes.find((one) => one.code === code && one.match === match);
  if (known) known.nonces[seat] ??= nonce;
  else notes.unshift({ code, match, commitment, nonces: { [seat]: nonce } });
  keep(NOTES, notes.slice(0, MOST));
}

/** These games have not begun yet, whatever was noted: the server was put back to before that, or a start came to nothing. */
export function forgetNotes(code: string, fromMatch: number): void {
  const notes = load();
  const left = notes.filter((one) => one.code !== code || one.match < fromMatch);
  if (left.length < notes.length) keep(NOTES, left);
}

export function noted(code: string, match: number): Note | undefined {
  return load().find((one) => one.code === code && one.match === match);
}
