import { describe, expect, it } from "vitest";
import { chapters, hasBook, linked, marksIn, openBook, readable } from "./books";

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

describe("what is not certain", () => {
  it("is marked in the book of chocolat, also in its tables", async () => {
    const { html, rules } = await openBook("chocolat", "en");
    expect(rules.C2).toContain('<em class="ruling reconstructed">reconstructed</em>');
    expect(rules.C1).toContain('<em class="ruling attested">attested</em>');
    expect(rules.C6).toContain('<em class="ruling">ruling</em>');
    expect(html).toContain('<td><em class="ruling reconstructed">reconstructed</em></td>');
    expect(html).toContain('<td><em class="ruling attested">partly attested</em></td>');
    expect(marksIn(html)).toEqual(["attested", "reconstructed"]);
  });

  it("is no matter where everything is printed", async () => {
    expect(marksIn((await openBook("buffet", "en")).html)).toEqual([]);
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
