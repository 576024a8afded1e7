import { cleanup, fireEvent, render, waitFor } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Playback } from "~/table/playback.svelte";
import type { DashDecision, DashEntry, DashPlace, DashView } from "~/wire/messages";
import { speak } from "~/words/words.svelte";
import Board from "./Board.svelte";
import { staging, type DashPicture } from "./staging";
import { aHand, aView } from "./testing";

const act = vi.fn<(decision: DashDecision) => Promise<boolean>>();
let playback: Playback<DashView, DashEntry>;
let told = 0;

function show(view: DashPicture) {
  playback = new Playback<DashView, DashEntry>(staging, view);
  return render(Board, { playback, seat: 0, view, names: ["Ada", "Bo", "Cy"], bots: [false, true, true], act });
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
