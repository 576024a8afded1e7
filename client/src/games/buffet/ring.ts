/** The track as it is drawn: 40 fields as a rounded frame, as wide and high as there is room. */

const FIELDS = 40;
/** Length of a field in the drawing. */
export const FIELD = 100;

export interface Point {
  x: number;
  y: number;
}

export interface Ring {
  columns: number;
  rows: number;
  width: number;
  height: number;
  /** The middle of each field. */
  fields: readonly Point[];
}

const AROUND = FIELDS / 2 + 2; // columns and rows together
/** Never higher than wide: the plates lie side by side. */
const NARROWEST = 12;
const WIDEST = 15;

/** The frame with the largest fields in a box. */
export function ringIn(width: number, height: number): Ring {
  const wanted = Math.round((AROUND * width) / (width + height || 1));
  const columns = Math.min(WIDEST, Math.max(NARROWEST, wanted));
  return ringOf(columns);
}

/** Clockwise; the start field is beside the corner at the top left. */
export function ringOf(columns: number): Ring {
  const rows = AROUND - columns;
  const fields: Point[] = [];
  for (let c = 1; c < columns; c++) fields.push(middle(c, 0));
  for (let r = 1; r < rows; r++) fields.push(middle(columns - 1, r));
  for (let c = columns - 2; c >= 0; c--) fields.push(middle(c, rows - 1));
  for (let r = rows - 2; r >= 0; r--) fields.push(middle(0, r));
  return { columns, rows, width: columns * FIELD, height: rows * FIELD, fields };
}

const middle = (column: number, row: number): Point => ({ x: (column + 0.5) * FIELD, y: (row + 0.5) * FIELD });

/** The field under a mouse that has run so far; behind the start it is one of the last. */
export const fieldAt = (distance: number): number => ((distance % FIELDS) + FIELDS) % FIELDS;

/** How often a mouse has begun to go round. */
export const lapAt = (distance: number): number => Math.floor(distance / FIELDS) + 1;

/** Where a mouse is that has run so far, also between two fields. */
export function pointAt(ring: Ring, distance: number): Point {
  const before = Math.floor(distance);
  const from = ring.fields[fieldAt(before)]!;
  const to = ring.fields[fieldAt(before + 1)]!;
  const part = distance - before;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/** From the middle of a field towards the inside of the frame: a step of length 1. */
export function inwards(ring: Ring, { x, y }: Point): Point {
  const sign = (at: number, length: number) => (at < FIELD ? 1 : at > length - FIELD ? -1 : 0);
  const across = sign(x, ring.width);
  const down = sign(y, ring.height);
  const length = Math.hypot(across, down) || 1;
  return { x: across / length, y: down / length };
}

/** Where mice stand that share a field, so that all of them are seen; in fields, with their size. */
const CROWDS: readonly { size: number; places: readonly (readonly [number, number])[] }[] = [
  { size: 1.12, places: [[0, 0]] },
  { size: 0.98, places: [[-0.34, 0], [0.34, 0]] },
  { size: 0.92, places: [[0, -0.26], [-0.4, 0.2], [0.4, 0.2]] },
  { size: 0.86, places: [[-0.36, -0.3], [0.36, -0.3], [-0.36, 0.3], [0.36, 0.3]] },
  { size: 0.82, places: [[-0.38, -0.32], [0.38, -0.32], [-0.7, 0.3], [0, 0.3], [0.7, 0.3]] },
  { size: 0.8, places: [[-0.68, -0.32], [0, -0.32], [0.68, -0.32], [-0.68, 0.32], [0, 0.32], [0.68, 0.32]] },
]; // prettier-ignore

/** Where one of several mice on a field stands; near the edge all of them move up, so that none stands beside it. */
export function offsetOnField(ring: Ring, field: number, place: number, crowd: number): Point & { size: number } {
  const { size, places } = CROWDS[Math.min(crowd, CROWDS.length) - 1]!;
  const [x, y] = places[place % places.length]!;
  const middle = ring.fields[field]!;
  const room = (at: number, length: number, offsets: number[]) => {
    const reach = (Math.max(...offsets) + size / 2) * FIELD;
    return Math.max(0, reach - at) - Math.max(0, at + reach - length);
  };
  return {
    x: x * FIELD + room(middle.x, ring.width, places.map(([across]) => across)),
    y: y * FIELD + room(middle.y, ring.height, places.map(([, down]) => down)),
    size,
  }; // prettier-ignore
}
