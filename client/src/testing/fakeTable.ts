/** For tests: a table at the other end of the line, which says what it is told to say. */

import {
  DEFAULT_TERMS,
  type Bye,
  type House,
  type Message,
  type Presence,
  type Resumed,
  type Step,
  type TableView,
  type Welcome,
} from "~/wire/messages";

export const CODE = "nupadure";
export const EPOCH = "first";

export class FakeSocket {
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: Record<string, unknown>[] = [];
  isOpen = false;
  isClosed = false;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  get readyState(): number {
    if (this.isClosed) return WebSocket.CLOSED;
    return this.isOpen ? WebSocket.OPEN : WebSocket.CONNECTING;
  }

  send(text: string): void {
    if (this.readyState !== WebSocket.OPEN) throw new Error("The browser would complain: this line is not open.");
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.isClosed = true;
  }

  // --- The other end ---

  accept(): this {
    this.isOpen = true;
    this.onopen?.();
    return this;
  }

  /** All in one go, and then pictures are drawn until everything was read. */
  say(...messages: Message[]): void {
    const { requestAnimationFrame } = globalThis;
    const pictures: FrameRequestCallback[] = [];
    globalThis.requestAnimationFrame = (draw) => pictures.push(draw);
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
    for (let draw = pictures.shift(); draw; draw = pictures.shift()) draw(0);
    globalThis.requestAnimationFrame = requestAnimationFrame;
  }

  breakDown(): void {
    this.isClosed = true;
    this.onclose?.();
  }

  /** What was sent with this verb. */
  asked(what: string): Record<string, unknown>[] {
    return this.sent.filter((message) => message.do === what);
  }
}

/** As the Connection wants it. */
export const fakeLine = (url: string) => new FakeSocket(url) as unknown as WebSocket;

export function tableOf(...names: string[]): TableView {
  return {
    code: CODE,
    game: "buffet",
    options: {},
    terms: { ...DEFAULT_TERMS },
    seats: names.map((name) => ({ kind: "person", name, bot: null, stand_in: false, pledge: "promised" })),
    host: 0,
    phase: "playing",
    match: 1,
    commitment: "",
    deck: null,
  };
}

export function welcome(number: number, more: Partial<Welcome> = {}): Welcome {
  return {
    type: "welcome",
    protocol: 1,
    number,
    now: Date.now(),
    epoch: EPOCH,
    clock_ms: null,
    table: tableOf("Ada", "Bo", "Cy"),
    seats: [0],
    views: [],
    to_act: [],
    talk: [],
    lines: [],
    ...more,
  };
}

export function resumed(number: number, epoch = EPOCH): Resumed {
  return { type: "resumed", number, now: Date.now(), epoch, clock_ms: null, seats: [0] };
}

export function step(number: number, more: Partial<Step> = {}): Step {
  return { type: "step", number, at: Date.now(), entries: [], to_act: [], ...more };
}

export function presence(more: Partial<Presence> = {}): Presence {
  return {
    type: "presence",
    here: [true, true, true],
    rtt_ms: [null, null, null],
    watching: 0,
    due: [null, null, null],
    ...more,
  };
}

export function house(number: number, what: House["do"], seat: number | null, table: Partial<TableView> = {}): House {
  const changed = { ...tableOf("Ada", "Bo", "Cy"), ...table };
  return { type: "house", number, at: 0, do: what, seat, table: changed };
}

export function bye(code: string, again = false): Bye {
  return { type: "bye", code, rule: null, sentence: "Bye.", again };
}
