// Writes the types of all texts, from the catalogues.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { keysOf, readCatalogues, SOURCE } from "../plugins/catalogues.ts";

writeFileSync(join(SOURCE, "words", "keys.ts"), keysOf(readCatalogues()));
