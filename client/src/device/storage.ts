/** What this browser keeps for us, if it lets us. */

export const SETTINGS = "tafelrunde.settings";
export const TABLES = "tafelrunde.tables";
export const LESSONS = "tafelrunde.lessons";
export const NOTES = "tafelrunde.notes";
export const RESULTS = "tafelrunde.results";

/** What was kept there; undefined if it can not be read. */
export function recall(place: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "null");
  } catch {
    return undefined; // nothing may be kept here, or it was spoilt
  }
}

export function keep(place: string, value: unknown): void {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays; it just can not be come back to.
  }
}
