/** Which screen an address means. */

export type Route =
  | { screen: "home" }
  | { screen: "table"; code: string; pass: string | null }
  | { screen: "rules"; game: string; rule: string | null }
  | { screen: "learn"; game: string }
  | { screen: "results" }
  | { screen: "replay"; game: GameAt | null; kept: string | null; moment: Moment; check: boolean }
  | { screen: "missing" };

/** A finished game of a table. */
export interface GameAt {
  code: string;
  match: number;
}

/** A step of a replay, seen by a seat or, with null, by everybody. */
export interface Moment {
  at: number;
  eyes: number | null;
}

/** The screen of an address; a pass stands behind the hash, which no server and no log ever sees. */
export function routeOf(path: string, hash: string): Route {
  const [, first = "", second = "", ...rest] = path.split("/");
  if (first === "replay") return replayAt(second, rest, new URLSearchParams(hash.slice(1)));
  if (rest.length > 0) return { screen: "missing" };
  if (first === "" && second === "") return { screen: "home" };
  if (first === "results" && second === "") return { screen: "results" };
  if (first === "t" && second) {
    return { screen: "table", code: tidy(decode(second)), pass: new URLSearchParams(hash.slice(1)).get("pass") };
  }
  if (first === "rules" && second)
    return { screen: "rules", game: decode(second), rule: decode(hash.slice(1)) || null };
  if (first === "learn" && second) return { screen: "learn", game: decode(second) };
  return { screen: "missing" };
}

function replayAt(code: string, [match, ...rest]: string[], asked: URLSearchParams): Route {
  const at = code && match !== undefined ? { code: tidy(decode(code)), match: whole(match) ?? 0 } : null;
  if (rest.length > 0 || (code && !at?.match)) return { screen: "missing" };
  const moment = { at: whole(asked.get("at")) ?? 0, eyes: whole(asked.get("seat")) };
  return { screen: "replay", game: at, kept: asked.get("kept"), moment, check: asked.has("check") };
}

/** Where a moment of a finished game is. */
export function momentAt({ code, match }: GameAt, { at, eyes }: Moment): string {
  return `/replay/${encodeURIComponent(code)}/${match}#at=${at}${eyes === null ? "" : `&seat=${eyes}`}`;
}

const whole = (text: string | null): number | null => (text && /^\d{1,9}$/.test(text) ? Number(text) : null);

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** A code as people type it: case, width, spaces and dashes of any kind do not matter. */
export function tidy(code: string): string {
  return code.normalize("NFKC").toLowerCase().replace(/\P{L}/gu, "");
}
