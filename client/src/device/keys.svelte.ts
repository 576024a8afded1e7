/** The seats that this device has the keys to: "my games". A token is the only key to its seat and never leaves here. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, randomBytes } from "@noble/hashes/utils.js";
import { keep, recall, TABLES } from "./storage";

/** A seat of ours. */
export interface Key {
  seat: number;
  name: string;
  token: string;
  nonce: string | null; // promised for the next game, given when it is started
}

export interface KeptTable {
  code: string;
  game: string;
  keys: Key[];
  used: number; // when we were last there
}

/** A nonce and the promise of it: our share of the shuffles, so that nobody can steer the cards. */
export function newNonce(): { nonce: string; pledge: string } {
  const nonce = bytesToHex(randomBytes(32));
  return { nonce, pledge: pledgeOf(nonce) };
}

export const pledgeOf = (nonce: string): string => bytesToHex(sha256(hexToBytes(nonce)));

/** What was kept; undefined if it can not be read. */
function load(): KeptTable[] | undefined {
  const kept = recall(TABLES);
  if (kept === null) return [];
  return Array.isArray(kept) ? kept.filter(sound) : undefined;
}

function sound(one: unknown): one is KeptTable {
  const { code, game, keys, used } = (one ?? {}) as Partial<KeptTable>;
  return typeof code === "string" && typeof game === "string" && Array.isArray(keys) && typeof used === "number";
}

class KeyRing {
  tables = $state<KeptTable[]>(load() ?? []);

  constructor() {
    // Another window of this browser may sit down or get up, too.
    addEventListener("storage", (event) => {
      if (event.key === TABLES) this.tables = load() ?? [];
    });
  }

  at(code: string): Key[] {
    return this.tables.find((table) => table.code === code)?.keys ?? [];
  }

  /** Which game is played at a table where we have sat. */
  gameAt(code: string): string | undefined {
    return this.tables.find((table) => table.code === code)?.game;
  }

  /** We have sat down. */
  add(code: string, game: string, key: Key): void {
    this.#change(() => {
      const table = this.tables.find((one) => one.code === code);
      const keys = [...(table?.keys ?? []).filter((one) => one.seat !== key.seat), key];
      keys.sort((one, other) => one.seat - other.seat);
      this.tables = [{ code, game, keys, used: Date.now() }, ...this.tables.filter((one) => one.code !== code)];
    });
  }

  /** This token opens nothing any more; another window may have got a new one for the same seat. */
  drop(code: string, token: string): void {
    this.#change(() => {
      const table = this.tables.find((one) => one.code === code);
      if (table) table.keys = table.keys.filter((key) => key.token !== token);
      this.tables = this.tables.filter((one) => one.keys.length > 0);
    });
  }

  /** We want to see nothing more of this table. */
  forget(code: string): void {
    this.#change(() => {
      this.tables = this.tables.filter((one) => one.code !== code);
    });
  }

  touch(code: string): void {
    this.#change(() => {
      const table = this.tables.find((one) => one.code === code);
      if (table) table.used = Date.now();
    });
  }

  promise(code: string, seat: number, nonce: string | null): void {
    this.#change(() => {
      const key = this.at(code).find((one) => one.seat === seat);
      if (key) key.nonce = nonce;
    });
  }

  #change(how: () => void): void {
    this.tables = load() ?? this.tables; // what other windows have kept meanwhile stays
    how();
    keep(TABLES, this.tables);
  }
}

export const keyRing = new KeyRing();
