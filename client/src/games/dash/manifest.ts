import type { GameManifest } from "~/gamekit/manifest";

export const manifest: GameManifest = {
  position: 2,
  scene: () => import("./Scene.svelte"),
  ui: () => import("./ui"),
  options: {
    target: [25, 50, 75, 100],
    pace_ms: [0, 1000, 1500, 2500],
    round_limit_s: [0, 120, 180, 300],
    max_rounds: [0, 1, 3, 5],
  },
  lesson: () => import("./lesson/lesson.json"),
  examples: import.meta.glob<{ default: unknown }>("./lesson/example-*.json"),
  pictures: { rules: ["D1", "D2", "D18", "D19"], load: () => import("./Pictures.svelte") },
};
