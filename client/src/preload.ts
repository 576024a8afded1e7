/**
 * The first thing that runs: while the app is still on its way, what its first screen will need is fetched as well.
 *
 * Nothing is shown from here, and a wrong guess costs nothing but the way; on a slow line each thing that is asked for
 * one after the other would cost a long moment.
 */

import { routeOf } from "~/app/route";
import type { KeptTable } from "~/device/keys.svelte";
import { recall, SETTINGS, TABLES } from "~/device/storage";
import { GAMES, manifestOf } from "~/games/registry";
import { catalogueOf, gameCatalogueOf, LANGUAGES, preferred, type Language } from "~/words/languages";

type Fetched = Promise<unknown> | undefined;

function spoken(): Language {
  const wish = (recall(SETTINGS) as { language?: unknown } | null | undefined)?.language;
  return LANGUAGES.find((language) => language === wish) ?? preferred(navigator.languages);
}

const preloadGame = (game: string): Fetched[] => [manifestOf(game)?.ui(), gameCatalogueOf(spoken(), game)];

function preloadLesson(game: string): Fetched[] {
  const lesson = [import("~/screens/learn/Learn.svelte"), gameCatalogueOf(spoken(), `${game}/lesson`)];
  return [...lesson, ...preloadGame(game)];
}

function preloadTable(code: string): Fetched[] {
  const kept = recall(TABLES);
  const game = Array.isArray(kept) ? (kept as KeptTable[]).find((table) => table.code === code)?.game : undefined;
  return [import("~/screens/table/TableScreen.svelte"), ...(game ? preloadGame(game) : [])];
}

function preloadScreen(): Fetched[] {
  const route = routeOf(location.pathname, location.hash);
  if (route.screen === "home") return GAMES.map((game) => manifestOf(game)!.scene());
  if (route.screen === "table") return preloadTable(route.code);
  if (route.screen === "learn") return preloadLesson(route.game);
  if (route.screen === "rules") return [import("~/screens/rules/Rules.svelte")];
  if (route.screen === "replay") return [import("~/screens/replay/Replay.svelte")];
  return route.screen === "results" ? [import("~/screens/results/Results.svelte")] : [];
}

// Whoever really needs them asks again, and says what went wrong. Nothing is shown without words, so they come first.
void Promise.allSettled([catalogueOf(spoken())]);
setTimeout(() => void Promise.allSettled(preloadScreen().filter((one) => one !== undefined)), 0);
