/** Shows a film: from step to step, by itself or by hand, through anybody's eyes and at any speed. */

import type { GameUi } from "~/gamekit/game";
import { Playback, type Staging } from "~/table/playback.svelte";
import type { GameEntry, GameView, Step } from "~/wire/messages";
import type { Eyes, Film } from "./film";

export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** Where nobody is in a hurry, a moment to look around is enough between two steps. */
const BREATH_MS = 450;
/** In real time nobody has to wait longer than this for the next step, as between rounds. */
const LONGEST_WAIT_MS = 4000;
const LOOK_MS = 40;

export interface Moment {
  at: number;
  eyes: Eyes;
}

export class Projector {
  /** The step that is shown last. */
  at = $state(0);
  eyes = $state<Eyes>(null);
  playing = $state(false);
  speed = $state<Speed>(1);

  readonly playback: Playback<GameView, GameEntry>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0; // when the step came that is shown last

  constructor(
    readonly film: Film,
    readonly ui: GameUi,
    /** Is the game played in real time? Then steps follow each other as they did. */
    readonly inRealTime: boolean,
    { at, eyes }: Moment,
    calm: () => boolean = () => false,
  ) {
    this.at = clamp(at, film.end);
    this.eyes = eyes;
    this.playback = new Playback(this.#atSpeed(ui.staging), this.view, calm);
    this.#show();
  }

  /** What is seen after the step that is shown last. */
  get view(): GameView {
    return this.film.view(this.at, this.eyes);
  }

  get steps(): Step[] {
    return this.film.steps(this.eyes);
  }

  /** What the game's clock shows: it goes while the film does, and never ahead of the next step. */
  now(): number {
    const at = this.film.moment(this.at);
    if (!this.playing || this.atEnd) return at;
    return Math.min(at + (Date.now() - this.#since) * this.speed, this.film.moment(this.at + 1));
  }

  get atEnd(): boolean {
    return this.at >= this.film.end;
  }

  // --- By itself -----------------------------------------------------------------------------------------------------

  play(): void {
    if (this.atEnd) this.#jump(0);
    this.playing = true;
    this.#since = Date.now();
    this.#wait(0);
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.playing = false;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#turn, ms);
  }

  #turn = (): void => {
    if (!this.inRealTime && this.playback.running) this.#wait(LOOK_MS);
    else if (this.atEnd) this.pause();
    else {
      this.#advance();
      this.#wait(this.#rest() / this.speed);
    }
  };

  /** How long the next step is to wait for. */
  #rest(): number {
    if (!this.inRealTime || this.atEnd) return BREATH_MS;
    return Math.min(this.film.moment(this.at + 1) - this.film.moment(this.at), LONGEST_WAIT_MS);
  }

  // --- By hand -------------------------------------------------------------------------------------------------------

  /** One step on, shown as it happened. */
  forward(): void {
    this.pause();
    if (!this.atEnd) this.#advance();
  }

  back(): void {
    this.to(this.at - 1);
  }

  /** How things were after that step, at once. */
  to(at: number): void {
    this.pause();
    this.#jump(at);
  }

  seeAs(eyes: Eyes): void {
    this.eyes = eyes;
    this.#show();
  }

  close(): void {
    this.pause();
    this.playback.skip();
  }

  #advance(): void {
    if (this.playback.running && !this.inRealTime) this.playback.skip();
    this.at += 1;
    this.#since = Date.now();
    this.playback.step(this.steps[this.at]!);
    this.playback.settle(this.view, this.at);
  }

  #jump(at: number): void {
    this.at = clamp(at, this.film.end);
    this.#show();
  }

  /** How things are, and what the eye may know of what has happened before. */
  #show(): void {
    this.playback.reset(this.view, this.at, this.steps.slice(0, this.at + 1));
  }

  #atSpeed(staging: Staging<GameView, GameEntry>): Staging<GameView, GameEntry> {
    return { ...staging, pause: (entry, view) => staging.pause(entry, view) / this.speed };
  }
}

const clamp = (at: number, end: number): number => Math.min(Math.max(Number.isFinite(at) ? at : 0, 0), end);
