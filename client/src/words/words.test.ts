import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import { readCatalogues } from "../../plugins/catalogues.ts";
import { LANGUAGES, preferred } from "./languages";
import { known, language, listed, loadWords, speak, t, type Key, type Values } from "./words.svelte";

const CATALOGUES = readCatalogues();
const ENGLISH = CATALOGUES.filter(({ language }) => language === "en");

// --- What is used ------------------------------------------------------------------------------------------------------

interface Source {
  /** Whose folder it is in, if it is in one. */
  game: string | undefined;
  text: string;
}
const SOURCES: Source[] = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(svelte|ts)$/.test(name) && !/\.test\.ts$|^words\/keys/.test(name))
  .map((name) => ({ game: /^games\/(\w+)\//.exec(name)?.[1], text: readFileSync(join("src", name), "utf8") }));

/** Keys that stand in the source as they are. */
const literalsIn = ({ text }: Source): string[] => [...text.matchAll(/(["'])([\w.-]+)\1/g)].map((match) => match[2]!);

/** Patterns of those that are put together there. */
const patternsIn = ({ text }: Source): RegExp[] =>
  [...text.matchAll(/`((?:[a-z][\w-]*|\$\{game\})\.[\w.-]*\$\{[^`]*)`/g)].map((match) => {
    const fixed = match[1]!.split(/\$\{[^}]*\}/).map((piece) => piece.replaceAll(".", "\\."));
    return new RegExp(`^${fixed.join(".+")}$`);
  });

const USES = SOURCES.map((source) => ({
  game: source.game,
  literals: new Set(literalsIn(source)),
  patterns: patternsIn(source),
}));

/** Who says it: games, and undefined for the page itself. */
const speakersOf = (key: string): Set<string | undefined> =>
  new Set(
    USES.filter(({ literals, patterns }) => literals.has(key) || patterns.some((one) => one.test(key))).map(
      ({ game }) => game,
    ),
  );

const keysWhere = (catalogues: typeof CATALOGUES, is: (key: string, part: string) => boolean) =>
  catalogues.flatMap(({ texts, part }) => Object.keys(texts).filter((key) => is(key, part)));

describe("the page", () => {
  it("uses every text", () => {
    expect(keysWhere(ENGLISH, (key) => speakersOf(key).size === 0)).toEqual([]);
  });

  it("does not load at first what only one game says", () => {
    const ofOne = ([speaker, ...others]: (string | undefined)[]) => speaker !== undefined && others.length === 0;
    expect(keysWhere(ENGLISH, (key, part) => part === "page" && ofOne([...speakersOf(key)]))).toEqual([]);
  });

  it("names no text of a game: it may not be loaded yet", () => {
    const elsewhere = (key: string, part: string) =>
      part !== "page" && USES.some(({ game, literals }) => game !== part.split("/")[0] && literals.has(key));
    expect(keysWhere(ENGLISH, elsewhere)).toEqual([]);
  });
});

describe("a game", () => {
  it("calls what it says of options, refusals and decks by its own name: another may have the same", () => {
    const shared = /^(option|agreed|refused|deck)\./;
    expect(keysWhere(ENGLISH, (key, part) => part !== "page" && shared.test(key))).toEqual([]);
  });
});

describe.each(CATALOGUES)("$file", ({ texts }) => {
  const keys = Object.keys(texts);

  it("is in the order of its keys", () => {
    expect(keys).toEqual(keys.toSorted());
  });

  it("has typographic apostrophes only, since a straight one is an escape sign", () => {
    expect(keys.filter((key) => texts[key]!.includes("'"))).toEqual([]);
  });

  it("has no empty or untidy texts", () => {
    expect(keys.filter((key) => texts[key]!.trim() !== texts[key] || texts[key] === "")).toEqual([]);
  });
});

// --- What is said ------------------------------------------------------------------------------------------------------

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
    expect(t("close")).toBe("");
    await speak("de");
    expect(t("lobby.host", { host: "Bo" })).toBe("Tisch von Bo");
    expect(t("mine.waiting", { count: 2 })).toBe("2 Tische warten auf dich");
    expect(listed(["Ada", "Bo", "Cy"])).toBe("Ada, Bo und Cy");
    expect(document.documentElement.lang).toBe("de");
  });

  it("is the last one that was chosen, however long the others take", async () => {
    await Promise.all([speak("ja"), speak("en"), speak("de")]);
    expect(language()).toBe("de");
    expect(t("close")).toBe("Schließen");
  });
});

describe("the words of a game", () => {
  it("come with it, and follow the language", async () => {
    await speak("en");
    expect(known("dash.open")).toBe(false);
    expect(t("dash.open")).toBe("dash.open");
    expect(known("game.dash.line")).toBe(true);
    await loadWords("dash");
    expect(t("dash.open")).toBe("Open the buffet!");
    await speak("de");
    expect(t("dash.exits-left", { count: 1 })).toContain("1 ");
    expect(known("dash.open")).toBe(true);
  });

  it("are all there, also if several are asked for at once and the language changes", async () => {
    await Promise.all([loadWords("buffet"), speak("ja"), loadWords("chocolat"), loadWords("buffet/lesson")]);
    expect(language()).toBe("ja");
    for (const key of ["buffet.hand", "chocolat.hand", "learn.buffet.hello", "close"]) expect(known(key)).toBe(true);
  });

  it("are none for a game that has no folder here", async () => {
    await speak("en");
    for (const game of ["duel", "constructor"]) await loadWords(game);
    expect(known("close")).toBe(true);
  });

  it.each(LANGUAGES)("in %s are not known by the names that every object has", async (language) => {
    await speak(language);
    expect(known("constructor")).toBe(false);
  });
});

describe("values", () => {
  it("are those that the text needs, no more and no less", () => {
    expectTypeOf<Values<"called">>().toEqualTypeOf<{ name: string | number }>();
    expectTypeOf<Values<"mine.waiting">>().toEqualTypeOf<{ count: number }>();
    expectTypeOf<Values<"close">>().toBeUnknown();
    expectTypeOf<Values<"called" | "mine.waiting">>().toExtend<{ name: string | number; count: number }>();
    // @ts-expect-error a value is missing
    void (() => t("called"));
    // @ts-expect-error it is called otherwise
    void (() => t("called", { names: "Ada" }));
    // @ts-expect-error one can not count by it
    void (() => t("mine.waiting", { count: "2" }));
    // @ts-expect-error there is no such text
    void (() => t("no.such.text"));
    // @ts-expect-error there is nothing to put in
    void (() => t("close", { name: "Ada" }));
    // @ts-expect-error nobody knows what this needs
    void ((key: Key) => t(key));
  });
});
