/** The rulebooks, each fetched when somebody opens it. */

import type { Language } from "~/words/words.svelte";

export interface Book {
  html: string;
  rules: Record<string, string>;
}

type Loader = () => Promise<{ default: Book }>;

const BOOKS: Record<string, { en: Loader } & Partial<Record<Language, Loader>>> = {
  buffet: {
    de: () => import("virtual:rulebook/de/buffet"),
    en: () => import("virtual:rulebook/en/buffet"),
    ja: () => import("virtual:rulebook/ja/buffet"),
  },
  dash: { en: () => import("virtual:rulebook/en/dash") },
  chocolat: { en: () => import("virtual:rulebook/en/chocolat") },
};

export const hasBook = (game: string): boolean => Object.hasOwn(BOOKS, game);

/** The language in which a book can be read; English has them all. */
export const readable = (game: string, wanted: Language): Language => (BOOKS[game]?.[wanted] ? wanted : "en");

export async function openBook(game: string, wanted: Language): Promise<Book> {
  const books = BOOKS[game]!;
  return (await (books[wanted] ?? books.en)()).default;
}
