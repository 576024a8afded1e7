import { beforeAll, describe, expect, it } from "vitest";
import type { KeptTable } from "~/device/keys.svelte";
import type { Seat, TableState, TableView } from "~/wire/messages";
import { speak } from "~/words/words.svelte";
import { tableStatus } from "./tableStatus";

const seat = (kind: Seat["kind"], name: string | null = null): Seat => ({
  kind,
  name,
  bot: kind === "bot" ? "greedy" : null,
  stand_in: false,
  pledge: null,
});

const kept: KeptTable = {
  code: "nupadure",
  game: "buffet",
  used: 0,
  keys: [{ seat: 1, name: "Bo", token: "secret", nonce: null }],
};

function state(phase: TableView["phase"], seats: Seat[], toAct: number[] = [], host = 0): TableState {
  const table = { code: "nupadure", game: "buffet", phase, seats, host } as TableView;
  return { table, number: 1, to_act: toAct, waits_for: toAct.map((one) => seats[one]!.name!) };
}

const people = [seat("person", "Ada"), seat("person", "Bo"), seat("bot", "Cy")];

beforeAll(() => speak("en"));

describe("a table of ours", () => {
  it("waits for our decision", () => {
    expect(tableStatus(kept, state("playing", people, [0, 1]))).toEqual({ text: "Your move!", mine: true });
  });

  it("waits for a bot in the seat that was ours", () => {
    const text = "Waiting for Di";
    expect(tableStatus(kept, state("playing", [people[0]!, seat("bot", "Di")], [1]))).toEqual({ text, mine: false });
  });

  it("waits for others", () => {
    expect(tableStatus(kept, state("playing", people, [0, 2]))).toEqual({
      text: "Waiting for Ada and Cy",
      mine: false,
    });
  });

  it("waits for guests", () => {
    const text = "One seat is still free";
    expect(tableStatus(kept, state("gathering", [...people, seat("free")]))).toEqual({ text, mine: false });
  });

  it("waits for us to start", () => {
    expect(tableStatus(kept, state("gathering", people, [], 1)).mine).toBe(true);
    expect(tableStatus(kept, state("gathering", people, [], 0)).mine).toBe(false);
  });

  it("is closed, whatever was going on there", () => {
    const text = "This table is closed";
    expect(tableStatus(kept, state("closed", [...people, seat("free")], [], 1))).toEqual({ text, mine: false });
  });

  it("is done", () => {
    expect(tableStatus(kept, state("over", people))).toEqual({ text: "Finished", mine: false });
  });
});
