/** The screen of dash. */

import type { GameScreen } from "~/games/game";
import type { DashEntry, DashView } from "~/wire/messages";
import Board from "./Board.svelte";
import Receipts from "./Receipts.svelte";
import { staging } from "./staging";
import { noise, prompt, realTime, reasons, tell } from "./story";

export const screen: GameScreen<DashView, DashEntry> = {
  Board, staging, tell, prompt, noise, reasons, realTime, Afterwards: Receipts,
}; // prettier-ignore
