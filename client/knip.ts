import type { KnipConfig } from "knip";

/** What its scripts say; knip by itself would only see what a component imports, not what it takes of it. */
const scripts = (text: string): string =>
  [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, script]) => script).join("\n");

export default {
  entry: ["src/games/*/manifest.ts", "worker/worker.ts", "scripts/*.{js,ts}"],
  project: ["{src,plugins,scripts,worker}/**/*.{js,ts,svelte}"],
  // Generated: the whole protocol, whether the page needs all of it or not.
  ignore: ["src/wire/messages.ts"],
  // Named in styles, in the tests of screens with a browser, and in the site with the documentation.
  ignoreDependencies: ["@fontsource-variable/fredoka", "axe-core", "@mermaid-js/tiny"],
  // What a component exports is called by whoever binds it.
  ignoreIssues: { "src/**/*.svelte": ["exports"] },
  compilers: { svelte: scripts },
} satisfies KnipConfig;
