/** What the page knows of a game before it is played: a few words about it, and where everything else is. */

import type { Component } from "svelte";

type Load<Thing> = () => Promise<{ default: Thing }>;

export interface GameManifest {
  /** Where it stands on the shelf, from 1 on. */
  position: number;
  /** The picture on its box. */
  scene: Load<Component>;
  /** How it is shown and told; only the game itself knows its own views and entries. */
  ui: () => Promise<{ ui: unknown }>;
  /** For each option the values that make good games; the server takes many more. */
  options: Readonly<Record<string, readonly number[]>>;
  /** A guided first round, written by `make lessons`. */
  lesson: Load<unknown>;
  /** The examples of the rulebook that can be tried, by file name: `./lesson/example-3.json`. Each is a file of its own, so that nobody fetches more than they try. */
  examples: Readonly<Record<string, Load<unknown>>>;
  /** Which rules have a picture in the rulebook, and what draws it. */
  pictures: { rules: readonly string[]; load: Load<Component<{ of: string }>> };
}
