import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import icons from "unplugin-icons/vite";
import { defineConfig } from "vitest/config";
import { offline } from "./plugins/offline.ts";
import { rulebook } from "./plugins/rulebook.ts";

/** What runs before the house is there must not wait for it. */
const AHEAD = /src\/(ahead|route|device\/storage|words\/languages|games\/loaders)\.ts$|vite\/preload-helper/;

const SERVER = process.env.TAFELRUNDE ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), icons({ compiler: "svelte" }), rulebook(), offline()],
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
      // The house comes in one piece: on a slow line each further file is a further wait.
      output: {
        codeSplitting: {
          groups: [
            { name: "ahead", test: AHEAD, priority: 1 },
            { name: "house", tags: ["$initial"] },
            {
              name: "table",
              test: /src\/(screens\/(gathering|join|table)\/|games\/(flights|names)|parts\/(\w+Frame|CardSlot|HandSize))|svelte\/src\/(animate|transition)/,
            },
            { name: "buffet", test: /src\/games\/buffet\// },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: SERVER, ws: true } } },
  // Threads with an environment each of their own: made once per file it takes longer than all tests.
  test: { environment: "happy-dom", pool: "vmThreads", include: ["src/**/*.test.ts"] },
});
