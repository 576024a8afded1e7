import { cleanup, render } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, it } from "vitest";
import { speak } from "~/words/words.svelte";
import { reasonsFor, seatsBy, winnersOf } from "./ranking";
import Ranking from "./Ranking.svelte";

beforeAll(() => speak("en"));
afterEach(cleanup);

const GAME = { names: ["Ada", "Bo", "Cy", "Di"], places: [3, 1, 1, 4], scores: [-2, 7, 7, -9], mine: [0] };
const lines = (rows: HTMLElement[]) => rows.map((row) => row.textContent.replace(/\s+/g, " ").trim());

it("tells places, names and points, the best first and equals by their seats", () => {
  const { getByRole, getAllByRole } = render(Ranking, GAME);
  getByRole("list", { name: "Places" });
  expect(lines(getAllByRole("listitem"))).toEqual([
    "1. Bo 7 points",
    "1. Cy 7 points",
    "3. Ada you −2 points",
    "4. Di −9 points",
  ]);
});

it("says the same where it is small, and shows it as bars, too", () => {
  const { getAllByRole, container } = render(Ranking, { ...GAME, small: true });
  expect(lines(getAllByRole("listitem"))[2]).toBe("3. Ada you −2 points");
  const bars = [...container.querySelectorAll("rect[height='8']")];
  expect(bars.map((bar) => Math.round(Number(bar.getAttribute("width"))))).toEqual([78, 78, 22, 100]);
});

it("leaves equal seats in their order", () => {
  expect(seatsBy([2, 1, 2, 1])).toEqual([1, 3, 0, 2]);
});

it("knows who has won, alone or together", () => {
  expect(winnersOf([2, 1, 3])).toEqual([1]);
  expect(winnersOf([1, 3, 1])).toEqual([0, 2]);
  expect(winnersOf([])).toEqual([]);
});

const why = {
  first: (seat: number) => ({ text: `${seat}` }),
  tie: (ahead: number, behind: number) => ({ text: `${ahead} before ${behind}` }),
};

it.each([
  [[31, 24, 12], [1, 2, 3], ["0"]],
  [[31, 24, 31], [2, 3, 1], ["2 before 0"]],
  [
    [12, 31, 12, 12],
    [3, 1, 2, 4],
    ["1", "2 before 0", "0 before 3"],
  ],
  [[5], [1], ["0"]],
  [[], [], []],
])("says why %j points have come to places %j", (scores, places, reasons) => {
  expect(reasonsFor(scores, places, why).map(({ text }) => text)).toEqual(reasons);
});
