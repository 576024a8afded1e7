/** Where a bubble stands so that what it speaks of can be seen. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Placement {
  left: number;
  top: number;
  /** On which side of the thing it stands; none: it has no arrow. */
  side: "above" | "below" | "over";
  /** Where its arrow is, from its left edge. */
  arrow: number;
}

const GAP = 18;
const EDGE = 8;
/** An arrow does not stand at a round corner. */
const CORNER = 28;

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

export function beside(
  thing: Box | undefined,
  bubble: { width: number; height: number },
  width: number,
  height: number,
): Placement {
  const mostLeft = width - bubble.width - EDGE;
  const mostTop = height - bubble.height - EDGE;
  if (!thing) return { left: mostLeft / 2, top: within(height * 0.3, EDGE, mostTop), side: "over", arrow: 0 };
  const middle = thing.left + thing.width / 2;
  const left = within(middle - bubble.width / 2, EDGE, mostLeft);
  const arrow = within(middle - left, CORNER, bubble.width - CORNER);
  const above = thing.top - GAP - bubble.height;
  const below = thing.top + thing.height + GAP;
  if (above >= EDGE) return { left, top: above, side: "above", arrow };
  if (below <= mostTop) return { left, top: below, side: "below", arrow };
  // No room on either side: over the end of it that has less to show.
  return { left, top: thing.top > height - thing.top - thing.height ? EDGE : mostTop, side: "over", arrow };
}
