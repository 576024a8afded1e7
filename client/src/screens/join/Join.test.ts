import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keyRing } from "~/device/keys.svelte";
import { change, settings } from "~/device/settings.svelte";
import type { Seat, TableState, TableView } from "~/wire/messages";
import { speak } from "~/words/words.svelte";
import Join from "./Join.svelte";

const seat = (kind: Seat["kind"], name: string | null = null): Seat => ({
  kind,
  name,
  bot: kind === "bot" ? "greedy" : null,
  stand_in: false,
  pledge: null,
});

function at(phase: TableView["phase"], ...seats: Seat[]): TableState {
  const table = { code: "nupadure", game: "buffet", phase, seats, host: 0, match: 1 } as TableView;
  return { table, number: 1, to_act: [], waits_for: [] };
}

const sent: Record<string, unknown>[] = [];
let refusing = false;
const onseated = vi.fn();
const onwatch = vi.fn();

beforeEach(async () => {
  await speak("en");
  localStorage.clear();
  change({ name: "" });
  keyRing.forget("nupadure");
  sent.length = 0;
  refusing = false;
  vi.stubGlobal("fetch", async (_path: string, request: RequestInit) => {
    sent.push(JSON.parse(request.body as string) as Record<string, unknown>);
    if (refusing) return new Response('{"code":"seat-taken","rule":null,"sentence":""}', { status: 409 });
    return new Response('{"code":"nupadure","seat":2,"token":"secret"}');
  });
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const show = (state: TableState) => render(Join, { state, onseated, onwatch });
const field = () => screen.getByLabelText("What are you called?");

async function sitDown(as: string) {
  await fireEvent.input(field(), { target: { value: as } });
  await fireEvent.submit(field().closest("form")!);
}

describe("somebody with a link", () => {
  const gathering = at("gathering", seat("person", "Ada"), seat("bot", "Bo"), seat("free"), seat("free"));

  it("is invited by the host, and can type at once", () => {
    show(gathering);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Ada invites you to Battle at the Buffet");
    expect(document.activeElement).toBe(field());
  });

  it("sits down on any seat", async () => {
    show(gathering);
    await sitDown(" Cy ");
    await waitFor(() => expect(onseated).toHaveBeenCalledOnce());
    expect(sent[0]).toMatchObject({ name: "Cy", seat: null });
    expect(keyRing.at("nupadure")[0]).toMatchObject({ seat: 2, name: "Cy", token: "secret" });
    expect(settings.name).toBe("Cy");
  });

  it("may choose a seat", async () => {
    show(gathering);
    await fireEvent.click(screen.getByRole("button", { name: /seat 4/ }));
    await sitDown("Cy");
    expect(sent[0]).toMatchObject({ seat: 3 });
  });

  it("is told when somebody was quicker", async () => {
    refusing = true;
    show(gathering);
    await sitDown("Cy");
    await screen.findByText("Somebody was quicker: that seat is taken.");
    expect(onseated).not.toHaveBeenCalled();
  });

  it("watches at a full table", async () => {
    show(at("gathering", seat("person", "Ada"), seat("person", "Bo")));
    expect(screen.queryByLabelText("What are you called?")).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Just watch" }));
    expect(onwatch).toHaveBeenCalledOnce();
  });

  it("takes over the seat of somebody who has left a running game", async () => {
    show(at("playing", seat("person", "Ada"), seat("left", "Bo"), seat("bot", "Cy")));
    await sitDown("Di");
    expect(sent[0]).toMatchObject({ seat: 1 });
  });

  it("can not sit down while a game runs and nobody has left", () => {
    show(at("playing", seat("person", "Ada"), seat("person", "Bo"), seat("free")));
    expect(screen.queryByLabelText("What are you called?")).toBeNull();
  });
});
