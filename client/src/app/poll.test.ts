import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { regularly } from "./poll";

let visibility: DocumentVisibilityState = "visible";

beforeEach(() => {
  vi.useFakeTimers();
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function look(state: DocumentVisibilityState) {
  visibility = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

it("asks at once, then every so often, also after a failure", async () => {
  const ask = vi.fn(async () => {
    throw new Error("no");
  });
  const stop = regularly(ask, 1000);
  await vi.advanceTimersByTimeAsync(2500);
  expect(ask).toHaveBeenCalledTimes(3);
  stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(ask).toHaveBeenCalledTimes(3);
});

it("rests while nobody looks", async () => {
  const ask = vi.fn(async () => undefined);
  const stop = regularly(ask, 1000);
  await vi.advanceTimersByTimeAsync(500);
  look("hidden");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ask).toHaveBeenCalledTimes(1);
  look("visible");
  expect(ask).toHaveBeenCalledTimes(2);
  stop();
});
