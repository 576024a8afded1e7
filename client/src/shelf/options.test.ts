import { beforeAll, expect, it } from "vitest";
import { tableOf } from "~/testing/fakeTable";
import type { OptionInfo } from "~/wire/messages";
import { loadWords, speak } from "~/words/words.svelte";
import { defaultOf, offered, optionHint, optionTitle, unusual, valueTitle } from "./options";

beforeAll(() => loadWords("dash"));

const option = (name: string, more: Partial<OptionInfo> = {}): OptionInfo => ({
  name,
  kind: "number",
  default: 0,
  default_for_two: null,
  least: 0,
  most: 1000,
  rule: "D21",
  text: "",
  ...more,
});
const TARGET = option("target", { default: 75, default_for_two: 100 });
const OPTIONS = [
  TARGET,
  option("keep_for_good", { kind: "switch", default: false }),
  option("pace_ms"),
  option("round_limit_s"),
  option("max_rounds"),
  option("first_opener", { kind: "seat", default: null }),
];

beforeAll(() => speak("en"));

it("is otherwise for two, where the rules say so", () => {
  expect([2, 3].map((seats) => defaultOf(TARGET, seats))).toEqual([100, 75]);
  expect(defaultOf(option("pace_ms", { default: 0 }), 2)).toBe(0);
});

it("is offered with a few good values, and always with the usual one", () => {
  expect(offered("dash", TARGET, 4)).toEqual([25, 50, 75, 100]);
  expect(offered("dash", option("target", { default: 60 }), 4)).toEqual([25, 50, 60, 75, 100]);
  expect(offered("dash", option("colour", { default: 3 }), 4)).toEqual([3]);
});

it("of a game without a folder is offered with all values, or from the least to the most", () => {
  expect(offered("duel", option("rounds", { least: 1, most: 4, default: 3 }), 2)).toEqual([1, 2, 3, 4]);
  expect(offered("duel", option("target", { default: 30 }), 2)).toEqual([0, 30, 1000]);
});

it("is read as people say it", () => {
  expect(valueTitle("dash", "pace_ms", 1500)).toBe("1.5 seconds");
  expect(valueTitle("dash", "round_limit_s", 180)).toBe("3 minutes");
  expect(valueTitle("dash", "target", 30)).toBe("30");
});

it("is off at 0 only where the game says so", () => {
  expect(valueTitle("dash", "max_rounds", 0)).toBe("Off");
  expect(valueTitle("duel", "max_rounds", 0)).toBe("0");
});

it("has the game’s own title, or one that games share, or its name and what the server says", () => {
  const rounds = option("max_rounds", { text: "So many at most." });
  expect([optionTitle("dash", "max_rounds"), optionHint("dash", rounds)]).toEqual(["Rounds at most", undefined]);
  expect([optionTitle("duel", "max_rounds"), optionHint("duel", rounds)]).toEqual(["max rounds", "So many at most."]);
  expect(optionTitle("duel", "target")).toBe("Points to win");
});

it("is told where it is not as usual", () => {
  const table = (options: Record<string, number | boolean | null>) => ({
    ...tableOf("Ada", "Bo", "Cy"),
    game: "dash",
    options,
  });
  const usual = { target: 75, keep_for_good: false, pace_ms: 0, round_limit_s: 0, max_rounds: 0, first_opener: null };
  expect(unusual(table(usual), OPTIONS)).toEqual([]);
  const other = { target: 50, keep_for_good: true, pace_ms: 1500, round_limit_s: 180, max_rounds: 1, first_opener: 1 };
  expect(unusual(table(other), OPTIONS)).toEqual([
    "up to 50 points",
    "eat with purpose",
    "calm pace: 1.5 seconds",
    "3 minutes a round",
    "1 round at most",
    "Opens the buffet first: Bo",
  ]);
});

it("is told by its name where the game has no words for it", () => {
  const given = { max_rounds: 0, open_hands: true, quiet: false, dealer_seat: 1 };
  const table = { ...tableOf("Ada", "Bo"), game: "duel", options: given };
  const options = [
    option("max_rounds", { default: 5 }),
    option("open_hands", { kind: "switch", default: false }),
    option("quiet", { kind: "switch", default: true }),
    option("dealer_seat", { kind: "seat", default: null }),
  ];
  expect(unusual(table, options)).toEqual(["max rounds: 0", "open hands: yes", "quiet: no", "dealer seat: Bo"]);
});
