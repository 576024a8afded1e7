import { describe, expect, it } from "vitest";
import { find, mark, unmark } from "./search";

describe("finding words", () => {
  it.each([
    ["Die Teller und der TELLER", "teller", [[4, 10], [19, 25]]],
    ["Käse und Kase", "KASE", [[0, 4], [9, 13]]],
    ["Käse", "käse", [[0, 4]]],
    ["Weiß", "weiß", [[0, 4]]],
    ["最下位のネズミは抜ける", "ネズミ", [[4, 7]]],
    ["ガラス", "カラス", []],
    ["ラウンド１２", "12", [[4, 6]]],
    ["value −1 and -1", "-1", [[6, 8], [13, 15]]],
    ["a\n  b", "a", [[0, 1]]],
    ["nothing", "  ", []],
  ])("in %j for %j", (text, words, places) => {
    expect(find(text, words)).toEqual(places);
  }); // prettier-ignore
});

describe("marking", () => {
  function page(html: string): HTMLElement {
    const root = document.createElement("div");
    root.innerHTML = html;
    return root;
  }

  it("marks every place once and leaves the text as it was", () => {
    const root = page("<p>A plate, a <b>Plate</b> and plates.</p><div data-picture>plate</div>");
    const before = root.innerHTML;
    expect(mark(root, "plate").map((one) => one.textContent)).toEqual(["plate", "Plate", "plate"]);
    expect(root.textContent).toBe("A plate, a Plate and plates.plate");
    expect(mark(root, "and")).toHaveLength(1);
    unmark(root);
    expect(root.innerHTML).toBe(before);
  });
});
