import { cleanup, fireEvent, render, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import buffet from "~/games/buffet/fixtures/game-3.json";
import { aView as aBuffetView } from "~/games/buffet/testing";
import { Playback } from "~/table/playback.svelte";
import { loadWords, speak } from "~/words/words.svelte";
import Board from "./Board.svelte";
import { entryText } from "./reading";
import { staging } from "./staging";
import { aView, NAMES } from "./testing";
import type { AnyDecision, AnyEntry, AnyView } from "./view";

const act = vi.fn<(decision: AnyDecision) => Promise<boolean>>();

function show(view: AnyView, seat: number | null = view.seat, more: { lookingBack?: boolean; names?: string[] } = {}) {
  const playback = new Playback<AnyView, AnyEntry>(staging, view);
  const props = { playback, seat, view, names: NAMES, bots: [false, true], act, ...more };
  const shown = render(Board, props);
  const choices = () => within(shown.getByRole("region", { name: "Your choices" }));
  return { ...shown, playback, choices, see: (changed: AnyView) => shown.rerender({ ...props, view: changed }) };
}

const focused = () => document.activeElement?.textContent.trim();
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.activeElement!, { key, ...more });

beforeAll(async () => {
  await speak("en");
  await loadWords("generic");
});
beforeEach(() => act.mockReset().mockResolvedValue(true));
afterEach(cleanup);

describe("what is seen", () => {
  it("stands in labelled groups, the own first", () => {
    const { getByRole, getAllByRole } = show(aView());
    expect(getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent)).toEqual([
      "For your eyes only",
      "At the table",
      "On the table",
      "Your choices",
    ]);
    expect(getByRole("region", { name: "For your eyes only" }).textContent).toMatch(/hand\s*2\s*5\s*9/);
    expect(getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent.trim())).toEqual(NAMES);
  });

  it("has oneself before the others", () => {
    const { getAllByRole } = show(aView({ seat: 1 }));
    expect(getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent.trim())).toEqual(["Bo", "Ada"]);
  });

  it("is nothing but what has happened while people share the screen and nobody looks", async () => {
    const { playback, container, queryByRole } = show(aView(), null);
    playback.step({ type: "step", number: 1, at: 0, entries: [{ by: 0, do: "lay", card: 5 }], to_act: [1] } as never);
    await tick();
    expect(queryByRole("region", { name: "For your eyes only" })).toBeNull();
    expect(container.textContent).not.toMatch(/\d/);
    expect(container.textContent).toContain("Ada: lay");
    playback.skip();
  });

  it("is all that lies open for somebody who watches, with nothing to decide", () => {
    const { queryByRole, getByRole } = show(aView({ seat: null, hand: [], legal: [] }));
    expect(getByRole("region", { name: "On the table" }).textContent).toContain("played");
    expect(queryByRole("region", { name: "Your choices" })).toBeNull();
  });

  it("offers nothing to somebody who looks back", () => {
    expect(show(aView(), 0, { lookingBack: true }).queryByRole("button")).toBeNull();
  });

  it("can be any game", () => {
    const names = ["Ada", "Bo", "Cy"];
    const view = aBuffetView(3, { gains: [5, -1, -4] }) as unknown as AnyView;
    const { getByRole } = show(view, 0, { names });
    expect(getByRole("region", { name: "On the table" }).textContent).toMatch(/plates\s*cheese5\s*pizza2/);
    const entries = buffet.steps.flatMap((step) => step.entries as AnyEntry[]);
    expect(entries.length).toBeGreaterThan(100);
    for (const entry of entries) expect(entryText(entry, names, {})).not.toMatch(/undefined|object/);
  });
});

