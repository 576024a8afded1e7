import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { house, welcome, FakeSocket } from "~/testing/fakeTable";
import { getUp, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import { speak } from "~/words/words.svelte";
import TakeAlong from "./TakeAlong.svelte";

let live: LiveTable;
let socket: FakeSocket;

beforeAll(() => speak("en"));
beforeEach(() => {
  vi.useFakeTimers();
  ({ live, socket } = sitDown([0, 2]));
});
afterEach(() => {
  cleanup();
  getUp(live);
  vi.useRealTimers();
});

async function give(pass: string): Promise<void> {
  const { id } = socket.asked("pass").at(-1)!;
  socket.say({ type: "accepted", id: id as string, number: 10, pass });
  await vi.advanceTimersByTimeAsync(0);
}

const link = () => document.querySelector("input")?.value;

it("shows a link that works once, for ten minutes, and then another one", async () => {
  const { getByRole, queryByRole, getByText } = render(TakeAlong, { live, seat: 2, onclose: vi.fn() });
  expect(socket.asked("pass")).toMatchObject([{ seat: 2 }]);
  await give("secret");
  expect(link()).toBe(`${location.origin}/t/nupadure#pass=secret`);
  getByRole("img", { name: "QR code that moves Cy’s seat" });
  getByText("10:00 left");
  await vi.advanceTimersByTimeAsync(5000);
  getByText("9:55 left");
  vi.setSystemTime(Date.now() + 600_000);
  await vi.advanceTimersByTimeAsync(1000);
  getByText("This link has run out.");
  expect(queryByRole("img")).toBeNull();
  expect(link()).toBeUndefined();
  getByRole("button", { name: "Make a new one" }).click();
  await give("another");
  expect(link()).toMatch(/#pass=another$/);
});

it("says why there is no link", async () => {
  const { getByRole } = render(TakeAlong, { live, seat: 2, onclose: vi.fn() });
  const { id } = socket.asked("pass")[0]!;
  socket.say({ type: "refused", id: id as string, code: "not-your-seat", rule: null, sentence: "Not yours." });
  await vi.advanceTimersByTimeAsync(0);
  getByRole("alert");
  getByRole("button", { name: "Make a new one" }).click();
  await give("secret");
  expect(link()).toMatch(/#pass=secret$/);
});

it("closes when the seat has arrived at the other device", async () => {
  const onclose = vi.fn();
  render(TakeAlong, { live, seat: 2, onclose });
  await give("secret");
  expect(onclose).not.toHaveBeenCalled();
  socket.say(house(11, "take", 2));
  FakeSocket.last.accept().say(welcome(11, { seats: [0] }));
  await vi.advanceTimersByTimeAsync(0);
  expect(onclose).toHaveBeenCalledOnce();
});
