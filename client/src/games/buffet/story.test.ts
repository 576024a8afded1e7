import { beforeAll, describe, expect, it } from "vitest";
import type { BuffetEntry, BuffetSeat } from "~/wire/messages";
import { LANGUAGES } from "~/words/languages";
import { loadWords, speak } from "~/words/words.svelte";
import { noise, prompt, reasons, tell } from "./story";
import { aSeat, aView } from "./testing";

beforeAll(() => loadWords("buffet"));

const NAMES = ["Ada", "Bo", "Cy", "Di"];
const table = { by: "table" } as const;

const TOLD: [BuffetEntry, string, string][] = [
  [{ ...table, do: "choose", option: "start_seat", value: 1 }, "Chance gives the start token to Bo.", "B5"],
  [{ ...table, do: "shuffle", pile: "mice", count: 110 }, "The cards are shuffled: nine for everybody.", "B5"],
  [{ ...table, do: "shuffle", pile: "mice", count: 58 }, "The discard pile is shuffled: a new draw pile.", "B18"],
  [{ ...table, do: "round", number: 3, part: 1, start: 1, plates: [] }, "Round 3 begins; Bo reveals first.", "B6"],
  [
    { ...table, do: "round", number: 3, part: 1, start: 1, plates: [], later: ["pizza4"] },
    "Round 3, part one: a plate for everybody. Bo reveals first.",
    "B25",
  ],
  [
    { ...table, do: "round", number: 3, part: 2, start: 1, plates: [] },
    "Part two: back to the start, now for the two best plates.",
    "B26",
  ],
  [{ ...table, do: "reveal", seat: 1, card: 7, at: 12 }, "Bo: 7 → field 12", "B8"],
  [{ ...table, do: "reveal", seat: 1, card: -1, at: -1 }, "Bo: −1 → field 39, behind the start", "B9"],
  [{ ...table, do: "reveal", seat: 1, card: 9, at: 43 }, "Bo: 9 → field 3, lap 2", "B9"],
  [{ ...table, do: "out", seat: 0, plate: "salad-1" }, "Ada is out and takes salad −1.", "B10"],
  [{ ...table, do: "out", seat: 0, plate: null }, "Ada goes away empty.", "B14"],
  [{ ...table, do: "win", seat: 3, plate: "sausage4" }, "Di is in front and takes sausage 4.", "B14"],
  [{ ...table, do: "start", seat: 2 }, "Cy gets the start token.", "B13"],
  [{ by: 0, do: "exchange", cards: [] }, "Ada keeps all cards.", "B12"],
  [{ by: 0, do: "exchange", cards: [-1] }, "Ada exchanges a card: −1.", "B12"],
  [{ by: 0, do: "exchange", cards: [0, 0, 1] }, "Ada exchanges 3 cards: 0, 0, 1.", "B12"],
  [{ ...table, do: "end", scores: [20, 21, 13, 18], places: [2, 1, 4, 3] }, "Bo wins with 21 points!", "B22"],
  [
    { ...table, do: "end", scores: [0, 0, -1, -1], places: [1, 1, 3, 4] },
    "Ada and Bo win together with 0 points!",
    "B22",
  ],
];

describe("the log", () => {
  beforeAll(() => speak("en"));

  it.each(TOLD)("tells %j", (entry, text, rule) => {
    expect(tell(entry, NAMES)).toEqual({ text, rule });
  });

  it("does not tell what everybody sees anyway", () => {
    expect(tell({ by: 0, do: "lay" }, NAMES)).toBeNull();
    expect(tell({ ...table, do: "draw", seat: 1, count: 9 }, NAMES)).toBeNull();
    expect(tell({ ...table, do: "shuffle", pile: "plates", count: 36 }, NAMES)).toBeNull();
  });
});

describe.each(LANGUAGES)("in %s", (language) => {
  beforeAll(() => speak(language));

  it.each(TOLD)("there are words for %j", (entry) => {
    const { text } = tell(entry, NAMES)!;
    expect(text).toMatch(/\S/);
    expect(text).not.toMatch(/[{}]|undefined|-1/);
  });
});

