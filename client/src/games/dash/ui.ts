/** How dash is shown and told. */

import type { GameUi } from "~/gamekit/game";
import type { DashEntry, DashView } from "~/wire/messages";
import Board from "./Board.svelte";
import Receipts from "./Receipts.svelte";
import { exchange } from "./lookalikes";
import { staging } from "./staging";
import { noise, prompt, realTime, reasons, tell } from "./story";

export const ui: GameUi<DashView, DashEntry> = {
  Board, staging, tell, prompt, noise, reasons, realTime, exchange, Afterwards: Receipts,
}; // prettier-ignore
