/** Getting to a table: the server's HTTP side. */

import type {
  DeckFault, DeckRefusal, Games, Lobby, NewTable, Receipts, RecentGames, RecordRefusal, ReplayData, Results, Seated, Sit,
  TableState,
} from "./messages"; // prettier-ignore

/** The server, or the way to it, said no. */
export class Refused extends Error {
  override name = "Refused";

  constructor(
    readonly code: string,
    readonly rule: string | null,
    sentence: string,
    /** Of a deck file: everything that is wrong with it, by line. */
    readonly faults: readonly DeckFault[] = [],
    /** Of a record: the first line that does not hold. */
    readonly line?: number,
  ) {
    super(sentence);
  }
}

/** There is no way to the server at present. */
const UNREACHABLE = "unreachable";

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const request: RequestInit =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, request);
  } catch {
    throw new Refused(UNREACHABLE, null, "The server can not be reached.");
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as Answer;
  const {
    code = "internal",
    rule = null,
    sentence = response.statusText,
    faults,
    line,
  } = (answer ?? {}) as Partial<DeckRefusal & RecordRefusal>;
  throw new Refused(code, rule, sentence, faults, line ?? undefined);
}

const at = (code: string, what = "") => `tables/${encodeURIComponent(code)}${what}`;

export const games = () => ask<Games>("games");
export const lobby = () => ask<Lobby>("lobby");
export const setUp = (wanted: NewTable) => ask<Seated>("tables", wanted);
export const look = (code: string) => ask<TableState>(at(code));
export const sit = (code: string, wanted: Sit) => ask<Seated>(at(code, "/seats"), wanted);
export const take = (code: string, pass: string) => ask<Seated>(at(code, "/take"), { pass });
export const results = (code: string) => ask<Results>(at(code, "/games"));
export const receipts = (code: string, match: number) => ask<Receipts>(at(code, `/games/${match}/receipts`));
export const recordOf = (code: string, match: number) => `/api/${at(code, `/games/${match}/record`)}`;
export const replay = (code: string, match: number) => ask<ReplayData>(at(code, `/games/${match}/replay`));
export const replayRecord = (record: string) => ask<ReplayData>("replays", { record });
export const recentGames = (before?: number) =>
  ask<RecentGames>(`games/recent${before === undefined ? "" : `?before=${before}`}`);
