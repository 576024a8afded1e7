/** Lessons and positions: written by the real rules (client/lessons), read here; each is fetched when it is needed. */

import type { GameDecision, GameEntry, GameView } from "~/wire/messages";

/** What has happened, and what of the view is not as before. */
export interface Happening {
  entries: readonly GameEntry[];
  view: Partial<GameView>;
}

/** Something is said, and perhaps something has to be done; then something happens. */
export interface Moment extends Partial<Happening> {
  /** Which of the lesson's texts. */
  say: string;
  /** What it speaks of: a `data-spot` of the board. */
  at?: string;
  /** What the learner has to decide; without it there is only to read. */
  want?: GameDecision;
  /** Any place that looks the same will do as well. */
  anywhere?: boolean;
}

export interface Lesson {
  game: string;
  names: readonly string[];
  first: GameView;
  moments: readonly Moment[];
}

/** An example of a rulebook, with all that can be tried in it. */
export interface Position {
  /** Which of the examples. */
  example: number;
  game: string;
  names: readonly string[];
  first: GameView;
  choices: readonly (Happening & { want: GameDecision })[];
}

/** The learner always has the first seat. */
export const LEARNER = 0;

const LESSONS: Record<string, () => Promise<{ default: unknown }>> = {
  buffet: () => import("./scripts/buffet.json"),
  chocolat: () => import("./scripts/chocolat.json"),
  dash: () => import("./scripts/dash.json"),
};

export const hasLesson = (game: string): boolean => Object.hasOwn(LESSONS, game);

export async function openLesson(game: string): Promise<Lesson> {
  return (await LESSONS[game]!()).default as Lesson;
}

const POSITIONS: Record<string, () => Promise<{ default: unknown }>> = {
  buffet: () => import("./scripts/buffet-positions.json"),
  chocolat: () => import("./scripts/chocolat-positions.json"),
  dash: () => import("./scripts/dash-positions.json"),
};

/** Which examples can be tried, in their order. */
export const TRIALS: Record<string, readonly number[]> = { buffet: [2, 3], chocolat: [1], dash: [3] };

export async function openPosition(game: string, example: number): Promise<Position> {
  const positions = (await POSITIONS[game]!()).default as Position[];
  return positions.find((one) => one.example === example)!;
}

export const after = (view: GameView, { view: changes }: Partial<Happening>): GameView =>
  changes ? ({ ...view, ...changes } as GameView) : view;

/** What the learner sees at the beginning of a moment. */
export const viewAt = ({ first, moments }: Lesson, moment: number): GameView =>
  moments.slice(0, moment).reduce(after, first);

/** Two decisions are the same if they say the same, in whatever order. */
export function same(one: GameDecision, other: GameDecision): boolean {
  return canonical(one) === canonical(other);
}

function canonical(decision: GameDecision): string {
  const fields = Object.entries(decision).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.toSorted() : value,
  ]);
  return JSON.stringify(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
