/** Who sits where around the heap, and from where paws reach into it. */

/** Others sit above; where there is room, half of them on the left and half on the right. */
export interface Seating {
  /** Who sits at the lower edge. */
  near: number;
  /** Everybody else, in the order of the seats. */
  others: readonly number[];
  /** How many of them sit on the left. */
  half: number;
  /** How many sit side by side where there is no room beside the heap. */
  columns: number;
}

const MOST_IN_A_ROW = 5;

export function seatingOf(near: number, seats: number): Seating {
  const others = Array.from({ length: seats - 1 }, (_, i) => (near + 1 + i) % seats);
  const half = Math.ceil(others.length / 2);
  return { near, others, half, columns: others.length > MOST_IN_A_ROW ? half : others.length };
}

/** Beyond the edge of the heap, in parts of it. */
export interface Point {
  x: number;
  y: number;
}

export interface PawPlace {
  seat: number;
  hand: number;
  from: Point;
}

/** Seat by seat, left hand before right. */
export function pawsOf(seating: Seating, hands: number, wide: boolean): PawPlace[] {
  const { near, others } = seating;
  return Array.from({ length: (others.length + 1) * hands }, (_, i) => {
    const [seat, hand] = [Math.floor(i / hands), i % hands];
    return { seat, hand, from: seat === near ? below(hand, hands) : above(others.indexOf(seat), seating, wide) };
  });
}

const below = (hand: number, hands: number): Point => ({ x: (hand + 0.5) / hands, y: 1.2 });

function above(nth: number, { others, half, columns }: Seating, wide: boolean): Point {
  if (!wide) return { x: ((nth % columns) + 0.5) / columns, y: -0.2 };
  return nth < half
    ? { x: -0.2, y: 1 - (nth + 0.5) / half }
    : { x: 1.2, y: (nth - half + 0.5) / (others.length - half) };
}
