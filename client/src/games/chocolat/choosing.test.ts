import { describe, expect, it } from "vitest";
import type { ChocolatDecision, ChocolatView } from "~/wire/messages";
import { oneByOne } from "./cards";
import { askedFor, Choosing } from "./choosing.svelte";
import positions from "./fixtures/positions.json";
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
    expect(choosing.way?.decision).toEqual(run);
    choosing.clear();
    expect([choosing.raised, choosing.way, choosing.choices]).toEqual([[], undefined, undefined]);
  });

  it("says what another help brings with the cards that were chosen to be kept", () => {
    const cards = ["eggs-4-4", "fruit-5-4", "eggs-6-2"];
    const plain: ChocolatDecision = { do: "combine", cards, kept: ["eggs-4-4"] };
    const helped = ["eggs-4-4", "fruit-5-4"].map((kept) => ({ ...plain, kept: [kept], helper: 3 as const }));
    const legal = [plain, ...helped];
    const choosing = new Choosing(() => aView(3, { phase: "scoring", legal, gains: [4, 4, 5] }));
    choosing.lift(choosing.offers[0]!);
    const [helpers] = choosing.choices!.helps.filter(({ helper }) => helper === 3);
    expect([helpers!.points, choosing.way!.points]).toEqual([5, 5]);
    choosing.vary(
      "keeps",
      choosing.choices!.keeps.find(({ points }) => points === 4)!,
    );
    for (const help of choosing.choices!.helps) {
      const { points } = choosing.varied("helps", help);
      choosing.vary("helps", help);
      expect([points, choosing.way!.kept]).toEqual([4, ["eggs-4-4"]]);
      expect(choosing.way!.points).toBe(points);
    }
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

describe("positions of real games", () => {
  const games = positions as unknown as Pick<ChocolatView, "phase" | "hand" | "market" | "gains" | "legal">[];
  const at = (position: (typeof games)[number]) => {
    const view = aView(3, position);
    return new Choosing(() => view);
  };
  const text = (decisions: readonly (ChocolatDecision | undefined)[]) => decisions.map((one) => JSON.stringify(one));

  /** Everything that can be decided by raising, taking and choosing, one thing after the other. */
  function* all(choosing: Choosing, { hand, market }: (typeof games)[number]): Generator<ChocolatDecision | undefined> {
    const held = oneByOne(hand);
    if (choosing.asked === "lay") {
      for (const { key } of held) {
        choosing.press(key);
        for (choosing.bold of choosing.canBeBold ? [false, true] : [false]) yield choosing.lay;
      }
    } else if (choosing.asked === "draft") {
      for (const keys of subsets(oneByOne(market), choosing.mostTaken)) {
        choosing.clear();
        for (const { key } of keys) choosing.take(key);
        if (!choosing.giving) yield choosing.draft;
        else
          for (const { key } of oneByOne(choosing.held)) {
            choosing.press(key);
            yield choosing.draft;
          }
      }
    } else {
      yield choosing.pass;
      for (const keys of subsets(held, 4)) {
        choosing.clear();
        for (const { key } of keys) choosing.press(key);
        yield choosing.swap;
        for (const help of choosing.choices?.helps ?? []) {
          choosing.vary("helps", help);
          for (const kept of choosing.choices!.keeps) {
            choosing.vary("keeps", kept);
            for (const order of choosing.choices!.orders) {
              choosing.vary("orders", order);
              yield choosing.way?.decision;
            }
          }
        }
      }
    }
  }

  it.each(games.map((position, nth) => [nth, position.phase, position.legal.length, position] as const))(
    "%i, %s: each of its %i legal decisions can be made, and nothing else",
    (_nth, _phase, _count, position) => {
      const made = new Set(text([...all(at(position), position)].filter((one) => one !== undefined)));
      expect([...made].toSorted()).toEqual(text(position.legal).toSorted());
    },
  );

  it("are offered the most points for a combination at once, and the helper is spared where it brings none", () => {
    for (const position of games) {
      const choosing = at(position);
      for (const { cards, ways } of choosing.offers) {
        choosing.lift({ cards, ways });
        const most = Math.max(...ways.map(({ points }) => points));
        expect(choosing.way!.points).toBe(most);
        const spared = ways.some((way) => way.helper === undefined && way.points === most);
        expect(choosing.way!.helper === undefined).toBe(spared);
      }
    }
  });
});

function subsets<Thing>(things: readonly Thing[], most: number): Thing[][] {
  const [first, ...rest] = things;
  if (first === undefined || most === 0) return [[]];
  return [...subsets(rest, most), ...subsets(rest, most - 1).map((some) => [first, ...some])];
}
