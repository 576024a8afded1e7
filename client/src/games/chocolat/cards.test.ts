import { describe, expect, it } from "vitest";
import { contains, oneByOne, partsOf, sorted, without, printed } from "./cards";

const HAND = ["sugar-3-4", "eggs-7-1", "nuts-3-8", "eggs-3-6"];

describe("a hand", () => {
  it.each([
    ["value", ["eggs-3-6", "nuts-3-8", "sugar-3-4", "eggs-7-1"]],
    ["ingredient", ["eggs-3-6", "eggs-7-1", "nuts-3-8", "sugar-3-4"]],
    ["coins", ["eggs-7-1", "sugar-3-4", "eggs-3-6", "nuts-3-8"]],
  ] as const)("is sorted by %s", (by, cards) => {
    expect(sorted(HAND, by)).toEqual(cards);
  });

  it("tells equal cards apart", () => {
    expect(oneByOne(["eggs-3-6", "nuts-3-8", "eggs-3-6"]).map(({ key }) => key)).toEqual([
      "eggs-3-6.0",
      "nuts-3-8.0",
      "eggs-3-6.1",
    ]);
  });
});

it("reads what is printed", () => {
  expect(partsOf("chocolate-3-8")).toEqual({ ingredient: "chocolate", value: 3, coins: 8 });
  expect(printed(["eggs-7-1", "nuts-3-8"])).toBe(10);
});

it("takes away one for one", () => {
  expect(without([1, 1, 2], [1, 3])).toEqual([1, 2]);
  expect([contains([1, 1, 2], [1, 2]), contains([1, 2], [1, 1])]).toEqual([true, false]);
});
