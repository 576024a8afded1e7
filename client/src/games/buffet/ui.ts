/** How buffet is shown and told. */

import type { GameUi } from "~/gamekit/game";
import type { BuffetEntry, BuffetView } from "~/wire/messages";
import Board from "./Board.svelte";
import { staging } from "./staging";
import { noise, prompt, reasons, tell } from "./story";

export const ui: GameUi<BuffetView, BuffetEntry> = { Board, staging, tell, prompt, noise, reasons };
