import { describe, expect, it } from "vitest";
import { loadGame } from "~/games/game";
import { Trial } from "./position.svelte";
import { openPosition, TRIALS } from "./script";

const EVERY = Object.entries(TRIALS).flatMap(([game, examples]) => examples.map((example) => [game, example] as const));

describe.each(EVERY)("in %s, example %i", (game, example) => {
  it("everything that is offered can be tried, again and again", async () => {
    const position = await openPosition(game, example);
    const trial = new Trial(position, await loadGame(game));
    expect(position.choices.length).toBeGreaterThan(2);
    for (const { want, entries } of position.choices) {
      expect(position.first.legal).toContainEqual(want);
      expect(await trial.act(want)).toBe(true);
      expect(trial.happened).toEqual(entries);
      expect(await trial.act(want)).toBe(false);
      trial.again();
      expect(trial.playback.shown).toEqual(position.first);
    }
  });
});
