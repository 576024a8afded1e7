import { beforeEach, describe, expect, it } from "vitest";
import { speak } from "./words.svelte";
import { spelled } from "./code";
import { ago, duration } from "./times";

beforeEach(() => speak("en"));

it("says how long something takes", async () => {
  expect([30, 60, 120, 3600, 86_400].map(duration)).toEqual(["30 seconds", "1 minute", "2 minutes", "1 hour", "1 day"]);
  await speak("ja");
  expect(duration(30)).toBe("30 秒");
});

describe("how long ago", () => {
  it.each([
    [2_000, "just now"],
    [61_000, "1 minute ago"],
    [7_200_000, "2 hours ago"],
    [90_000_000, "yesterday"],
  ])("%d ms", (passed, text) => {
    expect(ago(1_000_000_000 - passed, 1_000_000_000)).toBe(text);
  });
});

it("spells a code", () => {
  expect(spelled("nupadure")).toBe("nupa-dure");
  expect(spelled("kafemulotabi")).toBe("kafe-mulo-tabi");
});
