/**
 * Keeps the page on the device, so that it opens without a line: the house, rulebooks, lessons, kept replays.
 *
 * What goes on at a table is never kept: whatever is under /api goes straight to the server, or not at all.
 */

/** Everything the page consists of; put in when it is built. */
declare const FILES: readonly string[];
/** Changes with it. */
declare const EDITION: string;

const SHELF = `tafelrunde-${EDITION}`;
const FRONT_DOOR = "/";
/** A line that takes longer is as good as none: the page is on the device. */
const PATIENCE_MS = 4000;

async function fill(): Promise<void> {
  await (await caches.open(SHELF)).addAll([FRONT_DOOR, ...FILES]);
}

/** Pages of an older edition have been closed by now; nobody needs its files any more. */
async function clear(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== SHELF).map((name) => caches.delete(name)));
}

/** The name of such a file changes with what is in it. */
async function kept(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}

/** As the server has it now, or else as we have it. All addresses of the page are the same page. */
async function newest(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (lost) {
    const known = await caches.match(request.mode === "navigate" ? FRONT_DOOR : request);
    if (!known) throw lost;
    return known;
  }
}

const worker = self as unknown as ServiceWorkerGlobalScope;
worker.addEventListener("install", (event) => event.waitUntil(fill()));
worker.addEventListener("activate", (event) => event.waitUntil(clear()));
worker.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== worker.location.origin || /^\/api(\/|$)/.test(pathname)) return;
  event.respondWith(pathname.startsWith("/assets/") ? kept(event.request) : newest(event.request));
});
