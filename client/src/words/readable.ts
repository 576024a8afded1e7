/** Names that programs have for things, as people read them: `has_laid` is "has laid". */
export const readable = (name: string): string => name.replaceAll(/[_-]+/g, " ").trim();
