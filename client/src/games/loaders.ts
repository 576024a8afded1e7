/** Where the screens of the games are; each is fetched when it is played. */

const LOADERS: Record<string, () => Promise<{ screen: unknown }>> = {
  buffet: () => import("./buffet"),
  chocolat: () => import("./chocolat"),
  dash: () => import("./dash"),
};

/** Games that can be played on the page. */
export const hasScreen = (game: string): boolean => Object.hasOwn(LOADERS, game);

export async function sendFor(game: string): Promise<{ screen: unknown } | undefined> {
  return hasScreen(game) ? LOADERS[game]!() : undefined;
}
