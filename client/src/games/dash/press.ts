/** Touching something counts at once, not when the finger leaves it; keys and screen readers press it as ever. */

import type { Attachment } from "svelte/attachments";

export function press(act: () => void): Attachment<HTMLElement> {
  return (node) => {
    let touched = false;
    const down = (event: PointerEvent) => {
      if (event.button !== 0) return;
      touched = true;
      act();
      // A finger is no mouse: what the browser would tell of one, and the focus, only cost time after each touch.
      if (event.pointerType === "touch") event.preventDefault();
    };
    const click = (event: MouseEvent) => {
      const done = touched && event.detail > 0;
      touched = false;
      if (!done) act();
    };
    node.addEventListener("pointerdown", down);
    node.addEventListener("click", click);
    return () => {
      node.removeEventListener("pointerdown", down);
      node.removeEventListener("click", click);
    };
  };
}
