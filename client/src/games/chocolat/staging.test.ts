import { describe, expect, it } from "vitest";
import type { ChocolatEntry, ChocolatView } from "~/wire/messages";
import game2 from "./fixtures/game-2.json";
import game4 from "./fixtures/game-4.json";
import { staging, type ChocolatPicture } from "./staging";
import { aSeat, aView } from "./testing";

interface Recorded {
  seats: number;
  steps: { entries: ChocolatEntry[]; after: Record<string, unknown> }[];
}

/** What a recorded picture has of a view. */
function seen(view: ChocolatView): Record<string, unknown> {
  const { round, hand, laid, market, spare, pantry, draw_pile, over } = view;
  return {
    ...{ round, hand, laid, market, spare, pantry, draw_pile, over },
    discard: [view.discard.length, ...view.discard.slice(0, 1)],
    seats: view.seats.map(({ helper, used, has_laid, played, coins, hand_size, kept, points }) => ({
      ...{ helper, used, has_laid, played, coins, hand_size, kept, points },
    })),
  };
}

function blank(seats: number): ChocolatView {
  return aView(seats, {
    round: 0,
    seats: Array.from({ length: seats }, () => aSeat({ helper: null, hand_size: 0 })),
    hand: [],
    market: [],
    discard: [],
    pantry: null,
    draw_pile: 0,
  });
}

const shows = (view: ChocolatPicture, ...entries: ChocolatEntry[]): ChocolatPicture =>
  entries.reduce(staging.unfold, view);

describe.each([game2, game4] as unknown as Recorded[])("a game of $seats", ({ seats, steps }) => {
  it("looks after every step as the table says", () => {
    let picture: ChocolatPicture = blank(seats);
    for (const { entries, after } of steps) {
      picture = shows(picture, ...entries);
      expect(seen(picture)).toEqual(after);
    }
    expect(picture.over).toBe(true);
  });

  it("never takes longer than five seconds for a step, and 2.5 for a reveal", () => {
    let picture: ChocolatPicture = blank(seats);
    for (const { entries } of steps) {
      const pauses = entries.map((entry) => staging.pause(entry, picture));
      const reveal = entries.map((entry, i) => (entry.do === "reveal" ? pauses[i]! : 0));
      expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(5000);
      expect(reveal.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(2500);
      picture = shows(picture, ...entries);
    }
  });
});

describe("the picture", () => {
  it("puts who drafts into a queue, card by card", () => {
    const reveal = (seat: number, coins: number): ChocolatEntry => ({
      by: "table",
      do: "reveal",
      seat,
      card: "nuts-3-8",
      coins,
    });
    const turned = shows(aView(3), reveal(2, 8), reveal(0, 7));
    expect(turned).toMatchObject({ phase: "drafting", order: [2, 0] });
    expect(shows(turned, { by: 2, do: "draft", take: ["eggs-7-1", "sugar-7-1"] })).toMatchObject({
      order: [0],
      market: ["nuts-6-4", "chocolate-3-8", "nuts-3-8"],
    });
  });

  it("keeps what was laid out until the next one has decided", () => {
    const cards = ["eggs-4-4", "fruit-5-4", "eggs-6-2"];
    const laid = shows(aView(3), { by: 1, do: "combine", cards, kept: ["eggs-4-4"] });
    expect(laid.laidOut).toEqual({ seat: 1, cards, kept: ["eggs-4-4"] });
    expect(laid.seats[1]).toMatchObject({ kept: ["eggs-4-4"], points: 4, hand_size: 2 });
    expect(laid.discard.slice(0, 2)).toEqual(["eggs-6-2", "fruit-5-4"]);
    expect(staging.settle!(laid, aView(3)).laidOut).toEqual(laid.laidOut);
    expect(shows(laid, { by: 2, do: "pass" }).laidOut).toBeNull();
    expect(staging.settle!(laid, aView(3, { round: 4 })).laidOut).toBeUndefined();
  });

  it("knows the places at the end, and keeps them", () => {
    const over = shows(aView(3), { by: "table", do: "end", scores: [3, 31, 31], places: [3, 1, 2] });
    expect(staging.settle!(over, aView(3, { over: true, phase: "over" }))).toMatchObject({ places: [3, 1, 2] });
  });
});
