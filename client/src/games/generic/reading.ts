/** Names, values, decisions and entries of any game as people read them: its notation, a little tidied up. */

import type { Names } from "~/gamekit/names";
import { minus } from "~/words/numbers";
import { t } from "~/words/words.svelte";
import { isObject, type AnyDecision, type AnyEntry, type Fact } from "./view";

/** By verb: fields of entries that not everybody sees; undefined: nobody knows which. */
export type Secrets = Readonly<Record<string, readonly string[]>> | undefined;

/** Nobody reads lists that are longer. */
const MOST_ITEMS = 20;
/** What is said otherwise, or is for machines. */
const UNTOLD = ["by", "do", "seat", "ms", "order", "secret"];

/** `has_laid`: has laid. */
export const readable = (name: string): string => name.replaceAll(/[_-]+/g, " ").trim();

const isSeat = (name: string): boolean => /(^|_)seats?$/.test(name);

/** A value; the name says whether a number means a seat. */
export function valueText(name: string, value: unknown, names: Names): string {
  if (value === null || value === undefined) return t("generic.none");
  if (typeof value === "boolean") return t(value ? "generic.yes" : "generic.no");
  if (typeof value === "number") return isSeat(name) ? (names[value] ?? minus(value)) : minus(value);
  if (Array.isArray(value)) return listText(name, value, names);
  if (isObject(value)) return factsText(Object.entries(value), names) || t("generic.none");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function listText(name: string, values: readonly unknown[], names: Names): string {
  if (values.length === 0) return t("generic.none");
  const shown = values.slice(0, MOST_ITEMS).map((value) => {
    const text = valueText(name, value, names);
    return isObject(value) || Array.isArray(value) ? `(${text})` : text;
  });
  return [...shown, ...(values.length > MOST_ITEMS ? ["…"] : [])].join(", ");
}

/** What there is to say: "card 5, with helper yes". */
function factsText(facts: readonly Fact[], names: Names): string {
  return facts
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${readable(name)} ${valueText(name, value, names)}`)
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

/** What has happened, as everybody may hear it: "Ada: lay", and when the cards are open, "Ada: show, card 5". */
export function entryText(entry: AnyEntry, names: Names, secrets: Secrets): string {
  const hidden = secrets ? (secrets[entry.do] ?? []) : Object.keys(entry);
  const fields = Object.entries(entry).filter(([name]) => !UNTOLD.includes(name) && !hidden.includes(name));
  const said = factsText(fields, names);
  const what = said ? t("generic.entry", { verb: readable(entry.do), fields: said }) : readable(entry.do);
  const actor = actorOf(entry);
  return actor === null ? what : t("said", { name: names[actor] ?? "", text: what });
}
