/** The screen of chocolat. */

import type { GameScreen } from "~/games/game";
import type { ChocolatEntry, ChocolatView } from "~/wire/messages";
import Board from "./Board.svelte";
import { staging } from "./staging";
import { noise, prompt, reasons, tell } from "./story";

export const screen: GameScreen<ChocolatView, ChocolatEntry> = { Board, staging, tell, prompt, noise, reasons };
