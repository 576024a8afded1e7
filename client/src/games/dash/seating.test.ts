import { describe, expect, it } from "vitest";
import { pawsOf, seatingOf } from "./seating";

const SEATS = [2, 3, 4, 5, 6, 7, 8, 9, 10];

describe.each(SEATS)("%i seats", (seats) => {
  it("have everybody else in the order of the seats, wherever one sits", () => {
    for (let near = 0; near < seats; near++) {
      const { others, half, columns } = seatingOf(near, seats);
      expect([near, ...others].toSorted((a, b) => a - b)).toEqual(Array.from({ length: seats }, (_, i) => i));
      expect(half * 2 - others.length).toBeLessThanOrEqual(1);
      expect(columns).toBeLessThanOrEqual(5);
    }
  });

  it.each([true, false])("reach in from different points beyond the edge, if there is room: %o", (wide) => {
    const hands = seats === 2 ? 2 : 1;
    const paws = pawsOf(seatingOf(0, seats), hands, wide);
    expect(paws.map(({ seat, hand }) => seat * hands + hand)).toEqual(paws.map((_, i) => i));
    expect(paws.every(({ from }) => Math.min(from.x, from.y) < 0 || Math.max(from.x, from.y) > 1)).toBe(true);
    const mine = paws.slice(0, hands).map(({ from }) => from);
    expect(mine.every(({ y }) => y > 1)).toBe(true);
  });
});
