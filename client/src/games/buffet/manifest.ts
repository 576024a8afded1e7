import type { GameManifest } from "~/gamekit/manifest";

export const manifest: GameManifest = {
  position: 1,
  scene: () => import("./Scene.svelte"),
  ui: () => import("./ui"),
  options: {},
  lesson: () => import("./lesson/lesson.json"),
  examples: import.meta.glob<{ default: unknown }>("./lesson/example-*.json"),
  pictures: { rules: ["B1", "B2", "B3", "B4", "B9", "B16"], load: () => import("./Pictures.svelte") },
};
