import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DashPicture } from "./picture";
import { Score } from "./score.svelte";
import { aHand, aView } from "./testing";

const OPEN = aView([[aHand()], [aHand()], [aHand()]]);
const last = { round: 1, why: "exits" as const, points: [[0], [0], [0]], totals: [0, 0, 0], displays: [] };
const SCORED: DashPicture = { ...OPEN, is_open: false, last };
let end: () => void;

function show(first: DashPicture) {
  let picture = $state.raw(first);
  let score!: Score;
  end = $effect.root(() => {
    score = new Score(() => picture);
  });
  flushSync();
  const becomes = (next: DashPicture) => {
    picture = next;
    flushSync();
  };
  const wait = (ms: number) => {
    vi.advanceTimersByTime(ms);
    flushSync();
  };
  return { score, becomes, wait };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  end();
  vi.useRealTimers();
});

it("the score is seen after the last grab, and cleared away once the next round runs", () => {
  const { score, becomes, wait } = show(OPEN);
  becomes(SCORED);
  expect(score.due).toBe(last);
  expect(score.shown).toBeNull();
  wait(600);
  expect(score.shown).toBe(last);
  becomes({ ...SCORED, is_open: true });
  expect(score.shown).toBeNull();
  expect(score.spread).toBe(last);
  wait(1500);
  expect(score.spread).toBeUndefined();
});

it("whoever comes later has missed the grab; what was read is not shown again", () => {
  const { score } = show(SCORED);
  expect(score.shown).toBe(last);
  score.close();
  expect(score.shown).toBeNull();
});
