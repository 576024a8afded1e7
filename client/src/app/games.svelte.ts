/** What the server knows about its games. */

import * as http from "~/wire/http";
import { Refused } from "~/wire/http";
import type { GameInfo } from "~/wire/messages";
import { known, t } from "~/words/words.svelte";

let asked: Promise<GameInfo[]> | undefined;
let infos = $state.raw<GameInfo[]>([]);

/** All that can be played here; asked for once, unless it failed. */
export function allGames(): Promise<GameInfo[]> {
  asked ??= http.games().then(
    ({ games }) => (infos = games),
    (why: unknown) => {
      asked = undefined;
      throw why;
    },
  );
  return asked;
}

/** What is known by now. */
export const knownGame = (game: string): GameInfo | undefined => infos.find(({ id }) => id === game);

/** As far as it is known by now. */
export const allGameIds = (): string[] => infos.map(({ id }) => id);

export async function gameInfo(game: string): Promise<GameInfo> {
  const info = (await allGames()).find(({ id }) => id === game);
  if (!info) throw new Refused("unknown-game", null, "The server does not have this game.");
  return info;
}

/** Bots are listed from the weakest to the strongest. */
export const strongest = (info: GameInfo): string => info.bots.at(-1)!;

export function gameTitle(game: string): string {
  const key = `game.${game}` as const;
  if (known(key)) return t(key);
  if (!knownGame(game)) allGames().catch(() => undefined);
  return knownGame(game)?.title ?? game;
}

export function botTitle(level: string): string {
  const key = `bot.${level}` as const;
  return known(key) ? t(key) : level;
}
