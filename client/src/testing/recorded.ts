/** For tests: a whole game with turns that was really played (record.py), as each seat saw it and who watched. */

import { picture, type Pictures, type Seen as Waiting, type Told } from "~/table/picture";

type Facts = { seats: object[] } & Record<string, unknown>;

export interface Recorded<Entry> {
  seats: number;
  steps: (Told<Entry> & {
    /** Where all pieces lie. */
    after: Facts;
    /** What the rules make of it. */
    facts: Facts;
    /** Who is told a fresh view with this step, null: who watches; */
    fresh: (number | null)[];
    /** and what each seat sees instead, at these places of the entries; its hand, and the card it has laid. */
    own: { entries: Record<number, Entry>; hand: unknown; laid: unknown }[];
  })[];
}

interface SeenStep<Entry> extends Told<Entry> {
  after: Record<string, unknown>;
  /** The same with what the rules make of it, as a view has it. */
  view: Record<string, unknown>;
  fresh: boolean;
}

export interface Seen<Entry> {
  seat: number | null;
  steps: SeenStep<Entry>[];
}

/** The game seen by everybody, one after the other. */
export function eyesOn<Entry>({ seats, steps }: Recorded<Entry>): Seen<Entry>[] {
  return [null, ...Array.from({ length: seats }, (_, seat) => seat)].map((seat) => ({
    seat,
    steps: steps.map(({ entries, to_act, after: common, facts, fresh, own }) => {
      const { entries: mine, ...cards } = seat === null ? { entries: [], hand: [], laid: null } : own[seat]!;
      const after = { ...common, ...cards };
      const places = common.seats.map((one, i) => ({ ...one, ...facts.seats[i] }));
      return {
        entries: entries.map((entry, i) => mine[i] ?? entry),
        to_act,
        after,
        view: { ...after, ...facts, seats: places, to_act },
        fresh: fresh.includes(seat),
      };
    }),
  }));
}

/** After each step, the picture of somebody who was there from the beginning and of somebody who has just come. */
export function* stayedAndCame<View extends Waiting, Entry>(
  staging: Pictures<View, Entry>,
  steps: readonly SeenStep<Entry>[],
  viewOf: (step: SeenStep<Entry>) => View,
): Generator<[stayed: View, came: View]> {
  let stayed: View | undefined;
  for (const [i, step] of steps.entries()) {
    const view = viewOf(step);
    const came = picture(staging, { view, told: steps.slice(0, i + 1) });
    stayed = stayed ? picture(staging, { view: stayed, after: [step] }) : came;
    if (step.fresh) stayed = picture(staging, { view, before: stayed });
    yield [stayed, came];
  }
}
