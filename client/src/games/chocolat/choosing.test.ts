import { describe, expect, it } from "vitest";
import type { ChocolatDecision } from "~/wire/messages";
import { askedFor, Choosing } from "./choosing.svelte";
import { aView } from "./testing";

const thinking = (legal: ChocolatDecision[]) => new Choosing(() => aView(3, { legal }));

describe("laying", () => {
  const choosing = thinking([
    { do: "lay", card: "nuts-3-8" },
    { do: "lay", card: "nuts-3-8", helper: 7 },
  ]);

  it("is a card, with or without the helper", () => {
    expect(choosing.asked).toBe("lay");
    expect(choosing.lay).toBeUndefined();
    choosing.press("nuts-3-8.0");
    expect(choosing.lay).toEqual({ do: "lay", card: "nuts-3-8" });
    expect(choosing.canBeBold).toBe(true);
    choosing.bold = true;
    expect(choosing.lay).toEqual({ do: "lay", card: "nuts-3-8", helper: 7 });
  });

  it("raises one card at a time", () => {
    choosing.press("eggs-4-4.0");
    expect(choosing.raised).toEqual(["eggs-4-4"]);
    choosing.press("eggs-4-4.0");
    expect(choosing.raised).toEqual([]);
  });
});

describe("taking", () => {
  const two: ChocolatDecision = { do: "draft", take: ["eggs-7-1", "sugar-7-1"] };
  const three: ChocolatDecision = {
    do: "draft",
    take: ["eggs-7-1", "nuts-6-4", "sugar-7-1"],
    give: "nuts-6-4",
    helper: 4,
  };

  it("is two cards in any order; a third one takes the place of the first", () => {
    const choosing = thinking([two]);
    choosing.take("sugar-7-1.0");
    expect(choosing.draft).toBeUndefined();
    choosing.take("eggs-7-1.0");
    expect(choosing.draft).toEqual(two);
    choosing.take("nuts-6-4.0");
    expect(choosing.taken.map(({ card }) => card)).toEqual(["eggs-7-1", "nuts-6-4"]);
  });

  it("is three with a helper, and one is given, perhaps one of the three", () => {
    const choosing = thinking([two, three]);
    for (const key of ["sugar-7-1.0", "eggs-7-1.0"]) choosing.take(key);
    expect([choosing.draft, choosing.giving]).toEqual([two, false]);
    choosing.take("nuts-6-4.0");
    expect([choosing.draft, choosing.giving]).toEqual([undefined, true]);
    expect(choosing.held).toContain("nuts-6-4");
    choosing.press("nuts-6-4.0");
    expect(choosing.draft).toEqual(three);
  });
});

describe("scoring", () => {
  const run: ChocolatDecision = { do: "combine", cards: ["fruit-5-4", "fruit-7-2", "eggs-6-2"], kept: ["fruit-5-4"] };
  const swap: ChocolatDecision = { do: "dig", card: "nuts-3-8", helper: 5 };

  it("lifts a combination together, and says what is kept", () => {
    const choosing = thinking([run, { do: "pass" }]);
    expect([choosing.asked, choosing.pass]).toEqual(["score", { do: "pass" }]);
    choosing.lift(choosing.offers[0]!);
    expect(choosing.raised).toHaveLength(3);
    expect(choosing.variant).toMatchObject({ decision: run, points: 5, kept: ["fruit-5-4"] });
    choosing.clear();
    expect([choosing.raised, choosing.variant]).toEqual([[], undefined]);
  });

  it("swaps a single card before", () => {
    const choosing = thinking([swap, run, { do: "pass" }]);
    choosing.press("nuts-3-8.0");
    expect(choosing.swap).toEqual(swap);
    choosing.press("fruit-5-4.0");
    expect([choosing.swap, choosing.possible]).toEqual([undefined, []]);
  });

  it("raises nothing where nothing comes of it", () => {
    const choosing = thinking([{ do: "pass" }]);
    choosing.press("nuts-3-8.0");
    expect(choosing.raised).toEqual([]);
  });
});

it("is asked for nothing while others decide", () => {
  expect(askedFor({ legal: [] })).toBeNull();
  expect(thinking([]).usable()).toBe(false);
});
