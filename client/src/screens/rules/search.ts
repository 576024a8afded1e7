/** Looking for words in a text on the page, in any language: what is found is marked. */

/** Letters as they are compared, each with the place that it stands at: case and width of letters do not matter. */
function plain(text: string): { letters: string; places: number[] } {
  const letters: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const sign of text) {
    for (const letter of fold(sign)) {
      letters.push(letter);
      places.push(at);
    }
    at += sign.length;
  }
  return { letters: letters.join(""), places: [...places, at] };
}

const fold = (text: string): string[] =>
  Array.from(
    text
      .normalize("NFKD")
      .replace(/\p{M}(?<![\u3099\u309a])/gu, "")
      .toLowerCase()
      .replace("−", "-")
      .replace(/\s/g, " "),
  );

/** Where a text has these words: from, to. */
export function find(text: string, words: string): [number, number][] {
  const wanted = fold(words.trim()).join("");
  if (!wanted) return [];
  const { letters, places } = plain(text);
  const found: [number, number][] = [];
  for (let at = letters.indexOf(wanted); at >= 0; at = letters.indexOf(wanted, at + wanted.length)) {
    found.push([places[at]!, places[at + wanted.length]!]);
  }
  return found;
}

/** Mark the words wherever they stand, except in pictures and positions; returns the marks in their order. */
export function mark(root: HTMLElement, words: string): HTMLElement[] {
  unmark(root);
  const texts: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement?.closest("[data-picture]")) texts.push(node as Text);
  }
  return texts.flatMap((text) => markIn(text, words));
}

function markIn(text: Text, words: string): HTMLElement[] {
  const marks: HTMLElement[] = [];
  // From the end on, so that what comes before stays where it is.
  for (const [from, to] of find(text.data, words).reverse()) {
    const found = text.splitText(from);
    found.splitText(to - from);
    const one = document.createElement("mark");
    found.replaceWith(one);
    one.append(found);
    marks.unshift(one);
  }
  return marks;
}

export function unmark(root: HTMLElement): void {
  for (const one of root.querySelectorAll("mark")) {
    const parent = one.parentNode!;
    one.replaceWith(...one.childNodes);
    parent.normalize();
  }
}
