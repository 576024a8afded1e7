import { beforeAll, describe, expect, it } from "vitest";
import { loadWords, speak } from "~/words/words.svelte";
import { picture } from "~/table/picture";
import { staging } from "./staging";
import { noise, prompt, tell } from "./story";
import { aView, NAMES } from "./testing";
import type { AnyEntry } from "./view";

const LAY: AnyEntry = { by: 0, do: "lay", card: 5 };
const END: AnyEntry = { by: "table", do: "end", scores: [3, 2], places: [1, 2] };

beforeAll(async () => {
  await speak("en");
  await loadWords("generic");
});

describe("the line above the board", () => {
  it.each([
    [{}, 0, "Your turn: what will you do?"],
    [{ to_act: [1] }, 0, "Bo is thinking."],
    [{}, null, "Ada and Bo are thinking."],
    [{ to_act: [] }, 0, "One moment …"],
    [{ to_act: [], over: true }, 0, "The game is over. That was fun!"],
  ])("for %j and seat %j", (changes, seat, text) => {
    expect(prompt(aView(changes), seat, NAMES).text).toBe(text);
  });
});

describe("what has happened", () => {
  it("is told", () => expect(tell(LAY, NAMES, { lay: ["card"] }).text).toBe("Ada: lay"));
  it("ends with who has won", () => {
    expect(tell(END, NAMES, {}).text).toBe("Ada wins with 3 points!");
    expect(tell({ ...END, scores: [1, 1], places: [1, 1] }, NAMES, {}).text).toBe(
      "Ada and Bo win together with 1 point!",
    );
  });
  it("is heard", () =>
    expect([LAY, { ...LAY, by: "table" as const }, END].map(noise)).toEqual(["card", null, "cheer"]));

  it("stays on the board for a while, also after the next view and after coming back", () => {
    const shown = staging.unfold(aView(), LAY);
    const next = aView({ round: 4 });
    expect(staging.settle(next, shown)).toEqual({ ...next, recent: [LAY] });
    expect(staging.settle(next, aView())).toBe(next);
    const many = [1, 2, 3, 4, 5].map((card) => ({ ...LAY, card }));
    expect(picture(staging, { view: next, told: [{ entries: many, to_act: [] }] }).recent).toEqual(many.slice(1));
    expect(staging.pause(LAY, next)).toBeLessThan(500);
  });
});
