/** Keeps the newest at the bottom in sight, unless the reader has scrolled up. */

const NEAR_PX = 48;

export class Newest {
  /** The reader has scrolled up and would miss what comes. */
  away = $state(false);
  #box: HTMLElement | undefined;

  attach = (box: HTMLElement) => {
    this.#box = box;
    const look = () => (this.away = box.scrollHeight - box.scrollTop - box.clientHeight > NEAR_PX);
    const grown = new ResizeObserver(() => this.follow());
    grown.observe(box);
    for (const child of box.children) grown.observe(child);
    box.addEventListener("scroll", look, { passive: true });
    this.follow();
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
