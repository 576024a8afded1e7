/** A table as the page knows it, kept up to date by its connection; what people do at it goes through here. */

import { keyRing, newNonce, pledgeOf, type Key } from "~/device/keys.svelte";
import { forgetNotes, note } from "~/device/notes";
import { Connection, opens, type Line, type LinkState, type Listener, type Order } from "~/wire/connection";
import * as http from "~/wire/http";
import type {
  Bye, Chat, Countdown, GameDecision, GameView, House, Presence, React, Resumed, Step, TableView, Terms,
  Views, Welcome,
} from "~/wire/messages"; // prettier-ignore

/** What happened in the game, for those who show it. */
export interface Follower {
  /** Everything is as in this view now, which has everything up to the line of this number, and as these steps tell. */
  reset(view: GameView, number: number, steps: readonly Step[]): void;
  step(step: Step): void;
  /** The view as it is after the line of this number. */
  settle(view: GameView, number: number): void;
}

export type Talk = Chat | React;

const MOST_TALK = 200;
const NOBODY: Presence = { type: "presence", here: [], rtt_ms: [], watching: 0, due: [] };

export class LiveTable implements Listener {
  table = $state.raw<TableView>();
  /** Our seats; none: we watch. */
  seats = $state.raw<number[]>([]);
  /** What each of our seats sees, or a spectator's view under null. */
  views = $state.raw<ReadonlyMap<number | null, GameView>>(new Map());
  toAct = $state.raw<number[]>([]);
  presence = $state.raw(NOBODY);
  talk = $state.raw<Talk[]>([]);
  /** The signal was given, and the time until it counts is running. */
  countdown = $state.raw<Countdown>();
  /** All that has happened in this game, for the log. */
  story = $state.raw<Line[]>([]);
  /** Another object when all that has happened so far is replaced by another history; then numbers mean other lines. */
  history = $state.raw<object>({});
  link = $state<LinkState>("connecting");
  /** We have been connected before: what is missing now is only a piece of line. */
  met = $state(false);
  /** The table has said goodbye for good. */
  bye = $state.raw<Bye>();
  /** The host has asked us to leave. */
  removed = $state(false);
  /** What was refused last; shown until it is read or something else has worked. */
  refusal = $state.raw<http.Refused>();

  #keys: Key[] = []; // with which we have come
  #connection: Connection;
  #epoch: string | undefined; // to which our numbers belong
  #follower: Follower | undefined;
  #viewedAt = new Map<number | null, number>(); // the number that each view belongs to
  #clockAhead = 0;
  #began = 0; // when the clock of a game in real time would have shown 0, by the server's clock
  #promising = new Set<string>(); // games and seats for which we are just promising a nonce

  constructor(readonly code: string) {
    this.#connection = new Connection(code, this.#tokens(), this);
  }

