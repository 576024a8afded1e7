import { beforeAll, describe, expect, it } from "vitest";
import type { DashEntry } from "~/wire/messages";
import { loadWords, speak } from "~/words/words.svelte";
import { doublesIn, wouldDouble } from "./meanwhile";
import type { DashPicture } from "./picture";
import { displayOf, prompt, realTime, reasons, tell, worth } from "./story";
import { aHand, aView } from "./testing";

const NAMES = ["Ada", "Bo", "Cy"];
const VIEW = aView([[aHand({ display: ["A1", "C4"] })], [aHand()], [aHand()]], {
  heap: [
    { place: 0, card: "B2", seen_by: [0], surely_food: true },
    { place: 1, card: null, seen_by: [], surely_food: false },
  ],
  emptied: { 5: 1 },
});
const hear = (entry: DashEntry, view: DashPicture = VIEW, seat: number | null = 0) =>
  realTime.hear(entry, view, seat, NAMES);

beforeAll(async () => {
  await speak("en");
  await loadWords("dash");
});

describe("those who hear the game are told", () => {
  it("all that their own hand does, and what it would double", () => {
    expect(hear({ by: "table", do: "see", seat: 0, card: "A4" })).toBe(
      "In your hand: pizza and juice. Would be double: pizza and juice!",
    );
    expect(hear({ by: "table", do: "show", seat: 0, card: "B2" })).toBe("Kept: sushi and coffee.");
    expect(hear({ by: "table", do: "late", seat: 0, place: 5 })).toBe("Too late, Bo was quicker.");
    expect(hear({ by: "table", do: "late", seat: 0, place: 6 })).toBe("Too late, somebody was quicker.");
    expect(hear({ by: 0, do: "exit", ms: 1 })).toBe("You’re off! 2 exits left.");
  });

  it("what others do only if it touches their interest", () => {
    expect(hear({ by: 1, do: "take", place: 1, ms: 1 })).toBeNull();
    expect(hear({ by: 1, do: "take", place: 0, ms: 1 })).toBe("Bo takes a card that you know: sushi and coffee.");
    expect(hear({ by: "table", do: "see", seat: 1 })).toBeNull();
    expect(hear({ by: "table", do: "show", seat: 1, card: "D4" })).toBeNull();
    expect(hear({ by: 1, do: "back", place: 9, ms: 1 })).toBeNull();
    expect(hear({ by: 1, do: "return", card: "A7", place: 9, ms: 1 })).toBeNull();
    expect(hear({ by: 1, do: "return", card: "B7", place: 9, ms: 1 })).toContain("Bo returns sushi and bubble tea");
    expect(hear({ by: 1, do: "exit", ms: 1 })).toBe("Bo is off. 2 exits left.");
  });
});

describe("the log", () => {
  it("has what everybody saw, and leaves out who reached where", () => {
    expect(tell({ by: "table", do: "show", seat: 1, card: "G7" }, NAMES)?.text).toBe("Bo keeps cake and bubble tea.");
    expect(tell({ by: 1, do: "take", place: 4, ms: 1 }, NAMES)).toBeNull();
    expect(tell({ by: "table", do: "score", points: [25, -1, -3], totals: [25, -1, -3], why: "exits" }, NAMES)).toEqual(
      { text: "The last exit is taken: Ada 25, Bo −1, Cy −3.", rule: "D15" },
    );
    expect(
      tell(
        {
          by: "table",
          do: "score",
          points: [
            [25, -3],
            [16, -1],
          ],
          totals: [22, 15],
          why: "limit",
        },
        NAMES,
      )?.text,
    ).toBe("The time is up: Ada 22, Bo 15.");
  });
});

describe("one line says what to do", () => {
  const LAST = { round: 1, points: [[0], [0], [0]], totals: [0, 0, 0], displays: [] };
  const asked = (changes: Parameters<typeof aHand>[0], more: Partial<DashPicture> = {}) =>
    prompt(aView([[aHand(changes)], [aHand()], [aHand()]], more), 0, NAMES).rule;
  it.each([
    [{}, { is_open: false }, "D6"],
    [{}, { is_open: false, opener: null }, "D5"],
    [{}, { is_open: false, opener: null, last: { ...LAST, why: "exits" } }, "D15"],
    [{}, { is_open: false, opener: null, last: { ...LAST, why: "limit" } }, "D30"],
    [{ stack: 2 }, {}, "D8"],
    [{ holds: true, card: "A1" }, {}, "D8"],
    [{ holds: true, card: "X" }, {}, "D10"],
    [{}, {}, "D9"],
    [{ gone: true }, {}, "D10"],
    [{}, { over: true }, "D21"],
  ] as const)("with %o, %o by rule %s", (hand, more, rule) => {
    expect(asked(hand, more)).toBe(rule);
  });
});

describe("a display", () => {
  it("has doubles of foods and of drinks", () => {
    expect(doublesIn(["A1", "A2", "B2", "C3"])).toEqual(["A", "2"]);
    expect(wouldDouble(["A1", "B2"], "C3")).toEqual([]);
    expect(wouldDouble(["A1", "B2"], "A2")).toEqual(["A", "2"]);
    expect(wouldDouble(["A1"], "X")).toEqual([]);
    expect(displayOf(aHand({ display: ["A1", "A2"], doubles: ["A"] }))).toBe(
      "2 cards: pizza and milk and pizza and coffee. Double: pizza.",
    );
  });

  it("is worth what the table says, and why", () => {
    const displays = [
      [aHand({ display: ["A1", "B2"], gone: true })],
      [aHand({ display: ["A1", "A2"], gone: true })],
      [aHand({ display: ["C1", "D2", "E3"] })],
    ];
    const result = { round: 1, why: "exits" as const, points: [[4], [-1], [-3]], totals: [4, -1, -3], displays };
    expect([0, 1, 2].map((seat) => worth(result, seat, 0))).toEqual([
      { text: "2² = 4", rule: "D19" },
      { text: "Something is double: −1", rule: "D18" },
      { text: "No exit: −3", rule: "D17" },
    ]);
  });
});

it("says why the game ended and who won", () => {
  expect(reasons({ ...VIEW, reached: true }, [80, 80, 3], [1, 1, 3], NAMES).map(({ rule }) => rule)).toEqual([
    "D20",
    "D21",
  ]);
  expect(reasons(VIEW, [8, 5, 3], [1, 2, 3], NAMES)[1]!.text).toBe("One round was agreed on.");
});
