/** The texts of the page: one catalogue per language, in ICU's message format; only the chosen one is loaded. */

import { IntlMessageFormat, type Formatters, type PrimitiveType } from "intl-messageformat";
import { catalogueOf, type Catalogue, type Language } from "./languages";

export type Key = keyof Catalogue;
export type Values = Record<string, PrimitiveType>;

let current = $state.raw<{ language: Language; catalogue: Catalogue }>();
const formats = new Map<string, IntlMessageFormat>();

export async function speak(language: Language): Promise<void> {
  const catalogue = await catalogueOf(language);
  formats.clear();
  current = { language, catalogue };
  document.documentElement.lang = language;
}

export function language(): Language {
  return current?.language ?? "en";
}

/** A text in the chosen language, with its values put in. */
export function t(key: Key, values?: Values): string {
  if (!current) return "";
  let format = formats.get(key);
  if (!format) {
    format = new IntlMessageFormat(current.catalogue[key], current.language, undefined, {
      ignoreTag: true,
      formatters,
    });
    formats.set(key, format);
  }
  return String(format.format(values));
}

/** Does the catalogue have this key? For keys that are put together from what the server says. */
export function known(key: string): key is Key {
  return current !== undefined && Object.hasOwn(current.catalogue, key);
}

/** Names in a row, as the language strings them together. */
export function listed(names: readonly string[]): string {
  return listFormat(language()).format(names);
}

// --- What a browser knows of languages ---------------------------------------------------------------------------------
// It takes its time to make such a thing, the first of its kind above all, and the page is full of them.

const listFormat = once((language: Language) => new Intl.ListFormat(language, { type: "conjunction" }));
const formatters: Formatters = {
  getNumberFormat: once((...how) => new Intl.NumberFormat(...how)),
  getDateTimeFormat: once((...how) => new Intl.DateTimeFormat(...how)),
  getPluralRules: once((...how) => new Intl.PluralRules(...how)),
};

function once<How extends unknown[], Made>(make: (...how: How) => Made): (...how: How) => Made {
  const made = new Map<string, Made>();
  return (...how) => {
    const key = JSON.stringify(how);
    const known = made.get(key) ?? make(...how);
    made.set(key, known);
    return known;
  };
}
