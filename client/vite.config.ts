import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import icons from "unplugin-icons/vite";
import { defineConfig } from "vitest/config";
import { offline } from "./plugins/offline.ts";
import { rulebook } from "./plugins/rulebook.ts";
import { words } from "./plugins/words.ts";

/** What runs before the app is there must not wait for it. */
const PRELOAD =
  /src\/(preload|app\/route|device\/storage|words\/languages|wire\/opening|games\/registry|games\/\w+\/manifest)\.ts$|virtual:words$|vite\/preload-helper/;

/** What tables, replays and lessons of all games have in common. */
const SHARED =
  /src\/(table|wire|log|gamekit|parts|words|device|games\/importGame)|svelte\/src\/(animate|transition|motion|easing)/;

const SERVER = process.env.TAFELRUNDE ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), icons({ compiler: "svelte" }), rulebook(), words(), offline()],
  resolve: {
    alias: { "~": fileURLToPath(new URL("src", import.meta.url)) },
    ...(process.env.VITEST ? { conditions: ["browser"] } : {}),
  },
  build: {
    outDir: "../src/tafelrunde/server/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the server's rules for contents allow no data: addresses but for pictures
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The app comes in one piece: on a slow line each further file is a further wait.
      output: {
        codeSplitting: {
          groups: [
            { name: "preload", test: PRELOAD, priority: 1 },
            { name: "app", tags: ["$initial"] },
            { name: "shared", test: SHARED, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: SERVER, ws: true } } },
  // Threads with an environment each of their own: made once per file it takes longer than all tests.
  test: {
    environment: "happy-dom",
    pool: "vmThreads",
    include: ["{src,plugins}/**/*.test.ts"],
    coverage: {
      // Modules only: components are seen by the tests with a browser, which nobody measures.
      include: ["{src,plugins}/**/*.ts"],
      exclude: ["**/*.test.ts", "**/testing.ts", "src/testing/**", "src/wire/messages.ts", "src/words/keys.ts"],
      reporter: [["text", { skipFull: true }]],
      thresholds: { statements: 86, branches: 83, functions: 85, lines: 87 },
    },
  },
});
