import { beforeAll, describe, expect, it } from "vitest";
import type { ChocolatEntry, ChocolatRank, ChocolatView } from "~/wire/messages";
import { LANGUAGES } from "~/words/languages";
import { loadWords, speak } from "~/words/words.svelte";
import { changeOf, noise, prompt, reasons, tell, wholeName } from "./story";
import { aSeat, aView } from "./testing";

beforeAll(() => loadWords("chocolat"));

const NAMES = ["Ada", "Bo", "Cy"];
const table = { by: "table" } as const;

const TOLD: [ChocolatEntry, string, string][] = [
  [{ ...table, do: "choose", option: "pantry_seat", value: 1 }, "Chance seats Bo at the pantry.", "C6"],
  [
    { ...table, do: "shuffle", pile: "ingredients", count: 80 },
    "The ingredients are shuffled: five cards for everybody.",
    "C4",
  ],
  [{ ...table, do: "shuffle", pile: "ingredients", count: 21 }, "The discard pile is shuffled: a new draw pile.", "C7"],
  [
    { ...table, do: "helpers", seats: [5, 3, 1], spare: [6, 2, 4, 7] },
    "Who has which helper, by rank: Ada 5, Bo 3, and Cy 1.",
    "C13",
  ],
  [{ ...table, do: "round", number: 2 }, "Round 2 begins.", "C7"],
  [
    { ...table, do: "market", new: ["fruit-4-6", "sugar-6-1"], cards: [] },
    "New in the market: fruit 4 and sugar 6.",
    "C7",
  ],
  [{ ...table, do: "reveal", seat: 0, card: "chocolate-3-8", coins: 8 }, "Ada: chocolate 3, 8 coins", "C9"],
  [
    { ...table, do: "reveal", seat: 1, card: "eggs-3-5", coins: 8, helper: 7 },
    "Bo: eggs 3, with the cockroach 8 coins",
    "C15",
  ],
  [{ by: 1, do: "draft", take: ["eggs-6-3", "fruit-7-2"] }, "Bo takes eggs 6 and fruit 7.", "C9"],
  [
    { by: 2, do: "draft", take: ["eggs-4-4", "nuts-5-5", "sugar-5-2"], give: "nuts-5-5", helper: 4 },
    "Cy takes eggs 4, nuts 5, and sugar 5 with the hamster and gives nuts 5.",
    "C15",
  ],
  [{ by: 2, do: "dig", card: "chocolate-3-8", helper: 5 }, "Cy gives up chocolate 3 with the mole.", "C15"],
  [{ by: 0, do: "fetch", card: "fruit-3-6", helper: 6 }, "Ada gives up fruit 3 with the dung beetle.", "C15"],
  [{ ...table, do: "draw", seat: 2, cards: ["sugar-5-2"] }, "Cy draws sugar 5.", "C15"],
  [{ ...table, do: "gain", seat: 0, card: "nuts-6-4" }, "Ada fetches nuts 6 from the discard pile.", "C15"],
  [
    { by: 1, do: "combine", cards: ["chocolate-6-5", "eggs-6-3", "fruit-6-4"], kept: ["chocolate-6-5"] },
    "Bo lays out chocolate 6, eggs 6, and fruit 6 and keeps chocolate 6: +6.",
    "C11",
  ],
  [
    {
      by: 0,
      do: "combine",
      cards: ["nuts-5-5", "nuts-5-6", "nuts-4-6"],
      kept: ["nuts-5-5", "nuts-5-6"],
      helper: 3,
      changed: "nuts-4-6",
    },
    "Ada lays out nuts 5, nuts 5, and nuts 4 with the squirrel and keeps nuts 5 and nuts 5: +10.",
    "C15",
  ],
  [{ by: 0, do: "pass" }, "Ada passes.", "C10"],
  [{ ...table, do: "end", scores: [31, 24, 31], places: [2, 3, 1] }, "Cy wins with 31 victory points!", "C16"],
];

describe("the log", () => {
  beforeAll(() => speak("en"));

  it.each(TOLD)("tells %j", (entry, text, rule) => {
    expect(tell(entry, NAMES)).toEqual({ text, rule });
  });

  it("does not tell what everybody sees anyway, or nobody may know", () => {
    expect(tell({ by: 0, do: "lay" }, NAMES)).toBeNull();
    expect(tell({ ...table, do: "draw", seat: 1, count: 1 }, NAMES)).toBeNull();
    expect(tell({ ...table, do: "shuffle", pile: "helpers", order: [1, 2, 3, 4, 5, 6, 7] }, NAMES)).toBeNull();
  });

  it("says what a helper does in a combination, whatever its rank", () => {
    expect(changeOf({ helper: 7, changed: "eggs-6-2", as: "fruit" })).toBe("eggs 6 counts as fruit");
    expect(changeOf({ helper: 1, changed: "nuts-4-6" })).toBe("nuts 4 counts 1 higher");
    expect(changeOf({ helper: 2 })).toBe("with the ant");
    expect(changeOf({})).toBe("");
  });

  it("calls cards by all that is printed on them", () => {
    expect(wholeName("sugar-7-1")).toBe("sugar 7, 1 coin");
  });
});

