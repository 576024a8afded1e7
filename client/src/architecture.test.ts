/** Rooms are folders. They import one way, the ones in the middle know no game, and none of their files is long. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

interface Import {
  from: string;
  to: string;
}

const SOURCE = import.meta.dirname;
const TOP = ".";
const GENERATED = ["wire/messages.ts", "words/keys.ts"];
const TOO_MANY_LINES = { svelte: 250, ts: 400 };

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
const isTest = (file: string): boolean => /\.test\.ts$|^testing\/|\/testing\.ts$/.test(file);
const sources = files
  .filter((file) => /\.(ts|svelte)$/.test(file) && !file.endsWith(".d.ts") && !isTest(file))
  .map((file) => ({ file, text: readFileSync(join(SOURCE, file), "utf8") }));
const games = files.filter((file) => /^games\/\w+\/manifest\.ts$/.test(file)).map((file) => file.split("/")[1]!);

const withoutComments = (text: string): string =>
  text.replace(/<!--[^]*?-->|(?<=^|\s)\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*$/gm, "");

/** What a file imports, at once or later, by name or by pattern; only what lies here. */
function importsOf(file: string, text: string): Import[] {
  const named = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"((?:~|\.\.?)\/[^"]*)"/g)].map(([, to]) => to!);
  const patterns = [...text.matchAll(/import\.meta\.glob[^(]*\(\s*"([^"]*)"/g)].flatMap(([, pattern]) =>
    matching(pattern!),
  );
  return [...named, ...patterns].map((to) => ({ from: file, to: placeOf(to, file) }));

  function matching(pattern: string): string[] {
    const path = new RegExp(`^${placeOf(pattern, file).replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`);
    return files.filter((one) => path.test(one)).map((one) => `~/${one}`);
  }
}

const placeOf = (to: string, file: string): string =>
  to.startsWith("~/") ? normalize(to.slice(2)) : normalize(join(dirname(file), to));

/** The files that make one room depend on another, by room and room. */
function roomsOf(imports: readonly Import[]): Map<string, Map<string, Import>> {
  const rooms = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    const [from, to] = [dirname(one.from), dirname(one.to)];
    if (from === to) continue;
    const others = rooms.get(from) ?? new Map<string, Import>();
    rooms.set(from, others.set(to, others.get(to) ?? one));
  }
  return rooms;
}

/** The first circle that is found, as the imports that make it. */
function circleIn(rooms: ReadonlyMap<string, ReadonlyMap<string, Import>>): Import[] {
  const done = new Set<string>();

  function search(room: string, way: readonly string[], imports: readonly Import[]): Import[] {
    if (way.includes(room)) return imports.slice(way.indexOf(room));
    if (done.has(room)) return [];
    for (const [to, one] of rooms.get(room) ?? []) {
      const circle = search(to, [...way, room], [...imports, one]);
      if (circle.length > 0) return circle;
    }
    done.add(room);
    return [];
  }

  for (const room of rooms.keys()) {
    const circle = search(room, [], []);
    if (circle.length > 0) return circle;
  }
  return [];
}

const told = ({ from, to }: Import): string => `${from} imports ${to}`;
const imports = sources.flatMap(({ file, text }) => importsOf(file, withoutComments(text)));

describe("rooms", () => {
  it("do not import in a circle", () => {
    expect(circleIn(roomsOf(imports)).map(told)).toEqual([]);
  });

  it("import nothing from the top", () => {
    const upwards = imports.filter(({ from, to }) => dirname(to) === TOP && dirname(from) !== TOP);
    expect(upwards.map(told)).toEqual([]);
  });

  it("are all connected: imports are found at once, later and by pattern", () => {
    const found = imports.map(told);
    expect(found).toContain("main.ts imports App.svelte");
    expect(found).toContain("preload.ts imports screens/learn/Learn.svelte");
    for (const game of games) expect(found).toContain(`games/registry.ts imports games/${game}/manifest.ts`);
  });

  it("would be found in a circle", () => {
    const round = ["a/1", "b/2", "c/3"].map((from, i) => ({ from, to: ["b/9", "c/9", "a/9"][i]! }));
    expect(circleIn(roomsOf([{ from: "d/0", to: "a/1" }, ...round])).map(told)).toEqual(round.map(told));
    expect(circleIn(roomsOf(round.slice(1)))).toEqual([]);
  });
});

it("only its own folder names a game", () => {
  const names = sources
    .filter(({ file }) => !GENERATED.includes(file))
    .flatMap(({ file, text }) =>
      games
        .filter((game) => !file.startsWith(`games/${game}/`))
        .filter((game) =>
          new RegExp(`\\b${game}\\b|\\b${game}(?=[A-Z])|\\b${capital(game)}(?=[A-Z])`).test(withoutComments(text)),
        )
        .map((game) => `${file} names ${game}`),
    );
  expect(names).toEqual([]);
});

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

it.each([
  ["components", /\.svelte$/, TOO_MANY_LINES.svelte],
  ["modules", /\.ts$/, TOO_MANY_LINES.ts],
])("%s are short", (_, kind, tooMany) => {
  const long = sources
    .filter(({ file }) => kind.test(file) && !GENERATED.includes(file))
    .map(({ file, text }) => ({ file, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines >= tooMany);
  expect(long).toEqual([]);
});
