/** What is defined once is used everywhere: layers, room between things, lists without marks. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "..");
const styles = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(css|svelte)$/.test(file))
  .map((file) => ({ file, text: styleOf(readFileSync(join(SOURCE, file), "utf8")) }));
const tokens = styles.find(({ file }) => file === "styles/tokens.css")!.text;

function styleOf(text: string): string {
  return text.startsWith("<") ? (/<style>([^]*)<\/style>/.exec(text)?.[1] ?? "") : text;
}

/** Where something stands that should not, but for files in which it may. */
function found(pattern: RegExp, but: readonly string[] = []): string[] {
  return styles
    .filter(({ file }) => !but.includes(file))
    .flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([line]) => `${file}: ${line.trim()}`));
}

const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name]) => name!);

describe("layers", () => {
  it("have names", () => {
    expect(found(/z-index: (?!var\(--layer-)[^;]*;/g)).toEqual([]);
  });

  it("are all used, and stand in their order", () => {
    const heights = all(/--layer-\w+: (-?\d+);/g, tokens).map(Number);
    expect(heights).toEqual(heights.toSorted((one, other) => one - other));
    const used = new Set(styles.flatMap(({ text }) => all(/var\((--layer-\w+)\)/g, text)));
    expect([...used].sort()).toEqual(all(/(--layer-\w+):/g, tokens).sort());
  });
});

describe("room between things", () => {
  it("is counted in steps", () => {
    expect(found(/(?:^|[ ;{])(?:(?:scroll-)?(?:margin|padding)|(?:row-|column-)?gap)[a-z-]*:[^;]*\dpx[^;]*;/g)).toEqual(
      [],
    );
  });

  it("has a step for each name", () => {
    const used = new Set(styles.flatMap(({ text }) => all(/var\((--s\d\w?)\)/g, text)));
    const known = all(/(--s\d\w?):/g, tokens);
    expect([...used].filter((name) => !known.includes(name))).toEqual([]);
  });
});

it("a list loses its marks by its role", () => {
  // The rules are written in Markdown and know of no roles.
  expect(found(/list-style[a-z-]*: none/g, ["styles/base.css", "screens/rules/Text.svelte"])).toEqual([]);
});
