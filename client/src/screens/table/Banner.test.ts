import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { keyRing } from "~/device/keys.svelte";
import { bye, CODE, FakeSocket, house, resumed } from "~/testing/fakeTable";
import { FIRST, getUp, sitDown } from "~/testing/liveTable";
import { LiveTable } from "~/table/live.svelte";
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

const status = () => document.querySelector("[role=status]")!.textContent.trim();

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

it("tells those who were asked to leave from those who have taken their seat along", async () => {
  const { getByRole, getByText } = render(Banner, { live, onwatch: vi.fn() });
  socket.say(house(FIRST + 1, "remove", 0), bye("seat-moved"));
  await vi.advanceTimersByTimeAsync(0);
  getByRole("dialog", { name: "The host has asked you to leave" });
  getByText("A bot plays on in your seat. You can still watch, or call it a day.");
  getByRole("button", { name: "Watch instead" });
});

describe("a table that is closed", () => {
  const finished = (...matches: number[]) =>
    vi.stubGlobal("fetch", async () => Response.json({ results: matches.map((match) => ({ match })) }));

  it.each([
    [[0], "You have closed this table"],
    [[1], "Ada has closed this table"],
    [[], "Ada has closed this table"],
  ])("says so to seats %j, also before the goodbye", async (seats, title) => {
    getUp(live);
    ({ live, socket } = sitDown(seats));
    finished();
    const { getByRole, getByText, queryByRole } = render(Banner, { live, onwatch: vi.fn() });
    socket.say(house(FIRST + 1, "close", 0, { phase: "closed" }));
    await vi.advanceTimersByTimeAsync(0);
    getByRole("dialog", { name: title });
    socket.say(bye("table-closed"));
    await vi.advanceTimersByTimeAsync(0);
    getByRole("dialog", { name: title });
    getByText("Nothing more is played here. See you at another table!");
    expect(getByRole("link").getAttribute("href")).toBe("/");
    expect(queryByRole("button")).toBeNull();
    expect(keyRing.at(CODE)).toHaveLength(seats.length); // to be forgotten at home
  });

  it("says so to whoever comes later, and leads to the last game", async () => {
    getUp(live);
    vi.stubGlobal("WebSocket", FakeSocket);
    finished(1, 2);
    live = new LiveTable(CODE);
    const { getByRole } = render(Banner, { live, onwatch: vi.fn() });
    FakeSocket.last.accept().say(bye("table-closed"));
    await vi.advanceTimersByTimeAsync(0);
    getByRole("dialog", { name: "The host has closed this table" });
    expect(getByRole("link", { name: "Look back" }).getAttribute("href")).toBe("/replay/nupadure/2");
  });
});
