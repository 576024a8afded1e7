/** What the own hands are asked to do by touch or by keys, what is seen of it at once, and what becomes of it. */

import type { BoardProps } from "~/gamekit/game";
import { play } from "~/sound/sound";
import type { DashDecision, DashEntry, DashFood, DashPlace, DashSide, DashStance, DashView } from "~/wire/messages";
import { t } from "~/words/words.svelte";
import { handFor, isFilled, isOf, named, stanceOf } from "./hands";
import { beside, edgeOf, nearestFree, startOf } from "./heap";
import type { Stroke } from "./keys";
import { busyUntil } from "./meanwhile";
import { EXIT } from "./menu";
import type { DashPicture, PictureHand, PictureSeat, Reach } from "./picture";
import { predict, type Intent } from "./prediction";
import { tooLate } from "./story";

/** What a board is given, as far as input depends on it. */
export type Table = Pick<
  BoardProps<DashView, DashEntry>,
  "seat" | "view" | "names" | "options" | "time" | "lookingBack" | "act"
> & { readonly playback: { readonly shown: DashPicture } };

type Weighed = "keep" | "back" | "exit";
type Fate = "done" | "filled" | "refused";

const NOTE_MS = 2600;

export class Controller {
  /** With two hands: the one that the next touch of the heap is for. */
  asked = $state<DashSide | null>(null);
  /** Where keys have moved the two hands. */
  cursors = $state.raw<Partial<Record<DashSide, DashPlace>>>({});
  /** What has just gone wrong, in words. */
  note = $state.raw<{ text: string }>();
  /** What is on its way to the table. */
  #intents = $state.raw<readonly Intent[]>([]);
  /** Where the own hands went last: shown when they set out, not when the table says so. */
  #reaches = $state.raw<readonly (Reach | undefined)[]>([]);
  readonly #given: () => Table;

