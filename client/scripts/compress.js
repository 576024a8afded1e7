// Compresses the built page once and as well as possible, so that the server need not do it while somebody waits.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const PAGE = fileURLToPath(new URL("../../src/tafelrunde/server/page", import.meta.url));
const TEXT = new Set([".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest"]);

/** @param {Buffer} bytes */
function brotli(bytes) {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

for (const name of readdirSync(PAGE, { recursive: true, encoding: "utf8" })) {
  const path = join(PAGE, name);
  if (!TEXT.has(extname(path)) || !statSync(path).isFile()) continue;
  const bytes = readFileSync(path);
  const packed = { ".br": brotli(bytes), ".gz": gzipSync(bytes, { level: 9 }) };
  for (const [suffix, smaller] of Object.entries(packed))
    if (smaller.length < bytes.length) writeFileSync(path + suffix, smaller);
}
