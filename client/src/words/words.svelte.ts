/** The texts of the page in the chosen language: those of the page itself, and those of the games that were loaded. */

import type { Messages } from "./keys";
import { catalogueOf, gameCatalogueOf, type Catalogue, type Grammar, type Language } from "./languages";

export type Key = keyof Messages;

/** Of a text into which nothing has to be put. */
export type PlainKey = { [K in Key]: unknown extends Messages[K] ? K : never }[Key];

/** What has to be put into a text; if it may be one of several, what any of them needs. */
export type Values<K extends Key> = (K extends Key ? (values: Messages[K]) => void : never) extends (
  values: infer All,
) => void
  ? All
  : never;

let current = $state.raw<Catalogue>();
let spoken = $state.raw<Language>(); // by itself: it stays the same when the words of a game arrive

// What was asked for; nobody who asks for words is to be run again when they arrive, so this is not watched.
let chosen: Language | undefined;
const wanted = new Set<string>();
/** The parts that can be read in the chosen language. */
let readable: ReadonlySet<string> = new Set();

export async function speak(language: Language): Promise<void> {
  chosen = language;
  readable = new Set();
  try {
    await gather();
  } catch (why) {
    if (chosen === language) chosen = spoken;
    throw why;
  }
}

/** The words of a game (`buffet`) or of a piece of it (`buffet/lesson`), from now on in whatever language is chosen. */
export async function loadWords(part: string): Promise<void> {
  if (readable.has(part)) return;
  const isNew = !wanted.has(part);
  wanted.add(part);
  try {
    await gather();
  } catch (why) {
    if (isNew) wanted.delete(part);
    throw why;
  }
}

/** All that is wanted becomes readable at once. */
async function gather(): Promise<void> {
  if (!chosen) return;
  const language = chosen;
  const parts = [...wanted];
  const games = parts.map((part) => gameCatalogueOf(language, part));
  const catalogues = await Promise.all([catalogueOf(language), ...games]);
  // In the meantime something else may have been wanted; what is here by now is not fetched again.
  if (language !== chosen || parts.join() !== [...wanted].join()) return gather();
  if (language === spoken && parts.every((part) => readable.has(part))) return;
  spoken = language;
  current = Object.assign({}, ...catalogues) as Catalogue;
  readable = new Set(parts);
  document.documentElement.lang = language;
}

export function language(): Language {
  return spoken ?? "en";
}

/** A text in the chosen language, with its values put in; its key if it has not been loaded. */
export function t<K extends Key>(key: K, ...[values]: unknown extends Values<K> ? [] : [Values<K>]): string {
  if (!current) return "";
  const message = current[key] ?? key;
  return typeof message === "string" ? message : message(values!, grammar);
}

/** Is there such a text by now? For keys that are put together from what the server says. */
export function known<Asked extends string>(key: Asked): key is Asked & Extract<Key, Asked> {
  return current !== undefined && Object.hasOwn(current, key);
}

/** Names in a row, as the language strings them together. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : listFormat(language()).format(names);
}

// --- What a browser knows of languages ---------------------------------------------------------------------------------
// It takes its time to make such a thing, the first of its kind above all, and the page is full of them.

const listFormat = once((language) => new Intl.ListFormat(language, { type: "conjunction" }));
const pluralRules = once((language) => new Intl.PluralRules(language));
const numberFormat = once((language) => new Intl.NumberFormat(language));

const grammar: Grammar = {
  plural: (count) => pluralRules(language()).select(count),
  number: (count) => (isShort(count) ? `${count}` : numberFormat(language()).format(count)),
};

/** A number that all our languages write in the same way; to make a format takes longer than to draw half a board. */
const isShort = (count: number): boolean => Number.isInteger(count) && count > -1000 && count < 1000;

function once<Made>(make: (language: Language) => Made): (language: Language) => Made {
  const made = new Map<Language, Made>();
  return (language) => {
    const known = made.get(language) ?? make(language);
    made.set(language, known);
    return known;
  };
}
