/** From the shelf to a running game: tables are set up here, by one click or with friends in mind. */

import { keyRing, newNonce } from "~/device/keys.svelte";
import { settings } from "~/device/settings.svelte";
import { go } from "~/app/router.svelte";
import * as http from "~/wire/http";
import type { NewTable } from "~/wire/messages";
import { t } from "~/words/words.svelte";
import { gameInfo, strongest } from "~/app/games.svelte";

/** Around so many a game is at its best. */
const COMPANY = 4;

const autoStart = new Set<string>();

/** The game at this table is to begin as soon as we are there. */
function setAutoStart(code: string): void {
  autoStart.add(code);
}

/** Is the game to begin at once? Asked and answered once. */
export function takeAutoStart(code: string): boolean {
  return autoStart.delete(code);
}

/** What we are called, also if we have never said it. */
const myName = (): string => settings.name || t("name.default");

/** A new table, with us as its host. */
export async function openTable(wanted: Omit<NewTable, "name">): Promise<string> {
  const { nonce, pledge } = newNonce();
  const name = myName();
  const { code, seat, token } = await http.setUp({ ...wanted, name, pledge });
  keyRing.add(code, wanted.game, { seat, name, token, nonce });
  return code;
}

/** One click, and a full table is playing. */
export async function playNow(game: string): Promise<void> {
  const info = await gameInfo(game);
  const seats = Math.min(info.most_seats, Math.max(info.least_seats, COMPANY));
  const level = strongest(info);
  const bots = Array.from({ length: seats - 1 }, (_, other) => ({ seat: other + 1, level }));
  const code = await openTable({ game, seats, bots });
  setAutoStart(code);
  go(`/t/${code}`);
}
