import { describe, expect, it } from "vitest";
import type { DashCard, DashEntry, DashView } from "~/wire/messages";
import game2 from "./fixtures/game-2.json";
import game3 from "./fixtures/game-3.json";
import type { DashPicture } from "./picture";
import { picture } from "~/table/picture";
import { staging } from "./staging";
import { aHand, aView } from "./testing";

interface Recorded {
  seats: number;
  steps: { entries: DashEntry[]; after: Record<string, unknown> }[];
  /** By the number of its entry: which card the seat saw that got it. */
  seen: Record<number, DashCard>;
}

/** What a recorded picture has of a view. */
function seen({ round, opener, is_open, exits_left, over, heap, seats }: DashPicture): Record<string, unknown> {
  return {
    ...{ round, opener, is_open, exits_left, over },
    heap: Object.fromEntries(heap.map(({ place, card }) => [place, card])),
    seats: seats.map(({ total, hands }) => ({
      total,
      hands: hands.map(({ hand, stack, holds, card, would_double, display, doubles, gone }) => ({
        ...{ hand, stack, holds, card, would_double, display, doubles, gone },
      })),
    })),
  };
}

function blank(seats: number): DashPicture {
  const hands = seats === 2 ? [aHand({ hand: "left" }), aHand({ hand: "right" })] : [aHand()];
  return aView(
    Array.from({ length: seats }, () => hands),
    { round: 0, opener: null, is_open: false, heap: [], exits: seats === 2 ? 3 : seats - 1 },
  );
}

const shows = (view: DashPicture, ...entries: DashEntry[]): DashPicture =>
  entries.reduce<DashPicture>((picture, entry) => staging.unfold(picture, entry), view);

describe.each([game2, game3] as unknown as Recorded[])("a game of $seats", ({ seats, steps }) => {
  it("looks as the table says, whatever has happened", () => {
    let picture = blank(seats);
    for (const { entries, after } of steps) {
      picture = shows(picture, ...entries);
      // At the end the table stays as it lies: it is not called closed, and nobody will open it.
      const { is_open, opener } = after;
      expect({ ...seen(picture), ...(after.over ? { is_open, opener } : {}) }).toEqual(after);
    }
    expect(picture.over).toBe(true);
  });

  it("never lags behind while the time runs: only a table that is left and laid anew is given a moment", () => {
    const slow = steps.flatMap(({ entries }) => entries.filter((entry) => staging.pause(entry, blank(seats)) > 0));
    expect(new Set(slow.map((entry) => entry.do))).toEqual(new Set(["round", "deal", "score", "end"]));
  });
});

/** What a seat or a spectator is told of a game. */
const toldTo = (eyes: number | null, { steps, seen }: Recorded): DashEntry[] =>
  steps
    .flatMap(({ entries }) => entries)
    .map((entry, i) => {
      if (entry.do !== "see") return entry;
      const { card: _, ...hidden } = entry;
      return entry.seat === eyes ? { ...hidden, card: seen[i]! } : hidden;
    });

/** A picture without memory. */
function viewOf({
  stale: _,
  reaches: __,
  emptied: ___,
  late: ____,
  last: _____,
  places: ______,
  ...view
}: DashPicture) {
  const seats = view.seats.map((seat) => ({
    ...seat,
    hands: seat.hands.map(({ since: _, from: __, held: ___, ...hand }) => hand),
  }));
  return { ...view, seats } as DashView;
}

/** Everything that a decision has brought, one decision after the other. */
function stepsOf(entries: readonly DashEntry[]): DashEntry[][] {
  const steps: DashEntry[][] = [[]];
  for (const entry of entries) {
    if (entry.by !== "table") steps.push([]);
    steps.at(-1)!.push(entry);
  }
  return steps;
}

