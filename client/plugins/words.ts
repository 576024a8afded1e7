/**
 * The catalogues as modules: `import * as words from "virtual:words"` says how each is fetched, by part and language.
 *
 * A catalogue has a string for every message that is given nothing, and a function for any other.
 */

import { join } from "node:path";
import type { Plugin } from "vite";
import { agree, languagesOf, messagesOf, PAGE, readCatalogues, SOURCE, type Catalogue } from "./catalogues.ts";

const INDEX = "virtual:words";

function index(catalogues: readonly Catalogue[]): string {
  const loaders = (part: string) => {
    const fetched = languagesOf(catalogues).map(
      (language) => `${language}: () => import("${INDEX}/${language}/${part}")`,
    );
    return `{ ${fetched.join(", ")} }`;
  };
  const parts = new Set(catalogues.map(({ part }) => part).filter((part) => part !== PAGE));
  const games = [...parts].map((part) => `  "${part}": ${loaders(part)}`);
  return `export const page = ${loaders(PAGE)};\nexport const games = {\n${games.join(",\n")}\n};\n`;
}

function compiled(catalogues: readonly Catalogue[]): string {
  const fields = catalogues.flatMap((catalogue) =>
    [...messagesOf(catalogue)].map(([key, { code }]) => `  ${JSON.stringify(key)}: ${code}`),
  );
  return `export default {\n${fields.join(",\n")}\n};\n`;
}

export function words(): Plugin {
  return {
    name: "words",
    buildStart() {
      agree(readCatalogues());
    },
    resolveId: (id) => (id === INDEX || id.startsWith(`${INDEX}/`) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${INDEX}`) return index(readCatalogues());
      if (!id.startsWith(`\0${INDEX}/`)) return undefined;
      const [, language, ...part] = id.split("/");
      const asked = readCatalogues().filter((one) => one.language === language && one.part === part.join("/"));
      for (const { file } of asked) this.addWatchFile(join(SOURCE, file));
      return compiled(asked);
    },
  };
}
