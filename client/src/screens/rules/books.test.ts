import { describe, expect, it } from "vitest";
import { chapters, hasBook, linked, openBook, readable } from "./books";

describe("a rulebook", () => {
  it("is read in the reader's language, or in English", () => {
    expect(readable("buffet", "ja")).toBe("ja");
    expect(readable("dash", "ja")).toBe("en");
    expect(hasBook("chess")).toBe(false);
  });

  it.each(["de", "en", "ja"] as const)("has every rule of buffet in %s", async (language) => {
    const { html, rules } = await openBook("buffet", language);
    expect(Object.keys(rules)).toEqual(Array.from({ length: 28 }, (_, n) => `B${n + 1}`));
    expect(html).toContain('<li id="B28">');
    expect(html).toContain('class="ruling"');
    expect(chapters(html).length).toBeGreaterThan(5);
  });

  it.each(["dash", "chocolat"])("has chapters and rules of %s", async (game) => {
    const { html, rules } = await openBook(game, "de");
    expect(Object.keys(rules).length).toBeGreaterThan(10);
    expect(chapters(html).length).toBeGreaterThan(3);
  });
});

describe("the text", () => {
  const rules = { B1: "", B16: "" };

  it("leads from rule to rule", () => {
    expect(linked('<li id="B1"><strong>B1</strong> Look (B16, B99).</li>', rules)).toBe(
      '<li id="B1"><a class="rule" href="#B1">B1</a> Look (<a href="#B16">B16</a>, B99).</li>',
    );
  });

  it("has real minus signs", () => {
    expect(linked('<h2 id="a--1">3-4, -1で-2 (-3)</h2>', rules)).toBe('<h2 id="a--1">3-4, −1で−2 (−3)</h2>');
  });
});
