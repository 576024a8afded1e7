/** The rulebooks, each fetched when somebody opens it. */

import BOOKS from "virtual:rulebooks";
import type { Language } from "~/words/languages";

export interface Book {
  html: string;
  rules: Record<string, string>;
}

export async function openBook(game: string, language: Language): Promise<Book> {
  const { html, rules } = (await BOOKS[game]![language]()).default;
  const lead = (text: string) => linked(text, rules);
  return {
    html: lead(html),
    rules: Object.fromEntries(Object.entries(rules).map(([id, text]) => [id, lead(text)])),
  };
}

/** Every rule that is named leads to itself, unless it is code (a card may be called like a rule); minus signs are real ones. */
export function linked(html: string, rules: Record<string, string>): string {
  return html
    .replace(/<strong>([A-Z]\d+)<\/strong>/g, '<a class="rule" href="#$1">$1</a>')
    .replace(/<code>.*?<\/code>|(?<![\w#">])[A-Z]\d+(?![\w"<])/g, (id) =>
      Object.hasOwn(rules, id) ? `<a href="#${id}">${id}</a>` : id,
    )
    .replace(/(?<![\w-])-(?=\d)|(?<=\d )-(?= \d)/g, "−");
}

/** Where things come from, as far as this book says so of some of them. */
const MARKS = ["attested", "reconstructed"] as const;

export const marksIn = (html: string): (typeof MARKS)[number][] =>
  MARKS.filter((mark) => html.includes(`class="ruling ${mark}"`));

export interface Chapter {
  id: string;
  title: string;
}

export function chapters(html: string): Chapter[] {
  return [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id, title]) => ({ id: id!, title: title! }));
}