describe.each(LANGUAGES)("in %s", (language) => {
  beforeAll(() => speak(language));

  it.each(TOLD)("there are words for %j", (entry) => {
    const { text } = tell(entry, NAMES)!;
    expect(text).toMatch(/\S/);
    expect(text).not.toMatch(/[{}]|undefined/);
  });
});

describe("what to do now", () => {
  beforeAll(() => speak("en"));
  const says = (view: ChocolatView, seat: number | null = 0) => {
    const { text, rule } = prompt(view, seat, NAMES);
    return `${text} ${rule}`;
  };
  const drafting = { phase: "drafting", order: [1, 2, 0], to_act: [1] } as const;

  it("is to lay a card, or to wait for others who do", () => {
    expect(says(aView(3, { legal: [{ do: "lay", card: "nuts-3-8" }] }))).toBe(
      "Lay a card. The most coins drafts first. C8",
    );
    expect(says(aView(3, { laid: { card: "nuts-3-8", helper: false }, to_act: [1, 2] }))).toBe(
      "You have laid nuts 3; waiting for Bo and Cy. C8",
    );
    expect(says(aView(3, { to_act: [2] }), null)).toBe("Cy is choosing a card. C8");
  });

  it("is to take cards, and how", () => {
    const mine = { ...drafting, order: [0, 1], to_act: [0] };
    expect(says(aView(3, { ...mine, legal: [{ do: "draft", take: [] }] }))).toBe("Take two cards from the market. C9");
    const three = { do: "draft", take: [], give: "nuts-3-8", helper: 4 } as const;
    expect(
      says(
        aView(3, {
          ...mine,
          legal: [
            { do: "draft", take: [] },
            { ...three, take: [] },
          ],
        }),
      ),
    ).toBe("Take two cards, or three with the hamster and give one. C15");
  });

  it("is to wait for one's turn", () => {
    const view = aView(3, { ...drafting, order: [...drafting.order], to_act: [1] });
    expect(says(view)).toBe("Bo is drafting. 2 before you. C9");
    expect(says(view, 2)).toBe("Bo is drafting. You are next. C9");
    expect(says(view, null)).toBe("Bo is drafting. C9");
    expect(says({ ...view, phase: "scoring", order: [1] })).toBe("Bo is scoring. C10");
  });

  it("is to lay out, to swap before, or just to pass", () => {
    const mine = { phase: "scoring", order: [0, 1], to_act: [0] } as const;
    const scoring = (legal: ChocolatView["legal"], helper: ChocolatRank = 2) =>
      aView(3, { ...mine, order: [0, 1], to_act: [0], legal, seats: [aSeat({ helper }), aSeat(), aSeat()] });
    const pass = { do: "pass" } as const;
    expect(says(scoring([{ do: "combine", cards: [], kept: [] }, pass]))).toBe("Lay out a combination, or pass. C10");
    expect(says(scoring([pass]))).toBe("No combination this time: pass. C10");
    expect(says(scoring([{ do: "dig", card: "nuts-3-8", helper: 5 }, pass], 5))).toBe(
      "Swap with the mole first if you like; then lay out or pass. C15",
    );
  });

  it("is what the phase is about as long as it is not known what is legal", () => {
    const mine = { order: [0, 1], to_act: [0], legal: [] };
    expect(says(aView(3, { ...mine, phase: "laying" }))).toBe("Lay a card. The most coins drafts first. C8");
    expect(says(aView(3, { ...mine, phase: "drafting" }))).toBe("Take two cards from the market. C9");
    expect(says(aView(3, { ...mine, phase: "scoring" }))).toBe("Lay out a combination, or pass. C10");
  });

  it("is to look while cards are turned over, and to go home in the end", () => {
    expect(says(aView(3, { to_act: [] }))).toBe("The cards are turned over … C8");
    expect(says(aView(3, { over: true, to_act: [] }))).toBe("All eaten up. That was delicious! C16");
  });
});

describe("the places", () => {
  beforeAll(() => speak("en"));
  const why = (helpers: ChocolatRank[], scores: number[], places: number[]) =>
    reasons(aView(3, { seats: helpers.map((helper) => aSeat({ helper })) }), scores, places, NAMES).map(
      ({ text, rule }) => `${text} ${rule}`,
    );

  it("are by points", () => {
    expect(why([1, 2, 3], [31, 24, 12], [1, 2, 3])).toEqual(["Ada has the most victory points: 31. C16"]);
  });

  it("are by the helper's rank where points are equal", () => {
    expect(why([3, 4, 5], [31, 24, 31], [2, 3, 1])).toEqual([
      "Cy and Ada are level at 31. The helper decides: mole (rank 5) before squirrel (rank 3). C16",
    ]);
  });
});

it("makes a noise for what is moved", () => {
  expect(noise({ by: 0, do: "lay" })).toBe("card");
  expect(noise({ ...table, do: "helpers", seats: [], spare: [] })).toBe("squeak");
  expect(noise({ by: 0, do: "pass" })).toBeNull();
});
