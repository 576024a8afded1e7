import { beforeEach, describe, expect, it } from "vitest";
import { forgetNotes, note, noted } from "./notes";
import { keepResults, keptResults, type KeptResult } from "./results";

beforeEach(() => localStorage.clear());

describe("what was noted before a game", () => {
  it("is found again, seat by seat, and never changed", () => {
    note("nupadure", 1, "promise", 0, "mine");
    note("nupadure", 1, "another", 2, "yours");
    note("nupadure", 1, "another", 0, "later");
    expect(noted("nupadure", 1)).toEqual({
      code: "nupadure",
      match: 1,
      commitment: "promise",
      nonces: { 0: "mine", 2: "yours" },
    });
    expect(noted("nupadure", 2)).toBeUndefined();
  });

  it("is forgotten if the game has not begun after all", () => {
    for (const match of [1, 2, 3]) note("nupadure", match, "promise", 0, "mine");
    note("kafemulo", 3, "promise", 0, "mine");
    forgetNotes("nupadure", 2);
    expect([1, 2, 3].map((match) => noted("nupadure", match)?.match)).toEqual([1, undefined, undefined]);
    expect(noted("kafemulo", 3)).toBeDefined();
  });

  it("may have been spoilt", () => {
    localStorage.setItem("tafelrunde.notes", '[null, 7, {"code": "nupadure"}]');
    expect(noted("nupadure", 1)).toBeUndefined();
  });
});

describe("results", () => {
  const result = (match: number, ended: number): KeptResult => ({
    ...{ code: "nupadure", game: "buffet", match, ended, mine: [0] },
    ...{ names: ["Ada", "Bo"], scores: [3, 4], places: [2, 1] },
  });

  it("are kept once, the latest first", () => {
    keepResults([result(1, 10)]);
    keepResults([result(1, 10), result(2, 20)]);
    expect(keptResults().map(({ match }) => match)).toEqual([2, 1]);
  });

  it("of a game that was played again count as they are now", () => {
    keepResults([result(1, 10)]);
    keepResults([
      { ...result(1, 30), scores: [9, 1] },
      { ...result(1, 20), scores: [0, 0] },
    ]);
    expect(keptResults()).toMatchObject([{ match: 1, scores: [9, 1] }]);
  });

  it("may have been spoilt", () => {
    localStorage.setItem("tafelrunde.results", '[null, {"code": "x"}, 7]');
    expect(keptResults()).toEqual([]);
  });
});
