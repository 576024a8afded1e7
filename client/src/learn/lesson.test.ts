import { describe, expect, it } from "vitest";
import { exchangeOf } from "~/games/buffet/decisions";
import { importGame } from "~/games/importGame";
import type { BuffetView, DashView } from "~/wire/messages";
import { Play } from "./lesson.svelte";
import { hasLesson, openLesson, viewAt } from "./script";

const begin = async (game: string, from = 0) => {
  const lesson = await openLesson(game);
  return { lesson, play: new Play(lesson, await importGame(game), from) };
};

describe("a lesson", () => {
  it("is there for every game that we have", () => {
    expect(hasLesson("buffet")).toBe(true);
    expect(hasLesson("chess")).toBe(false);
  });

  it.each(["buffet", "dash", "chocolat"])("of %s can be taken to its end", async (game) => {
    const { lesson, play } = await begin(game);
    while (!play.last) {
      const { want } = play.moment;
      if (want) expect(await play.act(want)).toBe(true);
      else play.next();
    }
    expect(play.view).toEqual(viewAt(lesson, lesson.moments.length));
    play.playback.skip();
    expect(play.playback.shown).toMatchObject({ round: play.view.round, seats: play.view.seats });
    expect(play.story.length).toBeGreaterThan(2);
  });

  it("goes on where it was left", async () => {
    const { lesson, play } = await begin("buffet", 6);
    expect(play.moment.say).toBe("again");
    expect(play.view).toEqual(viewAt(lesson, 6));
    expect(play.story).toHaveLength(1);
    expect(play.playback.running).toBe(false);
  });

  it("shows the score again to those who come back to it", async () => {
    const { lesson } = await begin("dash");
    const { play } = await begin(
      "dash",
      lesson.moments.findIndex(({ say }) => say === "score"),
    );
    expect(play.playback.shown).toMatchObject({ ...play.view, last: { round: 1, totals: [9, -1, -2] } });
  });

  it("stays at its last moment, however far it was said to be", async () => {
    const { play } = await begin("buffet", 99);
    expect(play.last).toBe(true);
    play.next();
    expect(play.last).toBe(true);
  });

  it("declines what it is not about, and what is too early", async () => {
    const { play } = await begin("buffet");
    expect(await play.act({ do: "lay", card: 5 })).toBe(false);
    expect(play.declined).toBe(1);
    while (!play.moment.want) play.next();
    expect(play.declined).toBe(0);
    expect(await play.act({ do: "lay", card: 9 })).toBe(false);
    expect(play.moment.say).toBe("first");
    play.next();
    expect(play.moment.say).toBe("first");
    expect(await play.act({ do: "lay", card: 5 })).toBe(true);
  });

  it("does not mind in which order cards are raised", async () => {
    const { lesson } = await begin("buffet");
    const { play } = await begin(
      "buffet",
      lesson.moments.findIndex(({ say }) => say === "exchange"),
    );
    expect(await play.act(exchangeOf(play.view as BuffetView, [1, -1])!)).toBe(true);
  });

  it("waits at the end of a step for whom the view says, also if that has not changed", async () => {
    for (const game of ["buffet", "dash", "chocolat"]) {
      const { lesson } = await begin(game);
      const { play } = await begin(game, lesson.moments.length - 1);
      const steps = play.story.filter((line) => line.type === "step");
      const told = lesson.moments.slice(0, -1).flatMap(({ entries }, i) => (entries ? [viewAt(lesson, i + 1)] : []));
      expect(steps.map(({ to_act }) => to_act)).toEqual(told.map(({ to_act }) => to_act));
    }
  });
});

describe("a place of the heap", () => {
  async function asked(say: string) {
    const lesson = await openLesson("dash");
    const at = lesson.moments.findIndex((moment) => moment.say === say);
    return new Play(lesson, await importGame("dash"), at);
  }
  const heapOf = (play: Play) => (play.view as DashView).heap.map(({ place }) => place);

  it("is as good as any other that looks the same", async () => {
    const play = await asked("take");
    expect(await play.act({ do: "take", place: 3 })).toBe(true);
    const view = play.view as DashView;
    expect(heapOf(play)).not.toContain(3);
    expect(heapOf(play)).toContain(20);
    expect(view.seats[0]!.hands[0]!.card).toBe("D3");
    expect(play.story.at(-1)).toMatchObject({
      entries: [
        { do: "take", place: 3 },
        { do: "see", card: "D3" },
      ],
    });
  });

  it("may be any free one to put a card to", async () => {
    const play = await asked("double");
    expect(await play.act({ do: "back", place: 50 })).toBe(true);
    expect((play.view as DashView).heap.find(({ place }) => place === 50)).toMatchObject({ card: "B1" });
  });

  it("is not any other if its card is known, or if nothing lies there", async () => {
    const play = await asked("take");
    expect(await play.act({ do: "take", place: 63 })).toBe(false);
    expect(await play.act({ do: "take", place: 55 })).toBe(false);
    expect(await play.act({ do: "return", card: "A1", place: 55 })).toBe(false);
    expect(play.declined).toBe(3);
  });
});
