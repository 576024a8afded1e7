import { describe, expect, it } from "vitest";
import type { ReplayData } from "~/wire/messages";
import { changed, Film } from "./film";
import buffet from "./fixtures/buffet-3.json";
import dash from "./fixtures/dash-3.json";

const film = new Film(buffet.data as unknown as ReplayData);

describe("a view that changes", () => {
  const view = { round: 1, seats: [{ points: 0 }, { points: 4 }], heap: ["a", "b", "c"] };

  it("has what is new at its place, and the rest as before", () => {
    const after = changed(view, { "seats/1/points": 7, round: 2 });
    expect(after).toEqual({ round: 2, seats: [{ points: 0 }, { points: 7 }], heap: ["a", "b", "c"] });
    expect(after.seats[0]).toBe(view.seats[0]);
    expect(view.seats[1]!.points).toBe(4);
  });

  it.each([
    ["heap/1:2", [], ["a", "c"]],
    ["heap/1:1", ["x"], ["a", "x", "b", "c"]],
    ["heap/0:3", ["x"], ["x"]],
    ["heap/2", "x", ["a", "b", "x"]],
  ])("%s: %j", (path, value, heap) => {
    expect(changed(view, { [path]: value }).heap).toEqual(heap);
  });
});

describe("a film", () => {
  it.each([
    ["buffet", buffet],
    ["dash", dash],
  ])("of %s ends with what everybody saw", (_, { data, last }) => {
    const film = new Film(data as unknown as ReplayData);
    const eyes = [...film.names.keys(), null];
    expect(eyes.map((one) => film.view(film.end, one))).toEqual(last);
  });

  it("shows cards to those who saw them", () => {
    const hand = (eyes: number | null, seat: number) =>
      film.steps(eyes)[0]!.entries.find((entry) => entry.do === "draw" && entry.seat === seat);
    expect(hand(1, 1)).toMatchObject({ cards: expect.any(Array) as unknown });
    expect(hand(1, 0)).toEqual({ by: "table", do: "draw", seat: 0, count: 9 });
    expect(hand(null, 1)).toEqual({ by: "table", do: "draw", seat: 1, count: 9 });
  });

  it("never shows the order of a pile", () => {
    const shuffles = film.steps(0).flatMap(({ entries }) => entries.filter((entry) => entry.do === "shuffle"));
    expect(shuffles.length).toBeGreaterThan(0);
    expect(shuffles.some((entry) => "order" in entry && entry.order)).toBe(false);
  });

  it("has the record in it, line by line", () => {
    expect(film.lines).toHaveLength(63);
    expect(film.lines[0]).toBe(film.data.header);
    expect(film.lines[2]).toMatchObject({ do: "shuffle", order: expect.any(Array) as unknown });
  });

  it("has rounds as chapters", () => {
    expect(film.chapter(0)).toBe(0);
    const second = film.data.rounds[1]!;
    expect(film.chapter(second.step - 1)).toBe(0);
    expect(film.chapter(second.step)).toBe(1);
    expect(film.standings[0]).toEqual({ round: 0, scores: [0, 0, 0] });
    expect(film.result).toBeNull();
  });

  it("knows when things happened in real time", () => {
    const grab = new Film(dash.data as unknown as ReplayData);
    const moments = Array.from({ length: grab.length }, (_, at) => grab.moment(at));
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect(moments.at(-1)).toBeGreaterThan(0);
  });
});
