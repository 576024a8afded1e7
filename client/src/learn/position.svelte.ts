/** A moment of a game to try things in: each choice is known with what comes of it. */

import { same } from "~/gamekit/decisions";
import type { GameUi } from "~/gamekit/game";
import { Playback } from "~/table/playback.svelte";
import type { GameDecision, GameEntry, GameView } from "~/wire/messages";
import { after, type Choice, type Position } from "./script";

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

  constructor(
    position: Position,
    private readonly ui: Pick<GameUi, "staging" | "exchange">,
    calm?: () => boolean,
  ) {
    this.#position = position;
    this.view = position.first;
    this.choices = position.choices;
    this.playback = new Playback(ui.staging, position.first, calm);
  }

  /** All that came of it. */
  get happened(): readonly GameEntry[] {
    return this.tried.flatMap(({ entries }) => entries);
  }

  get over(): boolean {
    return this.choices.length === 0;
  }

  act(decision: GameDecision): Promise<boolean> {
    if (this.playback.running) this.playback.skip();
    const choice = this.#find(decision);
    if (choice) this.#goOn(choice);
    else this.declined++;
    return Promise.resolve(choice !== undefined);
  }

  again(): void {
    this.tried = [];
    this.choices = this.#position.choices;
    this.declined = 0;
    this.view = { ...this.#position.first }; // another moment, though it looks the same
    this.playback.reset(this.view, 0);
  }

  /** What the script has for a decision, as it stands or with something in its place that is as good. */
  #find(decision: GameDecision): Choice | undefined {
    const choice = this.choices.find(({ want }) => same(want, decision));
    if (choice) return choice;
    for (const one of this.choices) {
      const exchange = one.alike ? this.ui.exchange?.(this.view, one.want, decision) : undefined;
      if (exchange) return exchange(one);
    }
    return undefined;
  }

  #goOn(choice: Choice): void {
    this.tried = [...this.tried, choice];
    this.choices = choice.choices ?? [];
    this.declined = 0;
    this.view = after(this.view, choice);
    const number = this.tried.length;
    this.playback.step({ type: "step", number, at: 0, entries: [...choice.entries], to_act: [...this.view.to_act] });
    this.playback.settle(this.view, number);
  }
}
