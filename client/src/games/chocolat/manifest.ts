import type { GameManifest } from "~/gamekit/manifest";

export const manifest: GameManifest = {
  position: 3,
  scene: () => import("./Scene.svelte"),
  ui: () => import("./ui"),
  options: { target: [15, 30, 45] },
  lesson: () => import("./lesson/lesson.json"),
  examples: import.meta.glob<{ default: unknown }>("./lesson/example-*.json"),
  pictures: { rules: ["C1", "C2", "C3"], load: () => import("./Pictures.svelte") },
};
