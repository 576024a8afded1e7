/** Where the screens of the games are; each is fetched when it is played. */

const LOADERS: Record<string, () => Promise<{ screen: unknown }>> = {
  buffet: () => import("./buffet"),
  chocolat: () => import("./chocolat"),
  dash: () => import("./dash"),
};

/** Nothing if a newer server has a game that this page does not know. */
export async function sendFor(game: string): Promise<{ screen: unknown } | undefined> {
  return Object.hasOwn(LOADERS, game) ? LOADERS[game]!() : undefined;
}
