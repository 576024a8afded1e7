/** How every game is shown that has no folder of its own: everything in words, taken from its messages. */

import type { GameUi } from "~/gamekit/game";
import { allGames, knownGame } from "~/app/games.svelte";
import Board from "./Board.svelte";
import { staging } from "./staging";
import type { Secrets } from "./reading";
import { noise, prompt, tell } from "./story";
import type { AnyEntry, AnyView } from "./view";

export async function uiFor(game: string): Promise<GameUi> {
  await learn();
  const ui: GameUi<AnyView, AnyEntry> = {
    Board,
    staging,
    tell: (entry, names) => tell(entry, names, secretsOf(game)),
    prompt,
    noise,
    reasons: () => [],
  };
  return ui as unknown as GameUi;
}

/** A replay that is kept on the device opens without a server, too; then less is told, until there is one. */
const learn = () => allGames().catch(() => undefined);

function secretsOf(game: string): Secrets {
  if (!knownGame(game)) void learn();
  return knownGame(game)?.secrets;
}
