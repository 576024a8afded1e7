/** How cards and helpers travel over this table. */

import { cubicInOut, cubicOut } from "svelte/easing";
import { crossfade } from "svelte/transition";
import { calm } from "~/device/settings.svelte";

const CARD_MS = 420;
const WALK_MS = 800;

/** A card from the market to a hand, from a seat to the market: the same card in two places. */
export const [sendCard, receiveCard] = crossfade({ duration: () => (calm() ? 0 : CARD_MS), easing: cubicOut });

/** A helper walks on to whom it helps next. */
export const [leave, arrive] = crossfade({ duration: () => (calm() ? 0 : WALK_MS), easing: cubicInOut });
