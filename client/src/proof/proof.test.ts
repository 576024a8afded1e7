import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { prove, type RecordLine } from "./proof";

const read = (name: string): RecordLine[] =>
  readFileSync(`src/proof/fixtures/${name}.tafel`, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordLine);

const buffet = read("buffet-3");
const fairness = buffet[0]!["fairness"] as { commitment: string; nonces: (string | null)[] };

/** The record with one line changed. */
const changed = (line: number, changes: object): RecordLine[] =>
  buffet.map((one, index) => (index === line - 1 ? { ...one, ...changes } : one));
const lineOf = (verb: string): number => buffet.findIndex((line) => line["do"] === verb) + 1;

describe("an honest record", () => {
  it("is dealt again, numbers and words alike", () => {
    expect(prove(buffet)).toMatchObject({ fault: null, choices: 1, nonces: 2, noted: false });
    expect(prove(read("chocolat-2"))).toMatchObject({ fault: null, nonces: 1 });
  });

  it("has all its shuffles checked", () => {
    const shuffles = buffet.filter((line) => line["do"] === "shuffle");
    const cards = shuffles.reduce((sum, line) => sum + (line["order"] as unknown[]).length, 0);
    expect(prove(buffet)).toMatchObject({ shuffles: shuffles.length, cards });
  });

  it("has what this device noted before", () => {
    const noted = { commitment: fairness.commitment, nonces: { 0: fairness.nonces[0]! } };
    expect(prove(buffet, noted)).toMatchObject({ fault: null, noted: true });
  });
});

describe("a record in which somebody has cheated", () => {
  it("is found out by one card", () => {
    const line = lineOf("shuffle");
    const [first, second, ...rest] = buffet[line - 1]!["order"] as number[];
    expect(prove(changed(line, { order: [second, first, ...rest] }))).toMatchObject({ fault: "other-order", line });
  });

  it("is found out by a lot", () => {
    const line = lineOf("choose");
    const value = ((buffet[line - 1]!["value"] as number) + 1) % 3;
    expect(prove(changed(line, { value }))).toMatchObject({ fault: "other-choice", line });
  });

  it("is found out by a secret that was not promised", () => {
    const line = lineOf("end");
    expect(prove(changed(line, { secret: "0".repeat(64) }))).toMatchObject({ fault: "other-secret", line });
  });

  it("is found out by a nonce that was changed afterwards", () => {
    const nonces = ["f".repeat(64), fairness.nonces[1], null];
    expect(prove(changed(1, { fairness: { ...fairness, nonces } })).fault).not.toBeNull();
  });

  it("is found out by what this device noted, even if all was made up anew", () => {
    const nonces = { 0: fairness.nonces[0]! };
    expect(prove(buffet, { commitment: "0".repeat(64), nonces }).fault).toBe("other-promise");
    const other = { commitment: fairness.commitment, nonces: { 1: "0".repeat(64) } };
    expect(prove(buffet, other)).toMatchObject({ fault: "other-nonce", seat: 1 });
    const withheld = { commitment: fairness.commitment, nonces: { 2: "0".repeat(64) } };
    expect(prove(buffet, withheld)).toMatchObject({ fault: "other-nonce", seat: 2 });
  });
});

describe("a record that proves nothing", () => {
  it.each([
    ["no-proof", [{ tafelrunde: 1 }]],
    ["no-proof", []],
    ["unfinished", buffet.slice(0, -1)],
    ["unreadable", changed(1, { fairness: null })],
    ["unreadable", changed(1, { fairness: { ...fairness, commitment: "F".repeat(64) } })],
    ["unreadable", changed(1, { fairness: { ...fairness, nonces: [1, 2, 3] } })],
    ["unreadable", changed(lineOf("end"), { secret: undefined })],
    ["unreadable", changed(lineOf("shuffle"), { order: 7 })],
  ])("is %s", (fault, lines) => {
    expect(prove(lines).fault).toBe(fault);
  });
});
