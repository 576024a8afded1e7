import { describe, expect, it } from "vitest";
import { hasBook } from "~/app/askedRule.svelte";
import { LANGUAGES } from "~/words/languages";
import { chapters, linked, marksIn, openBook } from "./books";

describe("a rulebook", () => {
  it("is there for every game that we have", () => {
    expect(hasBook("buffet")).toBe(true);
    expect(hasBook("chess")).toBe(false);
  });

  describe.each(LANGUAGES)("in %s", (language) => {
    it.each([
      ["buffet", "B", 28],
      ["dash", "D", 30],
      ["chocolat", "C", 16],
    ])("has every rule of %s", async (game, letter, count) => {
      const { html, rules } = await openBook(game, language);
      expect(new Set(Object.keys(rules))).toEqual(
        new Set(Array.from({ length: count }, (_, n) => `${letter}${n + 1}`)),
      );
      expect(html).toContain(`<li id="${letter}${count}">`);
      expect(html).toContain('class="ruling"');
      expect(chapters(html).length).toBeGreaterThan(5);
      expect(html).toContain('<p id="example-5">');
    });
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

  it("does not take cards for rules", () => {
    expect(linked("<td><code>A1 B1 B16 X</code></td>", rules)).toBe("<td><code>A1 B1 B16 X</code></td>");
  });

  it("has real minus signs", () => {
    expect(linked('<h2 id="a--1">3-4, -1で-2 (-3), 25 - 3</h2>', rules)).toBe(
      '<h2 id="a--1">3-4, −1で−2 (−3), 25 − 3</h2>',
    );
  });
});
