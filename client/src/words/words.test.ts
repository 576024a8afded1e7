import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IntlMessageFormat } from "intl-messageformat";
import { describe, expect, it } from "vitest";
import de from "./de.json";
import en from "./en.json";
import ja from "./ja.json";
import { LANGUAGES, preferred, type Language } from "./languages";
import { listed, speak, t } from "./words.svelte";

const CATALOGUES: Record<Language, Record<string, string>> = { de, en, ja };
const KEYS = Object.keys(en);

type Part = ReturnType<IntlMessageFormat["getAst"]>[number];

function astOf(language: Language, key: string): Part[] {
  return new IntlMessageFormat(CATALOGUES[language][key]!, language, undefined, { ignoreTag: true }).getAst();
}

const inner = (part: Part): Part[] =>
  "options" in part
    ? Object.values(part.options).flatMap(({ value }) => value.flatMap((one) => [one, ...inner(one)]))
    : [];
const isNumberSign = (part: Part) => part.type === 7;
const isChoice = (part: Part) => "options" in part;

const unique = (names: string[]) => [...new Set(names)].sort();

/** The names of the values that a message is given. */
function wanted(language: Language, key: string): string[] {
  const parts = astOf(language, key).flatMap((part) => [part, ...inner(part)]);
  return unique(parts.flatMap((part) => ("value" in part && part.type !== 0 ? [String(part.value)] : [])));
}

/** Those that are to be read in it; others only choose between forms, which not every language has. */
function shown(language: Language, key: string): string[] {
  const parts = astOf(language, key).flatMap((part) => [part, ...inner(part)]);
  const read = parts.filter((part) => !isChoice(part) || inner(part).some(isNumberSign));
  return unique(read.flatMap((part) => ("value" in part && part.type !== 0 ? [String(part.value)] : [])));
}

const SOURCES = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith(".test.ts"))
  .map((name) => readFileSync(join("src", name), "utf8"))
  .join("\n");

/** Keys that stand in the source as they are, and patterns of those that are put together there. */
const literals = new Set([...SOURCES.matchAll(/(["'])([\w.-]+)\1/g)].map((match) => match[2]!));
const patterns = [...SOURCES.matchAll(/`([a-z][\w-]*\.[\w.-]*\$\{[^`]*)`/g)].map((match) => {
  const fixed = match[1]!.split(/\$\{[^}]*\}/).map((piece) => piece.replaceAll(".", "\\."));
  return new RegExp(`^${fixed.join(".+")}$`);
});

describe.each(LANGUAGES)("the catalogue in %s", (language) => {
  const catalogue = CATALOGUES[language];

  it("has all texts and no others", () => {
    expect(Object.keys(catalogue).sort()).toEqual(KEYS.toSorted());
  });

  it("can be read, and shows the same values as in English", () => {
    const other = KEYS.filter((key) => `${shown(language, key)}` !== `${shown("en", key)}`);
    expect(other).toEqual([]);
  });

  it("asks for no value that is not given", () => {
    const more = KEYS.filter((key) => wanted(language, key).some((name) => !wanted("en", key).includes(name)));
    expect(more).toEqual([]);
  });

  it("has typographic apostrophes only, since a straight one is an escape sign", () => {
    expect(KEYS.filter((key) => catalogue[key]!.includes("'"))).toEqual([]);
  });

  it("has no empty or untidy texts", () => {
    expect(KEYS.filter((key) => catalogue[key]!.trim() !== catalogue[key] || catalogue[key] === "")).toEqual([]);
  });
});

describe("the page", () => {
  it("uses every text", () => {
    const unused = KEYS.filter((key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)));
    expect(unused).toEqual([]);
  });

  it("uses no text that is missing", () => {
    const used = [...SOURCES.matchAll(/\bt\(\s*(["'])([^"']+)\1/g)].map((match) => match[2]!);
    expect(used.filter((key) => !Object.hasOwn(en, key))).toEqual([]);
  });
});

describe("the language", () => {
  it.each([
    [["de-AT", "en"], "de"],
    [["fr-FR", "ja-JP", "en"], "ja"],
    [["EN-us"], "en"],
    [["fr", "it"], "en"],
    [[], "en"],
  ])("for somebody who prefers %j", (tags, language) => {
    expect(preferred(tags)).toBe(language);
  });

  it("is spoken", async () => {
    await speak("de");
    expect(t("lobby.host", { host: "Bo" })).toBe("Tisch von Bo");
    expect(t("mine.waiting", { count: 2 })).toBe("2 Tische warten auf dich");
    expect(listed(["Ada", "Bo", "Cy"])).toBe("Ada, Bo und Cy");
    expect(document.documentElement.lang).toBe("de");
  });
});
