/** The games that this page has a folder for; they are found, and each is fetched when it is played. */

import type { GameManifest } from "~/gamekit/manifest";

const FOUND = import.meta.glob<GameManifest>("./*/manifest.ts", { eager: true, import: "manifest" });

const MANIFESTS: ReadonlyMap<string, GameManifest> = new Map(
  Object.entries(FOUND)
    .map(([path, manifest]) => [path.split("/")[1]!, manifest] as const)
    .toSorted(([, one], [, other]) => one.position - other.position),
);

/** In the order in which they stand on the shelf. */
export const GAMES: readonly string[] = [...MANIFESTS.keys()];

/** Nothing if a server has a game that this page does not know. */
export const manifestOf = (game: string): GameManifest | undefined => MANIFESTS.get(game);

/** Does the game have a folder here? */
export const isOurs = (game: string): boolean => MANIFESTS.has(game);
