import { describe, expect, it } from "vitest";
import { loadGame } from "~/games/game";
import { SHELF } from "~/house/shelf.svelte";
import { openBook } from "~/screens/rules/books";
import { LANGUAGES } from "~/words/languages";
import { known, speak } from "~/words/words.svelte";
import { Trial } from "./position.svelte";
import { openExample, openVerdicts, same, trialsOf, type Choice } from "./script";

const EVERY = SHELF.flatMap((game) => trialsOf(game).map((example) => [game, example] as const));

/** All ways through an example, from the first choice to the last. */
const ways = (choices: readonly Choice[]): Choice[][] =>
  choices.flatMap((one) => (one.choices ? ways(one.choices).map((way) => [one, ...way]) : [[one]]));

/** What the rules allow and the example does not know; in dash that is a whole heap. */
const missing = ({ view, choices }: Trial) => view.legal.filter((one) => !choices.some(({ want }) => same(want, one)));

describe.each(EVERY)("in %s, example %i", (game, example) => {
  it("can be gone through in every way, again and again", async () => {
    const screen = await loadGame(game);
    for (const position of await openExample(game, example)) {
      const trial = new Trial(position, screen);
      const seen = new Set<readonly Choice[]>();
      const all = ways(position.choices);
      expect(all.length).toBeGreaterThan(1);
      for (const way of all) {
        for (const { want } of way) {
          expect(trial.view.legal).toContainEqual(want);
          if (game !== "dash" && !seen.has(trial.choices)) expect(missing(trial)).toEqual([]);
          seen.add(trial.choices);
          expect(await trial.act(want)).toBe(true);
        }
        expect(trial.happened).toEqual(way.flatMap(({ entries }) => entries));
        expect(trial.over).toBe(true);
        expect(trial.view.legal).toEqual([]);
        trial.again();
        expect(trial.playback.shown).toEqual(position.first);
      }
    }
  });

  it("stands in the book", async () => {
    for (const language of LANGUAGES)
      expect((await openBook(game, language)).html).toContain(`<p id="example-${example}">`);
  });
});

describe.each(LANGUAGES)("what is said of it in %s", (language) => {
  it("is there for every end, and for no other", async () => {
    await speak(language);
    const used = new Set<string>();
    for (const [game, example] of EVERY) {
      for (const { variant, choices } of await openExample(game, example)) {
        if (variant) expect(known(variant)).toBe(true);
        for (const way of ways(choices)) {
          expect(way.at(-1)!.say).toBeDefined();
          for (const { say } of way) if (say) used.add(`${game}.${say}`);
        }
      }
    }
    expect(Object.keys(await openVerdicts(language)).toSorted()).toEqual([...used].toSorted());
  });
});

describe("an exit card", () => {
  it("is found anywhere, can be put back anywhere, and is lost there", async () => {
    const [position] = await openExample("dash", 2);
    const trial = new Trial(position!, await loadGame("dash"));
    expect(await trial.act({ do: "take", place: 20 })).toBe(true);
    expect(trial.view).toMatchObject({ seats: [{ hands: [{ card: "X" }] }, {}, {}, {}] });
    expect(await trial.act({ do: "back", place: 50 })).toBe(true);
    expect(await trial.act({ do: "take", place: 50 })).toBe(true);
    expect(trial.happened).toContainEqual(expect.objectContaining({ do: "late", place: 50 }));
    expect(trial.over).toBe(true);
  });

  it("is what the example is about, and no other card", async () => {
    const [position] = await openExample("dash", 1);
    const trial = new Trial(position!, await loadGame("dash"));
    expect(await trial.act({ do: "take", place: 63 })).toBe(false);
    expect(trial.declined).toBe(1);
    expect(await trial.act({ do: "take", place: 3 })).toBe(true);
    expect(trial.declined).toBe(0);
  });
});
