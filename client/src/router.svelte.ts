/** Which screen the address means. */

export type Route =
  | { screen: "home" }
  | { screen: "table"; code: string; pass: string | null }
  | { screen: "rules"; game: string; rule: string | null }
  | { screen: "missing" };

/** The screen of an address; a pass stands behind the hash, which no server and no log ever sees. */
export function routeOf(path: string, hash: string): Route {
  const [, first = "", second = "", ...rest] = path.split("/");
  if (rest.length > 0) return { screen: "missing" };
  if (first === "" && second === "") return { screen: "home" };
  if (first === "t" && second) {
    return { screen: "table", code: tidy(decode(second)), pass: new URLSearchParams(hash.slice(1)).get("pass") };
  }
  if (first === "rules" && second)
    return { screen: "rules", game: decode(second), rule: decode(hash.slice(1)) || null };
  return { screen: "missing" };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** A code as people type it: case, spaces, dashes and the dots between its syllables do not matter. */
export function tidy(code: string): string {
  return code.toLowerCase().replace(/[\s·-]/g, "");
}

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
