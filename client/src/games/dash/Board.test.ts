import { cleanup, fireEvent, render, waitFor } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameTime } from "~/gamekit/game";
import { Playback } from "~/table/playback.svelte";
import type { DashDecision, DashEntry, DashPlace, DashView } from "~/wire/messages";
import { loadWords, speak } from "~/words/words.svelte";
import Board from "./Board.svelte";
import type { DashPicture } from "./picture";
import { staging } from "./staging";
import { aHand, aView } from "./testing";

beforeAll(() => loadWords("dash"));

const act = vi.fn<(decision: DashDecision) => Promise<boolean>>();
let playback: Playback<DashView, DashEntry>;
let told = 0;

function show(view: DashPicture, time?: GameTime) {
  playback = new Playback<DashView, DashEntry>(staging, view);
  const people = { names: ["Ada", "Bo", "Cy"], bots: [false, true, true] };
  return render(Board, { playback, seat: 0, view, ...people, act, ...(time && { time }) });
}

/** Bo puts a card where ours is to go, just before it arrives there. */
async function bosWasFirst(decision: DashDecision): Promise<boolean> {
  const { place } = decision as { place: DashPlace };
  playback.step({ type: "step", number: ++told, at: 0, entries: [{ by: 1, do: "back", place, ms: 0 }], to_act: [] });
  return false;
}

/** Where cards were to go, one after the other. */
const places = () => act.mock.calls.map(([decision]) => (decision as { place: DashPlace }).place);

const HOLDING = aView([[aHand({ holds: true, card: "B2", from: 3 })], [aHand({ holds: true })], [aHand()]]);
const CHOOSING = aView([[aHand({ display: ["A1"] })], [aHand({ holds: true })], [aHand()]], {
  legal: [{ do: "take", place: 0 }],
});

beforeAll(() => speak("en"));
beforeEach(() => {
  act.mockReset().mockResolvedValue(true);
  told = 0;
});
afterEach(cleanup);

describe("a place that somebody else has filled meanwhile", () => {
  it("is given up for the next one, if the card may go anywhere", async () => {
    act.mockImplementationOnce(bosWasFirst).mockImplementationOnce(bosWasFirst);
    const { getByRole } = show(HOLDING);
    await fireEvent.click(getByRole("button", { name: "Put back" }));
    await waitFor(() => expect(act).toHaveBeenCalledTimes(3));
    expect(new Set(places()).size).toBe(3);
    expect(getByRole("status").textContent.trim()).toBe("");
  });

  it("is given up for the next one by a card that is returned", async () => {
    act.mockImplementationOnce(bosWasFirst);
    const { getByRole } = show(CHOOSING);
    await fireEvent.click(getByRole("button", { name: /^Return/ }));
    await waitFor(() => expect(act).toHaveBeenCalledTimes(2));
    expect(act.mock.calls.every(([decision]) => decision.do === "return" && decision.card === "A1")).toBe(true);
    expect(new Set(places()).size).toBe(2);
  });

  it("is left to whoever chose it, with a word", async () => {
    act.mockImplementationOnce(bosWasFirst);
    const { container, findByText } = show(HOLDING);
    await fireEvent.click(container.querySelector("[data-place='50']")!);
    await findByText("A card lies there by now. Choose another place.");
    expect(places()).toEqual([50]);
  });
});

it("what is refused for another reason is tried again only by hand", async () => {
  act.mockResolvedValueOnce(false);
  const { getByRole } = show(HOLDING);
  await fireEvent.click(getByRole("button", { name: "Put back" }));
  await waitFor(() => fireEvent.click(getByRole("button", { name: "Put back" })));
  expect(act).toHaveBeenCalledTimes(2);
});

describe("a round", () => {
  const TIME: GameTime = { now: () => 0, countdown: null };
  const CLOSED = aView([[aHand({ stack: 2 })], [aHand({ stack: 2 })], [aHand({ stack: 2 })]], { is_open: false });
  const opens: DashEntry = { by: 0, do: "open", ms: 0 };
  const scores: DashEntry = { by: "table", do: "score", points: [0, 0, 0], totals: [0, 0, 0], why: "exits" };
  const step = (entry: DashEntry) =>
    playback.step({ type: "step", number: ++told, at: 0, entries: [entry], to_act: [] });
  const rehearsal = (container: HTMLElement) => container.querySelector<HTMLElement>(".rehearsal");

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is rehearsed before it begins, out of everybody's sight, and once", async () => {
    const { container } = show(CLOSED, TIME);
    await vi.advanceTimersByTimeAsync(600);
    expect(rehearsal(container)!.inert).toBe(true);
    expect(rehearsal(container)!.getAttribute("aria-hidden")).toBe("true");
    await vi.advanceTimersByTimeAsync(1000);
    expect(rehearsal(container)!.textContent).toContain("pizza");
    await vi.advanceTimersByTimeAsync(3000);
    expect(rehearsal(container)).toBeNull();
    expect(playback.shown).toBe(CLOSED);
  });

  it("is not rehearsed while one runs, nor after it", async () => {
    const { container } = show(CLOSED, TIME);
    await vi.advanceTimersByTimeAsync(600);
    step(opens);
    await vi.advanceTimersByTimeAsync(1000);
    expect(rehearsal(container)).toBeNull();
    step(scores);
    await vi.advanceTimersByTimeAsync(3000);
    expect(rehearsal(container)).toBeNull();
  });
});
