import { describe, expect, it } from "vitest";
import { importGame } from "~/games/importGame";
import { Play } from "~/learn/lesson.svelte";
import { Trial } from "~/learn/position.svelte";
import { openExample, openLesson } from "~/learn/script";
import type { ChocolatCombine, ChocolatDecision, ChocolatView } from "~/wire/messages";
import { loadWords, speak } from "~/words/words.svelte";
import { Choosing } from "./choosing.svelte";
import { discarded, type Offer, type Way } from "./offers";
import { exchange } from "./orders";
import type { ChocolatPicture } from "./staging";
import { aView } from "./testing";

/** Who goes through a script: at a lesson or an example. */
type Learner = Pick<Play | Trial, "act" | "view" | "playback">;

/** How a learner lays out some cards: as the plain button does at once, or in the last of the other orders. */
type Choose = (choosing: Choosing, offer: Offer) => Way;
const preselected: Choose = (choosing, offer) => {
  choosing.lift(offer);
  return choosing.way!;
};
const otherwise: Choose = (choosing, offer) => {
  choosing.lift(offer);
  choosing.vary("orders", choosing.choices!.orders.at(-1)!);
  return choosing.way!;
};

const choosingAt = (learner: Learner) => new Choosing(() => learner.view as ChocolatView);

/** What was chosen is what is laid out, what is told and what lies on the discard pile. */
async function layOut(learner: Learner, { decision }: Way) {
  const below = (learner.view as ChocolatView).discard;
  expect(await learner.act(decision)).toBe(true);
  const pile = discarded(decision).toReversed();
  expect((learner.view as ChocolatView).discard).toEqual([...pile, ...below]);
  const shown = learner.playback.shown as ChocolatPicture;
  expect(shown.laidOut).toMatchObject({ cards: decision.cards, kept: decision.kept });
  expect(shown.discard.slice(0, pile.length)).toEqual(pile);
}

describe.each([
  ["the preselected way", preselected],
  ["another order", otherwise],
])("with %s", (_, choose) => {
  it("the lesson goes on, and shows what was chosen", async () => {
    const lesson = await openLesson("chocolat");
    const play = new Play(lesson, await importGame("chocolat"));
    let laidOut = 0;
    while (!play.last) {
      const { want } = play.moment;
      if (want?.do === "combine") {
        const choosing = choosingAt(play);
        const { cards } = want as ChocolatCombine;
        const offer = choosing.offers.find((one) => one.cards.toSorted().join() === cards.toSorted().join())!;
        const way = choose(choosing, offer);
        await layOut(play, way);
        const told = play.story.flatMap((line) => (line.type === "step" ? line.entries : []));
        expect(told).toContainEqual({ ...way.decision, by: 0 });
        laidOut++;
      } else if (want) expect(await play.act(want)).toBe(true);
      else play.next();
    }
    expect(laidOut).toBe(1);
  });

  it.each([3, 4, 5, 6])("each combination in example %i does what it promises", async (example) => {
    const ui = await importGame("chocolat");
    let laidOut = 0;
    for (const position of await openExample("chocolat", example)) {
      const trial = new Trial(position, ui);
      const before = position.first.legal as ChocolatDecision[];
      const swaps = before.filter((one) => one.do === "fetch" || one.do === "dig");
      for (const swap of [undefined, ...swaps]) {
        const begin = async () => {
          trial.again();
          if (swap) expect(await trial.act(swap)).toBe(true);
        };
        await begin();
        for (const offer of choosingAt(trial).offers) {
          await begin();
          await layOut(trial, choose(choosingAt(trial), offer));
          laidOut++;
        }
      }
    }
    expect(laidOut).toBeGreaterThan(1);
  });
});

it("while something is shown, an example says what it will come to", async () => {
  await speak("en");
  await loadWords("chocolat");
  const ui = await importGame("chocolat");
  const [position] = await openExample("chocolat", 6);
  const trial = new Trial(position!, ui);
  await trial.act(position!.choices.find(({ want }) => want.do === "fetch")!.want);
  expect(trial.playback.running).toBe(true);
  expect(ui.prompt(trial.playback.shown, 0, position!.names).text).toBe("Lay out a combination, or pass.");
});

describe("another order", () => {
  const RUN: ChocolatCombine = { do: "combine", cards: ["fruit-7-2", "fruit-5-4", "eggs-6-2"], kept: ["fruit-7-2"] };
  const TURNED: ChocolatCombine = { ...RUN, cards: ["fruit-7-2", "eggs-6-2", "fruit-5-4"] };
  const KEPT: ChocolatCombine = { ...TURNED, kept: ["eggs-6-2"] };
  const HELPED: ChocolatCombine = { ...TURNED, helper: 1 };
  const view = aView(3, { discard: ["nuts-4-6"], legal: [RUN, TURNED, KEPT, HELPED] });

  it("is followed by what lies on the discard pile, also below what comes there later", () => {
    const script = { view: { discard: ["sugar-7-1", "eggs-6-2", "fruit-5-4", "nuts-4-6"] } };
    expect(exchange(view, RUN, TURNED)!(script)).toEqual({
      view: { discard: ["sugar-7-1", "fruit-5-4", "eggs-6-2", "nuts-4-6"] },
    });
    const shuffled = { view: { discard: [] } };
    expect(exchange(view, RUN, TURNED)!(shuffled)).toEqual(shuffled);
  });

  it.each<[string, ChocolatDecision]>([
    ["to keep something else", KEPT],
    ["to use a helper", HELPED],
    ["to pass", { do: "pass" }],
    ["what is not legal", { ...RUN, cards: ["eggs-6-2", "fruit-7-2", "fruit-5-4"] }],
  ])("is not %s", (_, other) => {
    expect(exchange(view, RUN, other)).toBeUndefined();
  });
});
