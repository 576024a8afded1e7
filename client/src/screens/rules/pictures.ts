/** Pictures beside the rules that speak of what is on them, drawn by the parts of the game itself. */

import { mount, unmount, type Component } from "svelte";
import { trialsOf } from "~/learn/script";
import { t } from "~/words/words.svelte";
import Try from "./Try.svelte";

type Loader = () => Promise<{ default: Component<{ of: string }> }>;

/** The rules that have a picture. */
const PICTURES: Record<string, readonly string[]> = {
  buffet: ["B1", "B2", "B3", "B4", "B9", "B16"],
  chocolat: ["C1", "C2", "C3"],
  dash: ["D1", "D2", "D18", "D19"],
};

const LOADERS: Record<string, Loader> = {
  buffet: () => import("~/games/buffet/Pictures.svelte"),
  chocolat: () => import("~/games/chocolat/Pictures.svelte"),
  dash: () => import("~/games/dash/Pictures.svelte"),
};

/** Hang them up in a text; returns how to take them down again. */
export function illustrate(text: HTMLElement, game: string): () => void {
  const hung = trialsOf(game).map((example) => offer(text, game, example));
  let gone = false;
  // A book without pictures is a book, too.
  void LOADERS[game]?.()
    .then(({ default: Picture }) => {
      if (!gone) for (const of of PICTURES[game]!) hung.push(hang(text, of, Picture));
    })
    .catch(() => undefined);
  return () => {
    gone = true;
    for (const take of hung) take();
  };
}

/** An example that can be tried has a button at its end. */
function offer(text: HTMLElement, game: string, example: number): () => void {
  const frame = document.createElement("div");
  frame.dataset.picture = `example-${example}`;
  let end = text.querySelector(`[id="example-${example}"]`);
  while (end?.nextElementSibling && !end.nextElementSibling.matches("[id]")) end = end.nextElementSibling;
  end?.after(frame);
  const trial = mount(Try, { target: frame, props: { game, example } });
  return () => {
    void unmount(trial);
    frame.remove();
  };
}

function hang(text: HTMLElement, of: string, Picture: Component<{ of: string }>): () => void {
  const frame = document.createElement("div");
  frame.dataset.picture = of;
  frame.setAttribute("role", "img");
  frame.setAttribute("aria-label", t("rules.picture", { rule: of }));
  text.querySelector(`[id="${of}"]`)?.append(frame);
  const picture = mount(Picture, { target: frame, props: { of } });
  return () => {
    void unmount(picture);
    frame.remove();
  };
}
