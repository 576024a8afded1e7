import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it } from "vitest";
import type { Grammar } from "../src/words/languages";
import { readCatalogues } from "./catalogues.ts";
import { compile, type Message } from "./messages.ts";

type Values = Record<string, string | number>;

const grammarOf = (language: string): Grammar => ({
  plural: (count) => new Intl.PluralRules(language).select(count),
  number: (count) => new Intl.NumberFormat(language).format(count),
});

function said({ code }: Message, language: string, values: Values): string {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- as the page will run it
  const made = new Function(`return ${code}`)() as string | ((values: Values, grammar: Grammar) => string);
  return typeof made === "string" ? made : made(values, grammarOf(language));
}

const expected = (text: string, language: string, values: Values): string =>
  String(new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format(values));

/** Whatever may be put in, in all ways to put it together. */
function trials(text: string, { values }: Message): Values[] {
  const words = [...text.matchAll(/(\w+)\s*\{/g)].map((match) => match[1]!);
  const samples = { text: ["Ada", "−3", 7], number: [0, 1, 2, 5, 21, 1234], word: [...words, "else"] };
  return [...values].reduce<Values[]>(
    (all, [name, kind]) =>
      kind === "text"
        ? all.map((one, nth) => ({ ...one, [name]: samples.text[nth % samples.text.length]! }))
        : all.flatMap((one) => samples[kind].map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

describe.each(readCatalogues())("$file", ({ language, texts }) => {
  it("says the same as the reference implementation, whatever is put in", () => {
    for (const [key, text] of Object.entries(texts)) {
      const message = compile(text);
      for (const values of trials(text, message))
        expect(said(message, language, values), `${key} ${JSON.stringify(values)}`).toBe(
          expected(text, language, values),
        );
    }
  });
});

describe("a message", () => {
  it.each([
    ["Plain", {}],
    ["A `quote`, a ${dollar} and a \\ stay", { dollar: 3 }],
    ["{count, plural, one {# card} =1 {a single card} other {# cards}}", { count: 1 }],
    ["{count, plural, =0 {none} few {# few} many {# many} other {# other}}", { count: 22 }],
    ["{n, plural, one {{who, select, me {I have #} other {{who} has #}}} other {# for {who}}}", { n: 1, who: "me" }],
    ["{n, number} of {most, plural, other {#}}", { n: 12345, most: 67890 }],
    ["{empty, select, a {} other {x}}", { empty: "a" }],
  ])("%s", (text, values: Values) => {
    for (const language of ["en", "de", "ja", "pl"])
      expect(said(compile(text), language, values)).toBe(expected(text, language, values));
  });

  it("is a plain string if it is given nothing", () => {
    expect(compile("Close").code).toBe('"Close"');
  });

  it("says what it is given, and what of it is read", () => {
    const { values, shown } = compile("{who, select, me {You} other {{name}}}: {count, plural, one {card} other {#}}");
    expect([...values]).toEqual([
      ["who", "word"],
      ["name", "text"],
      ["count", "number"],
    ]);
    expect([...shown]).toEqual(["name", "count"]);
  });

  it.each([
    ["{count, plural, one {# card}}", /OTHER/],
    ["{name", /BRACE/],
    ["{when, date}", /date is not supported/],
    ["{n, number, percent}", /number is not supported/],
    ["{n, selectordinal, other {#th}}", /only plain plurals/],
    ["{0}", /no name of a value/],
    ["{n, plural, other {#}} {n, select, other {}}", /both a number and a word/],
  ])("%s is refused", (text, why) => {
    expect(() => compile(text)).toThrow(why);
  });
});
