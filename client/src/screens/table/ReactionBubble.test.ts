import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { getUp, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import type { FakeSocket } from "~/testing/fakeTable";
import { speak } from "~/words/words.svelte";
import ReactionBubble from "./ReactionBubble.svelte";

let live: LiveTable;
let socket: FakeSocket;

beforeAll(() => speak("en"));
beforeEach(() => {
  vi.useFakeTimers();
  ({ live, socket } = sitDown([0], { talk: [{ type: "say", number: 3, at: 0, seat: 1, text: "Old" }] }));
});
afterEach(() => {
  cleanup();
  getUp(live);
  vi.useRealTimers();
});

const shown = () => [...document.querySelectorAll("p")].map((one) => one.textContent.trim());
const say = (number: number, text: string) => socket.say({ type: "say", number, at: 0, seat: 1, text });

it("shows what is said for a while, at most three things, and nothing old", async () => {
  render(ReactionBubble, { live });
  await vi.advanceTimersByTimeAsync(0);
  expect(shown()).toEqual([]);
  say(11, "One");
  await vi.advanceTimersByTimeAsync(2000);
  expect(shown()).toEqual(["One"]);
  for (const [index, text] of ["Two", "Three", "Four"].entries()) say(12 + index, text);
  await vi.advanceTimersByTimeAsync(1000);
  expect(shown()).toEqual(["Two", "Three", "Four"]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown()).toEqual([]);
  expect(document.querySelector(".bubbles")!.getAttribute("aria-hidden")).toBe("true");
});
