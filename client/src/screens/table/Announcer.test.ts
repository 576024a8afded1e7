import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { house, step, tableOf, type FakeSocket } from "~/testing/fakeTable";
import { getUp, lay, out, ui, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import { speak } from "~/words/words.svelte";
import Announcer from "./Announcer.svelte";

let live: LiveTable;
let socket: FakeSocket;

beforeAll(() => speak("en"));
beforeEach(() => {
  vi.useFakeTimers();
  ({ live, socket } = sitDown([0], {
    lines: [step(9, { entries: [out(1)] })],
    talk: [{ type: "say", number: 8, at: 0, seat: 1, text: "Hi" }],
  }));
});
afterEach(() => {
  cleanup();
  getUp(live);
  vi.useRealTimers();
});

const props = (text: string, mine: boolean) => ({ live, ui, seat: 0, prompt: { text }, mine });

/** What is read until now: politely, and at once. */
async function heard(): Promise<[string, string]> {
  await vi.advanceTimersByTimeAsync(400);
  const read = (how: string) =>
    [...document.querySelectorAll(`[aria-live=${how}] p`)].map((one) => one.textContent).join(" ");
  return [read("polite"), read("assertive")];
}

it("says nothing of what happened before, only what goes on", async () => {
  render(Announcer, props("Bo thinks.", false));
  expect(await heard()).toEqual(["Bo thinks.", ""]);
});

it("calls whose move it is", async () => {
  const { rerender } = render(Announcer, props("Lay a card.", true));
  expect(await heard()).toEqual(["", "Lay a card."]);
  await rerender(props("Wait.", false));
  expect(await heard()).toEqual(["", "Lay a card."]);
  await rerender(props("Exchange cards.", true));
  expect(await heard()).toEqual(["", "Exchange cards."]);
});

it("reads what happens together in one go, and each thing once", async () => {
  render(Announcer, props("Wait.", false));
  await heard();
  socket.say(step(11, { entries: [out(1), out(2)] }), house(12, "away", 1));
  expect((await heard())[0]).toBe("Bo is out. Cy is out. Bo is away, so a bot plays along.");
  socket.say({ type: "react", number: 13, at: 0, seat: 2, sign: "wow" });
  expect((await heard())[0]).toBe("Cy: Wow!");
});

it("says the same again when the same happens again", async () => {
  render(Announcer, props("Wait.", false));
  await heard();
  socket.say({ type: "react", number: 11, at: 0, seat: 2, sign: "wow" });
  await heard();
  const before = document.querySelector("[aria-live=polite] p");
  socket.say({ type: "react", number: 12, at: 0, seat: 2, sign: "wow" });
  await heard();
  expect(document.querySelector("[aria-live=polite] p")).not.toBe(before);
});

it("does not repeat what one has said oneself", async () => {
  render(Announcer, props("Wait.", false));
  await heard();
  socket.say({ type: "say", number: 11, at: 0, seat: 0, text: "Hello" });
  expect((await heard())[0]).toBe("Wait.");
});

it("does not call again because others decide", async () => {
  const { rerender } = render(Announcer, props("Lay a card.", true));
  await heard();
  const before = document.querySelector("[aria-live=assertive] p");
  socket.say(step(11, { entries: [lay(1)] }));
  await rerender(props("Lay a card.", true));
  await heard();
  expect(document.querySelector("[aria-live=assertive] p")).toBe(before);
});

it("calls again when one has decided and is asked again at once, after what has happened", async () => {
  render(Announcer, props("Lay a card.", true));
  await heard();
  socket.say(step(11, { entries: [lay(0), out(1)] }));
  expect((await heard())[1]).toBe("Bo is out. Lay a card.");
});

it("tells those who were away for long only the last of it", async () => {
  render(Announcer, props("Wait.", false));
  await heard();
  socket.say(step(11, { entries: Array.from({ length: 40 }, () => out(1)) }));
  expect((await heard())[0].match(/Bo is out/g)).toHaveLength(12);
});

it("names those who have just got up", async () => {
  render(Announcer, props("Wait.", false));
  await heard();
  const { seats } = tableOf("Ada", "Bo", "Cy");
  seats[1] = { kind: "free", name: null, bot: null, stand_in: false, pledge: null };
  socket.say(house(11, "begin", null), house(12, "leave", 1, { seats, phase: "over" }));
  expect((await heard())[0]).toBe("The game begins. Bo has got up.");
});

it("tells only what concerns the listener where all happens at once", async () => {
  const realTime = { runs: () => true, hear: () => null, overtaken: () => false };
  const real = { ...props("Reach!", true), ui: { ...ui, realTime } };
  const first = { text: "You hold a pizza." };
  const shown = render(Announcer, { ...real, announcements: [first] });
  expect(await heard()).toEqual(["You hold a pizza.", ""]);
  socket.say(step(11, { entries: [out(2)] }));
  await shown.rerender({ announcements: [first, { text: "You hold a pizza." }] });
  expect(await heard()).toEqual(["You hold a pizza.", ""]);
});
