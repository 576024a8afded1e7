/** Plates and their dishes. */

import type { BuffetPlate, BuffetStacks, BuffetValue } from "~/wire/messages";

export type Dish = keyof BuffetStacks;

/** In the order in which they lie before everybody. */
export const DISHES: readonly Dish[] = ["cheese", "salami", "sausage", "pizza", "drumstick", "salad"];

/** A plate's name is its dish and its value. */
export function partsOf(plate: BuffetPlate): { dish: Dish; value: BuffetValue } {
  const [, dish, value] = /^([a-z]+)(-?\d)$/.exec(plate)!;
  return { dish: dish as Dish, value: Number(value) as BuffetValue };
}
