/** A lesson that is being taken: what is said now, what the learner sees, and whether it was the right thing to do. */

import type { GameScreen } from "~/games/game";
import { Playback, type Staging } from "~/table/playback.svelte";
import type { Line } from "~/wire/connection";
import type { GameDecision, GameEntry, GameView } from "~/wire/messages";
import { renamed, swapOf } from "./places";
import { after, same, viewAt, type Lesson, type Moment } from "./script";

interface Ears {
  calm?: () => boolean;
  heard?: (entry: GameEntry) => void;
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

  constructor(lesson: Lesson, { staging }: Pick<GameScreen, "staging">, from = 0, { calm, heard }: Ears = {}) {
    this.#lesson = lesson;
    this.at = Math.min(from, lesson.moments.length - 1);
    this.view = viewAt(lesson, this.at);
    this.story = lesson.moments.slice(0, this.at).flatMap((moment, number) => lines(moment, number + 1));
    this.playback = new Playback(staging, this.view, calm, heard);
    this.playback.reset(pictureAt(lesson, this.at, staging), this.at);
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

  /** What was said is read. */
  next(): void {
    if (!this.moment.want && !this.last) this.#goOn();
  }

  /** The learner decides; anything else than what the lesson is about has to wait. */
  async act(decision: GameDecision): Promise<boolean> {
    if (this.playback.running) this.playback.skip();
    const right = this.#makeRight(decision);
    if (right) this.#goOn();
    else this.declined++;
    return right;
  }

  #makeRight(decision: GameDecision): boolean {
    const { want, anywhere } = this.moment;
    if (!want) return false;
    if (same(want, decision)) return true;
    const swap = anywhere ? swapOf(this.view, want, decision) : undefined;
    if (!swap) return false;
    const moments = this.#lesson.moments.map((moment, i) => (i < this.at ? moment : renamed(moment, swap)));
    this.#lesson = { ...this.#lesson, moments };
    return true;
  }

  #goOn(): void {
    const { moment } = this;
    const number = this.at + 1;
    this.view = after(this.view, moment);
    this.story = [...this.story, ...lines(moment, number)];
    for (const line of lines(moment, number)) if (line.type === "step") this.playback.step(line);
    this.playback.settle(this.view, number);
    this.at = number;
    this.declined = 0;
  }
}

/** What the eye has before it at the beginning of a moment, also if one comes back to it: a score is still to be read. */
function pictureAt({ first, moments }: Lesson, at: number, { unfold, settle }: Staging<GameView, GameEntry>): GameView {
  let [view, shown] = [first, first];
  for (const moment of moments.slice(0, at)) {
    view = after(view, moment);
    const unfolded = (moment.entries ?? []).reduce((picture, entry) => unfold(picture, entry), shown);
    shown = settle?.(unfolded, view) ?? view;
  }
  return shown;
}

const lines = ({ entries, view }: Moment, number: number): Line[] =>
  entries ? [{ type: "step", number, at: 0, entries: [...entries], to_act: view?.to_act ?? [] }] : [];
