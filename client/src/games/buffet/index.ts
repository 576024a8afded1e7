/** The screen of buffet. */

import type { GameScreen } from "~/games/game";
import type { BuffetEntry, BuffetView } from "~/wire/messages";
import Board from "./Board.svelte";
import { staging } from "./staging";
import { noise, prompt, reasons, tell } from "./story";

export const screen: GameScreen<BuffetView, BuffetEntry> = { Board, staging, tell, prompt, noise, reasons };
