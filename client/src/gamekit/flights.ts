/** How pieces travel over the table. */

import { cubicOut } from "svelte/easing";
import { crossfade, type TransitionConfig } from "svelte/transition";
import { calm } from "~/device/settings.svelte";

const LONG_MS = 340;
const SHORT_MS = 240;

const lasting = (ms: number): number => (calm() ? 0 : ms);

/** A plate from its mat to a stack, a card from the hand to the table: the same thing in two places. */
export const [send, receive] = crossfade({ duration: () => lasting(LONG_MS), easing: cubicOut });

/** Put down from above. */
export function drop(_: Element, { nth = 0 } = {}): TransitionConfig {
  return {
    duration: lasting(SHORT_MS),
    delay: lasting(nth * 70),
    easing: cubicOut,
    css: (t, u) => `opacity: ${t}; transform: translateY(${-18 * u}px) scale(${1 + 0.18 * u})`,
  };
}

/** Slide in from the middle of the table's edge, where its owner sits. */
export function dealt(_: Element, { nth = 0 } = {}): TransitionConfig {
  return {
    duration: lasting(SHORT_MS),
    delay: lasting(nth * 30),
    easing: cubicOut,
    css: (t, u) => `opacity: ${t}; transform: translateY(${-24 * u}px)`,
  };
}

/** On and off the track; a group in a drawing, so nothing but its looks may change. */
export const appear = (_: Element): TransitionConfig => ({ duration: lasting(SHORT_MS), css: (t) => `opacity: ${t}` });

export const sliding = (): { duration: number; easing: (t: number) => number } => ({
  duration: lasting(SHORT_MS),
  easing: cubicOut,
});
