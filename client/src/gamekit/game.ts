/** What the table needs to know of a game to show it; each game is a folder in `games`, loaded when it is played. */

import type { Component } from "svelte";
import type { Seen } from "~/table/picture";
import type { Playback, Staging } from "~/table/playback.svelte";
import type { SoundName } from "~/sound/sound";
import type { GameEntry, GameView, TableView } from "~/wire/messages";

/** Something said, and the rule behind it. */
export interface Sentence {
  text: string;
  rule?: string;
}

/** The time of a game in real time. */
export interface GameTime {
  /** What the game's clock shows now, in milliseconds. */
  now(): number;
  /** This seat has given the signal; when so many milliseconds are over, it begins for all. */
  countdown: { seat: number; left(): number } | null;
}

export type DecisionOf<View> = View extends { legal: (infer Decision)[] } ? Decision : never;

/** What a board is given. */
export interface BoardProps<View extends Seen, Entry> {
  /** The picture, as far as it has been shown. */
  playback: Playback<View, Entry>;
  /** The seat whose hand is open on this screen; null: somebody watches, or the hands are covered. */
  seat: number | null;
  /** What that seat sees now, with what it may do; decisions are taken from this, not from the picture. */
  view: View;
  /** Who sits where. */
  names: readonly string[];
  /** Which seats are played by bots. */
  bots: readonly boolean[];
  /** What was agreed for this game. */
  options?: TableView["options"];
  /** Only where time matters. */
  time?: GameTime;
  /** Somebody only looks back at a game: nothing is left to decide, so nothing is offered. */
  lookingBack?: boolean;
  /** Take a decision; resolves to whether it was accepted. */
  act(decision: DecisionOf<View>): Promise<boolean>;
}

/**
 * What a game without turns needs besides: things happen too fast to hear them all.
 */
export interface RealTime<View, Entry> {
  /** Does the time run? Then the game has all the room, and nobody is asked anything else. */
  runs(view: View): boolean;
  /** An entry in words, if it touches the interest of this seat; `before`: the picture until then. */
  hear(entry: Entry, before: View, seat: number | null, names: readonly string[]): string | null;
  /** Is a decision refused only because somebody was quicker, as the picture shows? The board sees to that itself. */
  overtaken(decision: DecisionOf<View>, picture: View): boolean;
}

/** What was written down, with what was chosen in the place of what was wanted. */
export type Exchange = <Thing>(thing: Thing) => Thing;

/** What is shown of a finished game beside its result. */
export interface AfterwardsProps {
  code: string;
  match: number;
  names: readonly string[];
}

export interface GameUi<View extends Seen = GameView, Entry = GameEntry> {
  Board: Component<BoardProps<View, Entry>>;
  staging: Staging<View, Entry>;
  /** An entry in words, for the log and for those who hear the game; null: nothing worth saying. */
  tell(entry: Entry, names: readonly string[]): Sentence | null;
  /** What is going on and what to do now, in one line. */
  prompt(view: View, seat: number | null, names: readonly string[]): Sentence;
  /** The noise that an entry makes. */
  noise(entry: Entry, seat: number | null): SoundName | null;
  /** Why the places are as they are, for everybody at the end. */
  reasons(view: View, scores: readonly number[], places: readonly number[], names: readonly string[]): Sentence[];
  /** Only if it is played without turns. */
  realTime?: RealTime<View, Entry>;
  Afterwards?: Component<AfterwardsProps>;
  /** In lessons: is another decision as good as the wanted one? Then this is how the rest of the script follows it. */
  exchange?(view: View, want: DecisionOf<View>, chosen: DecisionOf<View>): Exchange | undefined;
}
