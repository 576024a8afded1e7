/** The game by keys: letters for one hand; for two hands each half of the keyboard moves its own. */

import type { DashSide } from "~/wire/messages";

export type Stroke =
  { do: "move"; side: DashSide; down: number; right: number } | { do: "act" | "keep" | "back"; side: DashSide | null };

const ONE_HAND: Record<string, Stroke> = {
  n: { do: "act", side: null },
  k: { do: "keep", side: null },
  x: { do: "keep", side: null },
  b: { do: "back", side: null },
};

/** By where the keys are, so that they lie together on every keyboard. */
const TWO_HANDS: Record<string, Stroke> = {
  KeyW: { do: "move", side: "left", down: -1, right: 0 },
  KeyA: { do: "move", side: "left", down: 0, right: -1 },
  KeyS: { do: "move", side: "left", down: 1, right: 0 },
  KeyD: { do: "move", side: "left", down: 0, right: 1 },
  KeyQ: { do: "act", side: "left" },
  KeyE: { do: "keep", side: "left" },
  KeyR: { do: "back", side: "left" },
  KeyI: { do: "move", side: "right", down: -1, right: 0 },
  KeyJ: { do: "move", side: "right", down: 0, right: -1 },
  KeyK: { do: "move", side: "right", down: 1, right: 0 },
  KeyL: { do: "move", side: "right", down: 0, right: 1 },
  KeyU: { do: "act", side: "right" },
  KeyO: { do: "keep", side: "right" },
  KeyP: { do: "back", side: "right" },
};

/** What is printed on the buttons. */
export const HINTS = {
  only: { act: "N", keep: "K", back: "B" },
  left: { act: "Q", keep: "E", back: "R" },
  right: { act: "U", keep: "O", back: "P" },
};

/** What a key means. */
export function strokeOf(event: KeyboardEvent, twoHands: boolean): Stroke | undefined {
  return twoHands ? TWO_HANDS[event.code] : ONE_HAND[event.key.toLowerCase()];
}
