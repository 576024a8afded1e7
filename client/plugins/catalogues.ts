/** The catalogues as they lie in the source: what is in them, whether they agree, and the types of what they are given. */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compile, narrower, type Kind, type Message } from "./messages.ts";

export const SOURCE = join(import.meta.dirname, "..", "src");

/** The language that the others are compared with. */
const ORIGINAL = "en";

/** The first load: what the page says everywhere, and what the shelf says about the games. */
export const PAGE = "page";
const SHELF = "shelf";

export interface Catalogue {
  /** From the source folder on. */
  file: string;
  language: string;
  /** What is loaded at once: the page, a game (`buffet`) or a piece of a game (`buffet/lesson`). */
  part: string;
  texts: Readonly<Record<string, string>>;
}

const NAME = /^(?:games\/(?<game>\w+)\/)?words\/(?:(?<piece>\w+)\.)?(?<language>\w+)\.json$/;

function partOf(game: string | undefined, piece: string | undefined): string {
  if (!game || piece === SHELF) return PAGE;
  return piece ? `${game}/${piece}` : game;
}

export function readCatalogues(source = SOURCE): Catalogue[] {
  const files = globSync(["words/*.json", "games/*/words/*.json"], { cwd: source }).sort();
  return files.map((file) => {
    const { game, piece, language } = NAME.exec(file)?.groups ?? {};
    if (!language) throw new Error(`${file} is not named after a language`);
    const texts = JSON.parse(readFileSync(join(source, file), "utf8")) as Record<string, string>;
    return { file, language, part: partOf(game, piece), texts };
  });
}

/** The same catalogue in another language. */
const translated = (file: string, language: string): string => file.replace(/\w+\.json$/, `${language}.json`);

export function languagesOf(catalogues: readonly Catalogue[]): string[] {
  return [...new Set(catalogues.map(({ language }) => language))];
}

/** All messages of a catalogue by their keys; one that is wrong is named. */
export function messagesOf({ file, texts }: Catalogue): Map<string, Message> {
  const read = ([key, text]: [string, string]): [string, Message] => {
    try {
      return [key, compile(text)];
    } catch (why) {
      throw new Error(`${file}: "${key}" can not be read: ${why instanceof Error ? why.message : String(why)}`, {
        cause: why,
      });
    }
  };
  return new Map(Object.entries(texts).map(read));
}

/** What each message has to be given in all languages together. Throws, with file and key, unless they agree. */
export function agree(catalogues: readonly Catalogue[]): Map<string, ReadonlyMap<string, Kind>> {
  const byFile = new Map(catalogues.map((catalogue) => [catalogue.file, catalogue]));
  const agreed = new Map<string, ReadonlyMap<string, Kind>>();
  for (const { file } of catalogues)
    if (!byFile.has(translated(file, ORIGINAL))) throw new Error(`${translated(file, ORIGINAL)} is missing`);
  for (const original of catalogues.filter(({ language }) => language === ORIGINAL)) {
    const messages = messagesOf(original);
    const others = languagesOf(catalogues).map((language) => {
      const file = translated(original.file, language);
      if (!byFile.has(file)) throw new Error(`${file} is missing`);
      return { file, messages: messagesOf(byFile.get(file)!) };
    });
    for (const { file, messages: theirs } of others)
      for (const key of theirs.keys())
        if (!messages.has(key)) throw new Error(`${file}: "${key}" is not in ${original.file}`);
    for (const [key, message] of messages) {
      if (agreed.has(key)) throw new Error(`${original.file}: "${key}" is in another catalogue too`);
      agreed.set(key, agreeOn(key, message, others));
    }
  }
  return agreed;
}

function agreeOn(
  key: string,
  original: Message,
  others: readonly { file: string; messages: ReadonlyMap<string, Message> }[],
): Map<string, Kind> {
  const values = new Map(original.values);
  for (const { file, messages } of others) {
    const fault = (what: string) => new Error(`${file}: "${key}" ${what}`);
    const message = messages.get(key);
    if (!message) throw fault("is missing");
    const hidden = [...original.shown].find((name) => !message.shown.has(name));
    if (hidden) throw fault(`does not show {${hidden}}`);
    const shown = [...message.shown].find((name) => !original.shown.has(name));
    if (shown) throw fault(`shows {${shown}}, which the original does not`);
    for (const [name, kind] of message.values) {
      if (!values.has(name)) throw fault(`asks for {${name}}, which the original does not`);
      try {
        values.set(name, narrower(values.get(name), kind, name));
      } catch (why) {
        throw fault(`does not fit the other languages: ${(why as Error).message}`);
      }
    }
  }
  return values;
}

const TYPES: Record<Kind, string> = { text: "Text", number: "number", word: "string" };

/** TypeScript for all keys and what they are given. */
export function keysOf(catalogues: readonly Catalogue[]): string {
  const fields = [...agree(catalogues)].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = fields.map(([key, values]) => {
    const given = [...values].sort().map(([name, kind]) => `${name}: ${TYPES[kind]}`);
    return `  "${key}": ${given.length > 0 ? `{ ${given.join("; ")} }` : "unknown"};`;
  });
  return `// Generated from the catalogues; renew with npm run words.

type Text = string | number;

/** All texts by their keys, and what has to be put into each. */
export interface Messages {
${lines.join("\n")}
}
`;
}
