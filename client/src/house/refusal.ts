import type { Refused } from "~/wire/http";
import type { DeckFault } from "~/wire/messages";
import { known, t } from "~/words/words.svelte";

/** Why something was refused, in the reader's language as far as we have words for it. */
export function refusalText({ code, rule, message }: Pick<Refused, "code" | "rule" | "message">): string {
  const key = [`refused.${code}.${rule}`, `refused.${code}`].find(known);
  return key ? t(key) : message;
}

/** What is wrong with a deck file; likewise. */
export function faultText({ kind, values, sentence }: Pick<DeckFault, "kind" | "values" | "sentence">): string {
  const key = `deck.fault.${kind}`;
  return known(key) ? t(key, values) : sentence;
}
