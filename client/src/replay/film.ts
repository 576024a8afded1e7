/** A game to look back at: what every seat saw after each step, put together from the first views and what changed. */

import type { GameEntry, GameView, ReplayData, Step } from "~/wire/messages";

/** Whose eyes: a seat, or null for what lies open on the table. */
export type Eyes = number | null;

/** A view after some things in it have changed; what stays the same is not copied. */
export function changed<View>(view: View, changes: Record<string, unknown>): View {
  let after: unknown = view;
  for (const [path, value] of Object.entries(changes)) after = put(after, path.split("/"), value);
  return after as View;
}

function put(whole: unknown, [first, ...rest]: string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (!Array.isArray(whole)) {
    const thing = whole as Record<string, unknown>;
    return { ...thing, [first]: put(thing[first], rest, value) };
  }
  const items: readonly unknown[] = whole;
  const [from, to] = first.split(":").map(Number) as [number, number?];
  return to === undefined
    ? items.with(from, put(items[from], rest, value))
    : [...items.slice(0, from), ...(value as unknown[]), ...items.slice(to)];
}

export class Film {
  readonly names: readonly string[];
  readonly game: string;
  #views = new Map<Eyes, GameView[]>();
  #steps = new Map<Eyes, Step[]>();

  constructor(readonly data: ReplayData) {
    this.names = data.header["seats"] as string[];
    this.game = data.header["game"] as string;
  }

  get length(): number {
    return this.data.steps.length;
  }

  /** The last step. */
  get end(): number {
    return this.length - 1;
  }

  /** What was seen after this step. */
  view(at: number, eyes: Eyes): GameView {
    const place = eyes ?? this.names.length;
    let views = this.#views.get(eyes);
    if (!views) this.#views.set(eyes, (views = [this.data.views[place]!]));
    while (views.length <= at) views.push(changed(views.at(-1)!, this.data.steps[views.length]!.changes[place]!));
    return views[at]!;
  }

  /** All that happened, as it was seen then; numbered from 0. */
  steps(eyes: Eyes): Step[] {
    let steps = this.#steps.get(eyes);
    if (!steps) this.#steps.set(eyes, (steps = this.data.steps.map((_, at) => this.#step(at, eyes))));
    return steps;
  }

  #step(at: number, eyes: Eyes): Step {
    const { entries, hidden, at: moment } = this.data.steps[at]!;
    const seen: GameEntry[] = [...entries];
    for (const { entry, seat, seen: rest } of hidden) if (seat === null || seat !== eyes) seen[entry] = rest;
    return { type: "step", number: at, at: moment ?? 0, entries: seen, to_act: this.view(at, eyes).to_act };
  }

  /** When a step happened by the game's own clock; steps of which nothing is known happened with the one before. */
  moment(at: number): number {
    for (let step = at; step >= 0; step--) {
      const timed = this.data.steps[step]!.entries.find((entry) => "ms" in entry && entry.ms !== undefined);
      if (timed) return (timed as { ms: number }).ms;
    }
    return 0;
  }

  /** The round that is going on after this step, by its place in `data.rounds`. */
  chapter(at: number): number {
    return this.data.rounds.findLastIndex(({ step }) => step <= at);
  }

  /** Points before the first round and after each one, as far as the game was played. */
  get standings(): { round: number; scores: readonly number[] }[] {
    const begun = this.data.rounds.map(({ number, scores }) => ({ round: number - 1, scores }));
    const end = this.data.steps.at(-1)!.entries.at(-1)!;
    return end.do === "end" ? [...begun, { round: this.data.rounds.at(-1)?.number ?? 0, scores: end.scores }] : begun;
  }

  /** The record, line by line. */
  get lines(): Record<string, unknown>[] {
    return [this.data.header, ...this.data.steps.flatMap(({ entries }) => entries.map((entry) => ({ ...entry })))];
  }

  get result(): { scores: readonly number[]; places: readonly number[] } | null {
    const end = this.data.steps.at(-1)!.entries.at(-1)!;
    return end.do === "end" ? end : null;
  }
}
