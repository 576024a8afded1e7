/** Which screen an address means. */

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
