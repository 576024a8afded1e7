/**
 * The first thing that runs: while the app is still on its way, what its first screen will need is fetched as well.
 *
 * Nothing is shown from here, and a wrong guess costs nothing but the way; on a slow line each thing that is asked for
 * one after the other would cost a long moment.
 */

import { routeOf } from "~/app/route";
import type { Key, KeptTable } from "~/device/keys.svelte";
import { recall, SETTINGS, TABLES } from "~/device/storage";
import { GAMES, manifestOf } from "~/games/registry";
import { openAhead } from "~/wire/opening";
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

/** Whoever stands at the door will go to a table: its screen comes as soon as the pictures on the shelf are there. */
async function preloadHome(): Promise<unknown> {
  await Promise.allSettled(GAMES.map((game) => manifestOf(game)!.scene()));
  return import("~/screens/table/TableScreen.svelte");
}

function preloadTable(code: string, pass: string | null): Fetched[] {
  const kept = recall(TABLES);
  const tables = Array.isArray(kept) ? (kept as (Partial<KeptTable> | null)[]) : [];
  const table = tables.find((one) => one?.code === code);
  const tokens = Array.isArray(table?.keys) ? table.keys.flatMap((key: Key | null) => key?.token ?? []) : [];
  if (pass === null) openAhead(code, tokens);
  return [import("~/screens/table/TableScreen.svelte"), ...(table?.game ? preloadGame(table.game) : [])];
}

function preloadScreen(): Fetched[] {
  const route = routeOf(location.pathname, location.hash);
  if (route.screen === "home") return [preloadHome()];
  if (route.screen === "table") return preloadTable(route.code, route.pass);
  if (route.screen === "learn") return preloadLesson(route.game);
  if (route.screen === "rules") return [import("~/screens/rules/Rules.svelte")];
  if (route.screen === "replay") return [import("~/screens/replay/Replay.svelte")];
  return route.screen === "results" ? [import("~/screens/results/Results.svelte")] : [];
}

// Whoever really needs them asks again, and says what went wrong. Nothing is shown without words, so they come first.
void Promise.allSettled([catalogueOf(spoken())]);
setTimeout(() => void Promise.allSettled(preloadScreen().filter((one) => one !== undefined)), 0);
