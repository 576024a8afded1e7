import { expect, it } from "vitest";
import { sharing } from "./sharing";

const BEFORE = { round: 1, seats: [{ hand: ["A1"] }, { hand: ["B2", "C3"] }], last: null };

it("is the old thing if nothing has changed", () => {
  expect(sharing(BEFORE, structuredClone(BEFORE))).toBe(BEFORE);
});

it("is new only where something has", () => {
  const after = { ...structuredClone(BEFORE), seats: [{ hand: ["A1"] }, { hand: ["B2"] }] };
  const shared = sharing(BEFORE, after);
  expect(shared).toEqual(after);
  expect(shared).not.toBe(BEFORE);
  expect(shared.seats[0]).toBe(BEFORE.seats[0]);
  expect(shared.seats[1]).not.toBe(BEFORE.seats[1]);
});

it("keeps nothing that is gone, and confuses no list with an object", () => {
  expect(sharing({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
  expect(sharing({ a: { 0: "x" } }, { a: ["x"] })).toEqual({ a: ["x"] });
  expect(sharing({ a: null }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
  expect(sharing(undefined, [1])).toEqual([1]);
});
