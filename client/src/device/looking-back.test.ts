import { beforeEach, describe, expect, it } from "vitest";
import { note, noted } from "./notes";
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

  it("may have been spoilt", () => {
    localStorage.setItem("tafelrunde.results", '[null, {"code": "x"}, 7]');
    expect(keptResults()).toEqual([]);
  });
});
