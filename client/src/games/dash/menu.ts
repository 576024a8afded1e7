/** What is on the cards: seven foods and seven drinks. */

import type { DashCard, DashItem } from "~/wire/messages";
import { t } from "~/words/words.svelte";

/** In the order of their letters. */
export const FOODS = ["pizza", "sushi", "salad", "noodle-soup", "drumstick", "pretzel", "cake"] as const;
/** In the order of their digits. */
export const DRINKS = ["milk", "coffee", "green-tea", "juice", "cola", "fruit-punch", "bubble-tea"] as const;
export type Food = (typeof FOODS)[number];
export type Drink = (typeof DRINKS)[number];
export type Item = Food | Drink;

export const EXIT = "X";

/** All of them, as they are written on the cards: letters for foods, digits for drinks. */
export const ITEMS: readonly DashItem[] = ["A", "B", "C", "D", "E", "F", "G", "1", "2", "3", "4", "5", "6", "7"];

export const itemOf = (sign: DashItem): Item => [...FOODS, ...DRINKS][ITEMS.indexOf(sign)]!;

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
