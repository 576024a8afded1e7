/**
 * The first thing that runs: while the house is still on its way, what its first screen will need is sent for as well.
 *
 * Nothing is shown from here, and a wrong guess costs nothing but the way; on a slow line each thing that is asked for
 * one after the other would cost a long moment.
 */

import type { KeptTable } from "./device/keys.svelte";
import { recall, SETTINGS, TABLES } from "./device/storage";
import { sendFor } from "./games/loaders";
import { routeOf } from "./route";
import { catalogueOf, LANGUAGES, preferred } from "./words/languages";

function sendForWords(): Promise<unknown> {
  const wish = (recall(SETTINGS) as { language?: unknown } | null | undefined)?.language;
  return catalogueOf(LANGUAGES.find((language) => language === wish) ?? preferred(navigator.languages));
}

function sendForScreen(): Promise<unknown>[] {
  const route = routeOf(location.pathname, location.hash);
  if (route.screen === "rules") return [import("./screens/rules/Rules.svelte")];
  if (route.screen === "learn") return [import("./screens/learn/Learn.svelte"), sendFor(route.game)];
  if (route.screen === "replay") return [import("./screens/replay/Replay.svelte")];
  if (route.screen === "results") return [import("./screens/results/Results.svelte")];
  if (route.screen !== "table") return [];
  const kept = recall(TABLES) as readonly Partial<KeptTable>[] | null | undefined;
  const game = kept?.find?.((table) => table.code === route.code)?.game;
  return [import("./screens/table/TableScreen.svelte"), ...(game ? [sendFor(game)] : [])];
}

// Whoever really needs them asks again, and says what went wrong. Nothing is shown without words, so they come first.
void Promise.allSettled([sendForWords()]);
setTimeout(() => void Promise.allSettled(sendForScreen()), 0);
