import type { Refused } from "~/wire/http";
import type { DeckFault } from "~/wire/messages";
import { known, t, type Values } from "./words.svelte";

/** Why something was refused, in the reader's language as far as we have words for it. */
export function refusalText({ code, rule, message }: Pick<Refused, "code" | "rule" | "message">): string {
  const key = ([`refused.${code}.${rule}`, `refused.${code}`] as const).find((key) => known(key));
  return key ? t(key) : message;
}

/** What is wrong with a deck file; likewise. */
export function faultText({ kind, values, sentence }: Pick<DeckFault, "kind" | "values" | "sentence">): string {
  const key = `deck.fault.${kind}` as const;
  return known(key) ? t(key, values as Values<typeof key>) : sentence;
}
