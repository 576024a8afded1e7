import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "./inbox";

let read: string[];
let inbox: Inbox;

beforeEach(() => {
  vi.useFakeTimers();
  read = [];
  inbox = new Inbox((message) => read.push(message));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("an inbox", () => {
  it("is read once for each picture, in order", () => {
    inbox.put("one");
    inbox.put("two");
    expect(read).toEqual([]);
    vi.advanceTimersToNextFrame();
    expect(read).toEqual(["one"]);
    vi.advanceTimersToNextFrame();
    expect(read).toEqual(["one", "two"]);
    inbox.put("three");
    vi.advanceTimersToNextFrame();
    expect(read).toEqual(["one", "two", "three"]);
  });

  it("spreads a burst over some pictures", () => {
    for (let number = 0; number < 12; number++) inbox.put(`${number}`);
    const after = Array.from({ length: 7 }, () => {
      vi.advanceTimersToNextFrame();
      return read.length;
    });
    expect(after).toEqual([3, 6, 8, 9, 10, 11, 12]);
  });

  it("reads what we see now together with the step that has changed it", () => {
    const views = '{"type":"views","number":2}';
    for (const message of ["one", "two", views, "three"]) inbox.put(message);
    const after = Array.from({ length: 3 }, () => {
      vi.advanceTimersToNextFrame();
      return [...read];
    });
    expect(after).toEqual([["one"], ["one", "two", views], ["one", "two", views, "three"]]);
  });

  it("is read in one go if much was missed", () => {
    for (let number = 0; number < 500; number++) inbox.put(`${number}`);
    vi.advanceTimersToNextFrame();
    expect(read).toHaveLength(500);
  });

  it("lets the picture of what somebody has just done go first", () => {
    dispatchEvent(new Event("pointerdown"));
    inbox.put("one");
    vi.advanceTimersToNextFrame();
    expect(read).toEqual([]);
    vi.advanceTimersToNextFrame();
    expect(read).toEqual(["one"]);
  });

  it("does not wait for a picture that is not drawn", () => {
    vi.spyOn(globalThis, "requestAnimationFrame").mockReturnValue(1);
    inbox.put("one");
    vi.advanceTimersByTime(100);
    expect(read).toEqual(["one"]);
  });

  it("is read at once where nobody looks", () => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    inbox.put("one");
    expect(read).toEqual(["one"]);
  });

  it("tells nothing twice", () => {
    inbox.put("one");
    inbox.empty();
    vi.advanceTimersByTime(1000);
    expect(read).toEqual(["one"]);
  });
});
