/** Pictures beside the rules that speak of what is on them, drawn by the parts of the game itself. */

import { mount, unmount, type Component } from "svelte";
import { manifestOf } from "~/games/registry";
import { trialsOf } from "~/learn/script";
import { loadWords, t } from "~/words/words.svelte";
import Try from "./Try.svelte";

/** Hang them up in a text; returns how to take them down again. */
export function illustrate(text: HTMLElement, game: string): () => void {
  const hung = trialsOf(game).map((example) => offer(text, game, example));
  let gone = false;
  // A book without pictures is a book, too.
  const pictures = manifestOf(game)?.pictures;
  void Promise.all([pictures?.load(), loadWords(game)])
    .then(([loaded]) => {
      if (loaded && !gone) for (const of of pictures!.rules) hung.push(hang(text, of, loaded.default));
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
