/**
 * One table's socket: numbered lines come in, each once and in order; commands go out, each answered once.
 *
 * Connections break. Then we come back with the number of the last line we have, get what we have missed, and send
 * again what has got no answer; the server knows a command again by its id, so nothing is carried out twice.
 *
 * A server that was put back to a backup counts on from there, so numbers come up again for other lines. The epoch tells
 * whether a number counts the same lines; if it does not, we begin anew.
 */

import { Refused } from "./http";
import { Inbox } from "./inbox";
import type { Accepted, Bye, Command, Message, Presence, Resumed, Views, Welcome } from "./messages";
import { addressOf, helloOf, takeAhead } from "./opening";

export type Line = Extract<Message, { number: number; at: number }>;
export type Answer = Line | Accepted;

/** `waiting`: for the next attempt; `catching-up`: connected, missed lines are coming. */
export type LinkState = "connecting" | "catching-up" | "open" | "waiting" | "closed";

/** What the table has to say, in the order in which it happened; `at`: when it came. */
export interface Listener {
  welcome(message: Welcome, at: number): void;
  resumed(message: Resumed, at: number): void;
  line(line: Line): void;
  onViews(message: Views): void;
  onPresence(message: Presence): void;
  goodbye(message: Bye): void;
  linked(state: LinkState): void;
}

type WithoutId<C> = C extends unknown ? Omit<C, "id"> : never;
/** A command as the page gives it; the connection adds the id. */
export type Order = WithoutId<Command>;

interface Pending {
  message: string;
  resolve(answer: Answer): void;
  reject(why: Refused): void;
}

const FIRST_WAIT_MS = 100;
const QUICK_WAIT_MS = 1000;
/** A server that is started again is back soon: for so long we do not wait longer than that between attempts. */
const QUICK_MS = 30_000;
const LONGEST_WAIT_MS = 10_000;
/** A line that gives no answer for so long is taken for dead: a browser does not tell when a network is gone. */
const PATIENCE_MS = 8000;
/** After so long without a word we ask whether the table is still there; nobody else would notice. */
const QUIET_MS = 20_000;
/** The id's beginning: no other page of ours, before or after, has used it for this seat. */
const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(36)).join("");

export class Connection {
  #socket: WebSocket | null = null;
  #tokens: string[];
  #last: number | null = null; // the number of the last line we have
  #epoch: string | null = null; // in which it counts
  #target = 0; // the last line there was when we came back
  #pending = new Map<string, Pending>();
  #prefix = fresh();
  #count = 0;
  #failures = 0;
  /** When the first of these failures was. */
  #lostAt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #closed = false; // the page has left the table
  #dismissed = false; // the table has said goodbye for good
  #ready = false; // what we send now is heard

