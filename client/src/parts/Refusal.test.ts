import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import Refusal from "./Refusal.svelte";
import DeckField from "~/screens/home/DeckField.svelte";
import { askedRule } from "~/app/askedRule.svelte";
import { Refused } from "~/wire/http";
import { loadWords, speak, t } from "~/words/words.svelte";
import { faultText, refusalText } from "~/words/refusal";

beforeAll(async () => {
  await speak("de");
  for (const game of ["buffet", "chocolat"]) await loadWords(game);
});
afterEach(cleanup);

describe("why something was refused", () => {
  it("is said for the very rule, if there are words for it", () => {
    expect(refusalText(new Refused("illegal", "B12", ""), "buffet")).toBe(t("buffet.refused.illegal.B12"));
    expect(refusalText(new Refused("illegal", "B12", ""), "duel")).toBe(t("refused.illegal"));
  });

  it("is said for the code otherwise", () => {
    expect(refusalText(new Refused("illegal", "B99", ""), "buffet")).toBe(t("refused.illegal"));
    expect(refusalText(new Refused("seat-taken", null, ""))).toBe(t("refused.seat-taken"));
  });

  it.each(["table-closed", "wrong-host", "too-fast"])("has words for %s", (code) => {
    expect(refusalText(new Refused(code, null, "English"))).not.toBe("English");
  });

  it("is said by the server, if we do not know the code", () => {
    expect(refusalText(new Refused("full-moon", null, "Not at full moon."))).toBe("Not at full moon.");
  });

  it("leads to the rule", () => {
    render(Refusal, { refused: new Refused("illegal", "B7", ""), game: "buffet" });
    screen.getByRole("button", { name: "Warum? B7" }).click();
    expect(askedRule()).toEqual({ game: "buffet", rule: "B7" });
  });

  it("is what the server says, where there is no book to look it up in", () => {
    render(Refusal, { refused: new Refused("illegal", "T2", "You do not hold that card."), game: "duel" });
    expect(screen.getByText("You do not hold that card.").lang).toBe("en");
    expect(screen.getByRole("alert").textContent).toContain("T2");
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("leads nowhere without a rule", () => {
    render(Refusal, { refused: new Refused("too-fast", null, ""), game: "buffet" });
    expect(screen.getByRole("alert").textContent).toContain(t("refused.too-fast"));
    expect(screen.queryByRole("button")).toBeNull();
  });
});

describe("what is wrong with a deck file", () => {
  const values = { ingredient: "eggs", least: 1, most: 6, found: "9" };

  it("is said in the reader’s language, with what the file has", () => {
    expect(faultText({ kind: "coins", values, sentence: "" }, "chocolat")).toBe(t("chocolat.deck.fault.coins", values));
  });

  it("is said by the server, if we do not know its kind", () => {
    const fault = { kind: "full-moon", values, sentence: "Not at full moon." };
    expect(faultText(fault, "chocolat")).toBe("Not at full moon.");
    expect(faultText({ ...fault, kind: "coins" }, "duel")).toBe("Not at full moon.");
  });

  it.each([
    ["chocolat", "button"],
    ["duel", null],
  ] as const)("leads to the rule of %s, if there is a book to open", (game, role) => {
    const faults = [{ line: 3, rule: "C3", kind: "coins", values, sentence: "Nine are too many." }];
    render(DeckField, { game, faults, onchange: () => undefined });
    expect(screen.getByRole("listitem").textContent).toContain("C3");
    expect(screen.queryByRole("button") === null).toBe(role === null);
  });
});
