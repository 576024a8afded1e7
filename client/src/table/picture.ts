/** One way to a picture, for a table, for coming back to it, for replays and for lessons. */

/** Every view says for whom the table waits. */
export interface Seen {
  to_act: readonly number[];
}

/** What a step tells: what has happened, and for whom the table waits then. */
export interface Told<Entry> extends Seen {
  entries: readonly Entry[];
}

/** How a game puts what happens into a picture. */
export interface Pictures<View, Entry> {
  /** The picture after an entry: mice, plates and cards are put where it says. */
  unfold(picture: View, entry: Entry): View;
  /** The picture once everything is in its place: what is seen now, and what the eye keeps of the picture before. */
  settle(view: View, before: View): View;
  /** From which of these entries on the eye keeps anything. */
  since(entries: readonly Entry[]): number;
}

export interface Known<View, Entry> {
  /** What a seat sees at some moment. */
  view: View;
  /** What had happened up to that moment. */
  told?: readonly Told<Entry>[];
  /** What has happened since. */
  after?: readonly Told<Entry>[];
  /** The picture to which all of this is new; none: nobody has looked yet. */
  before?: View;
}

/**
 * Whoever has not looked yet sees what has happened put into the view itself: of that only what the eye keeps is taken
 * over, so it makes no difference where everything else lay at that time.
 */
export function picture<View extends Seen, Entry>(
  { unfold, settle, since }: Pictures<View, Entry>,
  { view, told = [], after = [], before = view }: Known<View, Entry>,
): View {
  const entries = told.flatMap((step) => step.entries);
  const kept = entries.slice(since(entries)).reduce(unfold, before);
  return after.reduce((shown, step) => waiting(step.entries.reduce(unfold, shown), step), settle(view, kept));
}

/** The picture at the end of a step: whom the table waits for is told with every step, and is no guess of ours. */
export const waiting = <View extends Seen>(shown: View, { to_act }: Seen): View => ({ ...shown, to_act });