  #tokens(): string[] {
    this.#keys = keyRing.at(this.code).map((key) => ({ ...key }));
    return this.#keys.map((key) => key.token);
  }

  close(): void {
    this.link = "closed";
    this.#connection.close();
  }

  /** Whose eyes we look through when nobody in particular looks: the first of our seats, or a spectator's. */
  get eyes(): number | null {
    return this.seats[0] ?? null;
  }

  get hosting(): boolean {
    return this.table?.host != null && this.seats.includes(this.table.host);
  }

  /** A game has been started and is not over. */
  get inGame(): boolean {
    return this.table?.phase === "shuffling" || this.table?.phase === "playing";
  }

  /** The table is closed, also if nobody has said goodbye yet. */
  get closed(): boolean {
    return this.table?.phase === "closed" || this.bye?.code === "table-closed";
  }

  /** People at other devices. */
  get others(): number[] {
    const seats = this.table?.seats ?? [];
    return seats.flatMap(({ kind }, seat) => (kind === "person" && !this.seats.includes(seat) ? [seat] : []));
  }

  /** Whom we may ask to leave. */
  get removable(): number[] {
    return this.hosting ? this.others : [];
  }

  /** What has happened since this seat was told what it sees. */
  since(seat: number | null): Step[] {
    const number = this.#viewedAt.get(seat) ?? Infinity;
    return this.#steps.slice(this.#steps.findLastIndex((step) => step.number <= number) + 1);
  }

  name(seat: number): string {
    return this.table?.seats[seat]?.name ?? `${seat + 1}`;
  }

  /** Milliseconds from now until a moment of the server's clock. */
  until(moment: number): number {
    return moment - (Date.now() + this.#clockAhead);
  }

  /** What the clock of a game in real time shows now, in milliseconds. */
  clock(): number {
    return Date.now() + this.#clockAhead - this.#began;
  }

  /** Show how things are, and what happens from now on; returns how to stop. */
  follow(follower: Follower): () => void {
    this.#follower = follower;
    this.#resetFollower();
    return () => {
      if (this.#follower === follower) this.#follower = undefined;
    };
  }

  // --- What people do ------------------------------------------------------------------------------------------------

  /** Resolves to whether it was accepted; `excused`: a refusal needs no words, as things are when it comes. */
  act(seat: number, decision: GameDecision, excused?: () => boolean): Promise<boolean> {
    return this.#order({ do: "act", seat, decision }, excused);
  }

  /** Rejects with what the table says against it, to be shown where it was said. */
  say(seat: number, text: string): Promise<unknown> {
    return this.#connection.send({ do: "say", seat, text });
  }

  react(seat: number, sign: React["sign"]): Promise<unknown> {
    return this.#connection.send({ do: "react", seat, sign });
  }

  async start(): Promise<boolean> {
    const started = this.#asHost({ do: "start" });
    if (this.others.length > 0) return started;
    // Where nobody else promises anything, our share of the shuffles need not wait for the answer.
    this.#giveNonces();
    const accepted = await started;
    // It was given for nothing: the game, once it begins, needs another one.
    if (!accepted && this.link === "open") this.#commitNonce();
    return accepted;
  }

  rematch(): Promise<boolean> {
    return this.#asHost({ do: "rematch" });
  }

  setBot(on: number, level: string | null): Promise<boolean> {
    return this.#asHost({ do: "bot", on, level });
  }

  remove(whom: number): Promise<boolean> {
    return this.#asHost({ do: "remove", whom });
  }

  /** For everybody and for good. */
  closeTable(): Promise<boolean> {
    return this.#asHost({ do: "close" });
  }

  setTerms(changes: Partial<Terms>): Promise<boolean> {
    return this.#asHost({ do: "terms", terms: { ...this.table!.terms, ...changes } });
  }

  leave(seat: number): Promise<boolean> {
    return this.#order({ do: "leave", seat });
  }

  /** Somebody sits down on this device. */
  async sit(name: string, seat: number | null = null): Promise<void> {
    const { nonce, pledge } = newNonce();
    const seated = await http.sit(this.code, { name, seat, pledge });
    keyRing.add(this.code, this.table?.game ?? "", { seat: seated.seat, name, token: seated.token, nonce });
    this.reseat();
  }

  /** The keys of this device have changed: come back with those it has now. */
  reseat(): void {
    this.#connection.sitWith(this.#tokens());
  }

  /** A pass with which another device takes the seat along. */
  async pass(seat: number): Promise<string> {
    const answer = await this.#connection.send({ do: "pass", seat });
    // A pass is told only once: if that got lost with the line, there is another one.
    return (answer.type === "accepted" && answer.pass) || this.pass(seat);
  }

  #asHost(order: Order): Promise<boolean> {
    return this.#order({ ...order, seat: this.table?.host ?? null });
  }

  async #order(order: Order, excused = () => false): Promise<boolean> {
    try {
      await this.#connection.send(order);
      this.refusal = undefined;
      return true;
    } catch (refused) {
      if (refused instanceof http.Refused && refused.code !== "closed" && !excused()) this.refusal = refused;
      return false;
    }
  }

  // --- What the table says -------------------------------------------------------------------------------------------

  welcome(message: Welcome, at: number): void {
    this.bye = undefined;
    this.removed = false;
    if (this.#epoch !== undefined && this.#epoch !== message.epoch) this.#forgetHistory(message.table);
    this.#epoch = message.epoch;
    this.#setClock(message, at);
    this.table = message.table;
    this.seats = message.seats;
    this.toAct = message.to_act;
    this.talk = message.talk;
    this.story = message.lines;
    const last = message.lines.at(-1);
    this.countdown = last?.type === "countdown" ? last : undefined;
    this.#forgetViews();
    this.#keepViews(message.views, message.number);
    this.#resetFollower();
    this.met = true;
    keyRing.touch(this.code);
    this.#commitNonce();
  }

  resumed(message: Resumed, at: number): void {
    this.#epoch = message.epoch;
    this.#setClock(message, at);
  }

  /** The server was put back to a backup: what we know may never have happened. */
  #forgetHistory(table: TableView): void {
    this.history = {};
    this.refusal = undefined;
    forgetNotes(this.code, table.phase === "gathering" ? table.match : table.match + 1);
  }

  #setClock({ now, clock_ms }: Welcome | Resumed, at: number): void {
    this.#clockAhead = now - at;
    if (clock_ms !== null) this.#began = now - clock_ms;
  }

  line(line: Line): void {
    if (line.type === "say" || line.type === "react") this.talk = [...this.talk, line].slice(-MOST_TALK);
    else if (line.type === "house") this.#house(line);
    else this.story = [...this.story, line];
    if (line.type === "step") this.#step(line);
    if (line.type === "countdown") this.countdown = line;
  }

  /** What our seats see and may do comes with the step that has changed it. */
  onViews({ views, number }: Views): void {
    this.#keepViews(views, number);
  }

  onPresence(message: Presence): void {
    this.presence = message;
  }

  goodbye(message: Bye): void {
    if (message.code === "bad-token" && this.#keys.length > 1) {
      void this.#tryKeys(message);
      return;
    }
    this.bye = message;
    if (message.code === "seat-moved" || message.code === "bad-token") this.#dropKeys(this.#keys);
    if (message.code === "no-such-table") keyRing.forget(this.code);
  }

  #dropKeys(keys: Key[]): void {
    for (const { token } of keys) keyRing.drop(this.code, token);
  }

  /** One of our keys opens nothing any more, and the table does not say which one. */
  async #tryKeys(message: Bye): Promise<void> {
    for (const key of this.#keys) if (!(await opens(this.code, key.token))) this.#dropKeys([key]);
    if (keyRing.at(this.code).length > 0) this.reseat();
    else this.bye = message;
  }

  linked(state: LinkState): void {
    this.link = state;
  }

  #house(line: House): void {
    this.table = line.table;
    if (line.do === "begin" || line.do === "rematch") {
      this.story = [];
      this.#forgetViews();
    }
    this.story = [...this.story, line];
    if (line.do === "take" || line.do === "remove" || line.do === "leave") this.#lose(line);
    this.#commitNonce();
  }

  /** A seat of ours has gone to another device, or was left, or we were asked to go; others of ours may stay. */
  #lose(line: House): void {
    if (line.seat === null || !this.seats.includes(line.seat)) return;
    this.#dropKeys(this.#keys.filter((key) => key.seat === line.seat));
    this.removed = line.do === "remove";
    if (line.do === "leave" || this.seats.length > 1) this.reseat();
  }

  #step(line: Step): void {
    this.toAct = line.to_act;
    this.countdown = undefined;
    const timed = line.entries.find((entry) => "ms" in entry && entry.ms !== undefined);
    if (timed && "ms" in timed) this.#began = line.at - timed.ms!;
    this.#follower?.step(line);
    if (line.entries.some((entry) => entry.do === "end") && this.table) this.table = { ...this.table, phase: "over" };
  }

  #forgetViews(): void {
    this.views = new Map();
    this.#viewedAt.clear();
  }

  #keepViews(views: Welcome["views"], number: number): void {
    const kept = new Map(this.views);
    for (const { seat, observation } of views) {
      kept.set(seat, observation);
      this.#viewedAt.set(seat, number);
    }
    this.views = kept;
    const seen = views.find((view) => view.seat === this.eyes);
    if (seen) this.#follower?.settle(seen.observation, number);
  }

  /** What has happened in this game, as far as we were told. */
  get #steps(): Step[] {
    return this.story.filter((line) => line.type === "step");
  }

  #resetFollower(): void {
    const view = this.views.get(this.eyes);
    if (view) this.#follower?.reset(view, this.#viewedAt.get(this.eyes)!, this.#steps);
  }

  /** Does the table have the promise of the very nonce that we keep? */
  #isPromised({ seat, nonce }: Key): boolean {
    return nonce !== null && this.table?.seats[seat]?.pledge === pledgeOf(nonce);
  }

  /** Our share of the shuffles: promise a nonce before the game, give it when the game is started. */
  #commitNonce(): void {
    if (this.table?.phase === "shuffling") this.#giveNonces();
    else if (this.table?.phase === "gathering") this.#promiseNonces();
  }

  get #ownKeys(): Key[] {
    return keyRing.at(this.code).filter(({ seat }) => this.seats.includes(seat));
  }

  #giveNonces(): void {
    const { match, commitment } = this.table!;
    for (const { seat, nonce } of this.#ownKeys) {
      if (nonce === null) continue;
      keyRing.promise(this.code, seat, null);
      note(this.code, match, commitment, seat, nonce);
      void this.#connection.send({ do: "nonce", seat, nonce }).catch(() => undefined);
    }
  }

  #promiseNonces(): void {
    for (const key of this.#ownKeys.filter((one) => !this.#isPromised(one))) {
      const { seat } = key;
      const promise = `${this.table!.match}:${seat}`;
      if (this.#promising.has(promise)) continue; // the answer is on its way
      this.#promising.add(promise);
      const { nonce, pledge } = newNonce();
      forgetNotes(this.code, this.table!.match); // what was given for a start that came to nothing
      keyRing.promise(this.code, seat, nonce);
      const answered = () => this.#promising.delete(promise);
      void this.#connection.send({ do: "pledge", seat, hash: pledge }).then(answered, answered);
    }
  }
}
