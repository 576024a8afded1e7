import type { Refused } from "~/wire/http";
import type { DeckFault } from "~/wire/messages";
import { known, t, type Values } from "./words.svelte";

/** Why something was refused, in the reader's language as far as we or the game have words for it. */
export function refusalText({ code, rule, message }: Pick<Refused, "code" | "rule" | "message">, game = ""): string {
  const key = ([`${game}.refused.${code}.${rule}`, `refused.${code}`] as const).find((key) => known(key));
  return key ? t(key) : message;
}

/** What is wrong with a deck file; likewise. */
export function faultText({ kind, values, sentence }: Pick<DeckFault, "kind" | "values" | "sentence">, game: string) {
  const key = `${game}.deck.fault.${kind}` as const;
  return known(key) ? t(key, values as Values<typeof key>) : sentence;
}
