declare module "virtual:rulebooks" {
  type Book = { html: string; rules: Record<string, string> };
  const books: Record<string, Record<"de" | "en" | "ja", () => Promise<{ default: Book }>>>;
  export default books;
}

declare module "virtual:words" {
  import type { Catalogue, Language } from "~/words/languages";

  type Loaders = Record<Language, () => Promise<{ default: Catalogue }>>;
  export const page: Loaders;
  export const games: Record<string, Loaders>;
}
