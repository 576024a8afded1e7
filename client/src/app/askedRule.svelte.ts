/** "Why?": the rule behind something, opened from wherever it is asked. */

import BOOKS from "virtual:rulebooks";

let asked = $state.raw<{ game: string; rule: string }>();

export const askedRule = () => asked;

export function why(game: string, rule: string): void {
  asked = { game, rule };
}

export function understood(): void {
  asked = undefined;
}

/** Is there a rulebook to look it up in? */
export const hasBook = (game: string): boolean => Object.hasOwn(BOOKS, game);
