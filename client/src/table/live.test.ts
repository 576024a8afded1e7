import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keyRing } from "~/device/keys.svelte";
import { noted } from "~/device/notes";
import { bye, CODE, FakeSocket, house, resumed, step, tableOf, welcome } from "~/testing/fakeTable";
import type { BuffetView, GameEntry, Seat, TableView, View, Views, Welcome } from "~/wire/messages";
import { LiveTable, type Follower } from "./live.svelte";

let live: LiveTable;

/** Sit down with the keys of these seats; none: watch. */
function come(...seats: number[]): FakeSocket {
  for (const seat of seats) keyRing.add(CODE, "buffet", { seat, name: `${seat}`, token: `key${seat}`, nonce: "00" });
  live = new LiveTable(CODE);
  return FakeSocket.last.accept();
}

const view = (seat: number | null, round: number): View => ({
  seat,
  observation: { game: "buffet", seat, round } as BuffetView,
  raw: null,
});

const end = { by: "table", do: "end", scores: [3, 1, 2], places: [1, 3, 2] } as GameEntry;

const views = (number: number, ...seen: View[]): Views => ({ type: "views", number, views: seen });

const looks = () => FakeSocket.last.asked("look").length;
const tokens = () => keyRing.at(CODE).map((key) => key.token);

