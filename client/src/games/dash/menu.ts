/** What is on the cards: seven foods and seven drinks. */

import type { DashCard } from "~/wire/messages";
import { t } from "~/words/words.svelte";

/** In the order of their letters. */
export const FOODS = ["pizza", "sushi", "salad", "noodle-soup", "drumstick", "pretzel", "cake"] as const;
/** In the order of their digits. */
export const DRINKS = ["milk", "coffee", "green-tea", "juice", "cola", "fruit-punch", "bubble-tea"] as const;
export type Food = (typeof FOODS)[number];
export type Drink = (typeof DRINKS)[number];
export type Item = Food | Drink;

export const EXIT = "X";

export interface Cell {
  food: number;
  drink: number;
}

/** Where a food card stands in the grid of foods and drinks. */
export const cellOf = (card: DashCard): Cell => ({ food: card.charCodeAt(0) - 65, drink: Number(card[1]) - 1 });

export function itemsOf(card: DashCard): { food: Food; drink: Drink } {
  const { food, drink } = cellOf(card);
  return { food: FOODS[food]!, drink: DRINKS[drink]! };
}

export const itemName = (item: Item): string => t(`dash.item.${item}`);

export function cardName(card: DashCard): string {
  if (card === EXIT) return t("dash.exit-card");
  const { food, drink } = itemsOf(card);
  return t("dash.card", { food: itemName(food), drink: itemName(drink) });
}

/** Foods and drinks that lie in this display more than once. */
export function doublesIn(display: readonly DashCard[]): Item[] {
  const items = display.flatMap((card) => Object.values(itemsOf(card)));
  return [...FOODS, ...DRINKS].filter((item) => items.filter((other) => other === item).length > 1);
}

/** What would be there twice if this card came to the display. */
export function wouldDouble(display: readonly DashCard[], card: DashCard): Item[] {
  if (card === EXIT) return [];
  const there = new Set(display.flatMap((other) => Object.values(itemsOf(other))));
  return Object.values(itemsOf(card)).filter((item) => there.has(item));
}
