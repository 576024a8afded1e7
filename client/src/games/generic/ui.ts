/** How every game is shown that has no folder of its own: everything in words, taken from its messages. */

import type { GameUi } from "~/gamekit/game";
import { gameInfo } from "~/app/games.svelte";
import Board from "./Board.svelte";
import { staging } from "./staging";
import { noise, prompt, tell } from "./story";
import type { AnyEntry, AnyView } from "./view";

export async function uiFor(game: string): Promise<GameUi> {
  // A replay that is kept on the device opens without a server, too; then less is told.
  const info = await gameInfo(game).catch(() => undefined);
  const ui: GameUi<AnyView, AnyEntry> = {
    Board,
    staging,
    tell: (entry, names) => tell(entry, names, info?.secrets),
    prompt,
    noise,
    reasons: () => [],
  };
  return ui as unknown as GameUi;
}
