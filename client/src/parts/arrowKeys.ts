/**
 * Arrow keys go from button to button within a group, so that the group is one stop on the way through the page.
 * Which of its buttons that stop is, the group says by their `tabindex`.
 */

import type { Attachment } from "svelte/attachments";

export interface Way {
  /** Only these arrows lead; the others keep their meaning. All four do if nothing is said. */
  along?: "row" | "column";
  /** The buttons stand in rows of this many: up and down lead to the row above and below. */
  columns?: number;
  /** After the last comes the first. */
  around?: boolean;
  /** An arrow on the group itself leads to its last button. */
  fromBehind?: boolean;
}

const ROW: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
const COLUMN: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };
const ARROWS = { row: ROW, column: COLUMN, all: { ...ROW, ...COLUMN } };

export function arrowKeys(way: Way = {}): Attachment<HTMLElement> {
  return (group) => {
    const move = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const buttons = [...group.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
      const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
      const to = buttons[leadsTo(event.key, at, buttons.length, way) ?? -1];
      if (!to) return;
      event.preventDefault();
      to.focus();
    };
    group.addEventListener("keydown", move);
    return () => group.removeEventListener("keydown", move);
  };
}

/** Where a key leads from one of so many buttons. */
function leadsTo(key: string, at: number, count: number, way: Way): number | undefined {
  const step = ARROWS[way.along ?? "all"][key];
  if (at < 0) return step && way.fromBehind ? count - 1 : undefined;
  if (way.columns) return inGrid(key, at, count, way.columns);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (!step) return undefined;
  return way.around ? (at + step + count) % count : at + step;
}

/** The same in rows and columns; nothing leads beyond an edge, and the page does not scroll there. */
function inGrid(key: string, at: number, count: number, columns: number): number | undefined {
  const [column, last] = [at % columns, Math.ceil(count / columns) - 1];
  const row = (at - column) / columns;
  const cell = (down: number, right: number) =>
    Math.min(Math.max(down, 0), last) * columns + Math.min(Math.max(right, 0), columns - 1);
  if (key in ROW) return cell(row, column + ROW[key]!);
  if (key in COLUMN) return cell(row + COLUMN[key]!, column);
  return { Home: cell(row, 0), End: cell(row, columns), PageUp: cell(0, column), PageDown: cell(last, column) }[key];
}
