import { describe, expect, it } from "vitest";
import { FIELD, fieldAt, inwards, lapAt, pointAt, ringIn, ringOf, offsetOnField } from "./ring";

describe.each([12, 13, 14, 15])("a frame of %i columns", (columns) => {
  const ring = ringOf(columns);

  it("has 40 fields, each beside the next, clockwise from the upper left", () => {
    expect(new Set(ring.fields.map(({ x, y }) => `${x} ${y}`)).size).toBe(40);
    ring.fields.forEach(({ x, y }, field) => {
      const next = ring.fields[(field + 1) % 40]!;
      expect(Math.abs(next.x - x) + Math.abs(next.y - y)).toBe(FIELD);
    });
    expect(ring.fields[0]).toEqual({ x: 1.5 * FIELD, y: 0.5 * FIELD });
    expect(ring.fields[1]!.x).toBeGreaterThan(ring.fields[0]!.x);
    expect(ring.fields[39]).toEqual({ x: 0.5 * FIELD, y: 0.5 * FIELD });
  });

  it("keeps every mouse on it, however many share a field", () => {
    for (let field = 0; field < 40; field++) {
      for (let crowd = 1; crowd <= 6; crowd++) {
        const places = Array.from({ length: crowd }, (_, place) => offsetOnField(ring, field, place, crowd));
        expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(crowd);
        for (const { x, y, size } of places) {
          const [left, top] = [ring.fields[field]!.x + x - (size * FIELD) / 2, ring.fields[field]!.y + y];
          expect(left).toBeGreaterThanOrEqual(-7);
          expect(left + size * FIELD).toBeLessThanOrEqual(ring.width + 7);
          expect(top).toBeGreaterThan(0);
          expect(top).toBeLessThan(ring.height);
        }
      }
    }
  });
});

it("is as wide and high as there is room", () => {
  expect(ringIn(1000, 500).columns).toBe(15);
  expect(ringIn(700, 500).columns).toBe(13);
  expect(ringIn(400, 700).columns).toBe(12);
});

it("knows fields and laps by the distance", () => {
  expect([-3, -1, 0, 39, 40, 43].map(fieldAt)).toEqual([37, 39, 0, 39, 0, 3]);
  expect([-1, 0, 39, 40, 80].map(lapAt)).toEqual([0, 1, 1, 2, 3]);
});

it("finds mice between two fields, also behind the start", () => {
  const ring = ringOf(12);
  expect(pointAt(ring, 2.5)).toEqual({ x: 4 * FIELD, y: FIELD / 2 });
  expect(pointAt(ring, -0.5)).toEqual({ x: FIELD, y: FIELD / 2 });
  expect(pointAt(ring, 43)).toEqual(ring.fields[3]);
});

it("knows where inside is", () => {
  const ring = ringOf(12);
  expect(inwards(ring, ring.fields[3]!)).toEqual({ x: 0, y: 1 });
  expect(inwards(ring, ring.fields[14]!)).toEqual({ x: -1, y: 0 });
});
