/** The games on the shelf, and what the server knows about them. */

import * as http from "~/wire/http";
import { Refused } from "~/wire/http";
import type { GameInfo } from "~/wire/messages";
import { known, t } from "~/words/words.svelte";

/** In the order in which they stand there; the page does not wait for the server to show them. */
export const SHELF = ["buffet", "dash", "chocolat"] as const;
export type GameId = (typeof SHELF)[number];

let asked: Promise<GameInfo[]> | undefined;
let infos = $state.raw<GameInfo[]>([]);

/** All that can be played here; asked for once, unless it failed. */
export function allGames(): Promise<GameInfo[]> {
  asked ??= http.games().then(
    ({ games }) => (infos = games),
    (why) => {
      asked = undefined;
      throw why;
    },
  );
  return asked;
}

/** What is known by now. */
export const knownGame = (game: string): GameInfo | undefined => infos.find(({ id }) => id === game);

export async function gameInfo(game: string): Promise<GameInfo> {
  const info = (await allGames()).find(({ id }) => id === game);
  if (!info) throw new Refused("unknown-game", null, "The server does not have this game.");
  return info;
}

/** Bots are listed from the weakest to the strongest. */
export const strongest = (info: GameInfo): string => info.bots.at(-1)!;

export function gameTitle(game: string): string {
  const key = `game.${game}`;
  return known(key) ? t(key) : game;
}

export function botTitle(level: string): string {
  const key = `bot.${level}`;
  return known(key) ? t(key) : level;
}