describe.each([game2, game3] as unknown as Recorded[])("whoever comes back to a game of $seats", (game) => {
  /** Now and then, and each seat at other times: all of it would take long. */
  const seldom = game.steps.length;
  const everybody = [...Array.from({ length: game.seats }, (_, seat) => seat), null];

  it.each(everybody)(
    "sees what was seen before, at any time; by the eyes of %o",
    (seat) => {
      let [shown, told]: [DashPicture, DashEntry[]] = [{ ...blank(game.seats), seat }, []];
      for (const [i, step] of stepsOf(toldTo(seat, game)).entries()) {
        told = [...told, ...step];
        shown = shows(shown, ...step);
        const view = viewOf(shown);
        const settled = staging.settle(view, shown);
        if ((i + (seat ?? game.seats)) % seldom === 0)
          expect(picture(staging, { view, told: [{ entries: told, to_act: [] }] })).toEqual(settled);
        if (step[0]!.by === seat) shown = settled; // others' decisions bring no view
      }
      expect(shown.last).toBeDefined();
    },
    60_000,
  );
});

describe("whoever comes later", () => {
  it("can still read what the last round has brought", () => {
    const { seats, steps } = game3 as unknown as Recorded;
    const entries = steps.flatMap((step) => step.entries);
    const whole = shows(blank(seats), ...entries);
    const { last: _, ...view } = whole;
    expect(picture(staging, { view, told: [{ entries, to_act: [] }] })).toMatchObject({ last: whole.last });
    const second = entries.findIndex((entry) => entry.do === "round" && entry.number === 2) + 1;
    const between = shows(blank(seats), ...entries.slice(0, second));
    const told = [{ entries: entries.slice(0, second), to_act: [] }];
    expect(picture(staging, { view: blank(seats), told })).toMatchObject({ last: { round: 1 } });
    expect(between.last?.round).toBe(1);
  });
});

describe("a claim", () => {
  const view = aView([[aHand()], [aHand()], [aHand()]]);
  const bo: DashEntry = { by: 1, do: "take", place: 7, ms: 10 };
  const ada: DashEntry = { by: 0, do: "take", place: 7, ms: 11 };

  it("that comes too late names who was quicker, and leaves the hand empty", () => {
    const after = shows(view, bo, { by: "table", do: "see", seat: 1 }, ada, {
      ...{ by: "table", do: "late", seat: 0, place: 7 },
    });
    expect(after.late).toEqual({ seat: 0, hand: 0, place: 7, by: 1 });
    expect(after.seats.map(({ hands }) => hands[0]!.holds)).toEqual([false, true, false]);
    expect(after.reaches).toEqual([{ place: 7, what: "late" }, { place: 7, what: "take" }, undefined]);
  });

  it("takes along what was known of the card, and puts it where it goes", () => {
    const known = shows({ ...view, heap: [{ place: 7, card: "C4", seen_by: [], surely_food: true }] }, bo);
    expect(known.seats[1]!.hands[0]!.card).toBe("C4");
    expect(shows(known, { by: 1, do: "back", place: 60, ms: 20 }).heap).toMatchObject([{ place: 60, card: "C4" }]);
  });
});

describe("once the server has said how things are", () => {
  const view = aView([[aHand({ holds: true, from: 12 })], [aHand()], [aHand()]], {
    ...{ emptied: { 12: 0 }, stale: true, reaches: [{ place: 12, what: "take" }, undefined, undefined] },
  });

  it("that holds, and only what the eye remembers stays", () => {
    const { from: _, ...told } = view.seats[0]!.hands[0]!;
    const {
      emptied: __,
      stale: ___,
      reaches: ____,
      ...settled
    } = aView([[{ ...told, card: "A1" }], [aHand()], [aHand()]]);
    const after = staging.settle(settled, view) as DashPicture;
    expect(after.seats[0]!.hands[0]).toMatchObject({ card: "A1", from: 12 });
    expect(after.emptied).toEqual({ 12: 0 });
    expect(after.stale).toBeUndefined();
  });

  it("nothing of the round before is remembered but its result", () => {
    const last = { round: 1, why: "exits" as const, points: [[1], [4], [-1]], totals: [1, 4, -1], displays: [] };
    const after = staging.settle(aView([[aHand()], [aHand()], [aHand()]], { round: 2 }), {
      ...view,
      last,
    } as DashPicture);
    expect(after).toMatchObject({ last });
    expect(after).not.toHaveProperty("emptied");
  });
});
