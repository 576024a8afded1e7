import { describe, expect, it } from "vitest";
import type { DashDecision } from "~/wire/messages";
import { predict } from "./prediction";
import { aHand, aView } from "./testing";

const of = (...decisions: DashDecision[]) => decisions.map((decision) => ({ decision, ms: 0 }));
const lies = (picture: ReturnType<typeof aView>, place: number) => picture.heap.some((spot) => spot.place === place);
const mine = (picture: ReturnType<typeof aView>) => picture.seats[0]!.hands[0]!;

describe("what the own hand does is shown at once:", () => {
  it("a card is taken, face down", () => {
    const after = predict(aView([[aHand()], [aHand()]]), 0, of({ do: "take", place: 3 }));
    expect(mine(after)).toMatchObject({ holds: true, card: null, from: 3 });
    expect(lies(after, 3)).toBe(false);
  });

  it("the top card of the stack is turned up", () => {
    const after = predict(aView([[aHand({ stack: 3 })], [aHand()]]), 0, of({ do: "look" }));
    expect(mine(after)).toMatchObject({ holds: true, card: null, stack: 2 });
  });

  it("a card is kept, and the next one taken", () => {
    const view = aView([[aHand({ holds: true, card: "B2" })], [aHand()]]);
    const after = predict(view, 0, of({ do: "keep" }, { do: "take", place: 9 }));
    expect(mine(after)).toMatchObject({ display: ["B2"], holds: true, card: null });
    expect(lies(after, 9)).toBe(false);
  });

  it("a card is put back or returned", () => {
    const view = aView([[aHand({ holds: true, card: "B2", display: ["A1"] })], [aHand()]]);
    const put = predict(view, 0, of({ do: "back", place: 50 }));
    expect(mine(put).holds).toBe(false);
    expect(lies(put, 50)).toBe(true);
    const returned = predict(view, 0, of({ do: "return", card: "A1", place: 51 }));
    expect(mine(returned).display).toEqual([]);
  });

  it("with an exit card the hand is gone", () => {
    const after = predict(aView([[aHand({ holds: true, card: "X" })], [aHand()]]), 0, of({ do: "exit" }));
    expect(mine(after)).toMatchObject({ gone: true, holds: false });
    expect(after.exits_left).toBe(2);
  });

  it("each of two hands on its own", () => {
    const view = aView([
      [aHand({ hand: "left" }), aHand({ hand: "right" })],
      [aHand(), aHand()],
    ]);
    const after = predict(view, 0, of({ do: "take", place: 3, hand: "right" }));
    expect(after.seats[0]!.hands.map(({ holds }) => holds)).toEqual([false, true]);
  });
});

describe("what can not be any more is not shown:", () => {
  it("the hand is empty as soon as somebody else is seen to have the card", () => {
    const view = aView([[aHand()], [aHand()]]);
    const gone = { ...view, heap: view.heap.filter(({ place }) => place !== 3) };
    expect(predict(gone, 0, of({ do: "take", place: 3 }))).toBe(gone);
  });

  it("a place that is not free any more, and a card that is there already", () => {
    const view = aView([[aHand({ holds: true, card: "B2" })], [aHand()]]);
    expect(predict(view, 0, of({ do: "back", place: 3 }))).toBe(view);
    expect(predict(view, 0, of({ do: "take", place: 3 }))).toBe(view);
  });

  it("a card that was not seen yet is not kept, and who is gone does nothing", () => {
    const blind = aView([[aHand({ holds: true })], [aHand()]]);
    expect(predict(blind, 0, of({ do: "keep" }))).toBe(blind);
    const gone = aView([[aHand({ gone: true })], [aHand()]]);
    expect(predict(gone, 0, of({ do: "take", place: 3 }))).toBe(gone);
  });
});
