/** The texts of the page: one catalogue per language, in ICU's message format; only the chosen one is loaded. */

import { IntlMessageFormat, type PrimitiveType } from "intl-messageformat";
import type catalogue from "./en.json";

export const LANGUAGES = ["de", "en", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Key = keyof typeof catalogue;
export type Values = Record<string, PrimitiveType>;

/** What each language calls itself. */
export const OWN_NAMES: Record<Language, string> = { de: "Deutsch", en: "English", ja: "日本語" };

const LOADERS: Record<Language, () => Promise<{ default: Record<Key, string> }>> = {
  de: () => import("./de.json"),
  en: () => import("./en.json"),
  ja: () => import("./ja.json"),
};

let current = $state.raw<{ language: Language; catalogue: Record<Key, string> }>();
const formats = new Map<string, IntlMessageFormat>();

/** The first language the reader prefers that we speak. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const spoken = LANGUAGES.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (spoken) return spoken;
  }
  return "en";
}

export async function speak(language: Language): Promise<void> {
  const { default: catalogue } = await LOADERS[language]();
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
    format = new IntlMessageFormat(current.catalogue[key], current.language, undefined, { ignoreTag: true });
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
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(names);
}
