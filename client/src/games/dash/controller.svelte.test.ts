import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { DashDecision, DashEntry } from "~/wire/messages";
import { loadWords, speak } from "~/words/words.svelte";
import { Controller, type Table } from "./controller.svelte";
import { beside, SPOTS, startOf } from "./heap";
import type { DashPicture } from "./picture";
import { staging } from "./staging";
import { aHand, aView } from "./testing";

const NAMES = ["Ada", "Bo", "Cy"];
const act = vi.fn<(decision: DashDecision) => Promise<boolean>>();
let end: () => void = () => undefined;

/** A table that shows a picture and takes decisions; no board is needed for it. */
function sit(picture: DashPicture, given: Partial<Table> = {}) {
  let shown = $state.raw(picture);
  let controller!: Controller;
  end = $effect.root(() => {
    const playback = {
      get shown() {
        return shown;
      },
    };
    controller = new Controller(() => ({ playback, seat: 0, view: picture, names: NAMES, act, ...given }));
  });
  flushSync();
  const happens = (...entries: DashEntry[]) => {
    shown = entries.reduce<DashPicture>((before, entry) => staging.unfold(before, entry), shown);
    flushSync();
  };
  return { controller, happens, hand: (i = 0) => controller.mine.hands[i]! };
}

const other = [aHand({ holds: true })];
const left = (changes = {}) => aHand({ hand: "left", ...changes });
const right = (changes = {}) => aHand({ hand: "right", ...changes });
const CHOOSING = aView([[aHand()], other, other], { legal: [{ do: "take", place: 0 }] });
const HOLDING = aView([[aHand({ holds: true, card: "B2", from: 3 })], other, other]);
const asked = () => act.mock.calls.map(([decision]) => decision);
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeAll(async () => {
  await speak("en");
  await loadWords("dash");
});
beforeEach(() => {
  vi.useFakeTimers();
  act.mockReset().mockResolvedValue(true);
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

describe("a touch of the heap", () => {
  it("takes a card, which is seen in the hand before the table has answered, and the paw on its way", () => {
    act.mockReturnValue(new Promise(() => undefined));
    const { controller, hand } = sit(CHOOSING);
    controller.touch(7);
    expect(asked()).toEqual([{ do: "take", place: 7 }]);
    expect(hand()).toMatchObject({ holds: true, card: null, from: 7 });
    expect(controller.settled.seats[0]!.hands[0]!.holds).toBe(false);
    expect(controller.reachOf(0, 0)).toEqual({ place: 7, what: "take" });
  });

  it("leaves nothing behind if the table refuses it", async () => {
    act.mockResolvedValue(false);
    const { controller, hand } = sit(CHOOSING);
    controller.touch(7);
    await settled();
    expect(hand().holds).toBe(false);
  });

  it("puts down what the hand holds", () => {
    const { controller } = sit(HOLDING);
    controller.touch(60);
    expect(asked()).toEqual([{ do: "back", place: 60 }]);
  });

  it.each([{ seat: null }, { lookingBack: true }])("means nothing to those who only watch: %o", (given) => {
    const { controller } = sit(CHOOSING, given);
    controller.touch(7);
    expect(act).not.toHaveBeenCalled();
    expect(controller.holding).toBe(false);
  });

  it.each([{}, { lookingBack: true }])(
    "is seen as a reach where it was made, and later as it was told: %o",
    (given) => {
      const { controller, happens } = sit(CHOOSING, given);
      happens({ by: 0, do: "take", place: 7, ms: 1 });
      expect(controller.reachOf(0, 0)).toEqual(given.lookingBack ? { place: 7, what: "take" } : undefined);
    },
  );

  it("is for the hand that was asked for, once", () => {
    const two = [left(), right()];
    const { controller } = sit(aView([two, two], { stale: true }));
    const [one, another] = SPOTS.filter(({ column, place }) => column > 4 && place < 40);
    controller.ask(two[0]!);
    expect(controller.asked).toBe("left");
    controller.touch(one!.place);
    expect(controller.asked).toBeNull();
    controller.touch(another!.place);
    expect(asked()).toEqual([
      { do: "take", place: one!.place, hand: "left" },
      { do: "take", place: another!.place, hand: "right" },
    ]);
  });
});

describe("a card in hand", () => {
  it("is decided about once", () => {
    const { controller, hand } = sit(HOLDING);
    const held = hand();
    controller.keep(held);
    controller.keep(held);
    void controller.putAway(held);
    expect(asked()).toEqual([{ do: "keep" }]);
  });

  it("is kept by leaving if it is an exit (D10)", () => {
    const { controller, hand } = sit(aView([[aHand({ holds: true, card: "X" })], other, other]));
    controller.keep(hand());
    expect(asked()).toEqual([{ do: "exit" }]);
    expect(controller.stance(hand())).toBe("gone");
  });

  it("is not kept unseen", () => {
    const { controller, hand } = sit(aView([[aHand({ holds: true })], other, other]));
    controller.keep(hand());
    expect(act).not.toHaveBeenCalled();
  });

  it("stays in the hand at calm pace until the table says otherwise (D29)", async () => {
    const { controller, happens, hand } = sit({ ...CHOOSING, pace: 1500 });
    controller.touch(7);
    happens({ by: 0, do: "take", place: 7, ms: 120 }, { by: "table", do: "see", seat: 0, card: "A1" });
    await settled();
    expect(controller.busyUntil(hand())).toBe(1620);
    act.mockReturnValue(new Promise(() => undefined));
    controller.keep(hand());
    expect(controller.soon(hand())).toBe("keep");
    expect(hand()).toMatchObject({ holds: true, card: "A1", display: [] });
  });
});

describe("a note is left", () => {
  it("if somebody was quicker, for a while", () => {
    const { controller, happens } = sit(CHOOSING);
    happens(
      { by: 1, do: "take", place: 7, ms: 1 },
      { by: 0, do: "take", place: 7, ms: 2 },
      { by: "table", do: "late", seat: 0, place: 7 },
    );
    expect(controller.note?.text).toContain("Bo");
    vi.advanceTimersByTime(5000);
    expect(controller.note).toBeUndefined();
  });

  it("for nobody else, and not of what happened before", () => {
    const late = { seat: 0, hand: 0, place: 7, by: 1 };
    const { controller, happens } = sit({ ...CHOOSING, late });
    happens({ by: "table", do: "late", seat: 2, place: 7 });
    expect(controller.note).toBeUndefined();
  });
});

describe("by keys", () => {
  it("one hand turns, keeps and puts back", async () => {
    const { controller, happens, hand } = sit(aView([[aHand({ stack: 2 })], other, other]));
    const sees = (): void => happens({ by: 0, do: "look", ms: 0 }, { by: "table", do: "see", seat: 0, card: "A1" });
    controller.obey({ do: "act", side: null });
    await settled();
    sees();
    controller.obey({ do: "back", side: null });
    expect(asked()).toMatchObject([{ do: "look" }, { do: "back" }]);
    expect(hand()).toMatchObject({ holds: false, held: "A1", stack: 1 });
  });

  it("each of two hands goes its own way", () => {
    const two = [left(), right()];
    const { controller } = sit(aView([two, two], { stale: true }));
    controller.obey({ do: "move", side: "right", down: 1, right: 0 });
    expect(controller.cursors).toEqual({ right: beside(startOf("right"), 1, 0) });
    controller.obey({ do: "act", side: "right" });
    expect(asked()).toEqual([{ do: "take", place: controller.cursors.right, hand: "right" }]);
  });

  it("no hand does what is meant for the other", () => {
    const { controller } = sit(
      aView([
        [left(), right({ gone: true })],
        [left(), right()],
      ]),
    );
    controller.obey({ do: "act", side: "right" });
    expect(act).not.toHaveBeenCalled();
  });
});
