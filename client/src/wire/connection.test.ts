import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bye, CODE, EPOCH, FakeSocket, fakeLine, presence, resumed, step, welcome } from "~/testing/fakeTable";
import { Connection, opens, type Answer, type Line, type LinkState, type Listener } from "./connection";
import type { Refused } from "./http";
import type { Bye, Welcome } from "./messages";
import { openAhead } from "./opening";

class Recorder implements Listener {
  lines: number[] = [];
  states: LinkState[] = [];
  welcomes: number[] = [];
  welcomedAt: number | undefined;
  byes: string[] = [];
  onLine: (line: Line) => void = () => undefined;

  welcome(message: Welcome, at: number): void {
    this.welcomes.push(message.number);
    this.welcomedAt = at;
  }
  resumed(): void {}
  line(line: Line): void {
    this.lines.push(line.number);
    this.onLine(line);
  }
  onViews(): void {}
  onPresence(): void {}
  goodbye(message: Bye): void {
    this.byes.push(message.code);
  }
  linked(state: LinkState): void {
    this.states.push(state);
  }
  get state(): LinkState {
    return this.states.at(-1)!;
  }
}

let recorder: Recorder;
let connection: Connection;

function connect(...tokens: string[]): void {
  recorder = new Recorder();
  connection = new Connection(CODE, tokens, recorder, fakeLine);
}

/** Connected and up to date with this line. */
function arrive(number = 5): void {
  connect("token");
  FakeSocket.last.accept().say(welcome(number));
}

/** The line breaks and is there again at once. */
function comeBack(): FakeSocket {
  FakeSocket.last.breakDown();
  vi.advanceTimersByTime(10_000);
  return FakeSocket.last.accept();
}

function outcome(answer: Promise<Answer>): { answer?: Answer; refused?: Refused } {
  const seen: { answer?: Answer; refused?: Refused } = {};
  answer.then(
    (given) => (seen.answer = given),
    (why: unknown) => (seen.refused = why as Refused),
  );
  return seen;
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  FakeSocket.all = [];
});
afterEach(() => {
  connection.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a line that was opened ahead", () => {
  beforeEach(() => {
    vi.stubGlobal("WebSocket", Object.assign(FakeSocket, { CONNECTING: 0, OPEN: 1, CLOSED: 3 }));
    openAhead(CODE, ["token"]);
  });
  afterEach(() => void vi.unstubAllGlobals());

  it("says hello by itself, and is taken with all that was said meanwhile", async () => {
    FakeSocket.last.accept().say(welcome(5));
    connect("token");
    await settled();
    FakeSocket.last.say(step(6));
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.last.asked("hello")).toMatchObject([
      { tokens: ["token"], after: null, recall: true, views: true },
    ]);
    expect(recorder.welcomes).toEqual([5]);
    expect(recorder.lines).toEqual([6]);
    expect(recorder.state).toBe("open");
  });

  it("waits until whoever takes it is ready, also in a window behind others, and says when it heard what", async () => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    const at = Date.now();
    FakeSocket.last.accept().say(welcome(5));
    vi.advanceTimersByTime(3000);
    connect("token");
    expect(recorder.welcomes).toEqual([]);
    await settled();
    expect(recorder.welcomes).toEqual([5]);
    expect(recorder.welcomedAt).toBe(at);
  });

  it("is taken before it is open, too", () => {
    connect("token");
    FakeSocket.last.accept().say(welcome(5));
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.last.asked("hello")).toHaveLength(1);
    expect(recorder.state).toBe("open");
  });

  it("is for one connection only", () => {
    connect("token");
    const first = connection;
    connect("token");
    first.close();
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("is given up where it has broken, or other seats are meant, or nobody comes", () => {
    const [broken] = FakeSocket.all;
    broken!.breakDown();
    connect("token");
    expect(FakeSocket.all).toHaveLength(2);

    openAhead(CODE, ["token"]);
    const other = FakeSocket.last;
    connection.close();
    connect("another");
    expect(other.isClosed).toBe(true);
    expect(FakeSocket.last).not.toBe(other);

    openAhead(CODE, ["token"]);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all[3]!.isClosed).toBe(true);
  });
});

