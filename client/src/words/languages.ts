/** The languages that we speak, and where their texts are; only the chosen one is fetched. */

import type english from "./en.json";

export const LANGUAGES = ["de", "en", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
export type Catalogue = Record<keyof typeof english, string>;

/** What each language calls itself. */
export const OWN_NAMES: Record<Language, string> = { de: "Deutsch", en: "English", ja: "日本語" };

const LOADERS: Record<Language, () => Promise<{ default: Catalogue }>> = {
  de: () => import("./de.json"),
  en: () => import("./en.json"),
  ja: () => import("./ja.json"),
};

export async function catalogueOf(language: Language): Promise<Catalogue> {
  return (await LOADERS[language]()).default;
}

/** The first language the reader prefers that we speak. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const spoken = LANGUAGES.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (spoken) return spoken;
  }
  return "en";
}
