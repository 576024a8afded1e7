// Reads what wire.py prints and writes the TypeScript of all its definitions and constants.

import { text } from "node:stream/consumers";
import { compile } from "json-schema-to-typescript";
import { format } from "prettier";

/** What the compiler knows under other names, or would spell out: tuples, open dictionaries, lengths of lists. */
function inItsWords(part) {
  if (Array.isArray(part)) return part.map(inItsWords);
  if (typeof part !== "object" || part === null) return part;
  if (part.additionalProperties === true) return { tsType: "Record<string, unknown>" };
  const { prefixItems, minItems, maxItems, ...rest } = part;
  const words = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inItsWords(value)]));
  return prefixItems ? { ...words, items: inItsWords(prefixItems), minItems, maxItems } : words;
}

/** The compiler adds an empty type for the whole, and tells with each type that it is part of it. */
function withoutRoot(types) {
  return types
    .replace(
      /( \*\n)? \* This interface was referenced by `\w+`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      "",
    )
    .replaceAll("/**\n */\n", "")
    .replace(/export interface Wire \{\s*\}\n/, "");
}

/** What these constants are, for those who read the types. */
const MEANINGS = {
  LIMITS: "Of lines of text in characters, and how long a pass is good.",
  DEFAULT_TERMS: "As a table is set up if nothing else is said.",
  CARDS: "How many cards a game has.",
};

const exported = ([name, value]) =>
  `/** ${MEANINGS[name]} */\nexport const ${name} = ${JSON.stringify(value)}${name === "DEFAULT_TERMS" ? " satisfies Terms" : " as const"};\n`;

const { constants, ...read } = JSON.parse(await text(process.stdin));
const schema = { type: "object", ...inItsWords(read) };
const types = await compile(schema, "Wire", {
  additionalProperties: false,
  bannerComment: "// Generated from the server's schema; renew with make wire.\n",
  format: false,
  unreachableDefinitions: true,
});
const whole = [withoutRoot(types), ...Object.entries(constants).map(exported)].join("\n");
process.stdout.write(await format(whole, { parser: "typescript", printWidth: 120 }));
