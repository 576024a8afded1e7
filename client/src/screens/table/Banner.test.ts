import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { bye, FakeSocket, resumed } from "~/testing/fakeTable";
import { FIRST, getUp, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import { speak } from "~/words/words.svelte";
import Banner from "./Banner.svelte";

let live: LiveTable;
let socket: FakeSocket;

beforeAll(() => speak("en"));
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.999);
  ({ live, socket } = sitDown([0]));
});
afterEach(() => {
  cleanup();
  getUp(live);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const status = () => document.querySelector("[role=status]")!.textContent!.trim();

it("says nothing about short hiccups", async () => {
  render(Banner, { live, onwatch: vi.fn() });
  socket.breakDown();
  await vi.advanceTimersByTimeAsync(390);
  expect(status()).toBe("");
  FakeSocket.last.accept().say(resumed(FIRST));
  await vi.advanceTimersByTimeAsync(5000);
  expect(status()).toBe("");
});

it("says how it is about a line that stays broken, until it is whole", async () => {
  render(Banner, { live, onwatch: vi.fn() });
  socket.breakDown();
  await vi.advanceTimersByTimeAsync(410);
  expect(status()).toBe("Reconnecting …");
  FakeSocket.last.accept().say(resumed(FIRST + 1));
  await vi.advanceTimersByTimeAsync(0);
  expect(status()).toBe("Catching up …");
  FakeSocket.last.say({ type: "say", number: FIRST + 1, at: 0, seat: 1, text: "Hi" });
  await vi.advanceTimersByTimeAsync(0);
  expect(status()).toBe("");
});

it("knows when the device itself is offline", async () => {
  render(Banner, { live, onwatch: vi.fn() });
  dispatchEvent(new Event("offline"));
  await vi.advanceTimersByTimeAsync(410);
  expect(status()).toMatch(/offline/);
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(status()).toBe("Reconnecting …");
});

it("says goodbye with a reason, and what can be done", async () => {
  const onwatch = vi.fn();
  const { getByRole } = render(Banner, { live, onwatch });
  socket.say(bye("seat-moved"));
  await vi.advanceTimersByTimeAsync(1000);
  getByRole("dialog", { name: "Your seat is on another device now" });
  getByRole("button", { name: "Watch instead" }).click();
  expect(onwatch).toHaveBeenCalledOnce();
  expect(getByRole("link").getAttribute("href")).toBe("/");
  expect(status()).toBe("");
});

it.each([
  ["no-such-table", "There is no such table", 0],
  ["too-fast", "That was a bit much at once", 1],
  ["something-new", "The table has said goodbye", 1],
])("knows what %s means", async (code, title, buttons) => {
  const { getByRole, queryAllByRole } = render(Banner, { live, onwatch: vi.fn() });
  socket.say(bye(code));
  await vi.advanceTimersByTimeAsync(0);
  getByRole("dialog", { name: title });
  expect(queryAllByRole("button")).toHaveLength(buttons);
});
