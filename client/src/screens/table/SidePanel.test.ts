import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { FakeSocket } from "~/testing/fakeTable";
import { getUp, ui, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import { speak } from "~/words/words.svelte";
import SidePanel from "./SidePanel.svelte";

let live: LiveTable;
let socket: FakeSocket;

beforeAll(() => speak("en"));
beforeEach(() => void ({ live, socket } = sitDown([0])));
afterEach(() => {
  cleanup();
  getUp(live);
});

it("has tabs that keys move between", async () => {
  const { getByRole, getAllByRole } = render(SidePanel, { live, ui, seat: 0 });
  const [log, talk] = getAllByRole("tab");
  expect([log!.getAttribute("aria-selected"), talk!.getAttribute("aria-selected")]).toEqual(["true", "false"]);
  expect([log!.tabIndex, talk!.tabIndex]).toEqual([0, -1]);
  expect(getByRole("tabpanel").getAttribute("aria-labelledby")).toBe(log!.id);
  log!.focus();
  for (const [key, chosen] of [
    ["ArrowRight", talk],
    ["ArrowRight", log],
    ["ArrowLeft", talk],
    ["Home", log],
    ["End", talk],
  ] as const) {
    await fireEvent.keyDown(document.activeElement!, { key });
    expect(document.activeElement).toBe(chosen);
    expect(chosen!.getAttribute("aria-selected")).toBe("true");
  }
  expect(getByRole("tabpanel").getAttribute("aria-labelledby")).toBe(talk!.id);
});

it("counts what was not read, and opens with it", async () => {
  const { getByRole } = render(SidePanel, { live, ui, seat: 0 });
  socket.say({ type: "say", number: 11, at: 0, seat: 1, text: "Hello?" });
  await tick();
  expect(getByRole("tab", { name: "Talk 1 new message" }).getAttribute("aria-selected")).toBe("false");
  cleanup();
  render(SidePanel, { live, ui, seat: 0 });
  expect(getByRole("tab", { name: /Talk/ }).getAttribute("aria-selected")).toBe("true");
});
