import { describe, expect, it } from "vitest";
import type { ChocolatEntry, ChocolatView } from "~/wire/messages";
import game2 from "./fixtures/game-2.json";
import game4 from "./fixtures/game-4.json";
import { staging, type ChocolatPicture } from "./staging";
import { eyesOn, stayedAndCame, type Recorded } from "~/testing/recorded";
import { aSeat, aView } from "./testing";

/** What a recorded picture has of a view. */
function seen(view: ChocolatView): Record<string, unknown> {
  const { round, hand, laid, market, spare, pantry, draw_pile, over } = view;
  return {
    ...{ round, hand, laid, market, spare, pantry, draw_pile, over },
    discard: view.discard.length,
    seats: view.seats.map(({ helper, used, has_laid, played, coins, hand_size, known, kept }) => ({
      ...{ helper, used, has_laid, played, coins, hand_size, known, kept },
    })),
  };
}

function blank(seats: number, seat: number | null): ChocolatView {
  return aView(seats, {
    seat,
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

const RECORDED = [game2, game4] as unknown as Recorded<ChocolatEntry>[];
const EYES = RECORDED.flatMap((game) => eyesOn(game).map((eyes) => ({ seats: game.seats, ...eyes })));

describe.each(EYES)("a game of $seats, seen by $seat", ({ seats, seat, steps }) => {
  /** The view as it was recorded. */
  const viewOf = ({ view }: { view: object }): ChocolatView => ({ ...blank(seats, seat), ...view, discard: [] });

  it("looks after every step as the table says", () => {
    let picture: ChocolatPicture = blank(seats, seat);
    for (const { entries, after } of steps) {
      picture = shows(picture, ...entries);
      expect(seen(picture)).toEqual(after);
    }
    expect(picture.over).toBe(true);
  });

  it("looks the same to whoever stays as to whoever comes at any time", () => {
    let last: ChocolatPicture | undefined;
    for (const [stayed, came] of stayedAndCame(staging, steps, viewOf)) {
      expect({ ...stayed, discard: [] }).toEqual(came);
      last = stayed;
    }
    expect(last).toHaveProperty("places");
  });

  it("never takes longer than five seconds for a step, and 2.5 for a reveal", () => {
    let picture: ChocolatPicture = blank(seats, seat);
    for (const { entries } of steps) {
      let [whole, reveal] = [0, 0];
      for (const entry of entries) {
        const pause = staging.pause(entry, picture);
        whole += pause;
        if (entry.do === "reveal") reveal += pause;
        picture = staging.unfold(picture, entry);
      }
      expect(reveal).toBeLessThanOrEqual(2500);
      expect(whole).toBeLessThanOrEqual(5000);
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
    expect(laid.seats[1]).toMatchObject({ kept: ["eggs-4-4"], points: 0, hand_size: 2 });
    expect(laid.discard.slice(0, 2)).toEqual(["eggs-6-2", "fruit-5-4"]);
    expect(staging.settle(aView(3), laid).laidOut).toEqual(laid.laidOut);
    expect(shows(laid, { by: 2, do: "pass" }).laidOut).toBeUndefined();
    expect(staging.settle(aView(3, { round: 4 }), laid).laidOut).toBeUndefined();
  });

  it("knows the places at the end, and keeps them", () => {
    const over = shows(aView(3), { by: "table", do: "end", scores: [3, 31, 31], places: [3, 1, 2] });
    expect(staging.settle(aView(3, { over: true, phase: "over" }), over)).toMatchObject({ places: [3, 1, 2] });
  });
});