  constructor(
    readonly code: string,
    tokens: string[],
    private readonly listener: Listener,
    private readonly open: (url: string) => WebSocket = (url) => new WebSocket(url),
  ) {
    this.#tokens = tokens;
    addEventListener("online", this.#hurry);
    addEventListener("offline", this.#lost);
    document.addEventListener("visibilitychange", this.#awake);
    this.#connect();
  }

  /** Send a command; the promise holds across broken connections. */
  send(order: Order): Promise<Answer> {
    if (this.#over) return Promise.reject(new Refused("closed", null, "There is no line to the table any more."));
    const id = `${this.#prefix}${this.#count++}`;
    const message = JSON.stringify({ ...order, id });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { message, resolve, reject });
      if (this.#ready) this.#transmit(message);
    });
  }

  /** Come back with other seats: what may be seen changes, so we begin anew. */
  sitWith(tokens: string[]): void {
    if (this.#closed) return;
    this.#dismissed = false;
    this.#tokens = tokens;
    this.#failures = 0;
    this.#beginAnew();
  }

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.#hurry);
    removeEventListener("offline", this.#lost);
    document.removeEventListener("visibilitychange", this.#awake);
    this.#drop();
    this.#refuseAll("closed", "The page has left the table.");
  }

  // --- The line ------------------------------------------------------------------------------------------------------

  get #over(): boolean {
    return this.#closed || this.#dismissed;
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.listener.linked("connecting");
    const [address, hello] = [addressOf(this.code), helloOf(this.#tokens, this.#last, this.#epoch)];
    const { socket, messages } = takeAhead(address, hello) ?? { socket: this.open(address), messages: [] };
    const inbox = new Inbox((message, at) => {
      if (socket === this.#socket) this.#receive(JSON.parse(message) as Message, at);
    });
    this.#socket = socket;
    this.#expect();
    socket.onopen = () => {
      if (socket === this.#socket) socket.send(hello);
    };
    socket.onmessage = (event: MessageEvent<string>) => inbox.put(event.data);
    socket.onclose = () => {
      inbox.empty();
      if (socket === this.#socket) this.#lost();
    };
    // What was said before is in the first picture already; whoever makes us has to be ready for it.
    queueMicrotask(() => {
      for (const { text, at } of messages) inbox.put(text, at);
      if (messages.length > 0) inbox.empty();
    });
  }

  /** As somebody who knows nothing: then we are told what has happened in this game, too. */
  #beginAnew(): void {
    this.#last = this.#epoch = null;
    this.#drop();
    this.#connect();
  }

  #lost = (): void => {
    this.#drop();
    if (this.#over) return;
    // Never all clients at the same moment: a server that comes back is not to be overrun.
    if (this.#failures === 0) this.#lostAt = Date.now();
    const longest = Date.now() - this.#lostAt < QUICK_MS ? QUICK_WAIT_MS : LONGEST_WAIT_MS;
    const wait = Math.random() * Math.min(longest, FIRST_WAIT_MS * 2 ** this.#failures++);
    this.#retry = setTimeout(() => this.#connect(), wait);
    this.listener.linked("waiting");
  };

  #drop(): void {
    clearTimeout(this.#retry);
    this.#listened();
    const socket = this.#socket;
    this.#socket = null;
    this.#ready = false;
    socket?.close();
  }

  /** The network is back, or somebody looks at the page again: now is the time. */
  #hurry = (): void => {
    if (this.#over || this.#socket) return;
    this.#failures = 0;
    this.#connect();
  };

  /** A page that was out of sight may have slept through the end of its line. */
  #awake = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.#ready) this.#knock();
    else this.#hurry();
  };

  /** Whatever is answered, it says that the line holds. */
  #knock = (): void => {
    void this.send({ do: "look" }).catch(() => undefined);
  };

  /** An answer is due, counted from the first question that has none. */
  #expect(): void {
    this.#patience ??= setTimeout(this.#lost, PATIENCE_MS);
  }

  #listened(): void {
    clearTimeout(this.#patience);
    clearTimeout(this.#quiet);
    this.#patience = undefined;
  }

  #transmit(message: string): void {
    // A line that is just breaking takes nothing any more; what it did not take is sent again by the next one.
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(message);
    this.#expect();
  }

  // --- What comes ----------------------------------------------------------------------------------------------------

  #receive(message: Message, at: number): void {
    this.#listened();
    switch (message.type) {
      case "welcome":
        if (this.#last !== null) {
          this.#beginAnew(); // what we have is too old, or of another history
          break;
        }
        this.#last = this.#target = message.number;
        this.#epoch = message.epoch;
        this.listener.welcome(message, at);
        this.#arrived();
        break;
      case "resumed":
        this.#target = message.number;
        this.#epoch = message.epoch;
        this.listener.resumed(message, at);
        if (this.#last === message.number) this.#arrived();
        else this.listener.linked("catching-up");
        break;
      case "views":
        this.listener.onViews(message);
        break;
      case "presence":
        this.listener.onPresence(message);
        break;
      case "accepted":
        this.#settle(message.id, (pending) => pending.resolve(message));
        break;
      case "refused": {
        const refused = new Refused(message.code, message.rule, message.sentence);
        if (message.id !== null) this.#settle(message.id, (pending) => pending.reject(refused));
        break;
      }
      case "bye":
        this.#bye(message);
        break;
      default:
        this.#line(message);
    }
    if (!this.#socket) return;
    if (!this.#ready || this.#pending.size > 0) this.#expect();
    else this.#quiet = setTimeout(this.#knock, QUIET_MS);
  }

  /** Lines come in order and without gaps, or we ask for them again. */
  #line(line: Line): void {
    if (this.#last !== null && line.number > this.#last + 1) {
      this.#lost();
      return;
    }
    if (this.#last === null || line.number === this.#last + 1) {
      this.#last = line.number;
      this.listener.line(line);
    }
    if (line.id) this.#settle(line.id, (pending) => pending.resolve(line));
    // After some lines the page comes back with other seats: then there is nothing to arrive at yet.
    if (!this.#ready && this.#last === this.#target) this.#arrived();
  }

  /** We are up to date: what has got no answer is sent again. */
  #arrived(): void {
    this.#failures = 0;
    this.#ready = true;
    for (const { message } of this.#pending.values()) this.#transmit(message);
    this.listener.linked("open");
  }

  #settle(id: string, how: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    how(pending);
  }

  #bye(message: Bye): void {
    if (message.again) {
      this.#lost();
      return;
    }
    this.#dismissed = true;
    this.#drop();
    this.listener.linked("closed");
    this.#refuseAll(message.code, message.sentence);
    this.listener.goodbye(message);
  }

  #refuseAll(code: string, sentence: string): void {
    for (const pending of this.#pending.values()) pending.reject(new Refused(code, null, sentence));
    this.#pending.clear();
  }
}

/** Does this token still open a seat of the table? */
export function opens(code: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const nothing = () => undefined;
    const found = (does: boolean) => {
      connection.close();
      resolve(does);
    };
    const connection = new Connection(code, [token], {
      welcome: () => found(true),
      goodbye: (message) => found(message.code !== "bad-token"),
      resumed: nothing,
      line: nothing,
      onViews: nothing,
      onPresence: nothing,
      linked: nothing,
    });
  });
}
