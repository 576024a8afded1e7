import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { askedRule, understood } from "~/app/askedRule.svelte";
import { house, step, tableOf } from "~/testing/fakeTable";
import { end, getUp, out, round, ui, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import { speak } from "~/words/words.svelte";
import Log from "./Log.svelte";

let live: LiveTable;

beforeAll(() => speak("en"));
afterEach(async () => {
  cleanup();
  getUp(live);
  vi.mocked(ui.tell).mockClear();
  await speak("en");
});

const texts = () => [...document.querySelectorAll("h3 .text, li .text")].map((one) => one.textContent);

const LINES = [
  house(1, "begin", null),
  house(2, "pledge", 0),
  step(3, { entries: [round(1)] }),
  { type: "say", number: 4, at: 0, seat: 1, text: "Hi" } as const,
  step(5, { entries: [out(1), round(2), out(2)] }),
];

it("tells the game round by round, and of the house what matters", () => {
  ({ live } = sitDown([0], { lines: LINES }));
  render(Log, { live, ui });
  expect(texts()).toEqual(["The game begins.", "Round 1.", "Bo is out.", "Round 2.", "Cy is out."]);
  const [first, second, third] = document.querySelectorAll("section");
  expect(first!.querySelector("h3")).toBeNull();
  expect(second!.querySelectorAll("li")).toHaveLength(1);
  expect(third!.querySelector("h3")!.textContent).toContain("Round 2.");
  expect(document.querySelector("[role=log]")!.getAttribute("aria-live")).toBe("off");
});

it("shows nothing beyond what may be known yet", () => {
  ({ live } = sitDown([0], { lines: LINES }));
  render(Log, { live, ui, upTo: 3 });
  expect(texts()).toEqual(["The game begins.", "Round 1."]);
});

it("opens the rule behind a sentence", () => {
  ({ live } = sitDown([0], { lines: [step(3, { entries: [out(1)] })] }));
  const { getByRole } = render(Log, { live, ui });
  getByRole("button").click();
  expect(askedRule()).toEqual({ game: "buffet", rule: "B10" });
  understood();
});

it("is one stop for the keyboard, and arrows go from rule to rule in it, the newest first", async () => {
  ({ live } = sitDown([0], { lines: LINES }));
  const { getAllByRole, getByRole } = render(Log, { live, ui });
  const rules = getAllByRole("button");
  expect(rules.map((one) => one.tabIndex)).toEqual([-1, -1]);
  const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });
  getByRole("log").focus();
  await press("ArrowDown");
  expect(document.activeElement).toBe(rules[1]);
  for (const expected of [rules[0], rules[0]]) {
    await press("ArrowUp");
    expect(document.activeElement).toBe(expected);
  }
});

it("puts only what is new into words, until the language changes", async () => {
  const { socket, ...at } = sitDown([0], { lines: LINES });
  live = at.live;
  render(Log, { live, ui });
  expect(ui.tell).toHaveBeenCalledTimes(4);
  socket.say(step(11, { entries: [out(0)] }));
  await tick();
  expect(texts().at(-1)).toBe("Ada is out.");
  expect(ui.tell).toHaveBeenCalledTimes(5);
  await speak("de");
  await tick();
  expect(texts()[0]).toBe("Das Spiel beginnt.");
  expect(ui.tell).toHaveBeenCalledTimes(10);
});

it("calls people what they were called then, also after they have gone", async () => {
  const { socket, ...at } = sitDown([0], { lines: [house(1, "begin", null), step(2, { entries: [out(1)] })] });
  live = at.live;
  render(Log, { live, ui });
  const left = tableOf("Ada", "Bo", "Cy");
  left.seats[1] = { kind: "free", name: null, bot: null, stand_in: false, pledge: null };
  socket.say(step(11, { entries: [end] }), house(12, "leave", 1, { seats: left.seats, phase: "over" }));
  socket.say(house(13, "sit", 1, { seats: tableOf("Ada", "Eve", "Cy").seats, phase: "over" }));
  await tick();
  expect(texts()).toEqual(["The game begins.", "Bo is out.", "It is the end.", "Bo has got up.", "Eve sits down."]);
});

it("says so when nothing has happened", () => {
  ({ live } = sitDown([0]));
  const { getByText } = render(Log, { live, ui });
  getByText("Nothing has happened yet.");
});

it("calls somebody who was asked to leave by name, though a bot sits there now", () => {
  const bot = { kind: "bot", name: "Eli", bot: "greedy", stand_in: false, pledge: null } as const;
  const { seats } = tableOf("Ada", "Bo", "Cy");
  const table = { seats: [seats[0]!, bot, seats[2]!] };
  const lines = [house(1, "begin", null), house(2, "remove", 1, table), step(3, { entries: [out(1)] })];
  ({ live } = sitDown([0], { lines, table: { ...tableOf("Ada", "Bo", "Cy"), ...table } }));
  render(Log, { live, ui });
  expect(texts().slice(1)).toEqual(["Bo was asked to leave; the bot Eli plays on.", "Eli is out."]);
});
