/**
 * What happened, shown one thing after the other, so that people see who did what.
 *
 * Nobody has to wait for it: decisions are taken from the newest view, this is only what the eye is told. A tap skips
 * it, and whoever looks away or wants less motion sees at once how things are.
 */

import type { Step } from "~/wire/messages";
import { picture, waiting, type Pictures, type Seen, type Told } from "./picture";

/** How a game shows what happens. */
export interface Staging<View, Entry> extends Pictures<View, Entry> {
  /** How long the eye needs for it. */
  pause(entry: Entry, view: View): number;
  /** What happens now does not wait for what is still being shown. */
  realTime?: boolean;
}

interface Beat<View, Entry> {
  number: number;
  entry?: Entry;
  /** With the last entry of a step. */
  step?: Seen;
  settled?: View;
}

/** More than this waiting to be shown is no longer news. */
const MOST_MS = 5000;

export class Playback<View extends Seen, Entry> {
  /** The picture. */
  shown = $state.raw() as View;
  /** The number of the last line of which something was shown. */
  reached = $state(0);
  /** What is happening in it just now. */
  now = $state.raw<Entry>();

  #queue: Beat<View, Entry>[] = [];
  #known = 0; // and of the last one that is in a view we were given
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;

  constructor(
    private readonly staging: Staging<View, Entry>,
    first: View,
    private readonly calm: () => boolean = () => false,
    private readonly onEntry: (entry: Entry, before: View) => void = () => undefined,
  ) {
    this.shown = first;
  }

  get running(): boolean {
    return this.now !== undefined;
  }

  /** Everything is as in this view, which has everything up to the line of this number, and as these steps tell. */
  reset(view: View, number: number, steps: readonly Step[] = []): void {
    this.#stop();
    const known = steps.findLastIndex((step) => step.number <= number) + 1;
    const [told, after] = [steps.slice(0, known), steps.slice(known)] as unknown as [Told<Entry>[], Told<Entry>[]];
    this.#known = number;
    this.reached = Math.max(number, steps.at(-1)?.number ?? 0);
    this.#queue = [];
    this.now = undefined;
    this.shown = picture(this.staging, { view, told, after });
  }

  step(step: Step): void {
    if (step.number <= this.#known) return; // the view that we have been given is further on
    if (this.#busy && this.staging.realTime) this.skip();
    const { number, entries } = step;
    for (const [i, entry] of entries.entries())
      this.#queue.push({ number, entry: entry as Entry, ...(i === entries.length - 1 && { step }) });
    if (document.visibilityState === "hidden") this.skip();
    else if (!this.#busy) this.#next();
    else if (this.#length() > MOST_MS) this.skip();
  }

  /** The view as it is after the line of this number: the picture becomes it once everything up to there was shown. */
  settle(view: View, number: number): void {
    if (number < this.reached) return; // the picture is further on already
    this.#known = number;
    const later = this.#queue.findIndex((beat) => beat.number > number);
    this.#queue.splice(later < 0 ? this.#queue.length : later, 0, { number, settled: view });
    if (!this.#busy) this.#next();
  }

  /** Show at once how things are. */
  skip(): void {
    this.#stop();
    this.shown = this.#queue.reduce((shown, beat) => this.#after(shown, beat), this.shown);
    this.reached = this.#queue.at(-1)?.number ?? this.reached;
    this.#queue = [];
    this.now = undefined;
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#busy = false;
  }

  #length(): number {
    return this.#queue.reduce((sum, { entry }) => sum + (entry ? this.staging.pause(entry, this.shown) : 0), 0);
  }

  #after(shown: View, { entry, step, settled }: Beat<View, Entry>): View {
    if (entry) {
      const unfolded = this.staging.unfold(shown, entry);
      return step ? waiting(unfolded, step) : unfolded;
    }
    return settled ? picture(this.staging, { view: settled, before: shown }) : shown;
  }

  /** Up to the first thing that takes its time; whatever does not, is in one picture with it. */
  #next = (): void => {
    this.#busy = false;
    let { shown, reached, now } = this;
    let pause = 0;
    for (let beat = this.#queue.shift(); beat; beat = pause > 0 ? undefined : this.#queue.shift()) {
      const { number, entry } = beat;
      const before = shown;
      pause = entry ? this.staging.pause(entry, before) : 0;
      now = entry ?? now;
      shown = this.#after(before, beat);
      reached = number;
      if (entry) this.onEntry(entry, before);
    }
    this.shown = shown;
    this.reached = reached;
    this.now = pause > 0 ? now : undefined;
    if (pause === 0) return;
    this.#busy = true;
    // With less motion things are highlighted rather than moved, and that takes a glance only.
    this.#timer = setTimeout(this.#next, this.calm() ? Math.min(pause, 250) : pause);
  };
}
