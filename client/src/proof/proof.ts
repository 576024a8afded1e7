/**
 * The proof of the shuffles, as docs/record.md has it: from the secret of the table and the nonces of the players every
 * choice and every shuffle of the game is dealt again. Nobody is asked and nobody has to be believed: only the record
 * is needed, and what this device has noted itself.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";

/** A line of a record as it was read; what it says is what is to be found out. */
export type RecordLine = Readonly<Record<string, unknown>>;

/** What this device saw before the cards were shuffled, and what it gave for that. */
export interface Noted {
  commitment: string;
  nonces: Readonly<Record<number, string>>; // by seat
}

type Fault =
  | "no-proof" // the table has promised nothing
  | "unfinished" // the secret is told at the end
  | "unreadable" // fairness is not as it should be
  | "other-secret" // not the one that was promised
  | "other-choice"
  | "other-order"
  | "other-promise" // the record does not have the promise that this device saw
  | "other-nonce"; // nor the nonce that it gave

export interface Finding {
  fault: Fault | null;
  /** The line of the record at fault, from 1. */
  line?: number;
  /** At fault with what this device gave: whose. */
  seat?: number;
  /** How much was dealt again, and is the same. */
  shuffles: number;
  choices: number;
  cards: number;
  /** How many seats have added a nonce. */
  nonces: number;
  /** What this device has noted is in the record. */
  noted: boolean;
}

const HEX = /^[0-9a-f]{64}$/;
const isHex = (given: unknown): given is string => typeof given === "string" && HEX.test(given);

export function prove([header, ...entries]: readonly RecordLine[], noted?: Noted): Finding {
  const finding: Finding = { fault: null, shuffles: 0, choices: 0, cards: 0, nonces: 0, noted: false };
  const at = (fault: Fault, more: Partial<Finding> = {}): Finding => ({ ...finding, fault, ...more });

  const fairness = header?.["fairness"] as { commitment?: unknown; nonces?: unknown } | null | undefined;
  if (fairness === undefined) return at("no-proof", { line: 1 });
  const { commitment, nonces } = fairness ?? {};
  if (!isHex(commitment) || !Array.isArray(nonces)) return at("unreadable", { line: 1 });
  if (!nonces.every((nonce) => nonce === null || isHex(nonce))) return at("unreadable", { line: 1 });
  finding.nonces = nonces.filter((nonce) => nonce !== null).length;

  const end = entries.at(-1);
  if (end?.["do"] !== "end") return at("unfinished");
  const last = entries.length + 1;
  const secret = end["secret"];
  if (!isHex(secret)) return at("unreadable", { line: last });
  if (bytesToHex(sha256(hexToBytes(secret))) !== commitment) return at("other-secret", { line: last });

  const dealer = new Dealer(hexToBytes(secret), nonces as (string | null)[]);
  for (const [index, entry] of entries.entries()) {
    const line = index + 2;
    if (entry["do"] === "choose") {
      if (entry["value"] !== dealer.below(nonces.length)) return at("other-choice", { line });
      finding.choices += 1;
    } else if (entry["do"] === "shuffle") {
      const order = entry["order"];
      if (!Array.isArray(order)) return at("unreadable", { line });
      if (!same(order, dealer.shuffle(order))) return at("other-order", { line });
      finding.shuffles += 1;
      finding.cards += order.length;
    }
  }
  return noted ? compare(finding, commitment, nonces as (string | null)[], noted) : finding;
}

/** The table could have made up all of it afterwards, were it not for what was noted before. */
function compare(finding: Finding, commitment: string, nonces: readonly (string | null)[], noted: Noted): Finding {
  if (commitment !== noted.commitment) return { ...finding, fault: "other-promise", line: 1 };
  for (const [seat, nonce] of Object.entries(noted.nonces))
    if (nonces[Number(seat)] !== nonce) return { ...finding, fault: "other-nonce", line: 1, seat: Number(seat) };
  return { ...finding, noted: true };
}

/** Draws numbers one after the other through the whole game. */
class Dealer {
  #key: Uint8Array;
  #drawn = 0;

  constructor(secret: Uint8Array, nonces: readonly (string | null)[]) {
    const shares = nonces.map((nonce) =>
      nonce === null ? new Uint8Array(33) : concatBytes(Uint8Array.of(1), hexToBytes(nonce)),
    );
    this.#key = sha256(concatBytes(secret, ...shares));
  }

  /** The next number from 0 up to but not including the limit. */
  below(limit: number): number {
    const count = new Uint8Array(8);
    new DataView(count.buffer).setBigUint64(0, BigInt(this.#drawn++));
    const hash = sha256(concatBytes(this.#key, count));
    // The remainder of the hash as one long number, byte by byte.
    return hash.reduce((rest, byte) => (rest * 256 + byte) % limit, 0);
  }

  shuffle(pile: readonly unknown[]): unknown[] {
    const items = pile.toSorted(ascending);
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other], items[last]];
    }
    return items;
  }
}

/** Numbers by value, texts by code point. */
function ascending(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [left, right] = [Array.from(String(one)), Array.from(String(other))];
  for (const [index, sign] of left.entries()) {
    const difference = sign.codePointAt(0)! - (right[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const same = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);