function record(): { calls: string[]; follower: Follower } {
  const calls: string[] = [];
  const round = (seen: unknown) => (seen as BuffetView).round;
  return {
    calls,
    follower: {
      reset: (seen, number) => calls.push(`reset ${number}: ${round(seen)}`),
      step: ({ number }) => calls.push(`step ${number}`),
      settle: (seen, number) => calls.push(`settle ${number}: ${round(seen)}`),
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  localStorage.clear();
});
afterEach(() => {
  live.close();
  keyRing.forget(CODE);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a welcome", () => {
  it("tells everything as it is now", () => {
    const socket = come(0, 2);
    expect(socket.asked("hello")[0]).toMatchObject({ tokens: ["key0", "key2"] });
    expect(live.met).toBe(false);
    const talk = { type: "say", number: 3, at: 0, seat: 1, text: "Hi" } as const;
    const views = [view(0, 4), view(2, 4)];
    socket.say(welcome(9, { seats: [0, 2], to_act: [2], views, talk: [talk], lines: [step(8)] }));
    expect(live.link).toBe("open");
    expect(live.met).toBe(true);
    expect(live.table?.seats.map(({ name }) => name)).toEqual(["Ada", "Bo", "Cy"]);
    expect(live.eyes).toBe(0);
    expect(live.hosting).toBe(true);
    expect(live.toAct).toEqual([2]);
    expect(live.talk).toEqual([talk]);
    expect(live.story.map(({ number }) => number)).toEqual([8]);
    expect([...live.views.keys()]).toEqual([0, 2]);
    expect(looks()).toBe(0);
  });

  it("sets the clock by the server's", () => {
    come().say(welcome(9, { seats: [], now: Date.now() + 5000 }));
    expect(live.until(Date.now() + 7000)).toBe(2000);
  });

  it("to somebody without a seat makes a spectator", () => {
    come().say(welcome(9, { seats: [], views: [view(null, 4)] }));
    expect(live.eyes).toBeNull();
    expect(live.hosting).toBe(false);
    expect(live.views.get(null)).toMatchObject({ round: 4 });
  });
});

describe("what our seats see", () => {
  it("is asked for once and for all, and comes with the steps", () => {
    const socket = come(0, 2);
    expect(socket.asked("hello")[0]).toMatchObject({ views: true });
    socket.say(welcome(9, { seats: [0, 2], views: [view(0, 1), view(2, 1)] }));
    socket.say(step(10), step(11), views(11, view(2, 2)));
    expect([...live.views.values()].map((seen) => (seen as BuffetView).round)).toEqual([1, 2]);
    expect(looks()).toBe(0);
  });

  it("comes behind everything that was missed", async () => {
    come(0).say(welcome(9, { views: [view(0, 1)] }));
    FakeSocket.last.breakDown();
    await vi.advanceTimersByTimeAsync(100);
    FakeSocket.last.accept().say(resumed(11), step(10), step(11), views(11, view(0, 3)));
    expect(live.views.get(0)).toMatchObject({ round: 3 });
    expect(looks()).toBe(0);
  });

  it("is followed by what has happened since", () => {
    const numbers = (seat: number) => live.since(seat).map((one) => one.number);
    const socket = come(0, 2);
    expect(numbers(0)).toEqual([]);
    socket.say(welcome(9, { seats: [0, 2], views: [view(0, 1), view(2, 1)], lines: [step(9)] }));
    expect(numbers(0)).toEqual([]);
    socket.say(step(10), step(11), views(10, view(2, 2)));
    expect([numbers(0), numbers(2)]).toEqual([[10, 11], [11]]);
    socket.say(house(12, "rematch", 0, { phase: "gathering", match: 2 }));
    expect(numbers(0)).toEqual([]);
  });
});

describe("a follower", () => {
  it("is told how things are, then in order what happens and how things are then", () => {
    const { calls, follower } = record();
    const socket = come(0);
    socket.say(welcome(9, { views: [view(0, 1)] }));
    live.follow(follower);
    socket.say(step(10), views(10, view(0, 2)));
    socket.say({ type: "say", number: 11, at: 0, seat: 1, text: "Hi" }, step(12), views(12, view(0, 3)));
    expect(calls).toEqual(["reset 9: 1", "step 10", "settle 10: 2", "step 12", "settle 12: 3"]);
  });

  it("begins anew with a new welcome", () => {
    const { calls, follower } = record();
    come(0).say(welcome(9, { views: [view(0, 1)] }));
    live.follow(follower);
    live.reseat();
    FakeSocket.last.accept().say(welcome(20, { views: [view(0, 5)] }));
    expect(calls.at(-1)).toBe("reset 20: 5");
  });

  it("sees through one pair of eyes only", () => {
    const { calls, follower } = record();
    const socket = come(0, 2);
    socket.say(welcome(9, { seats: [0, 2], views: [view(0, 1), view(2, 1)] }));
    live.follow(follower);
    socket.say(step(10), views(10, view(0, 2), view(2, 2)));
    expect(calls).toEqual(["reset 9: 1", "step 10", "settle 10: 2"]);
  });

  it("stops when it wants, and not for another one", () => {
    const one = record();
    const other = record();
    const socket = come(0);
    socket.say(welcome(9, { views: [view(0, 1)] }));
    const stop = live.follow(one.follower);
    const stopOther = live.follow(other.follower);
    stop();
    socket.say(step(10));
    stopOther();
    socket.say(step(11));
    expect([one.calls, other.calls]).toEqual([["reset 9: 1"], ["reset 9: 1", "step 10"]]);
  });
});

describe("the story", () => {
  it("has what happened in the game; what was said is apart", () => {
    const socket = come(0);
    socket.say(welcome(9, { lines: [step(9)], views: [view(0, 1)] }), step(10), house(11, "away", 1));
    socket.say({ type: "react", number: 12, at: 0, seat: 1, sign: "wow" });
    expect(live.story.map(({ number }) => number)).toEqual([9, 10, 11]);
    expect(live.talk.map(({ number }) => number)).toEqual([12]);
  });

  it("ends with the end, and the game is over", () => {
    come(0).say(welcome(9, { views: [view(0, 1)], to_act: [0] }), step(10, { entries: [end] }));
    expect(live.table?.phase).toBe("over");
    expect(live.toAct).toEqual([]);
  });

  it("begins anew with each game", () => {
    come(0).say(welcome(9, { views: [view(0, 1)] }), step(10, { entries: [end] }));
    FakeSocket.last.say(house(11, "rematch", 0, { phase: "gathering", match: 2 }));
    expect(live.story.map(({ number }) => number)).toEqual([11]);
    expect(live.views.size).toBe(0);
    FakeSocket.last.say(house(12, "begin", null, { match: 2 }));
    expect(live.story.map(({ number }) => number)).toEqual([12]);
  });
});

describe("another history", () => {
  const talk = (number: number, text: string) => ({ type: "say", number, at: 0, seat: 1, text }) as const;

  /** The server was put back to a backup: we come back with our number, and are told everything anew. */
  async function putBack(number: number, more: Partial<Welcome>): Promise<FakeSocket> {
    FakeSocket.last.breakDown();
    await vi.advanceTimersByTimeAsync(100);
    FakeSocket.last.accept().say(welcome(number, { epoch: "second", ...more }));
    FakeSocket.last.accept().say(welcome(number, { epoch: "second", ...more }));
    return FakeSocket.last;
  }

  it("replaces all that we knew of the table", async () => {
    const { calls, follower } = record();
    come(0).say(welcome(20, { views: [view(0, 6)], to_act: [0], lines: [step(19)], talk: [talk(18, "Old")] }));
    live.follow(follower);
    FakeSocket.last.say(step(21), talk(22, "Older"));
    const { history } = live;
    const more = { views: [view(0, 2)], to_act: [1], lines: [step(7), step(8)], talk: [talk(5, "New")] };
    const socket = await putBack(8, more);
    expect(live.history).not.toBe(history);
    expect(live.story.map(({ number }) => number)).toEqual([7, 8]);
    expect(live.talk).toEqual([talk(5, "New")]);
    expect(live.toAct).toEqual([1]);
    expect(live.views.get(0)).toMatchObject({ round: 2 });
    expect(calls.filter((call) => call.startsWith("reset"))).toEqual(["reset 20: 6", "reset 8: 2"]);
    // Lower numbers are news again.
    socket.say(step(9));
    expect(calls.at(-1)).toBe("step 9");
    socket.say(views(9, view(0, 3)));
    expect(live.views.get(0)).toMatchObject({ round: 3 });
  });

  it("is the same one when we come back with other seats, or after a restart of the server", async () => {
    come(0).say(welcome(9, { views: [view(0, 1)] }));
    const { history } = live;
    live.reseat();
    FakeSocket.last.accept().say(welcome(9, { views: [view(0, 1)] }));
    FakeSocket.last.breakDown();
    await vi.advanceTimersByTimeAsync(100);
    FakeSocket.last.accept().say(resumed(10, "second"), step(10));
    live.reseat();
    FakeSocket.last.accept().say(welcome(10, { epoch: "second", views: [view(0, 1)] }));
    expect(live.history).toBe(history);
  });

  it("gets what has no answer once more", async () => {
    come(0).say(welcome(20, { views: [view(0, 6)] }));
    void live.act(0, { do: "lay", card: 7 });
    const socket = await putBack(8, { views: [view(0, 2)] });
    expect(socket.asked("act")).toMatchObject([{ decision: { do: "lay", card: 7 } }]);
  });

  it("gets the promise of a nonce again, and what was noted of games that have not begun is forgotten", async () => {
    const gathering = { ...tableOf("Ada", "Bo", "Cy"), phase: "gathering" } as TableView;
    come(0).say(welcome(1, { table: gathering }));
    const [first] = FakeSocket.last.asked("pledge");
    const promised = {
      ...gathering,
      seats: gathering.seats.map((seat) => ({ ...seat, pledge: first!.hash as string })),
    };
    FakeSocket.last.say({ ...house(2, "pledge", 0, promised), id: first!.id as string });
    FakeSocket.last.say(house(3, "start", 0, { ...promised, phase: "shuffling", commitment: "old" }));
    expect(noted(CODE, 1)?.commitment).toBe("old");
    await vi.advanceTimersByTimeAsync(0);
    const socket = await putBack(1, { table: promised });
    expect(noted(CODE, 1)).toBeUndefined();
    expect(socket.asked("pledge")).toHaveLength(1);
    expect(socket.asked("pledge")[0]!.hash).not.toBe(first!.hash);
  });
});

describe("what people do", () => {
  it("is refused with a reason that stays until something else works", async () => {
    const socket = come(0);
    socket.say(welcome(9, { views: [view(0, 1)] }));
    const refused = live.act(0, { do: "lay", card: 7 });
    const { id, ...act } = socket.asked("act")[0]!;
    expect(act).toEqual({ do: "act", seat: 0, decision: { do: "lay", card: 7 } });
    socket.say({ type: "refused", id: id as string, code: "illegal", rule: "B7", sentence: "No." });
    await expect(refused).resolves.toBe(false);
    expect(live.refusal).toMatchObject({ code: "illegal", rule: "B7" });
    const accepted = live.act(0, { do: "lay", card: 8 });
    socket.say(step(10, { id: socket.asked("act")[1]!.id as string }));
    await expect(accepted).resolves.toBe(true);
    expect(live.refusal).toBeUndefined();
  });

  it("is refused without a word where there is an excuse", async () => {
    const socket = come(0);
    socket.say(welcome(9, { views: [view(0, 1)] }));
    const refused = live.act(0, { do: "back", place: 7 }, () => true);
    const { id } = socket.asked("act")[0]!;
    socket.say({ type: "refused", id: id as string, code: "illegal", rule: "D8", sentence: "No." });
    await expect(refused).resolves.toBe(false);
    expect(live.refusal).toBeUndefined();
  });

  it("is no refusal when the page leaves", async () => {
    come(0).say(welcome(9, { views: [view(0, 1)] }));
    const decided = live.act(0, { do: "lay", card: 7 });
    live.close();
    await expect(decided).resolves.toBe(false);
    expect(live.refusal).toBeUndefined();
  });

  it("in talk is refused to whoever has talked", async () => {
    const socket = come(0);
    socket.say(welcome(9, { views: [view(0, 1)] }));
    const said = live.say(0, "Hm");
    const { id } = socket.asked("say")[0]!;
    socket.say({ type: "refused", id: id as string, code: "chat-off", rule: null, sentence: "No." });
    await expect(said).rejects.toMatchObject({ code: "chat-off" });
    expect(live.refusal).toBeUndefined();
  });

  it("as the host is done from the host's seat", () => {
    const table = { ...tableOf("Ada", "Bo", "Cy"), host: 2, phase: "over" } as TableView;
    const socket = come(0, 2);
    socket.say(welcome(9, { table, seats: [0, 2], views: [view(0, 1), view(2, 1)] }));
    void live.rematch();
    expect(socket.asked("rematch")[0]).toMatchObject({ seat: 2 });
  });

  it("gives a pass to another device, and another one if the first got lost with the line", async () => {
    const socket = come(0);
    socket.say(welcome(9, { views: [view(0, 1)] }));
    const pass = live.pass(0);
    const answer = (index: number, more: object) =>
      socket.say({ type: "accepted", id: socket.asked("pass")[index]!.id as string, number: 10, ...more });
    answer(0, {});
    await vi.advanceTimersByTimeAsync(0);
    answer(1, { pass: "secret" });
    await expect(pass).resolves.toBe("secret");
  });
});

describe("our share of the shuffles", () => {
  const table = (phase: TableView["phase"], match: number, pledge: string | null): TableView => {
    const { seats, ...rest } = tableOf("Ada", "Bo", "Cy");
    return { ...rest, phase, match, seats: seats.map((seat): Seat => ({ ...seat, pledge })) };
  };
  const hashOf = (nonce: string) => bytesToHex(sha256(hexToBytes(nonce)));
  const nonce = () => keyRing.at(CODE)[0]?.nonce;

  it("is promised before the game and given when it starts, also in a rematch", () => {
    const socket = come(0);
    socket.say(welcome(1, { table: table("gathering", 1, null) }));
    const first = nonce()!;
    expect(socket.asked("pledge")).toHaveLength(1);
    expect(socket.asked("pledge")[0]).toMatchObject({ seat: 0, hash: hashOf(first) });
    socket.say(house(2, "sit", 1, table("gathering", 1, null))); // the answer is still on its way
    expect(socket.asked("pledge")).toHaveLength(1);
    socket.say(house(3, "pledge", 0, table("gathering", 1, hashOf(first))));
    expect(socket.asked("nonce")).toEqual([]);
    socket.say(house(4, "start", 0, table("shuffling", 1, hashOf(first))));
    socket.say(house(5, "nonce", 1, table("shuffling", 1, hashOf(first))));
    expect(socket.asked("nonce")).toHaveLength(1);
    expect(socket.asked("nonce")[0]).toMatchObject({ seat: 0, nonce: first });
    expect(nonce()).toBeNull();
    socket.say(house(6, "begin", null, table("playing", 1, hashOf(first))));
    expect(socket.asked("pledge")).toHaveLength(1);
    socket.say(house(7, "rematch", 0, table("gathering", 2, null)));
    expect(socket.asked("pledge")).toHaveLength(2);
    expect(nonce()).not.toBe(first);
    expect(socket.asked("pledge")[1]).toMatchObject({ hash: hashOf(nonce()!) });
  });

  it("is promised anew by a device to which the seat was taken along", () => {
    keyRing.add(CODE, "buffet", { seat: 0, name: "Ada", token: "key0", nonce: null });
    live = new LiveTable(CODE);
    FakeSocket.last.accept().say(welcome(1, { table: table("gathering", 1, "by the other device") }));
    expect(FakeSocket.last.asked("pledge")).toHaveLength(1);
    expect(FakeSocket.last.asked("pledge")[0]).toMatchObject({ hash: hashOf(nonce()!) });
  });

  const alone = (phase: TableView["phase"], pledge: string | null): TableView => {
    const { seats, ...rest } = table(phase, 1, pledge);
    return { ...rest, seats: seats.map((seat, at): Seat => (at > 0 ? { ...seat, kind: "bot", bot: "greedy" } : seat)) };
  };

  it("follows the start at once where only bots wait, and is given once", async () => {
    const socket = come(0);
    socket.say(welcome(1, { seats: [0], table: alone("gathering", hashOf("00")) }));
    const started = live.start();
    expect(socket.sent.slice(-2)).toMatchObject([{ do: "start" }, { do: "nonce", seat: 0, nonce: "00" }]);
    socket.say({
      ...house(2, "start", 0, alone("shuffling", hashOf("00"))),
      id: socket.asked("start")[0]!["id"] as string,
    });
    expect(await started).toBe(true);
    expect(socket.asked("nonce")).toHaveLength(1);
    expect(noted(CODE, 1)?.nonces).toEqual({ 0: "00" });
  });

  it("is another one after a start that was refused", async () => {
    const socket = come(0);
    socket.say(welcome(1, { seats: [0], table: alone("gathering", hashOf("00")) }));
    const started = live.start();
    const id = socket.asked("start")[0]!["id"] as string;
    socket.say({ type: "refused", id, code: "seats-free", rule: null, sentence: "" });
    expect(await started).toBe(false);
    expect(noted(CODE, 1)).toBeUndefined();
    expect(socket.asked("pledge")).toMatchObject([{ seat: 0, hash: hashOf(nonce()!) }]);
    expect(nonce()).not.toBe("00");
  });

  it("keeps what it gave when the page leaves before the answer", async () => {
    const socket = come(0);
    socket.say(welcome(1, { seats: [0], table: alone("gathering", hashOf("00")) }));
    const started = live.start();
    live.close();
    expect(await started).toBe(false);
    expect(noted(CODE, 1)?.nonces).toEqual({ 0: "00" });
    expect(socket.asked("pledge")).toEqual([]);
  });

  it("is another one, and nothing is held against the table, if the start never got there", () => {
    const line = come(0);
    line.say(welcome(1, { seats: [0], table: alone("gathering", hashOf("00")) }));
    line.breakDown();
    void live.start();
    live.close(); // the page is opened anew
    const socket = come();
    socket.say(welcome(1, { seats: [0], table: alone("gathering", hashOf("00")) }));
    expect(socket.asked("pledge")).toMatchObject([{ hash: hashOf(nonce()!) }]);
    expect(noted(CODE, 1)).toBeUndefined();
  });

  it("waits for the answer where others give theirs, too", () => {
    const socket = come(0);
    socket.say(welcome(1, { seats: [0], table: table("gathering", 1, hashOf("00")) }));
    void live.start();
    expect(socket.asked("nonce")).toEqual([]);
  });

  it("is promised for our seats only", () => {
    const socket = come();
    socket.say(welcome(1, { seats: [], table: table("gathering", 1, null) }));
    expect(socket.asked("pledge")).toEqual([]);
  });
});

describe("a seat that is gone", () => {
  const everyone = (...seats: number[]) => welcome(9, { seats, views: seats.map((seat) => view(seat, 1)) });

  it("leaves its key nowhere", () => {
    come(0).say(everyone(0), house(10, "take", 0), bye("seat-moved"));
    expect(tokens()).toEqual([]);
    expect(live.bye?.code).toBe("seat-moved");
  });

  it("keeps the key that another window of this browser has got for it", () => {
    come(0).say(everyone(0));
    keyRing.add(CODE, "buffet", { seat: 0, name: "Ada", token: "new", nonce: null });
    FakeSocket.last.say(house(10, "take", 0), bye("seat-moved"));
    expect(tokens()).toEqual(["new"]);
  });

  it.each(["take", "remove", "leave"] as const)("by %s leaves us the others", (what) => {
    const socket = come(0, 2);
    socket.say(everyone(0, 2), house(10, what, 0));
    expect(tokens()).toEqual(["key2"]);
    expect(socket.isClosed).toBe(true);
    expect(FakeSocket.last.accept().asked("hello")[0]).toMatchObject({ tokens: ["key2"], after: null });
    FakeSocket.last.say(everyone(2));
    expect(live.seats).toEqual([2]);
    expect([...live.views.keys()]).toEqual([2]);
  });

  it("of others is none of our business", () => {
    const socket = come(0);
    socket.say(everyone(0), house(10, "leave", 1));
    expect(tokens()).toEqual(["key0"]);
    expect(socket.isClosed).toBe(false);
  });

  it("makes us watch after we have got up", async () => {
    const socket = come(0);
    socket.say(everyone(0));
    const left = live.leave(0);
    socket.say({ ...house(10, "leave", 0), id: socket.asked("leave")[0]!.id as string });
    await expect(left).resolves.toBe(true);
    expect(tokens()).toEqual([]);
    expect(FakeSocket.last.accept().asked("hello")[0]).toMatchObject({ tokens: [] });
  });

  it("is forgotten when its key opens nothing at the first hello", () => {
    come(0).say(bye("bad-token"));
    expect(tokens()).toEqual([]);
    expect(live.bye?.code).toBe("bad-token");
  });

  it("does not take the others with it: each key is tried", async () => {
    come(0, 2).say(bye("bad-token"));
    expect(live.bye).toBeUndefined();
    FakeSocket.last.accept().say(bye("bad-token"));
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeSocket.last.accept().asked("hello")[0]).toMatchObject({ tokens: ["key2"] });
    FakeSocket.last.say(everyone(2));
    await vi.advanceTimersByTimeAsync(0);
    expect(tokens()).toEqual(["key2"]);
    FakeSocket.last.accept().say(everyone(2));
    expect(live.link).toBe("open");
    expect(live.seats).toEqual([2]);
  });

  it("is told of once none of the keys opens anything", async () => {
    come(0, 2).say(bye("bad-token"));
    for (let count = 0; count < 2; count++) {
      FakeSocket.last.accept().say(bye("bad-token"));
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(tokens()).toEqual([]);
    expect(live.bye?.code).toBe("bad-token");
  });

  it("was taken away by the host, and we know it", () => {
    come(0).say(everyone(0), house(10, "remove", 0), bye("seat-moved"));
    expect(tokens()).toEqual([]);
    expect(live.removed).toBe(true);
  });

  it("stays on the key ring when its table is closed: at home one may forget it", async () => {
    const socket = come(0);
    socket.say(everyone(0));
    const done = live.closeTable();
    expect(live.closed).toBe(false);
    const id = socket.asked("close")[0]!.id as string;
    socket.say({ ...house(10, "close", 0, { phase: "closed" }), id }, bye("table-closed"));
    await expect(done).resolves.toBe(true);
    expect(live.closed).toBe(true);
    expect(tokens()).toEqual(["key0"]);
  });

  it("goes with its table", () => {
    come(0).say(bye("no-such-table"));
    expect(keyRing.tables).toEqual([]);
  });
});

describe("the clock of a game in real time", () => {
  it("is the server's, and is set by what happens", async () => {
    const socket = come(0);
    socket.say(welcome(9, { now: Date.now() + 5000, clock_ms: 700 }));
    expect(live.clock()).toBe(700);
    await vi.advanceTimersByTimeAsync(300);
    expect(live.clock()).toBe(1000);
    socket.say(step(10, { at: Date.now() + 5000, entries: [{ by: 1, do: "take", place: 3, ms: 900 }] }));
    expect(live.clock()).toBe(900);
  });

  it("counts down to the opening, also for those who come meanwhile", () => {
    const countdown = { type: "countdown" as const, number: 9, at: Date.now(), seat: 2, ms: 3000 };
    const socket = come(0);
    socket.say(welcome(9, { lines: [countdown] }));
    expect(live.countdown).toEqual(countdown);
    expect(live.until(countdown.at + countdown.ms)).toBe(3000);
    socket.say(step(10));
    expect(live.countdown).toBeUndefined();
    socket.say({ ...countdown, number: 11 });
    expect(live.countdown).toMatchObject({ number: 11 });
  });
});
