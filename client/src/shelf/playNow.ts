/** From the shelf to a running game: tables are set up here, by one click or with friends in mind. */

import { keyRing, newNonce } from "~/device/keys.svelte";
import { settings } from "~/device/settings.svelte";
import { go } from "~/app/router.svelte";
import { importGame } from "~/games/importGame";
import * as http from "~/wire/http";
import type { NewTable } from "~/wire/messages";
import { t } from "~/words/words.svelte";
import { gameInfo, strongest } from "~/app/games.svelte";

/** Around so many a game is at its best. */
const COMPANY = 4;

const autoStart = new Set<string>();

/** Is the game at this table to begin as soon as we are there? */
export const isAutoStarted = (code: string): boolean => autoStart.has(code);

/** The same, asked and answered once. */
export const takeAutoStart = (code: string): boolean => autoStart.delete(code);

/** What we are called, also if we have never said it. */
const myName = (): string => settings.name || t("name.default");

/** Go to a new table, with us as its host; with `start` its game begins as soon as we are there. */
export async function openTable(wanted: Omit<NewTable, "name">, { start = false } = {}): Promise<void> {
  const { nonce, pledge } = newNonce();
  const name = myName();
  const { code, seat, token } = await http.setUp({ ...wanted, name, pledge });
  if (start) autoStart.add(code);
  keyRing.add(code, wanted.game, { seat, name, token, nonce });
  go(`/t/${code}`);
}

/** One click, and a full table is playing. */
export async function playNow(game: string): Promise<void> {
  importGame(game).catch(() => undefined); // while the table is being set up; who shows it asks again
  const info = await gameInfo(game);
  const seats = Math.min(info.most_seats, Math.max(info.least_seats, COMPANY));
  const level = strongest(info);
  const bots = Array.from({ length: seats - 1 }, (_, other) => ({ seat: other + 1, level }));
  await openTable({ game, seats, bots }, { start: true });
}
