/**
 * Is a key that was pressed anywhere on the page meant for this board? Not if somebody is writing, or wants something
 * else with it. Where a page has several boards, as the rulebook has, it is for the one with the focus.
 */
export function isFor(board: Element, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const at = event.target;
  if (!(at instanceof Element)) return !board.closest("[data-example]");
  if (at.closest("input, textarea, select, dialog")) return false;
  const example = board.closest("[data-example]");
  return !example || example.contains(at);
}
