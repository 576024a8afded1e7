/** How chocolat is shown and told. */

import type { GameUi } from "~/gamekit/game";
import type { ChocolatEntry, ChocolatView } from "~/wire/messages";
import Board from "./Board.svelte";
import { exchange } from "./orders";
import { staging } from "./staging";
import { noise, prompt, reasons, tell } from "./story";

export const ui: GameUi<ChocolatView, ChocolatEntry> = {
  Board, staging, tell, prompt, noise, reasons, exchange,
}; // prettier-ignore