describe("hello", () => {
  it("goes to the table's socket with our tokens, and asks for what has happened", () => {
    connect("one", "two");
    FakeSocket.last.accept();
    expect(FakeSocket.last.url).toBe(`ws://${location.host}/api/tables/nupadure/socket`);
    expect(FakeSocket.last.sent).toEqual([
      { do: "hello", tokens: ["one", "two"], after: null, epoch: null, recall: true, views: true },
    ]);
    expect(recorder.states).toEqual(["connecting"]);
  });

  it("says the last line that we have and the history it belongs to, when we come back", () => {
    arrive(5);
    FakeSocket.last.say(step(6));
    expect(comeBack().sent).toEqual([
      { do: "hello", tokens: ["token"], after: 6, epoch: EPOCH, recall: false, views: true },
    ]);
  });

  it("says the epoch that we were told last", () => {
    arrive(5);
    comeBack().say(resumed(5, "second"));
    expect(comeBack().sent[0]).toMatchObject({ after: 5, epoch: "second" });
  });
});

describe("lines", () => {
  it("come in order, each once", () => {
    arrive(5);
    FakeSocket.last.say(step(6), step(6), step(7), step(3));
    expect(recorder.lines).toEqual([6, 7]);
    expect(recorder.state).toBe("open");
  });

  it("are asked for again when one is missing", () => {
    arrive(5);
    FakeSocket.last.say(step(7));
    expect(recorder.lines).toEqual([]);
    expect(recorder.state).toBe("waiting");
    vi.advanceTimersByTime(100);
    FakeSocket.last.accept();
    expect(FakeSocket.last.sent[0]).toMatchObject({ after: 5 });
    FakeSocket.last.say(resumed(7), step(6), step(7));
    expect(recorder.lines).toEqual([6, 7]);
    expect(recorder.state).toBe("open");
  });

  it("of a line that we have given up are not heard any more", () => {
    arrive(5);
    const old = FakeSocket.last;
    comeBack().say(resumed(5));
    old.say(step(6));
    old.onclose?.();
    expect(recorder.lines).toEqual([]);
    expect(recorder.state).toBe("open");
  });

  it("that were missed come first: only then are we up to date", () => {
    arrive(5);
    const socket = comeBack();
    socket.say(resumed(7));
    expect(recorder.state).toBe("catching-up");
    socket.say(step(6));
    expect(recorder.state).toBe("catching-up");
    socket.say(step(7));
    expect(recorder.state).toBe("open");
  });

  it("that are too many are replaced by a new welcome", () => {
    arrive(5);
    const socket = comeBack();
    socket.say(welcome(4000));
    expect(socket.isClosed).toBe(true);
    FakeSocket.last.accept().say(welcome(4001));
    FakeSocket.last.say(step(4002));
    expect(recorder.welcomes).toEqual([5, 4001]);
    expect(recorder.lines).toEqual([4002]);
  });

  it("of another history are asked for from the beginning of the game, and numbers may be lower", () => {
    arrive(9);
    comeBack().say(welcome(4, { epoch: "second" }));
    expect(recorder.welcomes).toEqual([9]);
    const hello = { after: null, epoch: null, recall: true, views: true };
    expect(FakeSocket.last.accept().sent).toMatchObject([hello]);
    FakeSocket.last.say(welcome(4, { epoch: "second" }), step(5), step(6));
    expect(recorder.welcomes).toEqual([9, 4]);
    expect(recorder.lines).toEqual([5, 6]);
    expect(recorder.state).toBe("open");
    expect(comeBack().sent[0]).toMatchObject({ after: 6, epoch: "second" });
  });
});

