/** For tests: a whole game with turns that was really played (record.py), as each seat saw it and who watched. */

export interface Recorded<Entry> {
  seats: number;
  steps: {
    /** As all see it, */
    entries: Entry[];
    after: Record<string, unknown>;
    /** and what each seat sees instead, at these places; its hand, and the card it has laid. */
    own: { entries: Record<number, Entry>; hand: unknown; laid: unknown }[];
  }[];
}

export interface Seen<Entry> {
  seat: number | null;
  steps: { entries: Entry[]; after: Record<string, unknown> }[];
}

/** The game seen by everybody, one after the other. */
export function eyesOn<Entry>({ seats, steps }: Recorded<Entry>): Seen<Entry>[] {
  return [null, ...Array.from({ length: seats }, (_, seat) => seat)].map((seat) => ({
    seat,
    steps: steps.map(({ entries, after, own }) => {
      if (seat === null) return { entries, after: { ...after, hand: [], laid: null } };
      const { entries: mine, ...seen } = own[seat]!;
      return { entries: entries.map((entry, i) => mine[i] ?? entry), after: { ...after, ...seen } };
    }),
  }));
}
