/** The page is kept on the device once it has been opened, without getting in the way of the first visit. */

const REST_MS = 3000;

export function keepOnDevice(): void {
  // Not while it is being worked on, and not over a line that anybody could have changed.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // A browser that keeps nothing still plays.
  setTimeout(() => void navigator.serviceWorker.register("/worker.js").catch(() => undefined), REST_MS);
}
