import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveTable } from "~/table/live.svelte";
import { DEFAULT_TERMS, type Seat, type TableView } from "~/wire/messages";
import { speak } from "~/words/words.svelte";
import Gathering from "./Gathering.svelte";

const seat = (kind: Seat["kind"], name: string | null = null): Seat => ({
  kind,
  name,
  bot: kind === "bot" ? "greedy" : null,
  stand_in: false,
  pledge: null,
});

/** A table with us on seat 0, and the orders that were given at it. */
function at(
  seats: Seat[],
  { host = 0, match = 1, phase = "gathering" }: Partial<Pick<TableView, "host" | "match" | "phase">> = {},
) {
  const done = vi.fn(async (..._: unknown[]) => true);
  const live = {
    table: {
      code: "nupadure",
      game: "buffet",
      options: { start_seat: 1 },
      terms: DEFAULT_TERMS,
      seats,
      host,
      match,
      phase,
    },
    seats: [0],
    eyes: 0,
    hosting: host === 0,
    presence: { here: seats.map(() => true) },
    story: [],
    name: (one: number) => seats[one]?.name ?? "",
    setBot: (on: number, level: string | null) => done("bot", on, level),
    remove: (whom: number) => done("remove", whom),
    start: () => done("start"),
    closeTable: () => done("close"),
    inGame: phase !== "gathering",
    others: seats.flatMap(({ kind }, one) => (kind === "person" && one > 0 ? [one] : [])),
  };
  render(Gathering, { live: live as unknown as LiveTable });
  return done;
}

const games = {
  protocol: 1,
  games: [
    {
      id: "buffet",
      bots: ["random", "greedy"],
      least_seats: 3,
      most_seats: 6,
      options: [{ name: "start_seat", kind: "seat", default: null, default_for_two: null }],
    },
  ],
};

beforeEach(async () => {
  await speak("en");
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(games)));
  // The browser of the tests has dialogs, but does not make them modal.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
});
afterEach(cleanup);

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });

describe("the host", () => {
  it("fills free seats with bots, the strongest ones", async () => {
    const done = at([seat("person", "Ada"), seat("free"), seat("person", "Cy"), seat("free")]);
    expect(button("Start the game").disabled).toBe(true);
    await fireEvent.click(button("Fill with bots"));
    await waitFor(() => expect(done).toHaveBeenCalledTimes(2));
    expect(done.mock.calls).toEqual([
      ["bot", 1, "greedy"],
      ["bot", 3, "greedy"],
    ]);
  });

  it("starts when everybody is there", async () => {
    const done = at([seat("person", "Ada"), seat("person", "Bo"), seat("bot", "Cy")]);
    await fireEvent.click(button("Start the game"));
    expect(done).toHaveBeenCalledWith("start");
  });

  it("chooses a bot for a seat, or asks somebody to leave", async () => {
    const done = at([seat("person", "Ada"), seat("person", "Bo"), seat("free")]);
    await fireEvent.click(button(/free/));
    await fireEvent.click(await screen.findByRole("button", { name: "Dreamy bot", hidden: true }));
    expect(done).toHaveBeenLastCalledWith("bot", 2, "random");
    await fireEvent.click(button(/^Bo/));
    await fireEvent.click(screen.getByRole("button", { name: "Ask to leave", hidden: true }));
    expect(done).toHaveBeenLastCalledWith("remove", 1);
  });
});

describe("closing the table", () => {
  it("is asked about, and for the host", async () => {
    const done = at([seat("person", "Ada"), seat("person", "Bo"), seat("free")]);
    await fireEvent.click(button("Close the table"));
    expect(screen.getByText(/^Nobody can come back to this table/)).toBeTruthy();
    await fireEvent.click(screen.getAllByRole("button", { name: "Close the table", hidden: true }).at(-1)!);
    expect(done).toHaveBeenCalledWith("close");
  });

  it("is not for others", () => {
    at([seat("person", "Ada"), seat("person", "Bo"), seat("free")], { host: 1 });
    expect(screen.queryByRole("button", { name: "Close the table" })).toBeNull();
  });
});

describe("everybody else", () => {
  it("waits for the host", () => {
    at([seat("person", "Ada"), seat("person", "Bo"), seat("bot", "Cy")], { host: 1 });
    expect(screen.getByText("Waiting for Bo to start.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Start the game" })).toBeNull();
  });
});

describe("the table", () => {
  it("shows its link, its code as it is read out and a picture of the link", async () => {
    at([seat("person", "Ada"), seat("free"), seat("free")]);
    expect(screen.getByLabelText<HTMLInputElement>("Link to this table").value).toBe(`${location.origin}/t/nupadure`);
    expect(document.querySelector("strong")!.textContent.trim()).toBe("nupa-dure");
    expect(await screen.findByRole("img", { name: "QR code with the link to this table" })).toBeTruthy();
  });

  it("says what is not as usual", async () => {
    at([seat("person", "Ada"), seat("person", "Bo"), seat("free")]);
    expect(await screen.findByText("Start token: Bo")).toBeTruthy();
  });

  it("tells that there was a game before", () => {
    at([seat("person", "Ada"), seat("free"), seat("free")], { match: 3 });
    expect(screen.getByText("Game 3 at this table")).toBeTruthy();
  });

  it("says that cards are being shuffled", () => {
    at([seat("person", "Ada"), seat("bot", "Bo"), seat("bot", "Cy")], { phase: "shuffling" });
    expect(button("Start the game").disabled).toBe(true);
    expect(screen.getByText("The cards are being shuffled …")).toBeTruthy();
  });
});
