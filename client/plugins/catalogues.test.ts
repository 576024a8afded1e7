import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agree, keysOf, readCatalogues, SOURCE, type Catalogue } from "./catalogues.ts";

type Texts = Record<string, string>;

const inEnglish = (texts: Texts): Catalogue => ({ file: "words/en.json", language: "en", part: "page", texts });
const inGerman = (texts: Texts): Catalogue => ({ file: "words/de.json", language: "de", part: "page", texts });

it("are all in step with the types; if not: npm run words", () => {
  expect(readFileSync(join(SOURCE, "words", "keys.ts"), "utf8")).toBe(keysOf(readCatalogues()));
});

it("are found by where they lie", () => {
  const catalogues = readCatalogues();
  const part = (file: string) => catalogues.find((one) => one.file === file)?.part;
  expect(part("words/ja.json")).toBe("page");
  expect(part("games/buffet/words/shelf.de.json")).toBe("page");
  expect(part("games/buffet/words/en.json")).toBe("buffet");
  expect(part("games/buffet/words/lesson.en.json")).toBe("buffet/lesson");
});

it.each<[string, Texts, Texts, string]>([
  ["a text is missing", { a: "A", b: "B" }, { a: "A" }, 'words/de.json: "b" is missing'],
  ["there is one too many", { a: "A" }, { a: "A", b: "B" }, 'words/de.json: "b" is not in words/en.json'],
  ["a value is not shown", { a: "{x}" }, { a: "A" }, 'words/de.json: "a" does not show {x}'],
  ["another value is shown", { a: "A" }, { a: "{x}" }, 'words/de.json: "a" shows {x}, which the original does not'],
  [
    "another value is asked for",
    { a: "A" },
    { a: "{x, plural, other {A}}" },
    'words/de.json: "a" asks for {x}, which the original does not',
  ],
  [
    "a value is of another kind",
    { a: "{x, plural, other {A}}" },
    { a: "{x, select, other {A}}" },
    'words/de.json: "a" does not fit the other languages: {x} is both a number and a word',
  ],
  [
    "a text can not be read",
    { a: "A" },
    { a: "{x" },
    'words/de.json: "a" can not be read: EXPECT_ARGUMENT_CLOSING_BRACE',
  ],
])("are refused with file and key if %s", (_, english, german, why) => {
  expect(() => agree([inEnglish(english), inGerman(german)])).toThrow(why);
});

it("are refused if one is missing, or has a text of another one", () => {
  const dash = { ...inEnglish({ a: "A" }), file: "games/dash/words/en.json", part: "dash" };
  const german = inGerman({ a: "A" });
  expect(() => agree([inEnglish({ a: "A" }), german, dash])).toThrow("games/dash/words/de.json is missing");
  expect(() => agree([german])).toThrow("words/en.json is missing");
  const inBoth = [inEnglish({ a: "A" }), german, dash, { ...german, file: "games/dash/words/de.json", part: "dash" }];
  expect(() => agree(inBoth)).toThrow('"a" is in another catalogue too');
});

it("may leave out what only chooses between forms", () => {
  const [[, values]] = [...agree([inEnglish({ a: "{n, plural, one {A} other {B}}" }), inGerman({ a: "C" })])] as [
    [string, ReadonlyMap<string, string>],
  ];
  expect([...values]).toEqual([["n", "number"]]);
});