describe("deciding", () => {
  it("is pressing a button in words from the notation", async () => {
    const { choices } = show(aView());
    await fireEvent.click(choices().getByRole("button", { name: "lay: card 5" }));
    expect(act.mock.calls).toEqual([[{ do: "lay", card: 5 }]]);
  });

  it("happens once, however often one presses", async () => {
    let answer = (_: boolean) => {};
    act.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const { choices } = show(aView());
    const button = choices().getByRole("button", { name: "lay: card 5" });
    await fireEvent.click(button);
    await fireEvent.click(button);
    await fireEvent.click(choices().getByRole("button", { name: "lay: card 9" }));
    answer(true);
    await vi.waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"));
    await fireEvent.click(button, { detail: 2 });
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("leads from choice to choice by arrows, and to the first nine by number", async () => {
    const { choices } = show(aView());
    const tabbed = choices()
      .getAllByRole("button")
      .filter(({ tabIndex }) => tabIndex === 0);
    expect(tabbed).toHaveLength(1);
    await fireEvent.keyDown(document.body, { key: "2" });
    expect(focused()).toMatch(/lay: card 5/);
    await press("ArrowRight");
    expect(focused()).toMatch(/lay: card 9/);
    await press("ArrowDown");
    expect(focused()).toMatch(/lay: card 9/);
    await press("Home");
    expect(focused()).toMatch(/lay: card 2/);
    await press("End");
    await press("ArrowUp");
    expect(focused()).toMatch(/lay: card 5/);
    expect(await press("Enter", { repeat: true })).toBe(false);
    expect(await press("4")).toBe(true);
    expect(act).not.toHaveBeenCalled();
  });

  it("keeps the place of those who use keys until they can decide again", async () => {
    const { choices, getByRole, see } = show(aView());
    const button = choices().getByRole("button", { name: "lay: card 5" });
    button.focus();
    await fireEvent.click(button);
    await see(aView({ to_act: [1], hand: [2, 9], legal: [] }));
    expect(document.activeElement).toBe(getByRole("region", { name: "Your choices" }));
    expect(choices().getByText("Nothing to decide right now.")).toBeTruthy();
    await see(aView({ hand: [2, 9], legal: [2, 9].map((card) => ({ do: "lay", card })) }));
    await vi.waitFor(() => expect(focused()).toMatch(/lay: card 2/));
  });

  it("keeps the place of those who use keys when somebody else decides for them", async () => {
    const { choices, getByRole, see } = show(aView());
    choices().getByRole("button", { name: "lay: card 5" }).focus();
    await see(aView({ to_act: [1], hand: [2, 9], legal: [] }));
    expect(document.activeElement).toBe(getByRole("region", { name: "Your choices" }));
    await see(aView({ hand: [2, 9], legal: [2, 9].map((card) => ({ do: "lay", card })) }));
    expect(focused()).toMatch(/lay: card 2/);
  });

  it("keeps the very choice that is looked at, as long as there is it", async () => {
    const { choices, see } = show(aView());
    choices().getByRole("button", { name: "lay: card 9" }).focus();
    await see(aView({ legal: [5, 9].map((card) => ({ do: "lay", card })) }));
    expect(focused()).toMatch(/lay: card 9/);
    expect(document.activeElement).toHaveProperty("tabIndex", 0);
    await see(aView({ legal: [5, 7].map((card) => ({ do: "lay", card })) }));
    expect(focused()).toMatch(/lay: card 5/);
  });

  it("takes the focus from nobody who is elsewhere", async () => {
    const { getByRole, see } = show(aView());
    const elsewhere = getByRole("region", { name: "What there is to see" });
    elsewhere.focus();
    await see(aView({ legal: [] }));
    await see(aView({ legal: [{ do: "pass" }] }));
    expect(document.activeElement).toBe(elsewhere);
  });

  it("ends quietly if the board is gone before the table has said no", async () => {
    let answer = (_: boolean) => {};
    act.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const { choices, unmount } = show(aView());
    await fireEvent.click(choices().getByRole("button", { name: "lay: card 5" }));
    unmount();
    await tick();
    answer(false);
    await tick();
    expect(document.body.textContent.trim()).toBe("");
  });

  it("goes back to the button if the table says no", async () => {
    act.mockResolvedValue(false);
    const { choices } = show(aView());
    await fireEvent.click(choices().getByRole("button", { name: "lay: card 5" }));
    await vi.waitFor(() => expect(focused()).toMatch(/lay: card 5/));
  });

  it("is not disturbed by what others do", async () => {
    const { choices, see } = show(aView());
    choices().getByRole("button", { name: "lay: card 9" }).focus();
    await see(aView({ to_act: [0] }));
    expect(focused()).toMatch(/lay: card 9/);
    expect(document.activeElement).toHaveProperty("tabIndex", 0);
  });

  it("begins with a search where there is much to choose from", async () => {
    const legal = Array.from({ length: 40 }, (_, card) => ({ do: card < 20 ? "lay" : "give", card }));
    const { choices, getByRole } = show(aView({ legal }));
    expect(choices().getAllByRole("group").map((group) => group.getAttribute("aria-label"))).toEqual(["lay", "give"]); // prettier-ignore
    await fireEvent.input(getByRole("searchbox"), { target: { value: "card 39" } });
    expect(choices().getAllByRole("button")).toHaveLength(1);
    expect(choices().getByRole("status").textContent).toBe("1 of 40 choices");
  });

  it("goes on with what is sought as long as there is any of it", async () => {
    const cards = (from: number) => Array.from({ length: 40 }, (_, more) => ({ do: "lay", card: from + more }));
    const { getByRole, see } = show(aView({ legal: cards(0) }));
    const search = getByRole("searchbox") as HTMLInputElement;
    search.focus();
    await fireEvent.input(search, { target: { value: "card 39" } });
    await see(aView({ legal: cards(1) }));
    expect(search.value).toBe("card 39");
    expect(document.activeElement).toBe(search);
    await see(aView({ legal: cards(50) }));
    expect(search.value).toBe("");
  });
});
