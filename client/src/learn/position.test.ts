import { describe, expect, it } from "vitest";
import { same } from "~/gamekit/decisions";
import type { GameUi } from "~/gamekit/game";
import { importGame } from "~/games/importGame";
import { GAMES } from "~/games/registry";
import { openBook } from "~/screens/rules/books";
import { gameCatalogueOf, LANGUAGES } from "~/words/languages";
import { known, loadWords, speak } from "~/words/words.svelte";
import { Trial } from "./position.svelte";
import { openExample, openLesson, trialsOf, type Choice } from "./script";

const EVERY = GAMES.flatMap((game) => trialsOf(game).map((example) => [game, example] as const));

/** All ways through an example, from the first choice to the last. */
const ways = (choices: readonly Choice[]): Choice[][] =>
  choices.flatMap((one) => (one.choices ? ways(one.choices).map((way) => [one, ...way]) : [[one]]));

/** What the rules allow and the example does not know; in dash that is a whole heap. */
const missing = ({ view, choices }: Trial, { exchange }: GameUi) =>
  view.legal.filter(
    (one) => !choices.some(({ want, alike }) => same(want, one) || (alike && exchange?.(view, want, one))),
  );

describe.each(EVERY)("in %s, example %i", (game, example) => {
  it("can be gone through in every way, again and again", async () => {
    const ui = await importGame(game);
    for (const position of await openExample(game, example)) {
      const trial = new Trial(position, ui);
      const seen = new Set<readonly Choice[]>();
      const all = ways(position.choices);
      expect(all.length).toBeGreaterThan(1);
      for (const way of all) {
        for (const { want } of way) {
          expect(trial.view.legal).toContainEqual(want);
          if (game !== "dash" && !seen.has(trial.choices)) expect(missing(trial, ui)).toEqual([]);
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

describe.each(GAMES.flatMap((game) => LANGUAGES.map((language) => [game, language] as const)))(
  "in %s, in %s",
  (game, language) => {
    const said = async (start: string) =>
      Object.keys(await gameCatalogueOf(language, `${game}/lesson`))
        .filter((key) => key.startsWith(start))
        .toSorted();

    it("something is said of every end of an example, and of no other", async () => {
      await speak(language);
      await loadWords(game);
      const used = new Set<string>();
      for (const example of trialsOf(game)) {
        for (const { variant, choices } of await openExample(game, example)) {
          if (variant) expect(known(variant)).toBe(true);
          for (const way of ways(choices)) {
            expect(way.at(-1)!.say).toBeDefined();
            for (const { say } of way) if (say) used.add(`try.${game}.${say}`);
          }
        }
      }
      expect(await said("try.")).toEqual([...used].toSorted());
    });

    it("every moment of the lesson has its text, and there are no others", async () => {
      const { moments } = await openLesson(game);
      const texts = moments.map(({ say }) => `learn.${game}.${say}`);
      const hints = moments.filter(({ want }) => want).map(({ say }) => `learn.${game}.${say}.hint`);
      const keys = await said("learn.");
      expect(keys.filter((key) => !key.endsWith(".hint"))).toEqual([...new Set(texts)].toSorted());
      expect(keys.filter((key) => key.endsWith(".hint") && !hints.includes(key))).toEqual([]);
    });
  },
);

describe("an exit card", () => {
  it("is found anywhere, can be put back anywhere, and is lost there", async () => {
    const [position] = await openExample("dash", 2);
    const trial = new Trial(position!, await importGame("dash"));
    expect(await trial.act({ do: "take", place: 20 })).toBe(true);
    expect(trial.view).toMatchObject({ seats: [{ hands: [{ card: "X" }] }, {}, {}, {}] });
    expect(await trial.act({ do: "back", place: 50 })).toBe(true);
    expect(await trial.act({ do: "take", place: 50 })).toBe(true);
    expect(trial.happened).toContainEqual(expect.objectContaining({ do: "late", place: 50 }));
    expect(trial.over).toBe(true);
  });

  it("is what the example is about, and no other card", async () => {
    const [position] = await openExample("dash", 1);
    const trial = new Trial(position!, await importGame("dash"));
    expect(await trial.act({ do: "take", place: 63 })).toBe(false);
    expect(trial.declined).toBe(1);
    expect(await trial.act({ do: "take", place: 3 })).toBe(true);
    expect(trial.declined).toBe(0);
  });
});
