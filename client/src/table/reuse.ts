/**
 * The new thing, made of the old one as far as they are equal: what has not changed is the same object as before, and
 * whoever shows it need not draw it again.
 */
export function reuseUnchanged<Thing>(before: unknown, after: Thing): Thing {
  if (!isTree(before) || !isTree(after) || Array.isArray(before) !== Array.isArray(after)) return after;
  const keys = Object.keys(after);
  const merged: Tree = Array.isArray(after) ? ([] as unknown as Tree) : {};
  let equal = Object.keys(before).length === keys.length;
  for (const key of keys) {
    merged[key] = reuseUnchanged(before[key], after[key]);
    equal &&= Object.is(merged[key], before[key]);
  }
  return (equal ? before : merged) as Thing;
}

type Tree = Record<string, unknown>;

const isTree = (thing: unknown): thing is Tree => typeof thing === "object" && thing !== null;
