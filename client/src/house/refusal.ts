import type { Refused } from "~/wire/http";
import { known, t } from "~/words/words.svelte";

/** Why something was refused, in the reader's language as far as we have words for it. */
export function refusalText({ code, rule, message }: Pick<Refused, "code" | "rule" | "message">): string {
  const key = [`refused.${code}.${rule}`, `refused.${code}`].find(known);
  return key ? t(key) : message;
}
