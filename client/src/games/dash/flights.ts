/** How cards come and go. */

import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import { calm } from "~/device/settings.svelte";

const lasting = (ms: number): number => (calm() ? 0 : ms);

/** Into the hand, and out of it again: up to the heap (-1), or down to the display (1). */
export const slip = (_: Element, { to = -1 } = {}): TransitionConfig => ({
  duration: lasting(200),
  easing: cubicOut,
  css: (t, u) => `opacity: ${t}; transform: translateY(${to * u * 3}rem) rotate(${u * 8}deg)`,
});