describe("a command", () => {
  it("is answered by the line with its id", async () => {
    arrive(5);
    const seen = outcome(connection.send({ do: "say", seat: 0, text: "Hi" }));
    const { id } = FakeSocket.last.asked("say")[0]!;
    FakeSocket.last.say({ type: "say", number: 6, at: 0, seat: 0, text: "Hi", id: id as string });
    await settled();
    expect(seen.answer).toMatchObject({ type: "say", number: 6 });
  });

  it("is answered by accepted or refused", async () => {
    arrive(5);
    const accepted = outcome(connection.send({ do: "look" }));
    const refused = outcome(connection.send({ do: "start" }));
    const [{ id: look }, { id: start }] = FakeSocket.last.sent.slice(1) as [{ id: string }, { id: string }];
    FakeSocket.last.say(
      { type: "refused", id: start, code: "not-host", rule: null, sentence: "No." },
      { type: "accepted", id: look, number: 5, views: [] },
    );
    await settled();
    expect(accepted.answer).toMatchObject({ type: "accepted" });
    expect(refused.refused).toMatchObject({ code: "not-host", rule: null, message: "No." });
  });

  it("has an id that no other has", () => {
    arrive(5);
    for (let count = 0; count < 20; count++) outcome(connection.send({ do: "look" }));
    const ids = FakeSocket.last.asked("look").map(({ id }) => id as string);
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[!-~]{1,40}$/);
  });

  it("waits until we are welcome", () => {
    connect("token");
    FakeSocket.last.accept();
    outcome(connection.send({ do: "look" }));
    expect(FakeSocket.last.asked("look")).toEqual([]);
    FakeSocket.last.say(welcome(5));
    expect(FakeSocket.last.asked("look")).toHaveLength(1);
  });

  it("without an answer is sent again with its id, once what was missed is there", async () => {
    arrive(5);
    const seen = outcome(connection.send({ do: "say", seat: 0, text: "Hi" }));
    const [command] = FakeSocket.last.asked("say");
    const socket = comeBack();
    socket.say(resumed(6));
    expect(socket.asked("say")).toEqual([]);
    socket.say({ type: "say", number: 6, at: 0, seat: 0, text: "Hi" }); // it was heard; the line has no id now
    expect(socket.asked("say")).toEqual([command]);
    socket.say({ type: "accepted", id: command!.id as string, number: 6 });
    await settled();
    expect(seen.answer).toMatchObject({ type: "accepted", number: 6 });
    expect(comeBack().asked("say")).toEqual([]);
  });

  it("waits for the next line, if this one is breaking and we have not been told yet", () => {
    arrive(5);
    FakeSocket.last.isClosed = true;
    outcome(connection.send({ do: "start" }));
    expect(FakeSocket.last.asked("start")).toEqual([]);
    comeBack().say(resumed(5));
    expect(FakeSocket.last.asked("start")).toHaveLength(1);
  });

  it("is sent again after a welcome, too", () => {
    arrive(5);
    outcome(connection.send({ do: "start" }));
    comeBack().say(welcome(9, { epoch: "second" }));
    const socket = FakeSocket.last.accept();
    expect(socket.asked("start")).toEqual([]);
    socket.say(welcome(9, { epoch: "second" }));
    expect(socket.asked("start")).toHaveLength(1);
  });
});

describe("coming back", () => {
  /** How long we wait after so many failures in a row. */
  function fail(times: number): number[] {
    const found: number[] = [];
    for (let count = 0; count < times; count++) {
      const before = FakeSocket.all.length;
      FakeSocket.last.breakDown();
      let ms = 0;
      while (FakeSocket.all.length === before) vi.advanceTimersByTime((ms++, 1));
      found.push(ms);
    }
    return found;
  }

  it("takes longer each time, up to a second, and when that was in vain for half a minute, up to ten", () => {
    connect();
    const waits = fail(70);
    expect(waits.slice(0, 7)).toEqual([50, 100, 200, 400, 500, 500, 500]);
    const later = waits.findIndex((wait) => wait > 500);
    const lost = waits.slice(0, later).reduce((sum, wait) => sum + wait, 0);
    expect(lost).toBeGreaterThanOrEqual(30_000);
    expect(lost).toBeLessThan(31_000);
    expect(new Set(waits.slice(later))).toEqual(new Set([5000]));
  });

  it("is never at the same moment for all", () => {
    connect();
    vi.mocked(Math.random).mockReturnValueOnce(0.01).mockReturnValueOnce(0.99);
    expect(fail(2)).toEqual([1, 198]);
  });

  it("begins with short waits again after a welcome", () => {
    connect();
    fail(6);
    FakeSocket.last.accept().say(welcome(5));
    expect(fail(1)).toEqual([50]);
  });

  it("is hurried by the network's return", () => {
    connect();
    fail(8);
    FakeSocket.last.breakDown();
    const before = FakeSocket.all.length;
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all.length).toBe(before + 1);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all.length).toBe(before + 1);
    expect(fail(1)).toEqual([50]);
  });

  it("begins when the browser says that the network is gone", () => {
    arrive(5);
    dispatchEvent(new Event("offline"));
    expect(FakeSocket.last.isClosed).toBe(true);
    expect(recorder.state).toBe("waiting");
  });

  it("happens after a bye that says so", () => {
    arrive(5);
    FakeSocket.last.say(bye("server-stops", true));
    expect(recorder.byes).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("does not happen after a bye for good", async () => {
    arrive(5);
    const pending = outcome(connection.send({ do: "look" }));
    FakeSocket.last.say(bye("seat-moved"));
    FakeSocket.last.onclose?.();
    dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(recorder.byes).toEqual(["seat-moved"]);
    expect(recorder.state).toBe("closed");
    expect(pending.refused).toMatchObject({ code: "seat-moved" });
    await expect(connection.send({ do: "look" })).rejects.toMatchObject({ code: "closed" });
  });
});

