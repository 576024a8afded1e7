/**
 * What comes in before the next picture is drawn is read together: then the page changes once, and not once for each
 * message. At a lively table that is the difference between smooth and not.
 */

/** Where no pictures are drawn, as in a window behind others, nothing has to wait for one. */
const LONGEST_WAIT_MS = 100;

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
    this.#picture ??= requestAnimationFrame(this.empty);
    this.#timer ??= setTimeout(this.empty, LONGEST_WAIT_MS);
  }

  /** Read all that is there. */
  empty = (): void => {
    if (this.#picture !== undefined) cancelAnimationFrame(this.#picture);
    clearTimeout(this.#timer);
    this.#picture = this.#timer = undefined;
    for (const message of this.#messages.splice(0)) this.read(message);
  };
}
