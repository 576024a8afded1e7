import { cleanup, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { presence, tableOf, type FakeSocket } from "~/testing/fakeTable";
import { getUp, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import { speak } from "~/words/words.svelte";
import Clock from "./Clock.svelte";
import { clockFace } from "~/words/clock";

let live: LiveTable;
let socket: FakeSocket;
const AHEAD = 3_600_000; // the server's clock and ours differ

beforeAll(() => speak("en"));
beforeEach(() => {
  vi.useFakeTimers();
  const table = tableOf("Ada", "Bo", "Cy");
  table.terms.decision_s = 60;
  ({ live, socket } = sitDown([0], { table, now: Date.now() + AHEAD }));
});
afterEach(() => {
  cleanup();
  getUp(live);
  vi.useRealTimers();
});

const due = (...seconds: (number | null)[]) =>
  presence({
    here: [true, false, true],
    due: seconds.map((one) => (one === null ? null : Date.now() + AHEAD + one * 1000)),
  });
const timer = () => document.querySelector("[role=timer]");
const label = () => timer()?.getAttribute("aria-label");

it("shows nothing while nobody is waited for", () => {
  render(Clock, { live, seat: 0 });
  expect(timer()).toBeNull();
});

it("counts down by the second, by the server's clock, and gets urgent", async () => {
  socket.say(due(30, null, null));
  render(Clock, { live, seat: 0 });
  await tick();
  expect(label()).toBe("You have 30 seconds left.");
  expect(timer()!.textContent).toContain("0:30");
  await vi.advanceTimersByTimeAsync(19_000);
  expect(label()).toBe("You have 11 seconds left.");
  expect(document.querySelector("[aria-live]")!.textContent).toBe("");
  await vi.advanceTimersByTimeAsync(1000);
  expect(timer()!.textContent).toContain("Hurry!");
  expect(document.querySelector("[aria-live]")!.textContent).toBe("Ten seconds left.");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(label()).toBe("You have 0 seconds left.");
});

it("goes away when the decision is taken", async () => {
  socket.say(due(30, null, null));
  render(Clock, { live, seat: 0 });
  await tick();
  socket.say(due(null, null, null));
  await tick();
  expect(timer()).toBeNull();
});

it("says when a bot plays for somebody who is away", async () => {
  socket.say(due(null, 40, null));
  render(Clock, { live, seat: 1 });
  await tick();
  expect(label()).toBe("A bot plays for Bo in 0:40");
});

it("tells how long another one may still think", async () => {
  socket.say(due(null, null, 5));
  render(Clock, { live, seat: 2 });
  await tick();
  expect(label()).toBe("Cy has 5 seconds left.");
  expect(timer()!.textContent).not.toContain("Hurry!");
});

it.each([
  [0, "0:00"],
  [1, "0:01"],
  [40_000, "0:40"],
  [600_000, "10:00"],
  [-5, "0:00"],
])("writes %i ms as %s", (ms, face) => {
  expect(clockFace(ms)).toBe(face);
});
