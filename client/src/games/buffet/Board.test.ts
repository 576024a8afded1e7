import { cleanup, fireEvent, render, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Playback } from "~/table/playback.svelte";
import type { BuffetCard, BuffetDecision, BuffetEntry, BuffetView, Step } from "~/wire/messages";
import { loadWords, speak } from "~/words/words.svelte";
import Board from "./Board.svelte";
import { staging } from "./staging";
import { aSeat, aView } from "./testing";

beforeAll(() => loadWords("buffet"));

const NAMES = ["Ada", "Bo", "Cy", "Di"];
const lays = (...cards: BuffetCard[]): BuffetDecision[] => cards.map((card) => ({ do: "lay", card }));
const LAYING = aView(4, {
  legal: lays(-1, 0, 3, 7),
  gains: [5, -1, -4],
  seats: [
    aSeat({ at: 43, stacks: { pizza: [4, 3], salad: [3] }, points: 6 }),
    aSeat({ at: 3, has_laid: true }),
    aSeat({ at: -1 }),
    aSeat({ racing: false }),
  ],
});
const EXCHANGING = aView(4, {
  exchange: 0,
  hand: [0, 3, 3],
  seats: [aSeat({ racing: false }), aSeat(), aSeat(), aSeat()],
  legal: [[], [0], [3], [0, 3], [3, 3], [0, 3, 3]].map((cards) => ({ do: "exchange", cards: cards as BuffetCard[] })),
});

const act = vi.fn<(decision: BuffetDecision) => Promise<boolean>>();
let playback: Playback<BuffetView, BuffetEntry>;
let now = 0;

function show(view: BuffetView, seat: number | null = view.seat) {
  playback = new Playback(staging, view);
  const props = { playback, seat, view, names: NAMES, bots: [false, true, false, true], act };
  const shown = render(Board, props);
  const hand = () => within(shown.getByRole("group", { name: "Your hand" }));
  return { ...shown, hand, see: (changed: BuffetView) => shown.rerender({ ...props, view: changed }) };
}

const step = (entries: BuffetEntry[]) =>
  playback.step({ type: "step", number: 1, at: 0, entries, to_act: [] } satisfies Step);

