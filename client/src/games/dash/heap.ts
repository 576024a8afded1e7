/** Where the places of the heap are: scattered as if by hand, and always the same. */

import type { DashPlace, DashSide } from "~/wire/messages";

export const SIDE = 8;
export const PLACES = SIDE * SIDE;

export interface Spot {
  place: DashPlace;
  row: number;
  column: number;
  /** How far the card lies from the middle of its cell, in cells. */
  x: number;
  y: number;
  /** In degrees. */
  turn: number;
}

/** Numbers from 0 to 1 that look like chance and are the same on every screen. */
function scatter(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A round begins with cards at the first places: these are the ones in the middle, so that it looks like a heap. */
function layOut(): Spot[] {
  const chance = scatter(49);
  const middle = (SIDE - 1) / 2;
  const cells = Array.from({ length: PLACES }, (_, cell) => {
    const [row, column] = [Math.floor(cell / SIDE), cell % SIDE];
    return { row, column, far: Math.hypot(row - middle, column - middle) + 1.7 * chance() };
  });
  const offset = (most: number) => (2 * chance() - 1) * most;
  return cells
    .sort((one, other) => one.far - other.far)
    .map(({ row, column }, place) => ({ place, row, column, x: offset(0.13), y: offset(0.13), turn: offset(34) }));
}

/** By place. */
export const SPOTS: readonly Spot[] = layOut();

/** As they are seen: row by row. */
export const ROWS: readonly (readonly Spot[])[] = Array.from({ length: SIDE }, (_, row) =>
  SPOTS.filter((spot) => spot.row === row).sort((one, other) => one.column - other.column),
);

/** The outline of a card at each place, for a heap of this size with cards of this width; all in one path. */
export function outlines(width: number, height: number, card: number): string {
  return SPOTS.map((spot) => {
    const middle = { x: ((spot.column + 0.5) / SIDE) * width, y: ((spot.row + 0.5) / SIDE) * height };
    return outline({ x: middle.x + spot.x * card, y: middle.y + spot.y * card * 1.4 }, spot.turn, card * MARK);
  }).join("");
}

/** A mark is smaller than a card, so that whatever lies there covers it. */
const MARK = 0.64;

function outline(middle: { x: number; y: number }, turn: number, wide: number): string {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const [half, high, round] = [wide / 2, wide * 0.7, wide * 0.22];
  const at = (x: number, y: number) =>
    `${(middle.x + x * cos - y * sin).toFixed(1)} ${(middle.y + x * sin + y * cos).toFixed(1)}`;
  const corner = `A${round.toFixed(1)} ${round.toFixed(1)} 0 0 1 `;
  return (
    `M${at(round - half, -high)}L${at(half - round, -high)}${corner}${at(half, round - high)}` +
    `L${at(half, high - round)}${corner}${at(half - round, high)}L${at(round - half, high)}` +
    `${corner}${at(-half, high - round)}L${at(-half, round - high)}${corner}${at(round - half, -high)}Z`
  );
}

/** The place so many rows and columns away; at most at the edge. */
export function beside(place: DashPlace, down: number, right: number): DashPlace {
  const { row, column } = SPOTS[place]!;
  const within = (n: number) => Math.max(0, Math.min(SIDE - 1, n));
  return ROWS[within(row + down)]![within(column + right)]!.place;
}

/** The free place that is nearest to this one. */
export function nearestFree(place: DashPlace, lying: ReadonlySet<DashPlace>): DashPlace | undefined {
  const { row, column } = SPOTS[place]!;
  const far = (spot: Spot) => Math.hypot(spot.row - row, spot.column - column);
  return SPOTS.filter((spot) => !lying.has(spot.place)).sort((one, other) => far(one) - far(other))[0]?.place;
}

/** The middle of the edge that is nearest to a hand. */
export const edgeOf = (hand: DashSide | null): DashPlace =>
  ROWS[SIDE - 1]![hand === "right" ? 5 : hand === "left" ? 2 : 4]!.place;

/** Where a hand begins that is moved by keys. */
export const startOf = (hand: DashSide): DashPlace => ROWS[3]![hand === "left" ? 2 : 5]!.place;
