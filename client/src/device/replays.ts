/** Replays that are kept on this device: each is one document, which opens without any server. */

import type { ReplayData } from "~/wire/messages";

export interface KeptReplay {
  id: string;
  /** Where it was played; null: it came as a file. */
  source: { code: string; match: number } | null;
  /** The text of the file. */
  record: string | null;
  data: ReplayData;
  kept: number;
  /** Of what is seen in it; missing in the first one. */
  format?: number;
}

/** Raised when boards need more of a view than those that were kept before have. */
const FORMAT = 2;

/** Can the boards of this page show it? */
export const isCurrent = ({ format }: KeptReplay): boolean => format === FORMAT;

/** What a list of them shows. */
export interface KeptTitle {
  id: string;
  game: string;
  names: string[];
  kept: number;
}

const BASE = "tafelrunde";
const REPLAYS = "replays";

export const idOf = (code: string, match: number): string => `${code}-${match}`;

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(BASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(REPLAYS, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error!);
  });
}

async function within<Answer>(
  mode: IDBTransactionMode,
  ask: (replays: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer> {
  const base = await opened();
  try {
    const transaction = base.transaction(REPLAYS, mode);
    const asked = ask(transaction.objectStore(REPLAYS));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = transaction.onerror = () => reject(transaction.error!);
    });
    return asked.result;
  } finally {
    base.close();
  }
}

/** Rejects if this browser keeps nothing, or has no room. */
export async function keepReplay(replay: KeptReplay): Promise<void> {
  await within("readwrite", (replays) => replays.put({ ...replay, format: FORMAT }));
}

export async function keptReplay(id: string): Promise<KeptReplay | undefined> {
  return within("readonly", (replays) => replays.get(id) as IDBRequest<KeptReplay | undefined>);
}

export async function dropReplay(id: string): Promise<void> {
  await within("readwrite", (replays) => replays.delete(id));
}

/** The latest first. */
export async function keptReplays(): Promise<KeptTitle[]> {
  const all = await within("readonly", (replays) => replays.getAll() as IDBRequest<KeptReplay[]>);
  return all
    .map(({ id, kept, data: { header } }) => ({
      id,
      kept,
      game: header["game"] as string,
      names: header["seats"] as string[],
    }))
    .sort((one, other) => other.kept - one.kept);
}
