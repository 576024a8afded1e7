import { describe, expect, it } from "vitest";
import { beside } from "./beside";

const BUBBLE = { width: 300, height: 100 };
const at = (left: number, top: number, width = 40, height = 40) =>
  beside({ left, top, width, height }, BUBBLE, 390, 800);

describe("a bubble", () => {
  it("stands above what it speaks of, with its arrow on it", () => {
    expect(at(175, 600)).toEqual({ left: 45, top: 482, side: "above", arrow: 150 });
  });

  it("stands below what is at the top", () => {
    expect(at(175, 20)).toMatchObject({ top: 78, side: "below" });
  });

  it("stays on the screen", () => {
    expect(at(0, 600)).toMatchObject({ left: 8, arrow: 28 });
    expect(at(350, 600)).toMatchObject({ left: 82, arrow: 272 });
  });

  it("covers the end with less to show if there is no room", () => {
    expect(at(0, 60, 390, 700)).toMatchObject({ side: "over", top: 8 });
    expect(at(0, 10, 390, 720)).toMatchObject({ side: "over", top: 692 });
  });

  it("needs nothing to speak of", () => {
    expect(beside(undefined, BUBBLE, 390, 800)).toMatchObject({ left: 41, side: "over" });
  });
});
