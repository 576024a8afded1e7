import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Step } from "~/wire/messages";
import { Playback } from "./playback.svelte";

/** A picture that is all that was drawn into it, one letter after the other; capitals need no time. */
interface Drawn {
  text: string;
  to_act: readonly number[];
}
const drawn = (text: string): Drawn => ({ text, to_act: [] });
const staging = {
  unfold: ({ text, to_act }: Drawn, entry: string) => ({ text: text + entry, to_act }),
  pause: (entry: string) => (entry === entry.toUpperCase() ? 0 : 1000),
  settle: (view: Drawn) => view,
  since: () => 0,
};

let heard: string[];
let isCalm: boolean;
let playback: Playback<Drawn, string>;

const step = (number: number, entries: string, ...to_act: number[]): Step =>
  ({ type: "step", number, at: 0, entries: Array.from(entries), to_act }) as unknown as Step;

function visible(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
}

beforeEach(() => {
  vi.useFakeTimers();
  visible("visible");
  heard = [];
  isCalm = false;
  playback = new Playback(
    staging,
    drawn(""),
    () => isCalm,
    (entry) => heard.push(entry),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("showing", () => {
  it("is one thing after the other, each for as long as it needs", () => {
    playback.step(step(1, "ab"));
    expect([playback.shown.text, playback.now, playback.running]).toEqual(["a", "a", true]);
    vi.advanceTimersByTime(999);
    expect(playback.shown.text).toBe("a");
    vi.advanceTimersByTime(1);
    expect([playback.shown.text, playback.now]).toEqual(["ab", "b"]);
    vi.advanceTimersByTime(1000);
    expect([playback.shown.text, playback.now, playback.running]).toEqual(["ab", undefined, false]);
    expect(heard).toEqual(["a", "b"]);
  });

  it("goes on with what comes meanwhile", () => {
    playback.step(step(1, "a"));
    playback.step(step(2, "b"));
    expect(playback.shown.text).toBe("a");
    vi.advanceTimersByTime(1000);
    expect(playback.shown.text).toBe("ab");
  });

  it("gives way to what comes meanwhile, in real time", () => {
    playback = new Playback({ ...staging, realTime: true }, drawn(""), undefined, (entry) => heard.push(entry));
    playback.step(step(1, "ab"));
    playback.step(step(2, "C"));
    expect([playback.shown.text, playback.running]).toEqual(["abC", false]);
    expect(heard).toEqual(["a", "C"]);
  });

  it("does not stop for what takes no time", () => {
    playback.step(step(1, "ABcD"));
    expect(playback.shown.text).toBe("ABc");
    vi.advanceTimersByTime(1000);
    expect([playback.shown.text, playback.running]).toEqual(["ABcD", false]);
  });

  it("ends with whom the table waits for then", () => {
    playback.step(step(1, "ab", 2));
    expect(playback.shown.to_act).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(playback.shown.to_act).toEqual([2]);
    playback.step(step(2, "AB", 0, 1));
    vi.advanceTimersByTime(1000);
    expect(playback.shown.to_act).toEqual([0, 1]);
  });

  it("takes a glance only for those who want less motion", () => {
    isCalm = true;
    playback.step(step(1, "ab"));
    vi.advanceTimersByTime(250);
    expect(playback.shown.text).toBe("ab");
  });
});

describe("a view", () => {
  it("is the picture at once when nothing is being shown", () => {
    playback.settle(drawn("view"), 1);
    expect(playback.shown.text).toBe("view");
  });

  it("has its turn after everything that is in it", () => {
    playback.step(step(1, "ab"));
    playback.settle(drawn("view"), 1);
    vi.advanceTimersByTime(1000);
    expect(playback.shown.text).toBe("ab");
    vi.advanceTimersByTime(1000);
    expect([playback.shown.text, playback.running]).toEqual(["view", false]);
  });

  it("comes before what happened later", () => {
    playback.step(step(1, "ab"));
    playback.step(step(2, "c"));
    playback.settle(drawn("view-"), 1);
    vi.advanceTimersByTime(2000);
    expect(playback.shown.text).toBe("view-c");
  });

  it("that comes too late is not shown: there will be another", () => {
    playback.step(step(1, "A"));
    playback.step(step(2, "b"));
    playback.settle(drawn("old"), 1);
    vi.advanceTimersByTime(1000);
    expect(playback.shown.text).toBe("Ab");
    playback.settle(drawn("new"), 2);
    expect(playback.shown.text).toBe("new");
  });

  it("that is ahead of a step has that step in it", () => {
    playback.settle(drawn("view-"), 3);
    playback.step(step(2, "b"));
    playback.step(step(3, "c"));
    expect([playback.shown.text, playback.running]).toEqual(["view-", false]);
    playback.step(step(4, "d"));
    expect(playback.shown.text).toBe("view-d");
  });

  it("may belong to a line that was no step", () => {
    playback.step(step(1, "a"));
    playback.settle(drawn("view"), 2);
    vi.advanceTimersByTime(1000);
    expect(playback.shown.text).toBe("view");
  });
});

describe("a reset", () => {
  it("shows how things are and forgets the rest", () => {
    playback.step(step(1, "abc"));
    playback.reset(drawn("anew-"), 7);
    expect([playback.shown.text, playback.running]).toEqual(["anew-", false]);
    vi.advanceTimersByTime(5000);
    expect(playback.shown.text).toBe("anew-");
    playback.step(step(7, "x"));
    playback.step(step(8, "d"));
    expect(playback.shown.text).toBe("anew-d");
  });

  it("may go back to an earlier number", () => {
    playback.settle(drawn("view"), 90);
    playback.reset(drawn("anew-"), 3);
    playback.step(step(4, "d"));
    expect(playback.shown.text).toBe("anew-d");
  });
});

describe("skipping", () => {
  it("shows the end at once and makes no noise about it", () => {
    playback.step(step(1, "abc"));
    playback.settle(drawn("view"), 1);
    playback.skip();
    expect([playback.shown.text, playback.running]).toEqual(["view", false]);
    vi.advanceTimersByTime(5000);
    expect(playback.shown.text).toBe("view");
    expect(heard).toEqual(["a"]);
  });

  it("is for this time only", () => {
    playback.step(step(1, "ab"));
    playback.skip();
    playback.step(step(2, "cd"));
    expect([playback.shown.text, playback.running]).toEqual(["abc", true]);
  });

  it("happens by itself when nobody looks", () => {
    visible("hidden");
    playback.step(step(1, "abc"));
    expect([playback.shown.text, playback.running]).toEqual(["abc", false]);
    expect(heard).toEqual([]);
  });

  it("happens by itself when more than five seconds are waiting", () => {
    playback.step(step(1, "a"));
    playback.step(step(2, "bcdef"));
    expect(playback.shown.text).toBe("a");
    playback.step(step(3, "g"));
    expect([playback.shown.text, playback.running]).toEqual(["abcdefg", false]);
  });
});
