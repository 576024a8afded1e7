/** Names, values, decisions and entries of any game as people read them: its notation, a little tidied up. */

import type { Names } from "~/gamekit/names";
import { minus } from "~/words/numbers";
import { readable } from "~/words/readable";
import { t } from "~/words/words.svelte";
import { isObject, type AnyDecision, type AnyEntry, type Fact } from "./view";

/** By verb: fields of entries that not everybody sees; undefined: nobody knows which. */
export type Secrets = Readonly<Record<string, readonly string[]>> | undefined;

/** Nobody listens to lists that are longer. */
const MOST_TOLD = 20;
/** What is said otherwise, or is for machines. */
const UNTOLD = ["by", "do", "ms", "secret"];

const isSeat = (name: string): boolean => /(^|_)seat$/.test(name);

/** What one item of a list is called: numbers in `seats` are seats, while `seats` by itself counts them. */
export const itemName = (name: string): string => name.replace(/(^|_)seats$/, "$1seat");

/** A value; the name says whether a number means a seat. Of long lists no more than `most` items are said. */
export function valueText(name: string, value: unknown, names: Names, most = Infinity): string {
  if (value === null || value === undefined) return t("generic.none");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (typeof value === "number") return isSeat(name) ? (names[value] ?? minus(value)) : minus(value);
  if (Array.isArray(value)) return listText(itemName(name), value, names, most);
  if (isObject(value)) return factsText(Object.entries(value), names, most) || t("generic.none");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function listText(name: string, values: readonly unknown[], names: Names, most: number): string {
  if (values.length === 0) return t("generic.none");
  const shown = values.slice(0, most).map((value) => {
    const text = valueText(name, value, names, most);
    return isObject(value) || Array.isArray(value) ? `(${text})` : text;
  });
  return [...shown, ...(values.length > most ? ["…"] : [])].join(", ");
}

/** What there is to say: "card 5, with helper yes". */
function factsText(facts: readonly Fact[], names: Names, most?: number): string {
  return facts
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${readable(name)} ${valueText(name, value, names, most)}`)
    .join(", ");
}

export function decisionText({ do: verb, ...fields }: AnyDecision, names: Names): string {
  const said = factsText(Object.entries(fields), names);
  return said ? t("generic.decision", { verb: readable(verb), fields: said }) : readable(verb);
}

/** Whom an entry is about. */
function actorOf({ by, seat }: AnyEntry): number | null {
  if (typeof by === "number") return by;
  return typeof seat === "number" ? seat : null;
}

/** Is it said by whom the entry is about, or too long to listen to? */
function isUntold({ by, do: verb }: AnyEntry, name: string): boolean {
  if (name === "seat") return typeof by !== "number";
  return name === "order" ? verb === "shuffle" : UNTOLD.includes(name);
}

/** What has happened, as everybody may hear it: "Ada: lay", and when the cards are open, "Ada: show, card 5". */
export function entryText(entry: AnyEntry, names: Names, secrets: Secrets): string {
  const hidden = secrets ? (secrets[entry.do] ?? []) : Object.keys(entry);
  const fields = Object.entries(entry).filter(([name]) => !isUntold(entry, name) && !hidden.includes(name));
  const said = factsText(fields, names, MOST_TOLD);
  const what = said ? t("generic.entry", { verb: readable(entry.do), fields: said }) : readable(entry.do);
  const actor = actorOf(entry);
  return actor === null ? what : t("said", { name: names[actor] ?? "", text: what });
}
