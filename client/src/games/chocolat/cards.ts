/** Ingredient cards: what is printed on them, and in which order they are held. */

import type { ChocolatCard, ChocolatIngredient } from "~/wire/messages";

const INGREDIENTS = ["eggs", "fruit", "nuts", "chocolate", "sugar"] as const satisfies ChocolatIngredient[];

export interface Parts {
  ingredient: ChocolatIngredient;
  value: number;
  coins: number;
}

export function partsOf(card: ChocolatCard): Parts {
  const [ingredient, value, coins] = card.split("-");
  return { ingredient: ingredient as ChocolatIngredient, value: Number(value), coins: Number(coins) };
}

/** The sum of the values on cards that an entry names: that is all there is to tell it by, and to show it at once. */
export const printed = (cards: readonly ChocolatCard[]): number =>
  cards.reduce((sum, card) => sum + partsOf(card).value, 0);

// --- Order -----------------------------------------------------------------------------------------------------------

export const SORTINGS = ["value", "ingredient", "coins"] as const;
export type Sorting = (typeof SORTINGS)[number];

/** What counts first, second and third. */
const BY: Record<Sorting, (parts: Parts) => readonly number[]> = {
  value: ({ ingredient, value, coins }) => [value, INGREDIENTS.indexOf(ingredient), coins],
  ingredient: ({ ingredient, value, coins }) => [INGREDIENTS.indexOf(ingredient), value, coins],
  coins: ({ ingredient, value, coins }) => [coins, INGREDIENTS.indexOf(ingredient), value],
};

export function sorted(cards: readonly ChocolatCard[], by: Sorting = "value"): ChocolatCard[] {
  const weight = (card: ChocolatCard) => BY[by](partsOf(card)).reduce((sum, part) => sum * 10 + part, 0);
  return cards.toSorted((one, other) => weight(one) - weight(other));
}

// --- One by one ------------------------------------------------------------------------------------------------------

/** A card as one of several: equal cards are told apart by their place among themselves. */
export interface Held {
  card: ChocolatCard;
  key: string;
}

export function oneByOne(cards: readonly ChocolatCard[]): Held[] {
  const seen = new Map<ChocolatCard, number>();
  return cards.map((card) => {
    const nth = seen.get(card) ?? 0;
    seen.set(card, nth + 1);
    return { card, key: `${card}.${nth}` };
  });
}

/** What is left when these are gone; each takes away one. */
export function without<Thing>(things: readonly Thing[], gone: readonly Thing[]): Thing[] {
  const left = [...things];
  for (const one of gone) {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

/** Are all of them among the others, as often as they are there? */
export const contains = <Thing>(things: readonly Thing[], some: readonly Thing[]): boolean =>
  things.length - without(things, some).length === some.length;
