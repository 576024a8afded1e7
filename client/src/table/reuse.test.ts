import { expect, it } from "vitest";
import { reuseUnchanged } from "./reuse";

const BEFORE = { round: 1, seats: [{ hand: ["A1"] }, { hand: ["B2", "C3"] }], last: null };

it("is the old thing if nothing has changed", () => {
  expect(reuseUnchanged(BEFORE, structuredClone(BEFORE))).toBe(BEFORE);
});

it("is new only where something has", () => {
  const after = { ...structuredClone(BEFORE), seats: [{ hand: ["A1"] }, { hand: ["B2"] }] };
  const reused = reuseUnchanged(BEFORE, after);
  expect(reused).toEqual(after);
  expect(reused).not.toBe(BEFORE);
  expect(reused.seats[0]).toBe(BEFORE.seats[0]);
  expect(reused.seats[1]).not.toBe(BEFORE.seats[1]);
});

it("keeps nothing that is gone, and confuses no list with an object", () => {
  expect(reuseUnchanged({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
  expect(reuseUnchanged({ a: { 0: "x" } }, { a: ["x"] })).toEqual({ a: ["x"] });
  expect(reuseUnchanged({ a: null }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
  expect(reuseUnchanged(undefined, [1])).toEqual([1]);
});