describe("what to do now", () => {
  beforeAll(() => speak("en"));
  const says = (...asked: Parameters<typeof prompt>) => {
    const { text, rule } = prompt(...asked);
    return `${text} ${rule}`;
  };
  const [here, out] = [aSeat({ at: 4 }), aSeat({ racing: false })];
  const race = (...seats: BuffetSeat[]) => ({ seats });

  it("is to lay a card, and what is at stake", () => {
    expect(says(aView(4), 0, NAMES)).toBe("Lay a card. Whoever is last and alone is out with salad −1. B10");
  });

  it("is the last round", () => {
    const last = { round: 9, rounds: 9, last_round: true };
    expect(says(aView(4, last), 0, NAMES)).toBe("Last round! Lay a card; last and alone is out with salad −1. B21");
    expect(says(aView(4, { ...last, ...race(here, here, here, out) }), 0, NAMES)).toMatch(/^Lay a card.* B10$/);
  });

  it("is part one or two of three players", () => {
    const one = aView(3, { later: ["cheese5", "pizza4"], plates: ["pizza3", "salad2", "salad-1"] });
    expect(says(one, 0, NAMES)).toBe("Part one: lay a card. Whoever is last and alone gets salad −1. B25");
    const pair = { ...one, duel: true, plates: ["pizza3", "salad2"], ...race(here, out, here), to_act: [0, 2] };
    expect(says(pair, 0, NAMES)).toBe("You and Cy: pizza 3 for the mouse in front, salad 2 for the other. B25");
    const two = aView(3, { part: 2, plates: ["cheese5", "pizza4"] });
    expect(says(two, 0, NAMES)).toBe("Part two: lay a card. Whoever is last and alone is out with pizza 4. B27");
  });

  it("is a duel", () => {
    const duel = aView(4, { duel: true, plates: ["cheese5"], ...race(here, here, out, out), to_act: [0, 1] });
    expect(says(duel, 0, NAMES)).toBe("You and Bo duel for cheese 5. Lay a card! B14");
    expect(says({ ...duel, duel: false }, 0, NAMES)).toMatch(/^Lay a card.* B10$/);
    expect(says(duel, 3, NAMES)).toBe("Ada and Bo duel for cheese 5. B14");
    expect(says(duel, null, NAMES)).toBe("Ada and Bo duel for cheese 5. B14");
  });

  it("is to wait for others", () => {
    expect(says(aView(4, { laid: 7, to_act: [1, 2] }), 0, NAMES)).toBe("You have laid 7; waiting for Bo and Cy. B7");
    expect(says(aView(4, { laid: -1, to_act: [3], exchange: 3 }), 0, NAMES)).toBe(
      "You have laid −1; Di is still exchanging cards. B28",
    );
  });

  it("is to exchange", () => {
    const view = aView(4, { exchange: 0, ...race(out, here, here, here) });
    expect(says(view, 0, NAMES)).toBe("You’re first out: exchange any cards, or keep them all. B12");
  });

  it("is to watch until one races again", () => {
    const view = aView(4, { ...race(out, here, here, here), to_act: [2] });
    expect(says(view, 0, NAMES)).toBe("You’re out until the next round. Cy is choosing … B10");
    const one = { ...aView(3, { later: ["cheese5"], ...race(out, here, here) }), to_act: [1, 2] };
    expect(says(one, 0, NAMES)).toBe("You’re out until part two. Bo and Cy are choosing … B26");
  });

  it("is told to those who watch", () => {
    expect(says(aView(3), null, NAMES)).toBe("Ada, Bo, and Cy are choosing a card. B7");
    expect(says(aView(3, { to_act: [1] }), null, NAMES)).toBe("Bo is choosing a card. B7");
    expect(says(aView(3, { to_act: [1], exchange: 1 }), null, NAMES)).toBe("Bo is exchanging cards. B28");
  });

  it("is to look while cards are turned over, and to go home in the end", () => {
    expect(says(aView(4, { to_act: [] }), 0, NAMES)).toBe("The cards are turned over … B8");
    expect(says(aView(4, { stakes: [] }), 0, NAMES)).toBe("The cards are turned over … B8");
    expect(says(aView(4, { over: true, to_act: [] }), 0, NAMES)).toBe(
      "The last plate is gone. That was delicious! B21",
    );
  });
});

describe("the places", () => {
  beforeAll(() => speak("en"));
  const why = (bests: (string | null)[], scores: number[], places: number[]) =>
    reasons(aView(4, { seats: bests.map((best) => aSeat({ best })) }), scores, places, NAMES).map(
      ({ text, rule }) => `${text} ${rule}`,
    );

  it("are by points", () => {
    expect(why(["pizza4", "pizza5", null, null], [4, 5, 0, -1], [2, 1, 3, 4])).toEqual([
      "Bo has the most points: 5. B22",
    ]);
  });

  it("are by the best plate where points are equal", () => {
    expect(why(["pizza4", "cheese5", "salad5", "salad1"], [9, 9, 9, 1], [3, 1, 2, 4])).toEqual([
      "Bo and Cy are level at 9. The best plate decides: cheese 5 beats salad 5. B23",
      "Cy and Ada are level at 9. The best plate decides: salad 5 beats pizza 4. B23",
    ]);
  });

  it("are shared only by those who have nothing", () => {
    expect(why([null, "salad1", null, "pizza4"], [0, 0, 0, 4], [3, 2, 3, 1])).toEqual([
      "Di has the most points: 4. B22",
      "Bo and Ada are level at 0. Bo has a plate, Ada has none. B23",
      "Ada and Cy have no plate at all: they share their place. B23",
    ]);
  });
});

it("makes a noise for what is moved", () => {
  expect(TOLD.map(([entry]) => noise(entry)).filter(Boolean)).toContain("plate");
  expect(noise({ by: 0, do: "lay" })).toBe("card");
  expect(noise({ ...table, do: "out", seat: 0, plate: null })).toBe("squeak");
  expect(noise({ ...table, do: "draw", seat: 0, count: 2 })).toBeNull();
});
