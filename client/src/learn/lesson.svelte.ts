/** A lesson that is being taken: what is said now, what the learner sees, and whether it was the right thing to do. */

import { same } from "~/gamekit/decisions";
import type { GameUi } from "~/gamekit/game";
import { Playback } from "~/table/playback.svelte";
import type { Line } from "~/wire/connection";
import type { GameDecision, GameEntry, GameView, Step } from "~/wire/messages";
import { after, viewAt, type Lesson, type Moment } from "./script";

interface Follower {
  calm?: () => boolean;
  onEntry?: (entry: GameEntry) => void;
}

export class Play {
  /** Which moment it is. */
  at = $state(0);
  view = $state.raw() as GameView;
  /** How often something else than the right thing was tried in this moment. */
  declined = $state(0);
  /** All that has happened, for the log. */
  story = $state.raw<Line[]>([]);
  readonly playback: Playback<GameView, GameEntry>;
  #lesson: Lesson;

  constructor(
    lesson: Lesson,
    private readonly ui: Pick<GameUi, "staging" | "exchange">,
    from = 0,
    { calm, onEntry }: Follower = {},
  ) {
    const { staging } = ui;
    this.#lesson = lesson;
    this.at = Math.min(from, lesson.moments.length - 1);
    this.view = viewAt(lesson, this.at);
    this.story = lesson.moments.slice(0, this.at).flatMap((moment, i) => lines(moment, i + 1, viewAt(lesson, i + 1)));
    this.playback = new Playback(staging, this.view, calm, onEntry);
    this.playback.reset(this.view, this.at, this.#steps);
  }

  get moment(): Moment {
    return this.#lesson.moments[this.at]!;
  }

  get count(): number {
    return this.#lesson.moments.length;
  }

  get last(): boolean {
    return this.at === this.count - 1;
  }

  get #steps(): Step[] {
    return this.story.filter((line) => line.type === "step");
  }

  /** What was said is read. */
  next(): void {
    if (!this.moment.want && !this.last) this.#goOn();
  }

  /** The learner decides; anything else than what the lesson is about has to wait. */
  act(decision: GameDecision): Promise<boolean> {
    if (this.playback.running) this.playback.skip();
    const right = this.#makeRight(decision);
    if (right) this.#goOn();
    else this.declined++;
    return Promise.resolve(right);
  }

  #makeRight(decision: GameDecision): boolean {
    const { want, alike } = this.moment;
    if (!want) return false;
    if (same(want, decision)) return true;
    const exchange = alike ? this.ui.exchange?.(this.view, want, decision) : undefined;
    if (!exchange) return false;
    const moments = this.#lesson.moments.map((moment, i) => (i < this.at ? moment : exchange(moment)));
    this.#lesson = { ...this.#lesson, moments };
    return true;
  }

  #goOn(): void {
    const { moment } = this;
    const number = this.at + 1;
    this.view = after(this.view, moment);
    const told = lines(moment, number, this.view);
    this.story = [...this.story, ...told];
    for (const line of told) if (line.type === "step") this.playback.step(line);
    this.playback.settle(this.view, number);
    this.at = number;
    this.declined = 0;
  }
}

/** What a moment puts into the log; `after`: what the learner sees then. */
const lines = ({ entries }: Moment, number: number, after: GameView): Line[] =>
  entries ? [{ type: "step", number, at: 0, entries: [...entries], to_act: [...after.to_act] }] : [];
