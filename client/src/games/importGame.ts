import type { GameUi } from "~/gamekit/game";
import { loadWords } from "~/words/words.svelte";
import { manifestOf } from "./registry";

const imported = new Map<string, GameUi>();

/** A game that was imported before, at once. */
export const importedGame = (game: string): GameUi | undefined => imported.get(game);

/** A game with its words, ready to be shown; one without a folder is shown in words. */
export async function importGame(game: string): Promise<GameUi> {
  const ui = await (manifestOf(game) ? importOurs(game) : importGeneric(game));
  imported.set(game, ui);
  return ui;
}

async function importOurs(game: string): Promise<GameUi> {
  const [loaded] = await Promise.all([manifestOf(game)!.ui(), loadWords(game)]);
  // Each game knows only its own views and entries; the table hands it no others.
  return loaded.ui as GameUi;
}

async function importGeneric(game: string): Promise<GameUi> {
  const [{ uiFor }] = await Promise.all([import("./generic/ui"), loadWords("generic")]);
  return uiFor(game);
}
