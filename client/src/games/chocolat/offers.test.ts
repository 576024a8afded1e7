import { describe, expect, it } from "vitest";
import type { ChocolatCombine, ChocolatDecision } from "~/wire/messages";
import { offerOfAll, offersIn, offersWith } from "./offers";

const combine = (cards: string[], kept: string[], more: Partial<ChocolatCombine> = {}): ChocolatCombine => ({
  do: "combine",
  cards,
  kept,
  ...more,
});
const short = (legal: ChocolatDecision[]) =>
  offersIn(legal).map(({ cards, variants }) => [cards.join(" "), ...variants.map(({ points }) => points)]);

const RUN = ["fruit-5-4", "eggs-6-2", "fruit-7-2"];

describe("offers", () => {
  it("are one for the same cards, however they are discarded, and leave nothing tasty on top", () => {
    const legal = [
      combine(["fruit-5-4", "eggs-6-2", "fruit-7-2"], ["fruit-5-4"]),
      combine(["fruit-5-4", "fruit-7-2", "eggs-6-2"], ["fruit-5-4"]),
      { do: "pass" } as const,
    ];
    const [offer, ...rest] = offersIn(legal);
    expect(rest).toEqual([]);
    expect(offer!.variants.map(({ decision }) => decision)).toEqual([legal[1]]);
  });

  it("use no helper where it changes nothing", () => {
    const plain = combine(RUN, ["fruit-5-4"]);
    const bee = combine(RUN, ["fruit-5-4"], { helper: 2, changed: "fruit-7-2", as: "sugar" });
    expect(offersIn([bee, plain])[0]!.variants.map(({ decision }) => decision)).toEqual([plain]);
  });

  it("use it where it brings more, and never where it brings less", () => {
    const plain = combine(["fruit-7-2", "fruit-5-4", "fruit-6-3"], ["fruit-7-2"]);
    const worse = combine(["fruit-5-4", "fruit-7-2", "fruit-6-3"], ["fruit-5-4"], {
      helper: 2,
      changed: "fruit-6-3",
      as: "nuts",
    });
    expect(short([worse, plain])).toEqual([["fruit-5-4 fruit-6-3 fruit-7-2", 7]]);
    const [lowest, highest] = [
      combine(RUN, ["fruit-5-4"]),
      combine(RUN, ["fruit-7-2"], { helper: 2, changed: "eggs-6-2", as: "fruit" }),
    ];
    expect(short([lowest, highest])).toEqual([["fruit-5-4 eggs-6-2 fruit-7-2", 7, 5]]);
  });

  it("let one choose what of a set is kept", () => {
    const set = ["eggs-6-3", "fruit-6-4", "chocolate-6-5"];
    const legal = set.map((kept) => combine([kept, ...set.filter((card) => card !== kept)], [kept]));
    const [offer] = offersIn(legal);
    expect(offer!.variants.map(({ kept }) => kept)).toEqual(expect.arrayContaining(set.map((card) => [card])));
  });

  it("come best first, then with fewer cards", () => {
    const legal = [
      combine(["eggs-3-6", "fruit-4-5", "nuts-5-5"], ["eggs-3-6"]),
      combine(["nuts-5-5", "nuts-5-6", "nuts-5-6"], ["nuts-5-5", "nuts-5-6"]),
      combine(["eggs-3-6", "eggs-4-4", "fruit-5-5", "nuts-6-5"], ["eggs-3-6", "eggs-4-4"], { helper: 1 }),
    ];
    expect(offersIn(legal).map(({ variants }) => variants[0]!.points)).toEqual([10, 7, 3]);
  });

  it("are narrowed down by cards that are raised", () => {
    const offers = offersIn([combine(RUN, ["fruit-5-4"]), combine(["nuts-5-5", "nuts-5-6", "nuts-5-6"], ["nuts-5-5"])]);
    expect(offersWith(offers, [])).toHaveLength(2);
    expect(offersWith(offers, ["nuts-5-6", "nuts-5-6"])).toHaveLength(1);
    expect(offersWith(offers, ["nuts-5-5", "nuts-5-5"])).toEqual([]);
    expect(offerOfAll(offers, ["eggs-6-2", "fruit-7-2"])).toBeUndefined();
    expect(offerOfAll(offers, ["eggs-6-2", "fruit-7-2", "fruit-5-4"])).toBe(
      offers.find(({ cards }) => cards.includes("eggs-6-2")),
    );
  });

  it("of thousands of decisions are found at once", () => {
    const many = Array.from({ length: 6000 }, (_, i) =>
      combine(
        [`eggs-${3 + (i % 5)}-1`, `nuts-${3 + ((i >> 3) % 5)}-3`, `fruit-${3 + ((i >> 6) % 5)}-2`],
        [`eggs-${3 + (i % 5)}-1`],
      ),
    );
    expect(offersIn(many).length).toBeLessThanOrEqual(125);
  });
});
