/** Lessons and positions: written by the real rules (client/lessons), read here; each is fetched when it is needed. */

import type { GameDecision, GameEntry, GameView } from "~/wire/messages";
import type { Language } from "~/words/languages";

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

/** Something that can be tried, what comes of it, and what can be tried then. */
export interface Choice extends Happening {
  want: GameDecision;
  /** Any place that looks the same will do as well. */
  anywhere?: boolean;
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

const LESSONS: Record<string, () => Promise<{ default: unknown }>> = {
  buffet: () => import("./scripts/buffet.json"),
  chocolat: () => import("./scripts/chocolat.json"),
  dash: () => import("./scripts/dash.json"),
};

export const hasLesson = (game: string): boolean => Object.hasOwn(LESSONS, game);

export async function openLesson(game: string): Promise<Lesson> {
  return (await LESSONS[game]!()).default as Lesson;
}

/** Each example is a file of its own, so that nobody fetches more than they try. */
const EXAMPLES = import.meta.glob<{ default: unknown }>("./scripts/examples/*.json");

/** Which examples of a rulebook can be tried, by their number. */
export const trialsOf = (game: string): number[] =>
  Object.keys(EXAMPLES).flatMap((path) => {
    const [, of, number] = /(\w+)-(\d+)\.json$/.exec(path)!;
    return of === game ? [Number(number)] : [];
  });

/** The positions of an example; most have one. */
export async function openExample(game: string, example: number): Promise<readonly Position[]> {
  return (await EXAMPLES[`./scripts/examples/${game}-${example}.json`]!()).default as readonly Position[];
}

/** What is said of whatever was tried, by game and text. */
export type Verdicts = Readonly<Record<string, string>>;

const VERDICTS: Record<Language, () => Promise<{ default: Verdicts }>> = {
  de: () => import("./words/de.json"),
  en: () => import("./words/en.json"),
  ja: () => import("./words/ja.json"),
};

export async function openVerdicts(language: Language): Promise<Verdicts> {
  return (await VERDICTS[language]()).default;
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
