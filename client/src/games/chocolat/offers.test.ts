import { describe, expect, it } from "vitest";
import type { ChocolatCombine, ChocolatDecision } from "~/wire/messages";
import { printed } from "./cards";
import { chosenAnew, choicesIn, discarded, isChosen, offerOfAll, offersIn, offersWith } from "./offers";

const combine = (cards: string[], kept: string[], more: Partial<ChocolatCombine> = {}): ChocolatCombine => ({
  do: "combine",
  cards,
  kept,
  ...more,
});
/** The view with these combinations; each brings what is printed on the cards kept. */
const view = (legal: ChocolatDecision[]) => ({
  legal,
  gains: legal.map((one) => (one.do === "combine" ? printed(one.kept) : 0)),
});
const short = (legal: ChocolatDecision[]) =>
  offersIn(view(legal)).map(({ cards, ways }) => [cards.join(" "), ...ways.map(({ points }) => points)]);

const RUN = ["fruit-5-4", "eggs-6-2", "fruit-7-2"];

describe("offers", () => {
  it("are one for the same cards, however they are discarded, and leave nothing tasty on top", () => {
    const legal = [
      combine(["fruit-5-4", "eggs-6-2", "fruit-7-2"], ["fruit-5-4"]),
      combine(["fruit-5-4", "fruit-7-2", "eggs-6-2"], ["fruit-5-4"]),
      { do: "pass" } as const,
    ];
    const [offer, ...rest] = offersIn(view(legal));
    expect(rest).toEqual([]);
    expect(offer!.ways.map(({ decision }) => decision)).toEqual([legal[1], legal[0]]);
  });

  it("use no helper where it changes nothing, but can", () => {
    const plain = combine(RUN, ["fruit-5-4"]);
    const bee = combine(RUN, ["fruit-5-4"], { helper: 2, changed: "fruit-7-2", as: "sugar" });
    expect(offersIn(view([bee, plain]))[0]!.ways.map(({ decision }) => decision)).toEqual([plain, bee]);
  });

  it("use it first where it brings more", () => {
    const plain = combine(["fruit-7-2", "fruit-5-4", "fruit-6-3"], ["fruit-7-2"]);
    const worse = combine(["fruit-5-4", "fruit-7-2", "fruit-6-3"], ["fruit-5-4"], {
      helper: 2,
      changed: "fruit-6-3",
      as: "nuts",
    });
    expect(short([worse, plain])).toEqual([["fruit-5-4 fruit-6-3 fruit-7-2", 7, 5]]);
    const [lowest, highest] = [
      combine(RUN, ["fruit-5-4"]),
      combine(RUN, ["fruit-7-2"], { helper: 2, changed: "eggs-6-2", as: "fruit" }),
    ];
    expect(offersIn(view([lowest, highest]))[0]!.ways.map(({ decision }) => decision)).toEqual([highest, lowest]);
  });

  it("let one choose what of a set is kept, then how the rest is discarded", () => {
    const set = ["eggs-6-3", "fruit-6-4", "chocolate-6-5"];
    const legal = set.flatMap((kept) => {
      const [one, other] = set.filter((card) => card !== kept);
      return [combine([kept, one!, other!], [kept]), combine([kept, other!, one!], [kept])];
    });
    const [offer] = offersIn(view(legal));
    const { helps, keeps, orders } = choicesIn(offer!, offer!.ways[0]!);
    expect([helps.length, keeps.length, orders.length]).toEqual([1, 3, 2]);
    expect(keeps.map(({ kept }) => kept)).toEqual(expect.arrayContaining(set.map((card) => [card])));
    expect(discarded(orders[1]!)).toEqual(discarded(orders[0]!).toReversed());
    expect(keeps.filter((one) => isChosen("keeps", one, orders[1]!))).toEqual([orders[0]]);
    expect(orders.map((one) => isChosen("orders", one, orders[1]!))).toEqual([false, true]);
  });

  it("keep what was chosen before where only the help changes", () => {
    const discards = [RUN.slice(1), RUN.slice(1).toReversed()];
    const plain = discards.map((rest) => combine(["fruit-5-4", ...rest], ["fruit-5-4"]));
    const helped = plain.map((one) => ({ ...one, helper: 2, changed: "fruit-7-2", as: "sugar" }) as ChocolatCombine);
    const [offer] = offersIn(view([...plain, ...helped]));
    const { helps, orders } = choicesIn(offer!, offer!.ways[0]!);
    const chosen = chosenAnew(offer!, "helps", helps[1]!, orders[1]!);
    expect([chosen.helper, discarded(chosen)]).toEqual([2, discarded(orders[1]!)]);
  });

  it("come best first, then with fewer cards", () => {
    const legal = [
      combine(["eggs-3-6", "fruit-4-5", "nuts-5-5"], ["eggs-3-6"]),
      combine(["nuts-5-5", "nuts-5-6", "nuts-5-6"], ["nuts-5-5", "nuts-5-6"]),
      combine(["eggs-3-6", "eggs-4-4", "fruit-5-5", "nuts-6-5"], ["eggs-3-6", "eggs-4-4"], { helper: 1 }),
    ];
    expect(offersIn(view(legal)).map(({ ways }) => ways[0]!.points)).toEqual([10, 7, 3]);
  });

  it("are narrowed down by cards that are raised", () => {
    const offers = offersIn(
      view([combine(RUN, ["fruit-5-4"]), combine(["nuts-5-5", "nuts-5-6", "nuts-5-6"], ["nuts-5-5"])]),
    );
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
    expect(offersIn(view(many)).length).toBeLessThanOrEqual(125);
  });
});
