/** Which screen is shown, and how to get to another. */

import { routeOf, type Route } from "./route";

let route = $state.raw(routeOf(location.pathname, location.hash));

addEventListener("popstate", () => {
  route = routeOf(location.pathname, location.hash);
});

export const here = (): Route => route;

/** Go to another screen. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  route = routeOf(location.pathname, location.hash);
  scrollTo(0, 0);
}

/** Links within the page change the screen without loading everything again. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api") || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.hash);
}
