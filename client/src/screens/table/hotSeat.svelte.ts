import type { LiveTable } from "~/table/live.svelte";

/** Whose hand is open. Where several people share a screen their hands are covered, and one of them at a time looks. */
export class HotSeat {
  #looking = $state<number | null>(null);

  constructor(
    private readonly live: LiveTable,
    private readonly inRealTime: () => boolean,
  ) {
    // Once somebody has decided, the next one may take the device.
    $effect(() => {
      if (this.#isShared && this.#looking !== null && !live.toAct.includes(this.#looking)) this.cover();
    });
  }

  get #isShared(): boolean {
    return this.live.seats.length > 1;
  }

  /** The seat whose hand is open; null: none, or we only watch. */
  get seat(): number | null {
    return this.#isShared ? this.#looking : this.live.eyes;
  }

  /** Our seats that have something to decide. */
  get asked(): number[] {
    return this.live.seats.filter((seat) => this.live.toAct.includes(seat));
  }

  /** Somebody is asked, and has to take the device first. */
  get isCovered(): boolean {
    return this.#isShared && this.#looking === null && this.asked.length > 0 && !this.inRealTime();
  }

  /** Where all act at once nobody can wait for the device. */
  get isCrowded(): boolean {
    return this.#isShared && this.inRealTime();
  }

  uncover(seat: number): void {
    this.#looking = seat;
  }

  cover(): void {
    this.#looking = null;
  }
}
