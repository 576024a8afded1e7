/** The languages that we speak, and where their texts are; only those of the chosen one are fetched. */

import { games, page } from "virtual:words";

export const LANGUAGES = ["de", "en", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a language does with numbers. */
export interface Grammar {
  plural(count: number): Intl.LDMLPluralRule;
  number(count: number): string;
}

/** Texts by their keys; those that are given something are made of it. */
export type Catalogue = Readonly<Record<string, string | ((values: object, grammar: Grammar) => string)>>;

/** What each language calls itself. */
export const OWN_NAMES: Record<Language, string> = { de: "Deutsch", en: "English", ja: "日本語" };

/** What the page says everywhere, with the shelf. */
export async function catalogueOf(language: Language): Promise<Catalogue> {
  return (await page[language]()).default;
}

/** What a game says (`buffet`), or a piece of it (`buffet/lesson`); nothing if it has no words of its own here. */
export async function gameCatalogueOf(language: Language, part: string): Promise<Catalogue> {
  return Object.hasOwn(games, part) ? (await games[part]![language]()).default : {};
}

/** The first language the reader prefers that we speak. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const spoken = LANGUAGES.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (spoken) return spoken;
  }
  return "en";
}
