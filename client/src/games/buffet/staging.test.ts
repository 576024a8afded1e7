import { describe, expect, it } from "vitest";
import type { BuffetEntry, BuffetView } from "~/wire/messages";
import game3 from "./fixtures/game-3.json";
import game5 from "./fixtures/game-5.json";
import { DISHES } from "./plates";
import { staging, walkMs, type BuffetPicture } from "./staging";
import { eyesOn, stayedAndCame, type Recorded } from "~/testing/recorded";
import { aSeat, aView } from "./testing";

/** What a recorded picture has of a view. */
function seen(view: BuffetView): Record<string, unknown> {
  const { round, part, start, hand, laid, plates, later, draw_pile, over } = view;
  return {
    ...{ round, part, start, hand, laid, plates, later, draw_pile, over },
    discard: view.discard.length,
    plates_to_come: view.plates_to_come.length,
    seats: view.seats.map(({ racing, at, has_laid, hand_size, stacks }) => ({
      ...{ racing, at, has_laid, hand_size, stacks },
    })),
  };
}

function blank(seats: number, seat: number | null): BuffetView {
  return aView(seats, {
    seat,
    round: 0,
    seats: Array.from({ length: seats }, () => aSeat({ racing: false, hand_size: 0 })),
    hand: [],
    plates: [],
    plates_to_come: DISHES.flatMap((dish) => [-1, 1, 2, 3, 4, 5].map((value) => `${dish}${value}`)),
  });
}

const shows = (view: BuffetPicture, ...entries: BuffetEntry[]): BuffetPicture => entries.reduce(staging.unfold, view);

const RECORDED = [game3, game5] as unknown as Recorded<BuffetEntry>[];
const EYES = RECORDED.flatMap((game) => eyesOn(game).map((eyes) => ({ seats: game.seats, ...eyes })));

describe.each(EYES)("a game of $seats, seen by $seat", ({ seats, seat, steps }) => {
  /** The view as it was recorded. */
  const viewOf = ({ view }: { view: object }): BuffetView => ({
    ...blank(seats, seat),
    ...view,
    discard: [],
    plates_to_come: [],
  });

  it("looks after every step as the table says", () => {
    let picture: BuffetPicture = blank(seats, seat);
    for (const { entries, after } of steps) {
      picture = shows(picture, ...entries);
      // Nobody is told that the start token moves on after the last round, and nobody needs to see it.
      expect({ ...seen(picture), ...(after.over ? { start: after.start } : {}) }).toEqual(after);
    }
    expect(picture.over).toBe(true);
  });

  it("looks the same to whoever stays as to whoever comes at any time", () => {
    let last: BuffetPicture | undefined;
    for (const [stayed, came] of stayedAndCame(staging, steps, viewOf)) {
      expect({ ...stayed, discard: [], plates_to_come: [] }).toEqual(came);
      last = stayed;
    }
    expect(last).toHaveProperty("places");
  });

  it("never takes longer than five seconds for a step, and 2.5 for a reveal", () => {
    let picture: BuffetPicture = blank(seats, seat);
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

describe("cards that were turned over", () => {
  const reveal = (seat: number, card: 2 | 3, at: number): BuffetEntry => ({
    by: "table",
    do: "reveal",
    seat,
    card,
    at,
  });
  const turned = shows(aView(4), reveal(1, 3, 3), reveal(2, 2, 2), {
    by: "table",
    do: "out",
    seat: 0,
    plate: "salad-1",
  });

  it("stay until their owner lays the next one", () => {
    expect(turned.revealed).toEqual([null, 3, 2, null]);
    expect(shows(turned, { by: 2, do: "lay" }).revealed).toEqual([null, 3, null, null]);
  });

  it("stay when everything is in its place, but not into the next race", () => {
    const settled = aView(4);
    expect(staging.settle(settled, turned)).toEqual({ ...settled, revealed: turned.revealed });
    expect(staging.settle({ ...settled, round: 4 }, turned)).not.toHaveProperty("revealed");
    const round: BuffetEntry = { by: "table", do: "round", number: 4, part: 1, start: 0, plates: ["pizza3"] };
    expect(shows(turned, round).revealed).toEqual([null, null, null, null]);
  });
});

describe("the picture", () => {
  it("leaves points to the table", () => {
    const before = aView(4);
    const after = shows(before, { by: "table", do: "win", seat: 1, plate: "cheese5" });
    expect(after.seats[1]).toEqual({ ...before.seats[1], racing: false, stacks: { cheese: [5] } });
  });

  it("keeps what each plate is worth beside it", () => {
    const view = aView(4, { plates: ["cheese5", "pizza2", "salad-1"], gains: [5, 2, -4] });
    expect(shows(view, { by: "table", do: "out", seat: 1, plate: "salad-1" }).gains).toEqual([5, 2]);
  });

  it("does not wait for who has decided", () => {
    const view = aView(4, { to_act: [0, 2, 3], exchange: 3 });
    const laid = shows(view, { by: 2, do: "lay" });
    expect(laid.to_act).toEqual([0, 3]);
    expect(shows(laid, { by: 3, do: "exchange", cards: [1, 1] })).toMatchObject({ to_act: [0], exchange: null });
  });

  it("knows the places at the end, and keeps them", () => {
    const over = shows(aView(4), { by: "table", do: "end", scores: [1, 2, 3, 4], places: [4, 3, 2, 1] });
    expect(staging.settle(aView(4, { over: true }), over)).toMatchObject({ over: true, places: [4, 3, 2, 1] });
  });
});

it("lets a mouse run field by field, and faster when many run", () => {
  expect(walkMs(5, 2)).toBe(300);
  expect(walkMs(-1, 6)).toBe(60);
  expect(walkMs(9, 6)).toBeLessThan(220);
});

it("leaves to the table who gets the next plate, and shows as many mats as plates were served", () => {
  const out = shows(aView(4), { by: "table", do: "out", seat: 1, plate: "salad-1" });
  expect(out).toMatchObject({ plates: ["cheese5", "pizza2"], stakes: [], served: 3 });
  const plates = ["cheese5", "pizza2"];
  const round = shows(out, { by: "table", do: "round", number: 4, part: 2, start: 0, plates });
  expect(round).toMatchObject({ served: 2, stakes: [], last: null, duel: false });
});