beforeAll(() => speak("en"));
beforeEach(() => {
  act.mockReset().mockResolvedValue(true);
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList); // less motion, please
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("laying a card", () => {
  it("is raising it and touching it again", async () => {
    const { hand } = show(LAYING);
    const seven = hand().getByRole("button", { name: "Card 7" });
    await fireEvent.click(seven);
    expect(seven.getAttribute("aria-pressed")).toBe("true");
    expect(act).not.toHaveBeenCalled();
    now += 400;
    await fireEvent.click(seven);
    expect(act.mock.calls).toEqual([[{ do: "lay", card: 7 }]]);
  });

  it("is raising it and pressing the button", async () => {
    const { hand, getByRole } = show(LAYING);
    expect(getByRole("button", { name: "Choose a card" })).toHaveProperty("disabled", true);
    await fireEvent.click(hand().getAllByRole("button", { name: "Card 3" })[1]!);
    await fireEvent.click(getByRole("button", { name: "Lay 3" }));
    expect(act.mock.calls).toEqual([[{ do: "lay", card: 3 }]]);
  });

  it("needs more than a double tap, and happens once", async () => {
    const { hand, getByRole, see } = show(LAYING);
    const zero = hand().getByRole("button", { name: "Card 0" });
    await fireEvent.click(zero);
    await fireEvent.click(zero);
    expect(act).not.toHaveBeenCalled();
    const lay = getByRole("button", { name: "Lay 0" });
    await fireEvent.click(lay);
    await fireEvent.click(lay);
    now += 400;
    await fireEvent.click(zero);
    await fireEvent.click(zero);
    expect(act).toHaveBeenCalledTimes(1);
    await see({ ...LAYING, to_act: [2], hand: [-1, 3, 3, 7], laid: 0, legal: [] });
    getByRole("img", { name: "You laid 0" });
  });

  it("can be tried again when the table says no", async () => {
    act.mockResolvedValue(false);
    const { hand, getByRole } = show(LAYING);
    await fireEvent.click(hand().getByRole("button", { name: "Card 0" }));
    await fireEvent.click(getByRole("button", { name: "Lay 0" }));
    await vi.waitFor(() => expect(getByRole("button", { name: "Lay 0" })).toHaveProperty("disabled", false));
    await fireEvent.click(getByRole("button", { name: "Lay 0" }));
    expect(act).toHaveBeenCalledTimes(2);
  });

  it("goes by keyboard alone", async () => {
    const { hand } = show(LAYING);
    const cards = hand().getAllByRole("button");
    await fireEvent.keyDown(document.body, { key: "-" });
    expect(document.activeElement).toBe(cards[0]);
    expect(cards[0]!.getAttribute("aria-pressed")).toBe("true");
    await fireEvent.keyDown(cards[0]!, { key: "ArrowRight" });
    expect(document.activeElement).toBe(cards[1]);
    await fireEvent.keyDown(cards[1]!, { key: "End" });
    expect(document.activeElement).toBe(cards[4]);
    await fireEvent.keyDown(cards[4]!, { key: "3" });
    expect(document.activeElement).toBe(cards[2]);
    expect(cards.map((card) => card.getAttribute("aria-pressed"))).toEqual([
      "false",
      "false",
      "true",
      "false",
      "false",
    ]);
  });

  it("leaves numbers alone that somebody writes", async () => {
    const { hand } = show(LAYING);
    const chat = document.body.appendChild(document.createElement("input"));
    await fireEvent.keyDown(chat, { key: "7" });
    chat.remove();
    expect(hand().getByRole("button", { name: "Card 7" }).getAttribute("aria-pressed")).toBe("false");
  });

  it("is only for those who are asked", async () => {
    const { hand, queryByRole } = show({ ...LAYING, legal: [], to_act: [1] });
    const seven = hand().getByRole("button", { name: "Card 7" });
    expect(seven.getAttribute("aria-disabled")).toBe("true");
    await fireEvent.click(seven);
    expect(seven.getAttribute("aria-pressed")).toBe("false");
    expect(queryByRole("button", { name: "Choose a card" })).toBeNull();
  });
});

describe("exchanging", () => {
  it("is of any cards, and exactly what the table allows", async () => {
    const { hand, getByRole } = show(EXCHANGING);
    const threes = hand().getAllByRole("button", { name: "Card 3" });
    await fireEvent.click(threes[1]!);
    await fireEvent.click(hand().getByRole("button", { name: "Card 0" }));
    await fireEvent.click(threes[0]!);
    await fireEvent.click(threes[1]!);
    await fireEvent.click(getByRole("button", { name: "Exchange 2 cards" }));
    expect(act.mock.calls).toEqual([[{ do: "exchange", cards: [0, 3] }]]);
  });

  it("may be of none", async () => {
    const { getByRole } = show(EXCHANGING);
    await fireEvent.click(getByRole("button", { name: "Keep all" }));
    expect(act.mock.calls).toEqual([[{ do: "exchange", cards: [] }]]);
  });

  it("stays in the hand while the others lay their next cards", async () => {
    const { hand, getByRole, see } = show(EXCHANGING);
    await fireEvent.click(hand().getByRole("button", { name: "Card 0" }));
    step([{ by: 1, do: "lay" }]);
    await see({ ...EXCHANGING });
    expect(playback.running).toBe(true);
    getByRole("button", { name: "Exchange 1 card" });
  });
});

describe("what is seen", () => {
  it("is said as well", () => {
    const { getByRole, getByText } = show(LAYING);
    const track = within(getByRole("region", { name: "Track" }));
    const mice = track.getAllByRole("listitem").slice(0, 4);
    expect(mice.map((mouse) => mouse.textContent)).toEqual([
      "Ada: field 3, lap 2",
      "Bo: field 3",
      "Cy: field 39, behind the start",
      "Di: out",
    ]);
    getByText("Lap 2: Ada · Behind the start: Cy");
  });

  it("is what a plate is worth to me, and why", async () => {
    const { getByRole } = show(LAYING);
    await fireEvent.click(getByRole("button", { name: "salad −1: −4 for you, last mouse" }));
    getByRole("region", { name: "Plates" });
    const said = () => document.querySelector(".reason")!.textContent.replace(/\s+/g, " ").trim();
    expect(said()).toBe("salad −1 would cover your salad 3: −4 B16");
    await fireEvent.click(getByRole("button", { name: "cheese 5: +5 for you" }));
    expect(said()).toBe("cheese 5 would be your first cheese: +5 B22");
  });

  it("is also what is covered", async () => {
    HTMLDialogElement.prototype.showModal ??= vi.fn();
    const { getByRole } = show(LAYING);
    await fireEvent.click(getByRole("button", { name: "Plates of Ada: pizza 3 and salad 3" }));
    expect(document.querySelector("dialog li b")!.textContent).toBe("pizza 3");
    expect(document.querySelector("dialog li .visually-hidden")!.textContent).toBe("pizza 4");
  });

  it("has no hand for those who watch", () => {
    const { queryByRole, getByRole } = show({ ...LAYING, seat: null, hand: [], legal: [], gains: null });
    expect(queryByRole("group", { name: "Your hand" })).toBeNull();
    getByRole("button", { name: "cheese 5" });
  });
});

describe("what happens", () => {
  it("is skipped by a touch, and the touch is not lost", async () => {
    const { hand, see } = show(LAYING);
    step([
      { by: 0, do: "lay", card: 7 },
      { by: "table", do: "reveal", seat: 0, card: 7, at: 50 },
      { by: "table", do: "draw", seat: 0, cards: [9, 9, 9, 9, 9] },
    ]);
    const after = aView(4, { round: 3, hand: [-1, 0, 3, 3, 9, 9, 9, 9, 9], legal: lays(-1, 0, 3, 9) });
    playback.settle(after, 1);
    await see(after);
    expect(playback.running).toBe(true);
    expect(hand().getAllByRole("button")).toHaveLength(4);
    const zero = hand().getByRole("button", { name: "Card 0" });
    await fireEvent.click(zero);
    await tick();
    expect(playback.running).toBe(false);
    expect(zero.getAttribute("aria-pressed")).toBe("true");
    expect(hand().getAllByRole("button")).toHaveLength(9);
  });
});
