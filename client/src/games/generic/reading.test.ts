import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "~/words/languages";
import { readable } from "~/words/readable";
import { loadWords, speak } from "~/words/words.svelte";
import { byVerb } from "./offers";
import { decisionText, entryText, valueText } from "./reading";
import { NAMES } from "./testing";

const SECRETS = { lay: ["card"], deal: ["cards"] };

beforeAll(async () => {
  await speak("en");
  await loadWords("generic");
});

it("makes names readable", () => {
  expect(["has_laid", "draw-pile", "hand"].map(readable)).toEqual(["has laid", "draw pile", "hand"]);
});

describe("values", () => {
  it.each([
    ["points", -3, "−3"],
    ["seat", 1, "Bo"],
    ["start_seat", 0, "Ada"],
    ["seats", [1, 0], "Bo, Ada"],
    ["seat", 7, "7"],
    ["seats", 2, "2"],
    ["free_seats", 1, "1"],
    ["next_seats", [1], "Bo"],
    ["laid", null, "–"],
    ["laid", undefined, "–"],
    ["has_laid", true, "yes"],
    ["has_laid", false, "no"],
    ["plate", "cheese5", "cheese5"],
    ["played", [], "–"],
    ["played", [1, 4], "1, 4"],
    ["stacks", { cheese: [5, -1], pizza: [] }, "cheese 5, −1, pizza –"],
    ["stacks", {}, "–"],
    ["market", [{ value: 5, coins: 2 }, [1, 2]], "(value 5, coins 2), (1, 2)"],
  ])("%s %j", (name, value, text) => {
    expect(valueText(name, value, NAMES)).toBe(text);
  });

  it("are said to their end, also within others", () => {
    const long = [...Array(110).keys()];
    expect(valueText("pile", long, NAMES)).toMatch(/108, 109$/);
    expect(valueText("piles", { left: long }, NAMES)).toMatch(/108, 109$/);
  });
});

describe("decisions", () => {
  it.each([
    [{ do: "lay", card: 5 }, "lay: card 5"],
    [{ do: "pass" }, "pass"],
    [{ do: "lay_out", cards: [5, 6], with_helper: true, give: null }, "lay out: cards 5, 6, with helper yes"],
    [{ do: "give", card: 5, seat: 1 }, "give: card 5, seat Bo"],
  ])("%j", (decision, text) => {
    expect(decisionText(decision, NAMES)).toBe(text);
  });

  it("are numbered verb by verb, and can be searched", () => {
    const legal = [{ do: "lay", card: 5 }, { do: "pass" }, { do: "lay", card: 7 }];
    const numbers = (sought?: string) =>
      byVerb(legal, NAMES, sought).map(({ verb, choices }) => [
        verb,
        choices.map(({ text, number }) => [number, text]),
      ]);
    expect(numbers()).toEqual([
      ["lay", [[0, "lay: card 5"], [1, "lay: card 7"]]],
      ["pass", [[2, "pass"]]],
    ]); // prettier-ignore
    expect(numbers(" CARD 7 ")).toEqual([["lay", [[0, "lay: card 7"]]]]);
    expect(numbers("nothing of that")).toEqual([]);
  });
});

describe("entries", () => {
  it.each([
    [{ by: "table", do: "show", seat: 1, card: 7 }, "Bo: show, card 7"],
    [{ by: 0, do: "draw", count: 2, ms: 4711 }, "Ada: draw, count 2"],
    [{ by: "table", do: "shuffle", pile: "cards", order: [1, 2] }, "shuffle, pile cards"],
    [{ by: 0, do: "give", card: 5, seat: 1 }, "Ada: give, card 5, seat Bo"],
    [{ by: 0, do: "sort", order: [2, 1] }, "Ada: sort, order 2, 1"],
    [{ by: "table", do: "trick" }, "trick"],
  ] as const)("%j", (entry, text) => {
    expect(entryText(entry, NAMES, SECRETS)).toBe(text);
  });

  it("come to an end, however long a list in them is", () => {
    const entry = { by: 0, do: "show", cards: [...Array(110).keys()] };
    expect(entryText(entry, NAMES, SECRETS)).toMatch(/18, 19, …$/);
  });

  it("are told as everybody may hear them, also to those who know more", () => {
    expect(entryText({ by: 0, do: "lay", card: 5 }, NAMES, SECRETS)).toBe("Ada: lay");
    expect(entryText({ by: "table", do: "deal", seat: 0, cards: [1, 2] }, NAMES, SECRETS)).toBe("Ada: deal");
  });

  it("are told without any values while nobody knows which are secret", () => {
    expect(entryText({ by: 0, do: "draw", count: 2 }, NAMES, undefined)).toBe("Ada: draw");
  });
});

it.each(LANGUAGES)("is punctuated as one does in %s", async (language) => {
  await speak(language);
  expect(decisionText({ do: "lay", card: 5 }, NAMES)).toBe(language === "ja" ? "lay：card 5" : "lay: card 5");
  await speak("en");
});
