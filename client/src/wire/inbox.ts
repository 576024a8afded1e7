/**
 * What comes in before the next picture is drawn is read together: then the page changes once, and not once for each
 * message. At a lively table that is the difference between smooth and not.
 */

/** Where no pictures are drawn, as in a window behind others, nothing has to wait for one. */
const LONGEST_WAIT_MS = 100;

/** What somebody has just done is in the next picture, and what came in is in the one after that: the own hand is first. */
const JUST_MS = 30;
let touched = -Infinity;
addEventListener("pointerdown", () => (touched = performance.now()), { capture: true, passive: true });

export class Inbox {
  #messages: string[] = [];
  #picture: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly read: (message: string) => void) {}

  put(message: string): void {
    this.#messages.push(message);
    if (document.visibilityState === "hidden") {
      this.empty();
      return;
    }
    this.#picture ??= requestAnimationFrame(this.#beforePicture);
    this.#timer ??= setTimeout(this.empty, LONGEST_WAIT_MS);
  }

  #beforePicture = (): void => {
    const first = performance.now() - touched < JUST_MS;
    if (first) this.#picture = requestAnimationFrame(this.empty);
    else this.empty();
  };

  /** Read all that is there. */
  empty = (): void => {
    if (this.#picture !== undefined) cancelAnimationFrame(this.#picture);
    clearTimeout(this.#timer);
    this.#picture = this.#timer = undefined;
    for (const message of this.#messages.splice(0)) this.read(message);
  };
}
