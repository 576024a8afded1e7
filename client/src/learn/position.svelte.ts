/** A moment of a game to try things in: each choice is known with what comes of it. */

import type { GameScreen } from "~/games/game";
import { Playback } from "~/table/playback.svelte";
import type { GameDecision, GameEntry, GameView } from "~/wire/messages";
import { renamed, swapOf } from "./places";
import { after, same, type Choice, type Position } from "./script";

export class Trial {
  view = $state.raw() as GameView;
  /** What can be tried now; nothing: then it has to begin again. */
  choices = $state.raw<readonly Choice[]>([]);
  /** What has been tried so far. */
  tried = $state.raw<readonly Choice[]>([]);
  /** How often something was wanted that the example is not about. */
  declined = $state(0);
  readonly playback: Playback<GameView, GameEntry>;
  #position: Position;

  constructor(position: Position, { staging }: Pick<GameScreen, "staging">, calm?: () => boolean) {
    this.#position = position;
    this.view = position.first;
    this.choices = position.choices;
    this.playback = new Playback(staging, position.first, calm);
  }

  /** All that came of it. */
  get happened(): readonly GameEntry[] {
    return this.tried.flatMap(({ entries }) => entries);
  }

  get over(): boolean {
    return this.choices.length === 0;
  }

  async act(decision: GameDecision): Promise<boolean> {
    if (this.playback.running) this.playback.skip();
    const choice = this.#find(decision);
    if (choice) this.#goOn(choice);
    else this.declined++;
    return choice !== undefined;
  }

  again(): void {
    this.tried = [];
    this.choices = this.#position.choices;
    this.declined = 0;
    this.view = { ...this.#position.first }; // another moment, though it looks the same
    this.playback.reset(this.view, 0);
  }

  /** What the script has for a decision, as it stands or with two places exchanged that look the same. */
  #find(decision: GameDecision): Choice | undefined {
    const choice = this.choices.find(({ want }) => same(want, decision));
    if (choice) return choice;
    for (const one of this.choices) {
      const swap = one.anywhere ? swapOf(this.view, one.want, decision) : undefined;
      if (swap) return renamed(one, swap);
    }
    return undefined;
  }

  #goOn(choice: Choice): void {
    this.tried = [...this.tried, choice];
    this.choices = choice.choices ?? [];
    this.declined = 0;
    this.view = after(this.view, choice);
    const number = this.tried.length;
    this.playback.step({ type: "step", number, at: 0, entries: [...choice.entries], to_act: [] });
    this.playback.settle(this.view, number);
  }
}
