/** Keeps the newest at the bottom in sight, unless the reader has scrolled up. */

import { untrack } from "svelte";

const NEAR_PX = 48;

export class Newest {
  /** The reader has scrolled up and would miss what comes. */
  away = $state(false);
  #box: HTMLElement | undefined;

  attach = (box: HTMLElement) => {
    this.#box = box;
    let before = box.scrollTop;
    const look = () => {
      const isNear = box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_PX;
      // What has just been added makes the end far away, too, but only a reader goes back.
      if (isNear || box.scrollTop < before) this.away = !isNear;
      before = box.scrollTop;
    };
    const grown = new ResizeObserver(() => this.follow());
    grown.observe(box);
    for (const child of box.children) grown.observe(child);
    box.addEventListener("scroll", look, { passive: true });
    untrack(() => this.follow());
    return () => {
      grown.disconnect();
      box.removeEventListener("scroll", look);
    };
  };

  follow(): void {
    if (!this.away) this.toEnd();
  }

  toEnd = (): void => {
    this.#box?.scrollTo({ top: this.#box.scrollHeight });
    this.away = false;
  };
}
