/**
 * What comes in is read when the next picture is about to be drawn, and little at a time: so the page changes once for a
 * picture, and never much. At a lively table that is the difference between smooth and not.
 */

/** Where no pictures are drawn, as in a window behind others, nothing has to wait for one. */
const LONGEST_WAIT_MS = 100;

/** What somebody has just done is in the next picture, and what came in is in the one after that: the own hand is first. */
const JUST_MS = 30;
let touched = -Infinity;
addEventListener("pointerdown", () => (touched = performance.now()), { capture: true, passive: true });

/** What comes together is spread over this many pictures or some more, so that none of them takes long. */
const PICTURES = 4;
/** More than this is no burst: we have missed something, and want to know how things are. */
const LONGEST_BURST = 12;

/** What we see and may do belongs into one picture with the step that has changed it, right before it. */
const VIEWS = '{"type":"views"';

export class Inbox {
  #messages: { text: string; at: number }[] = [];
  #picture: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly read: (message: string, at: number) => void) {}

  /** Something came, just now or at that moment. */
  put(text: string, at = Date.now()): void {
    this.#messages.push({ text, at });
    if (document.visibilityState === "hidden") this.empty();
    else this.#wait();
  }

  #wait(): void {
    this.#picture ??= requestAnimationFrame(this.#beforePicture);
    this.#timer ??= setTimeout(this.empty, LONGEST_WAIT_MS);
  }

  #waitNoLonger(): void {
    if (this.#picture !== undefined) cancelAnimationFrame(this.#picture);
    clearTimeout(this.#timer);
    this.#picture = this.#timer = undefined;
  }

  #beforePicture = (): void => {
    const ownHandFirst = performance.now() - touched < JUST_MS;
    if (ownHandFirst) this.#picture = requestAnimationFrame(this.#readSome);
    else this.#readSome();
  };

  #readSome = (): void => {
    this.#waitNoLonger();
    const { length } = this.#messages;
    this.#read(length > LONGEST_BURST ? length : Math.ceil(length / PICTURES));
    if (this.#messages.length > 0) this.#wait();
  };

  /** Read all that is there. */
  empty = (): void => {
    this.#waitNoLonger();
    this.#read(this.#messages.length);
  };

  #read(count: number): void {
    const views = this.#messages[count]?.text.startsWith(VIEWS) ? 1 : 0;
    for (const { text, at } of this.#messages.splice(0, count + views)) this.read(text, at);
  }
}
