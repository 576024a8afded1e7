import { allGameIds } from "~/app/games.svelte";
import { GAMES, isOurs } from "~/games/registry";

/** All games by their ids: ours first, then whatever else the server has. */
export const onShelf = (): string[] => [...GAMES, ...allGameIds().filter((id) => !isOurs(id))];
