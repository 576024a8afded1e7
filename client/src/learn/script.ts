/** Lessons and positions: written by the real rules (client/lessons), read here; each is fetched when it is needed. */

import { manifestOf } from "~/games/registry";
import type { GameDecision, GameEntry, GameView } from "~/wire/messages";
import { loadWords } from "~/words/words.svelte";

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
  /** What is as good will do as well, as the game says (`exchange`). */
  alike?: boolean;
}

export interface Lesson {
  game: string;
  names: readonly string[];
  first: GameView;
  moments: readonly Moment[];
}

/** Something that can be tried, what comes of it, and what can be tried then. */
export interface Choice extends Happening {
  want: GameDecision;
  /** What is as good will do as well, as the game says (`exchange`). */
  alike?: boolean;
  /** Which text says how it has come to this, and the rule behind it. */
  say?: string;
  rule?: string;
  choices?: readonly Choice[];
}

/** An example of a rulebook as a moment of a game. */
export interface Position {
  /** If the example has several: the text to tell them by. */
  variant?: string;
  game: string;
  names: readonly string[];
  first: GameView;
  choices: readonly Choice[];
}

/** The learner always has the first seat. */
export const LEARNER = 0;

export const hasLesson = (game: string): boolean => manifestOf(game) !== undefined;

export async function openLesson(game: string): Promise<Lesson> {
  const [script] = await Promise.all([manifestOf(game)!.lesson(), loadWords(`${game}/lesson`)]);
  return script.default as Lesson;
}

const pathOf = (example: number): string => `./lesson/example-${example}.json`;

/** Which examples of a rulebook can be tried, by their number. */
export const trialsOf = (game: string): number[] =>
  Object.keys(manifestOf(game)?.examples ?? {}).map((path) => Number(/\d+/.exec(path)![0]));

/** The positions of an example; most have one. */
export async function openExample(game: string, example: number): Promise<readonly Position[]> {
  const script = manifestOf(game)!.examples[pathOf(example)]!();
  const [positions] = await Promise.all([script, loadWords(`${game}/lesson`)]);
  return positions.default as readonly Position[];
}

export const after = (view: GameView, { view: changes }: Partial<Happening>): GameView =>
  changes ? ({ ...view, ...changes } as GameView) : view;

/** What the learner sees at the beginning of a moment. */
export const viewAt = ({ first, moments }: Lesson, moment: number): GameView =>
  moments.slice(0, moment).reduce(after, first);
