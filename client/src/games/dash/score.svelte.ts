/** When the score of a round is seen: not before the last grab was, and until the next round begins or it was read. */

import type { DashPicture, RoundResult } from "./picture";

/** The last grab is to be seen before the score covers the heap; whoever comes later has missed it. */
const LAST_GRAB_MS = 600;
/** Once the time runs it is not seen any more; it is cleared away when nobody is in a hurry. */
const CLEARED_MS = 1500;

export class Score {
  /** The result of the round that has just ended, if nobody has read it yet. */
  readonly due = $derived.by((): RoundResult | null => this.#due());
  /** The one that is seen. */
  readonly shown = $derived.by((): RoundResult | null =>
    this.due && this.due.round <= this.#seenUpTo ? this.due : null,
  );
  /** The one that is there, seen or not. */
  spread = $state.raw<RoundResult>();
  #read = $state(0);
  #seenUpTo = $state(0);
  readonly #picture: () => DashPicture;

  constructor(picture: () => DashPicture) {
    this.#picture = picture;
    this.#seenUpTo = this.due?.round ?? 0; // as the board is found
    $effect(() => {
      if (!this.due) return;
      const { round } = this.due;
      const timer = setTimeout(() => (this.#seenUpTo = round), LAST_GRAB_MS);
      return () => clearTimeout(timer);
    });
    $effect.pre(() => {
      if (this.shown) this.spread = this.shown;
      const timer = this.shown ? undefined : setTimeout(() => (this.spread = undefined), CLEARED_MS);
      return () => clearTimeout(timer);
    });
  }

  /** It was read. */
  close(): void {
    this.#read = this.shown?.round ?? 0;
  }

  #due(): RoundResult | null {
    const { is_open, last } = this.#picture();
    return !is_open && last && last.round > this.#read ? last : null;
  }
}