describe("silence", () => {
  it("for eight seconds after a question means that the line is dead", () => {
    arrive(5);
    outcome(connection.send({ do: "look" }));
    vi.advanceTimersByTime(7999);
    expect(recorder.state).toBe("open");
    vi.advanceTimersByTime(1);
    expect(FakeSocket.all[0]!.isClosed).toBe(true);
    expect(recorder.state).toBe("waiting");
  });

  it("is not made longer by asking again and again", () => {
    arrive(5);
    for (let count = 0; count < 4; count++) {
      outcome(connection.send({ do: "look" }));
      vi.advanceTimersByTime(2000);
    }
    expect(recorder.state).toBe("waiting");
  });

  it("is broken by whatever comes", () => {
    arrive(5);
    outcome(connection.send({ do: "look" }));
    vi.advanceTimersByTime(5000);
    FakeSocket.last.say(presence());
    vi.advanceTimersByTime(5000);
    expect(recorder.state).toBe("open");
  });

  it("while connecting, or while lines are missing, leads to another attempt", () => {
    connect("token");
    vi.advanceTimersByTime(8000);
    expect(recorder.state).toBe("waiting");
    vi.advanceTimersByTime(50);
    FakeSocket.last.accept().say(welcome(5));
    comeBack().say(resumed(9), step(6));
    vi.advanceTimersByTime(8000);
    expect(recorder.state).toBe("waiting");
  });

  it("of a table that has nothing to say is asked about", () => {
    arrive(5);
    vi.advanceTimersByTime(19_999);
    expect(FakeSocket.last.asked("look")).toEqual([]);
    vi.advanceTimersByTime(1);
    const [look] = FakeSocket.last.asked("look");
    FakeSocket.last.say({ type: "accepted", id: look!.id as string, number: 5, views: [] });
    vi.advanceTimersByTime(19_000);
    expect(recorder.state).toBe("open");
    vi.advanceTimersByTime(9000); // this time nobody answers
    expect(recorder.state).toBe("waiting");
  });

  it("during sleep is found out as soon as somebody looks", () => {
    arrive(5);
    document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.last.asked("look")).toHaveLength(1);
    FakeSocket.last.breakDown();
    const before = FakeSocket.all.length;
    document.dispatchEvent(new Event("visibilitychange"));
    expect(FakeSocket.all.length).toBe(before + 1);
  });
});

describe("sitting down with other tokens", () => {
  it("begins anew", () => {
    arrive(5);
    const old = FakeSocket.last;
    connection.sitWith(["other"]);
    expect(old.isClosed).toBe(true);
    FakeSocket.last.accept();
    expect(FakeSocket.last.sent).toEqual([
      { do: "hello", tokens: ["other"], after: null, epoch: null, recall: true, views: true },
    ]);
    old.say(step(6));
    expect(recorder.lines).toEqual([]);
  });

  it("may happen because of a line, even the last one that was missed", () => {
    arrive(5);
    recorder.onLine = () => connection.sitWith(["other"]);
    const socket = comeBack();
    socket.say(resumed(6), step(6));
    expect(recorder.state).toBe("connecting");
    expect(FakeSocket.last).not.toBe(socket);
  });

  it("works after a goodbye, but not once the page has left", () => {
    arrive(5);
    FakeSocket.last.say(bye("bad-token"));
    connection.sitWith(["other"]);
    FakeSocket.last.accept().say(welcome(5));
    expect(recorder.state).toBe("open");
    connection.close();
    const before = FakeSocket.all.length;
    connection.sitWith(["third"]);
    expect(FakeSocket.all.length).toBe(before);
  });
});

describe("close", () => {
  it("refuses what is pending and stays away", async () => {
    arrive(5);
    const pending = outcome(connection.send({ do: "look" }));
    connection.close();
    await settled();
    expect(pending.refused).toMatchObject({ code: "closed" });
    expect(FakeSocket.last.isClosed).toBe(true);
    dispatchEvent(new Event("online"));
    document.dispatchEvent(new Event("visibilitychange"));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("leaves no timer behind", () => {
    arrive(5);
    FakeSocket.last.breakDown();
    connection.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("trying a token", () => {
  beforeEach(() => vi.stubGlobal("WebSocket", FakeSocket));

  it.each([
    ["a welcome", () => FakeSocket.last.say(welcome(5)), true],
    ["a refusal", () => FakeSocket.last.say(bye("bad-token")), false],
    ["another goodbye", () => FakeSocket.last.say(bye("too-fast")), true],
  ])("ends with %s", async (_, answer, expected) => {
    const found = opens(CODE, "token");
    FakeSocket.last.accept();
    answer();
    await expect(found).resolves.toBe(expected);
    expect(FakeSocket.last.isClosed).toBe(true);
  });
});
