import { describe, expect, it } from "vitest";
import { handFor, isOvertaken, stanceOf } from "./hands";
import { beside, nearestFree, PLACES, ROWS, SPOTS } from "./heap";
import { aHand, aView } from "./testing";

const left = (changes = {}) => aHand({ hand: "left", ...changes });
const right = (changes = {}) => aHand({ hand: "right", ...changes });
const column = (n: number, lies: boolean) => SPOTS.find((spot) => spot.column === n && spot.place < 40 === lies)!.place;
const two = (one: ReturnType<typeof aHand>, other: ReturnType<typeof aHand>) =>
  aView(
    [
      [one, other],
      [left(), right()],
    ],
    { stale: true },
  );

describe("a touch is for", () => {
  it.each([
    ["the hand on that side", left(), right(), 1, true, "left"],
    ["the hand on that side", left(), right(), 6, true, "right"],
    ["the other one, if that is busy", left({ holds: true }), right(), 1, true, "right"],
    ["the other one, if that is gone", left(), right({ gone: true }), 6, true, "left"],
    ["the hand that holds a card, at a free place", left({ holds: true }), right(), 6, false, "left"],
    ["none that has to see to its stack first", left({ stack: 1 }), right({ stack: 2 }), 1, true, undefined],
    ["none, if there is nothing to put down", left(), right(), 1, false, undefined],
  ])("%s", (_, one, other, at, lies, hand) => {
    const picture = two(one, other);
    expect(handFor(picture, picture.seats[0]!.hands, column(at, lies), null)?.hand).toBe(hand);
  });

  it("the hand that was asked for", () => {
    const picture = two(left(), right());
    expect(handFor(picture, picture.seats[0]!.hands, column(6, true), "left")?.hand).toBe("left");
  });
});

describe("a hand", () => {
  it("is up to what the view says, and until the next one to what the cards suggest", () => {
    const picture = aView([
      [left({ stance: "waits" }), right()],
      [left(), right()],
    ]);
    expect(picture.seats[0]!.hands.map((hand) => stanceOf(picture, hand))).toEqual(["waits", "chooses"]);
    expect(stanceOf({ ...picture, stale: true }, picture.seats[0]!.hands[0]!)).toBe("chooses");
  });

  it.each([
    ["has cards in its stack", right({ stack: 1 }), "waits"],
    ["weighs the last one of them", right({ holds: true, from: null }), "waits"],
    ["weighs a card of the heap", right({ holds: true, from: 7 }), "chooses"],
    ["is through with its stack", right(), "chooses"],
    ["has gone", right({ gone: true }), "chooses"],
  ])("waits for the other one as long as that %s (D25)", (_, other, stance) => {
    const picture = two(left(), other);
    expect(stanceOf(picture, picture.seats[0]!.hands[0]!)).toBe(stance);
    expect(handFor(picture, picture.seats[0]!.hands, column(1, true), "left")?.hand === "left").toBe(
      stance === "chooses",
    );
  });
});

describe("the heap", () => {
  it("has every place once, and cards that begin in the middle", () => {
    expect(
      ROWS.flat()
        .map(({ place }) => place)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: PLACES }, (_, i) => i));
    const far = ({ row, column }: (typeof SPOTS)[number]) => Math.hypot(row - 3.5, column - 3.5);
    expect(Math.max(...SPOTS.slice(0, 4).map(far))).toBeLessThan(Math.max(...SPOTS.slice(60).map(far)));
  });

  it("is walked along its rows and columns", () => {
    const corner = ROWS[0]![0]!.place;
    expect(beside(corner, 1, 0)).toBe(ROWS[1]![0]!.place);
    expect(beside(corner, -1, 0)).toBe(corner);
  });

  it("has a free place near every other", () => {
    const lying = new Set(SPOTS.map(({ place }) => place).filter((place) => place !== 20 && place !== 63));
    expect(nearestFree(20, lying)).toBe(20);
    expect(nearestFree(63, new Set([...lying, 20]))).toBe(63);
    expect(nearestFree(1, new Set(SPOTS.map(({ place }) => place)))).toBeUndefined();
  });
});

describe("a decision is overtaken", () => {
  const back = { do: "back", place: 7 } as const;
  const open = aView([[aHand({ holds: true })], [aHand()], [aHand()]]);

  it("if its place is filled, or the round is over", () => {
    expect(isOvertaken(back, open)).toBe(true);
    expect(isOvertaken({ ...back, place: 60 }, open)).toBe(false);
    expect(isOvertaken({ do: "keep" }, open)).toBe(false);
    expect(isOvertaken({ do: "keep" }, { ...open, is_open: false })).toBe(true);
    expect(isOvertaken({ do: "open" }, { ...open, is_open: false })).toBe(false);
  });
});
