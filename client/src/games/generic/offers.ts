/** What may be done, in words and in order. */

import type { Names } from "~/gamekit/names";
import { decisionText } from "./reading";
import type { AnyDecision } from "./view";

export interface Choice {
  decision: AnyDecision;
  text: string;
  /** Among all that are offered. */
  number: number;
}

/** Those in whose words the sought ones are, by verb in the order in which verbs come up. */
export function byVerb(
  legal: readonly AnyDecision[],
  names: Names,
  sought = "",
): { verb: string; choices: Choice[] }[] {
  const wanted = sought.trim().toLowerCase();
  const found = legal
    .map((decision) => ({ decision, text: decisionText(decision, names) }))
    .filter(({ text }) => text.toLowerCase().includes(wanted));
  const verbs = [...new Set(found.map(({ decision }) => decision.do))];
  let number = 0;
  return verbs.map((verb) => ({
    verb,
    choices: found.filter(({ decision }) => decision.do === verb).map((one) => ({ ...one, number: number++ })),
  }));
}