  /** As far as the table has told. */
  readonly settled = $derived.by((): DashPicture => this.#given().playback.shown);
  /** With what the own hands have set out to do. */
  readonly picture = $derived.by((): DashPicture => this.#predict());
  /** Whose hands are moved here, if anybody's. */
  readonly seat = $derived.by((): number | null => this.#given().seat);
  /** Who sits at the lower edge. */
  readonly near = $derived.by((): number => this.seat ?? this.#given().view.seat ?? 0);
  readonly mine = $derived.by((): PictureSeat => this.picture.seats[this.near]!);
  readonly twoHands = $derived.by((): boolean => this.mine.hands.length > 1);
  readonly lookingBack = $derived.by((): boolean => this.#given().lookingBack ?? false);
  /** Is anything to be decided here? */
  readonly acts = $derived.by((): boolean => this.seat !== null && !this.lookingBack);
  readonly opens = $derived.by(
    (): boolean => this.seat !== null && !this.picture.is_open && this.picture.legal.some((one) => one.do === "open"),
  );
  /** A card in hand can be put to a free place. */
  readonly holding = $derived.by((): boolean => this.acts && this.mine.hands.some(({ holds }) => holds));
  /** What lies in the own displays may be returned (D22). */
  readonly returns = $derived.by((): boolean => this.#given().options?.keep_for_good !== true && !this.lookingBack);
  /** Calm pace: how long a hand is busy with a card (D29). */
  readonly #pace = $derived.by((): number => this.settled.pace);

  constructor(given: () => Table) {
    this.#given = given;
    let told = this.settled.late; // what happened before is no news
    $effect(() => {
      const { late } = this.settled;
      if (!late || late === told) return;
      told = late;
      if (late.seat === this.seat) this.note = { text: tooLate(late.by, this.seat, given().names) };
    });
    $effect(() => {
      if (!this.note) return;
      const timer = setTimeout(() => (this.note = undefined), NOTE_MS);
      return () => clearTimeout(timer);
    });
  }

  /** What the game's clock shows. */
  readonly now = (): number => this.#given().time?.now() ?? 0;

  // --- What is seen --------------------------------------------------------------------------------------------------

  stance(hand: PictureHand): DashStance {
    return stanceOf(this.picture, hand);
  }

  /** While the buffet is open, a hand waits for nothing but the stack of the other one (D25). */
  waitsForOther(hand: PictureHand): boolean {
    return this.picture.is_open && this.stance(hand) === "waits";
  }

  /** Until when a hand is busy with its card (D29), by the game's clock. */
  busyUntil(hand: PictureHand): number {
    return this.#pace > 0 ? busyUntil(hand, this.#pace) : 0;
  }

  /** At calm pace: what a hand will do with its card as soon as it is free (D29). */
  soon(hand: PictureHand): Weighed | null {
    return this.#pace > 0 ? this.#decided(hand) : null;
  }

  /** Where a hand went last; the own one sets out from here, unless somebody only looks back. */
  reachOf(seat: number, hand: number): Reach | undefined {
    if (this.acts && seat === this.seat) return this.#reaches[hand];
    return this.settled.reaches?.[seat * this.mine.hands.length + hand];
  }

  /** At calm pace the table takes its time with a card, and so does the picture (D29). */
  #predict(): DashPicture {
    if (this.seat === null) return this.settled;
    const seen = this.#pace > 0 ? this.#intents.filter(({ decision }) => weighedBy(decision) === null) : this.#intents;
    return predict(this.settled, this.seat, seen);
  }

  // --- Deciding ------------------------------------------------------------------------------------------------------

  open(): void {
    void this.#decide({ do: "open" });
  }

  /** The next touch of the heap is for this hand, or for none in particular again. */
  ask({ hand }: PictureHand): void {
    this.asked = this.asked === hand ? null : hand;
  }

  touch(place: DashPlace, side: DashSide | null = this.asked): void {
    if (!this.acts) return;
    const hand = handFor(this.picture, this.mine.hands, place, side);
    if (!hand) return;
    if (hand.holds) void this.#putTo(hand, place);
    else this.#take(hand, place);
  }

  look(hand: PictureHand): void {
    if (this.stance(hand) === "turns") void this.#decide({ do: "look", ...named(hand) });
  }

  /** An exit card is kept by leaving (D10). */
  keep(hand: PictureHand): void {
    if (!hand.holds || hand.card === null || this.#decided(hand)) return;
    if (hand.card !== EXIT) play("plate");
    void this.#decide({ do: hand.card === EXIT ? "exit" : "keep", ...named(hand) });
  }

  /**
   * Near where it came from; what comes from the stack goes to the edge of the heap that is nearest. If somebody puts a
   * card there first, the next place will do.
   */
  async putAway(hand: PictureHand): Promise<void> {
    const place = this.#freeNear(hand.from ?? edgeOf(hand.hand));
    if (place !== undefined && (await this.#putBack(hand, place)) === "filled") await this.putAway(this.#asItIs(hand));
  }

  /** The place does not matter here either. */
  async giveBack(hand: PictureHand, card: DashFood): Promise<void> {
    const place = this.#freeNear(edgeOf(hand.hand));
    if (place === undefined || this.stance(hand) !== "chooses") return;
    this.#reachOut(hand, place, "put");
    const fate = await this.#decide({ do: "return", card, place, ...named(hand) });
    if (fate === "filled") await this.giveBack(this.#asItIs(hand), card);
  }

  /** A key was struck. */
  obey(stroke: Stroke): void {
    const hand = this.mine.hands.find((one) => one.hand === stroke.side)!;
    if (stroke.do === "keep") this.keep(hand);
    else if (stroke.do === "back") void this.putAway(hand);
    else if (this.stance(hand) === "turns") this.look(hand);
    else if (stroke.side !== null) this.#atCursor(stroke, stroke.side);
  }

  #atCursor(stroke: Stroke, side: DashSide): void {
    const place = this.cursors[side] ?? startOf(side);
    if (stroke.do === "move") this.cursors = { ...this.cursors, [side]: beside(place, stroke.down, stroke.right) };
    else if (handFor(this.picture, this.mine.hands, place, side)?.hand === side) this.touch(place, side);
  }

  #take(hand: PictureHand, place: DashPlace): void {
    this.#reachOut(hand, place, "take");
    void this.#decide({ do: "take", place, ...named(hand) });
  }

  /** To a place that was chosen: if it is not free any more, another one has to be chosen. */
  async #putTo(hand: PictureHand, place: DashPlace): Promise<void> {
    if ((await this.#putBack(hand, place)) === "filled") this.note = { text: t("dash.filled") };
  }

  async #putBack(hand: PictureHand, place: DashPlace): Promise<Fate> {
    if (!hand.holds || this.#decided(hand)) return "refused";
    if (this.#pace === 0) this.#reachOut(hand, place, "put");
    return this.#decide({ do: "back", place, ...named(hand) });
  }

  async #decide(decision: DashDecision): Promise<Fate> {
    const intent = { decision, ms: this.now() };
    this.#intents = [...this.#intents, intent];
    const accepted = await this.#given().act(decision);
    this.#intents = this.#intents.filter((one) => one !== intent);
    if (accepted) return "done";
    return isFilled(decision, this.settled) ? "filled" : "refused";
  }

  #reachOut(hand: PictureHand, place: DashPlace, what: Reach["what"]): void {
    const index = this.mine.hands.indexOf(hand);
    this.#reaches = this.mine.hands.map((_, i) => (i === index ? { place, what } : this.#reaches[i]));
    this.asked = null;
    play("card");
  }

  /** What was decided about the card in a hand, and is on its way. */
  #decided(hand: PictureHand): Weighed | null {
    const about = this.#intents
      .filter(({ decision }) => isOf(decision, hand))
      .map(({ decision }) => weighedBy(decision));
    return about.find((one) => one !== null) ?? null;
  }

  #freeNear(place: DashPlace): DashPlace | undefined {
    return nearestFree(place, new Set(this.picture.heap.map((spot) => spot.place)));
  }

  #asItIs({ hand }: PictureHand): PictureHand {
    return this.mine.hands.find((one) => one.hand === hand)!;
  }
}

/** What a decision does with a card in hand. */
const weighedBy = ({ do: what }: DashDecision): Weighed | null =>
  what === "keep" || what === "back" || what === "exit" ? what : null;
