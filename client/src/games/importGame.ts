import type { GameUi } from "~/gamekit/game";
import { loadWords } from "~/words/words.svelte";
import { manifestOf } from "./registry";

/** A game with its words, ready to be shown; one without a folder is shown in words. */
export async function importGame(game: string): Promise<GameUi> {
  const manifest = manifestOf(game);
  if (!manifest) return importGeneric(game);
  const [loaded] = await Promise.all([manifest.ui(), loadWords(game)]);
  // Each game knows only its own views and entries; the table hands it no others.
  return loaded.ui as GameUi;
}

async function importGeneric(game: string): Promise<GameUi> {
  const [{ uiFor }] = await Promise.all([import("./generic/ui"), loadWords("generic")]);
  return uiFor(game);
}
