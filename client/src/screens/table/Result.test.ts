import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { step, tableOf } from "~/testing/fakeTable";
import { end, getUp, ui, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import type { BuffetView, GameEntry, TableView } from "~/wire/messages";
import { speak } from "~/words/words.svelte";
import Result from "./Result.svelte";

let live: LiveTable;
const view = { game: "buffet", over: true } as BuffetView;

function finish(seats: number[], { last = end, table = {} }: { last?: typeof end; table?: Partial<TableView> } = {}) {
  const over: TableView = { ...tableOf("Ada", "Bo", "Cy"), phase: "over", ...table };
  const lines = [step(9, { entries: [last] })];
  const { socket, ...at } = sitDown(seats, {
    table: over,
    lines,
    views: [{ seat: null, observation: view, raw: null }],
  });
  live = at.live;
  const onclose = vi.fn();
  const onmenu = vi.fn();
  return { socket, onclose, onmenu, ...render(Result, { live, ui, view, onclose, onmenu }) };
}

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  getUp(live);
});

const places = () => [...document.querySelectorAll("ol li")].map((one) => one.textContent.replace(/\s+/g, " ").trim());

it("shows places, points and why they are so", () => {
  const { getByRole, getByText } = finish([1]);
  getByRole("dialog", { name: "Ada wins!" });
  expect(places()).toEqual(["1. Ada 3 points", "2. Cy 2 points", "3. Bo you −1 point"]);
  getByText("Ada has most.");
  getByRole("button", { name: /B22/ });
});

it("congratulates whoever has won", () => {
  finish([0]).getByRole("dialog", { name: "You win!" });
});

it("knows shared victories", () => {
  const last: GameEntry = { by: "table", do: "end", scores: [3, 3, 2], places: [1, 1, 3] };
  finish([0], { last }).getByRole("dialog", { name: "Ada and Bo win together!" });
  expect(document.querySelectorAll(".winner")).toHaveLength(2);
});

it("lets the host have another round, and the others wait for it", () => {
  const host = finish([0]);
  host.getByRole("button", { name: "Another round!" }).click();
  expect(host.socket.asked("rematch")).toHaveLength(1);
  cleanup();
  getUp(live);
  const guest = finish([1]);
  guest.getByText("Waiting whether Ada wants another round.");
  expect(guest.queryByRole("button", { name: "Another round!" })).toBeNull();
});

it("leads the host to what only the host may do", () => {
  const host = finish([0]);
  host.getByRole("button", { name: "Menu" }).click();
  expect(host.onmenu).toHaveBeenCalledOnce();
  cleanup();
  getUp(live);
  expect(finish([1]).queryByRole("button", { name: "Menu" })).toBeNull();
});

it("gives the record, the board and the way home", () => {
  const { getByRole, onclose } = finish([1], { table: { match: 3 } });
  const record = getByRole("link", { name: "Download the game record" });
  expect(record.getAttribute("href")).toBe("/api/tables/nupadure/games/3/record");
  expect(record.hasAttribute("download")).toBe(true);
  expect(getByRole("link", { name: "To the start page" }).getAttribute("href")).toBe("/");
  getByRole("button", { name: "Look at the board" }).click();
  expect(onclose).toHaveBeenCalledOnce();
});
