import { afterEach, expect, it } from "vitest";
import { arrowKeys, type Way } from "./arrowKeys";

afterEach(() => document.body.replaceChildren());

/** A group of buttons named 0, 1, 2 …; one of them may be disabled. */
function group(count: number, way?: Way, disabled?: number) {
  const node = document.createElement("div");
  node.tabIndex = 0;
  for (let nth = 0; nth < count; nth++) {
    const button = document.createElement("button");
    button.textContent = String(nth);
    button.disabled = nth === disabled;
    node.append(button);
  }
  document.body.append(node);
  const detach = arrowKeys(way)(node) as () => void;
  const focus = (nth: number) => node.querySelectorAll("button")[nth]!.focus();
  return { node, detach, focus };
}

/** Whether the key was used, and where the focus is now. */
function press(key: string, more: KeyboardEventInit = {}): [used: boolean, at: string | null] {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.activeElement!.dispatchEvent(event);
  return [event.defaultPrevented, document.activeElement!.textContent];
}

it("leads from button to button, to the first and to the last, and stops at both ends", () => {
  group(3).focus(0);
  expect(press("ArrowRight")).toEqual([true, "1"]);
  expect(press("ArrowDown")).toEqual([true, "2"]);
  expect(press("ArrowRight")).toEqual([false, "2"]);
  expect(press("ArrowUp")).toEqual([true, "1"]);
  expect(press("ArrowLeft")).toEqual([true, "0"]);
  expect(press("ArrowLeft")).toEqual([false, "0"]);
  expect(press("End")).toEqual([true, "2"]);
  expect(press("Home")).toEqual([true, "0"]);
});

it("leaves other keys alone, and arrows with which somebody wants something else", () => {
  group(3).focus(0);
  for (const key of ["a", "Enter", "PageDown"]) expect(press(key)).toEqual([false, "0"]);
  for (const more of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }]) {
    expect(press("ArrowRight", more)).toEqual([false, "0"]);
  }
});

it("passes over what is disabled", () => {
  group(3, {}, 1).focus(0);
  expect(press("ArrowRight")).toEqual([true, "2"]);
});

it("listens only to the arrows of its direction", () => {
  group(3, { along: "column" }).focus(1);
  expect(press("ArrowRight")).toEqual([false, "1"]);
  expect(press("ArrowDown")).toEqual([true, "2"]);
});

it("goes round", () => {
  group(2, { along: "row", around: true }).focus(0);
  expect(press("ArrowLeft")).toEqual([true, "1"]);
  expect(press("ArrowRight")).toEqual([true, "0"]);
});

it("begins at the last button, if asked to", () => {
  const { node } = group(3, { fromBehind: true });
  node.focus();
  expect(press("Home")[0]).toBe(false);
  expect(press("ArrowDown")).toEqual([true, "2"]);
  document.body.replaceChildren();
  group(3).node.focus();
  expect(press("ArrowDown")[0]).toBe(false);
});

it("leads through rows and columns, and uses up the arrows at the edges", () => {
  group(9, { columns: 3 }).focus(4);
  expect(press("ArrowUp")).toEqual([true, "1"]);
  expect(press("ArrowUp")).toEqual([true, "1"]);
  expect(press("ArrowRight")).toEqual([true, "2"]);
  expect(press("ArrowRight")).toEqual([true, "2"]);
  expect(press("PageDown")).toEqual([true, "8"]);
  expect(press("Home")).toEqual([true, "6"]);
  expect(press("ArrowLeft")).toEqual([true, "6"]);
  expect(press("ArrowDown")).toEqual([true, "6"]);
  expect(press("End")).toEqual([true, "8"]);
  expect(press("PageUp")).toEqual([true, "2"]);
  expect(press("x")).toEqual([false, "2"]);
});

it("is quiet once it is taken off", () => {
  const { detach, focus } = group(2);
  detach();
  focus(0);
  expect(press("ArrowRight")).toEqual([false, "0"]);
});
