import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { FakeSocket, house, tableOf, welcome } from "~/testing/fakeTable";
import { getUp, sitDown } from "~/testing/liveTable";
import type { LiveTable } from "~/table/live.svelte";
import { speak } from "~/words/words.svelte";
import Talk from "./Talk.svelte";
import { unreadTalkAt } from "./unread.svelte";

let live: LiveTable;
let socket: FakeSocket;

/** Whether the page is in sight is for the tests to say. */
let see: (inSight: boolean) => void;
class Sight {
  constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
    see = (isIntersecting) => tell([{ isIntersecting }]);
  }
  observe() {}
  disconnect() {}
}

function come(seats: number[], ...more: Parameters<typeof sitDown>[1][]): void {
  ({ live, socket } = sitDown(seats, ...more));
  vi.stubGlobal("IntersectionObserver", Sight);
}

beforeAll(() => speak("en"));
afterEach(() => {
  cleanup();
  getUp(live);
});

const write = async (text: string) => {
  const input = document.querySelector("input")!;
  await fireEvent.input(input, { target: { value: text } });
  await fireEvent.submit(input.form!);
};

it("shows what looks like markup as text", () => {
  come([0], { talk: [{ type: "say", number: 3, at: 0, seat: 1, text: "<b>Hi</b>" }] });
  const { getByText } = render(Talk, { live, seat: 0 });
  getByText("<b>Hi</b>");
  getByText("Bo");
});

it("sends what was written, tidied, and forgets it once it was heard", async () => {
  come([0]);
  render(Talk, { live, seat: 0 });
  await write("  Hello there ");
  expect(socket.asked("say")).toMatchObject([{ seat: 0, text: "Hello there" }]);
  const input = document.querySelector("input")!;
  expect(input.value).toBe("  Hello there ");
  expect(input.maxLength).toBe(200);
  socket.say({
    type: "say",
    number: 11,
    at: 0,
    seat: 0,
    text: "Hello there",
    id: socket.asked("say")[0]!.id as string,
  });
  await vi.waitFor(() => expect(input.value).toBe(""));
  await write("   ");
  expect(socket.asked("say")).toHaveLength(1);
});

it("keeps what was refused, and says why here", async () => {
  come([0]);
  const { findByRole } = render(Talk, { live, seat: 0 });
  await write("Hello");
  const { id } = socket.asked("say")[0]!;
  socket.say({ type: "refused", id: id as string, code: "too-fast", rule: null, sentence: "Wait a moment." });
  await findByRole("alert");
  expect(document.querySelector("input")!.value).toBe("Hello");
  expect(live.refusal).toBeUndefined();
});

it("reacts with a tap", () => {
  come([0]);
  const { getByRole } = render(Talk, { live, seat: 0 });
  getByRole("button", { name: "Cheers!" }).click();
  expect(socket.asked("react")).toMatchObject([{ seat: 0, sign: "cheers" }]);
});

it("lets those who watch only listen", () => {
  come([]);
  const { getByText } = render(Talk, { live, seat: null });
  getByText("Watchers listen along.");
  expect(document.querySelector("input, .signs button")).toBeNull();
});

it("says so when talking is switched off, and shows no way to talk", () => {
  const table = tableOf("Ada", "Bo", "Cy");
  table.terms.chat = false;
  come([0], { table });
  const { getByText } = render(Talk, { live, seat: 0 });
  getByText("At this table the food does the talking.");
  expect(document.querySelector("input, .signs button")).toBeNull();
});

it("asks who speaks where several sit around one screen", async () => {
  come([0, 2]);
  const { getByRole } = render(Talk, { live, seat: null });
  expect(getByRole("button", { name: "Ada" }).getAttribute("aria-pressed")).toBe("true");
  getByRole("button", { name: "Cy" }).click();
  await write("Me!");
  expect(socket.asked("say")).toMatchObject([{ seat: 2 }]);
});

it("counts what others have said since one last looked", async () => {
  come([0], { talk: [{ type: "say", number: 3, at: 0, seat: 1, text: "Hi" }] });
  const unread = unreadTalkAt(live);
  expect(unread.unread).toBe(0);
  socket.say({ type: "say", number: 11, at: 0, seat: 1, text: "Hello?" });
  socket.say({ type: "say", number: 12, at: 0, seat: 0, text: "Hello." });
  socket.say({ type: "react", number: 13, at: 0, seat: 1, sign: "yum" });
  expect(unread.unread).toBe(1);
  render(Talk, { live, seat: 0 });
  await tick();
  expect(unread.unread).toBe(1);
  see(true);
  await tick();
  expect(unread.unread).toBe(0);
  socket.say({ type: "say", number: 14, at: 0, seat: 1, text: "There you are." });
  await tick();
  expect(unread.unread).toBe(0);
  see(false);
  socket.say({ type: "say", number: 15, at: 0, seat: 1, text: "Still there?" });
  await tick();
  expect(unread.unread).toBe(1);
});

it("still says who has said it when somebody else sits there", () => {
  const table = tableOf("Ada", "Eli", "Cy");
  const lines = [house(1, "begin", null), house(4, "remove", 1, table)];
  const said = (number: number) => ({ type: "say", number, at: number * 1e6, seat: 1, text: `${number}` }) as const;
  come([0], { table, lines, talk: [said(3), said(5)] });
  render(Talk, { live, seat: 0 });
  expect([...document.querySelectorAll(".name")].map((one) => one.textContent)).toEqual(["Bo", "Eli"]);
});

it("counts nothing of another history", async () => {
  come([0], { talk: [{ type: "say", number: 9, at: 0, seat: 1, text: "Old" }] });
  expect(unreadTalkAt(live).unread).toBe(0);
  socket.breakDown();
  live.reseat();
  FakeSocket.last.accept().say(welcome(3, { epoch: "second" }));
  expect(unreadTalkAt(live).unread).toBe(0);
  FakeSocket.last.say({ type: "say", number: 4, at: 0, seat: 1, text: "New" });
  expect(unreadTalkAt(live).unread).toBe(1);
});
