/** A moment of a game to try things in: each choice is known with what comes of it. */

import type { GameScreen } from "~/games/game";
import { Playback } from "~/table/playback.svelte";
import type { GameDecision, GameEntry, GameView } from "~/wire/messages";
import { after, same, type Position } from "./script";

export class Trial {
  view = $state.raw() as GameView;
  /** What came of it; null: nothing has been tried yet. */
  happened = $state.raw<readonly GameEntry[] | null>(null);
  readonly playback: Playback<GameView, GameEntry>;
  #position: Position;

  constructor(position: Position, { staging }: Pick<GameScreen, "staging">, calm?: () => boolean) {
    this.#position = position;
    this.view = position.first;
    this.playback = new Playback(staging, position.first, calm);
  }

  /** One thing can be tried; then it has to begin again. */
  async act(decision: GameDecision): Promise<boolean> {
    const choice = this.#position.choices.find(({ want }) => same(want, decision));
    if (!choice || this.happened) return false;
    this.view = after(this.view, choice);
    this.happened = choice.entries;
    this.playback.step({ type: "step", number: 1, at: 0, entries: [...choice.entries], to_act: [] });
    this.playback.settle(this.view, 1);
    return true;
  }

  again(): void {
    this.happened = null;
    this.view = { ...this.#position.first }; // another moment, though it looks the same
    this.playback.reset(this.view, 0);
  }
}
