/** Where a replay comes from: a table of the server, a file, or what is kept on this device. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { idOf, isCurrent, keepReplay, keptReplay, type KeptReplay } from "~/device/replays";
import type { RecordLine } from "~/proof/proof";
import * as http from "~/wire/http";
import { Film } from "./film";

/** A record that does not hold, and what it says at that place. */
export class BadLine extends http.Refused {
  override name = "BadLine";

  constructor(
    refused: http.Refused,
    readonly text: string,
    readonly game: string | null,
  ) {
    super(refused.code, refused.rule, refused.message, [], refused.line);
  }
}

/** From the server; if that is out of reach, what is kept here will do. */
export async function fromTable(code: string, match: number): Promise<KeptReplay> {
  const id = idOf(code, match);
  try {
    const data = await http.replay(code, match);
    return { id, source: { code, match }, record: null, data, kept: 0 };
  } catch (error) {
    const kept = await keptReplay(id).catch(() => undefined);
    if (kept && isCurrent(kept)) return kept;
    throw error;
  }
}

/** What is kept here; if an older page has kept it, the server says once more what was to be seen. */
export async function fromDevice(id: string): Promise<KeptReplay | undefined> {
  const kept = await keptReplay(id).catch(() => undefined);
  if (!kept || isCurrent(kept)) return kept;
  const { source, record } = kept;
  const data = source ? await http.replay(source.code, source.match) : await http.replayRecord(record!);
  const renewed = { ...kept, data };
  await keepReplay(renewed).catch(() => undefined);
  return renewed;
}

/** The rules are the server's: it says whether the record holds, and what was to be seen. */
export async function fromFile(file: File): Promise<KeptReplay> {
  const record = await file.text();
  try {
    const data = await http.replayRecord(record);
    const id = bytesToHex(sha256(utf8ToBytes(record))).slice(0, 16);
    return { id, source: null, record, data, kept: 0 };
  } catch (error) {
    if (!(error instanceof http.Refused) || error.line === undefined) throw error;
    const lines = record.split("\n");
    throw new BadLine(error, lines[error.line - 1] ?? "", gameIn(lines[0] ?? ""));
  }
}

function gameIn(header: string): string | null {
  try {
    const { game } = JSON.parse(header) as { game?: unknown };
    return typeof game === "string" ? game : null;
  } catch {
    return null;
  }
}

/** The record itself: of a file, what is in the file, whatever the server says of it. */
export function linesOf({ record, data }: KeptReplay): RecordLine[] {
  if (record === null) return new Film(data).lines;
  return record
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordLine);
}
