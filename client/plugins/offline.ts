/** The worker that keeps the page on the device, with the list of all files that the page consists of. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithOxc, type Plugin } from "vite";

const WORKER = fileURLToPath(new URL("../worker/worker.ts", import.meta.url));

export function offline(): Plugin {
  let publicFolder = "";
  return {
    name: "offline",
    apply: "build",
    configResolved(config) {
      publicFolder = config.publicDir;
    },
    // Not sooner: until then files are still merged into others.
    async writeBundle({ dir }, bundle) {
      const edition = createHash("sha256");
      const brought = readdirSync(publicFolder);
      for (const name of brought) edition.update(readFileSync(join(publicFolder, name)));
      const made = Object.keys(bundle).filter((name) => !name.endsWith(".html"));
      const files = [...made, ...brought].map((name) => `/${name}`).sort();
      edition.update(files.join());
      const { code } = await transformWithOxc(readFileSync(WORKER, "utf8"), WORKER, {
        define: { FILES: JSON.stringify(files), EDITION: JSON.stringify(edition.digest("hex").slice(0, 16)) },
      });
      writeFileSync(join(dir!, "worker.js"), code);
    },
  };
}
