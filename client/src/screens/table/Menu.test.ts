import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type FakeSocket, house, tableOf } from "~/testing/fakeTable";
import { FIRST, getUp, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import type { Seat, TableView } from "~/wire/messages";
import { speak } from "~/words/words.svelte";
import Menu from "./Menu.svelte";

let live: LiveTable;
let socket: FakeSocket;

const BOT: Seat = { kind: "bot", name: "Di", bot: "greedy", stand_in: false, pledge: null };

/** Ada hosts; Bo and Cy are people, and Di is a bot. */
function open(seats: number[], more: Partial<TableView> = {}) {
  const table = tableOf("Ada", "Bo", "Cy");
  ({ live, socket } = sitDown(seats, { table: { ...table, seats: [...table.seats, BOT], ...more } }));
  const onclose = vi.fn();
  render(Menu, { live, seat: live.eyes, onclose });
  return onclose;
}

const button = (name: string) => screen.getByRole("button", { name, hidden: true });
const labels = () =>
  screen.queryAllByRole("button", { name: /^Ask .* to leave$/ }).map((one) => one.getAttribute("aria-label"));

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  getUp(live);
});

describe("asking somebody to leave", () => {
  it("is for the host, and about other people only", () => {
    open([0]);
    expect(labels()).toEqual(["Ask Bo to leave", "Ask Cy to leave"]);
  });

  it("is not about people around the host’s own screen", () => {
    open([0, 2]);
    expect(labels()).toEqual(["Ask Bo to leave"]);
  });

  it.each([[[1]], [[]]])("is nothing for seats %j", (seats) => {
    open(seats);
    expect(labels()).toEqual([]);
  });

  it("says what happens, and happens after a second thought", async () => {
    open([0]);
    await fireEvent.click(button("Ask Bo to leave"));
    screen.getByText("Bo loses this seat, and a bot plays on.");
    await fireEvent.click(button("Never mind"));
    expect(socket.asked("remove")).toEqual([]);
    await fireEvent.click(button("Ask Bo to leave"));
    await fireEvent.click(button("Ask to leave"));
    expect(socket.asked("remove")).toMatchObject([{ seat: 0, whom: 1 }]);
    const { seats } = tableOf("Ada", "Bo", "Cy");
    const table = { seats: [seats[0]!, { ...BOT, name: "Eli" }, seats[2]!, BOT] };
    socket.say({ ...house(FIRST + 1, "remove", 1, table), id: socket.asked("remove")[0]!.id as string });
    await screen.findByText("Eli");
    expect(labels()).toEqual(["Ask Cy to leave"]);
  });

  it("makes room for what the table says against it", async () => {
    const onclose = open([0]);
    await fireEvent.click(button("Ask Bo to leave"));
    await fireEvent.click(button("Ask to leave"));
    const id = socket.asked("remove")[0]!.id as string;
    socket.say({ type: "refused", id, code: "not-your-seat", rule: null, sentence: "No." });
    await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce());
    expect(live.refusal?.code).toBe("not-your-seat");
  });

  it("frees the seat after the game", async () => {
    open([0], { phase: "over" });
    await fireEvent.click(button("Ask Bo to leave"));
    screen.getByText("Bo loses this seat, and it becomes free.");
  });
});

describe("closing the table", () => {
  it("is for the host only, and not the same as leaving", async () => {
    open([0]);
    await fireEvent.click(button("Close the table"));
    screen.getByText(/^The game ends at once, without a result\. Nobody can come back/);
    screen.getByText("If only you have to go, just leave: the others can stay.");
    await fireEvent.click(button("Close the table"));
    expect(socket.asked("close")).toMatchObject([{ seat: 0 }]);
    expect(socket.asked("leave")).toEqual([]);
    cleanup();
    getUp(live);
    open([1]);
    expect(screen.queryByRole("button", { name: "Close the table" })).toBeNull();
  });

  it("is the only way where nobody else would go on", async () => {
    const { seats } = tableOf("Ada");
    open([0], { seats: [...seats, BOT, BOT], phase: "over" });
    await fireEvent.click(button("Close the table"));
    screen.getByText(/^Nobody can come back/);
    expect(screen.queryByText(/If only you have to go/)).toBeNull();
  });
});

describe("leaving", () => {
  it("leaves the table to the next person, if the host goes", async () => {
    open([0, 1]);
    await fireEvent.click(button("Get up for good"));
    screen.getByText("Cy becomes the host, and the table stays open.");
    await fireEvent.click(button("Get up for good"));
    expect(socket.asked("leave")).toMatchObject([{ seat: 0 }]);
  });

  it("changes nothing about that if somebody else goes", async () => {
    open([1]);
    await fireEvent.click(button("Get up for good"));
    expect(screen.queryByText(/becomes the host/)).toBeNull();
  });
});
