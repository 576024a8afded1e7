import { describe, expect, it } from "vitest";
import { aView } from "./testing";
import { grouped } from "./view";

describe("a view in groups", () => {
  it("has what is one's own, what belongs to each seat, and everything else", () => {
    const { own, seats, table } = grouped(aView(), 2);
    expect(own).toEqual([["hand", [2, 5, 9]]]);
    expect(seats[1]).toEqual([
      ["points", 1],
      ["has_laid", false],
    ]);
    expect(table).toEqual([
      ["round", 3],
      ["played", [1, 4, 7, 8]],
    ]);
  });

  it("has nothing of one's own for somebody who watches", () => {
    expect(grouped(aView({ seat: null, hand: [], legal: [] }), 2).own).toEqual([]);
  });

  it.each([undefined, 2, [0, 1], [{ points: 1 }], "both"])("takes seats for something else if they are %j", (seats) => {
    const groups = grouped(aView({ seats }), 2);
    expect(groups.seats).toEqual([[], []]);
    expect(groups.table.map(([name]) => name)).toContain("seats");
  });

  it("shows nothing twice that the table shows around the board", () => {
    const { own, seats, table } = grouped({ ...aView(), recent: [] }, 2);
    const names = [...own, ...seats.flat(), ...table].map(([name]) => name);
    for (const around of ["game", "seat", "to_act", "over", "legal", "recent"]) expect(names).not.toContain(around);
  });
});
