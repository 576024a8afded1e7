/** For tests: a table that the page sits at, and the other end of its line. */

import { vi } from "vitest";
import { keyRing } from "~/device/keys.svelte";
import type { GameUi } from "~/gamekit/game";
import { LiveTable } from "~/table/live.svelte";
import type { GameEntry, Welcome } from "~/wire/messages";
import { CODE, FakeSocket, welcome } from "./fakeTable";

export const FIRST = 10;

/** Sit at a table of Ada, Bo and Cy; it has come to line FIRST. */
export function sitDown(seats: number[], more: Partial<Welcome> = {}): { live: LiveTable; socket: FakeSocket } {
  vi.stubGlobal("WebSocket", FakeSocket);
  for (const seat of seats) keyRing.add(CODE, "buffet", { seat, name: `${seat}`, token: `key${seat}`, nonce: "00" });
  const live = new LiveTable(CODE);
  const socket = FakeSocket.last.accept();
  socket.say(welcome(FIRST, { seats, ...more }));
  return { live, socket };
}

export function getUp(live: LiveTable): void {
  live.close();
  keyRing.forget(CODE);
  vi.unstubAllGlobals();
}

export const out = (seat: number): GameEntry => ({ by: "table", do: "out", seat, plate: null });
export const lay = (by: number): GameEntry => ({ by, do: "lay", card: 7 });
export const round = (number: number): GameEntry => ({
  by: "table",
  do: "round",
  number,
  part: 1,
  start: 0,
  plates: [],
});
export const end: GameEntry = { by: "table", do: "end", scores: [3, -1, 2], places: [1, 3, 2] };

/** A game that tells everything but what is laid. */
export const ui = {
  tell: vi.fn((entry: GameEntry, names: readonly string[]) => {
    if (entry.do === "lay") return null;
    if (entry.do === "round") return { text: `Round ${entry.number}.` };
    return { text: "seat" in entry ? `${names[entry.seat]} is ${entry.do}.` : `It is the ${entry.do}.`, rule: "B10" };
  }),
  reasons: () => [{ text: "Ada has most.", rule: "B22" }],
} as unknown as GameUi;
