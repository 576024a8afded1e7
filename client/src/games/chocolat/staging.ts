/** What happens, as the eye is told: cards and helpers are put where an entry says. Nothing is judged here. */

import type { Staging } from "~/table/playback.svelte";
import type {
  ChocolatCard,
  ChocolatCombineEntry,
  ChocolatDraftEntry,
  ChocolatEntry,
  ChocolatRevealEntry,
  ChocolatSeat,
  ChocolatView,
} from "~/wire/messages";
import { sorted, without } from "./cards";

/** What somebody has laid out. */
export interface Combination {
  seat: number;
  cards: readonly ChocolatCard[];
  kept: readonly ChocolatCard[];
}

/** The picture: what a seat sees, and what was laid out last. */
export interface ChocolatPicture extends ChocolatView {
  /** The combination that somebody has laid out just now. */
  laidOut?: Combination | undefined;
  /** At the end. */
  places?: readonly number[];
}

/** All cards are turned over within this time, however many there are. */
const REVEAL_MS = 2500;

function pause(entry: ChocolatEntry, view: ChocolatView): number {
  switch (entry.do) {
    case "lay":
      return 220;
    case "reveal":
      return Math.min(520, REVEAL_MS / view.seats.length);
    case "draft":
      return 800;
    case "combine":
      return 1300;
    case "dig":
    case "fetch":
      return 600;
    case "gain":
      return 450;
    case "pass":
      return 400;
    case "helpers":
      return 950;
    case "round":
      return 300;
    case "market":
      return 600;
    default:
      return 0;
  }
}

function unfold(view: ChocolatPicture, entry: ChocolatEntry): ChocolatPicture {
  switch (entry.do) {
    case "choose":
      return { ...view, pantry: entry.value };
    case "shuffle":
      if (entry.pile === "helpers") return view;
      return { ...view, draw_pile: entry.count ?? entry.order?.length ?? 0, discard: [] };
    case "draw":
      return drawn(view, entry.seat, entry.cards?.length ?? entry.count ?? 0, entry.cards ?? []);
    case "helpers":
      return {
        ...view,
        laidOut: undefined,
        spare: entry.spare,
        seats: view.seats.map((seat, i) => ({ ...seat, helper: entry.seats[i]!, next_helper: null, used: false })),
      };
    case "round":
      return begun(view, entry.number);
    case "market":
      return { ...view, market: entry.cards, draw_pile: Math.max(0, view.draw_pile - entry.new.length) };
    case "lay":
      return laid(view, entry.by, entry.card, entry.helper !== undefined);
    case "reveal":
      return revealed(view, entry);
    case "draft":
      return drafted(view, entry);
    case "dig":
    case "fetch":
      return { ...given(view, entry.by, entry.card), legal: [] };
    case "gain":
      return gained(view, entry.seat, entry.card);
    case "combine":
      return combined(view, entry);
    case "pass":
      return { ...view, laidOut: undefined, ...decided(view, entry.by) };
    case "end":
      return { ...view, phase: "over", over: true, to_act: [], order: [], legal: [], places: entry.places };
  }
}

/** What somebody has laid out stays to be read until the next one has decided. */
function settle(view: ChocolatView, before: ChocolatPicture): ChocolatPicture {
  return {
    ...view,
    ...(before.laidOut && before.round === view.round && { laidOut: before.laidOut }),
    ...(view.over && before.places && { places: before.places }),
  };
}

/** What was laid out is put away when the next round begins. */
const since = (entries: readonly ChocolatEntry[]): number =>
  Math.max(
    0,
    entries.findLastIndex((entry) => entry.do === "round"),
  );

export const staging: Staging<ChocolatPicture, ChocolatEntry> = { unfold, pause, settle, since };

// --- Pieces ----------------------------------------------------------------------------------------------------------

function at(
  view: ChocolatPicture,
  seat: number,
  change: (seat: ChocolatSeat) => Partial<ChocolatSeat>,
): ChocolatPicture {
  return { ...view, seats: view.seats.map((one, i) => (i === seat ? { ...one, ...change(one) } : one)) };
}

const mine = (view: ChocolatView, seat: number): boolean => seat === view.seat;

function drawn(view: ChocolatPicture, seat: number, count: number, cards: readonly ChocolatCard[]): ChocolatPicture {
  const after = at(view, seat, ({ hand_size }) => ({ hand_size: hand_size + count }));
  const hand = mine(view, seat) ? sorted([...view.hand, ...cards]) : view.hand;
  return { ...after, hand, draw_pile: view.draw_pile - count };
}

/** Who has decided is not waited for. */
function decided(view: ChocolatPicture, seat: number): Pick<ChocolatView, "to_act" | "order" | "legal"> {
  return {
    to_act: without(view.to_act, [seat]),
    order: without(view.order, [seat]),
    legal: mine(view, seat) ? [] : view.legal,
  };
}

function begun(view: ChocolatPicture, number: number): ChocolatPicture {
  return {
    ...view,
    round: number,
    phase: "laying",
    order: [],
    laidOut: undefined,
    laid: null,
    to_act: view.seats.map((_, seat) => seat),
    seats: view.seats.map((seat) => ({ ...seat, used: false, has_laid: false, played: null, coins: null })),
  };
}

function laid(view: ChocolatPicture, seat: number, card: ChocolatCard | undefined, helper: boolean): ChocolatPicture {
  const after = at(view, seat, ({ hand_size }) => ({ has_laid: true, hand_size: hand_size - 1 }));
  const own = mine(view, seat) && card !== undefined;
  return {
    ...after,
    ...decided(view, seat),
    ...(own && { hand: without(view.hand, [card]), laid: { card, helper } }),
  };
}

function revealed(view: ChocolatPicture, { seat, card, coins, helper }: ChocolatRevealEntry): ChocolatPicture {
  const after = at(view, seat, ({ used, known }) => ({
    has_laid: false,
    played: card,
    coins,
    known: without(known, [card]),
    used: used || helper !== undefined,
  }));
  return {
    ...after,
    phase: "drafting",
    laid: mine(view, seat) ? null : view.laid,
    order: [...view.order, seat],
    to_act: [],
    legal: [],
  };
}

/** Cards come from the market, then the card played goes there, then perhaps one more. */
function drafted(view: ChocolatPicture, { by, take, give, helper }: ChocolatDraftEntry): ChocolatPicture {
  const { played } = view.seats[by]!;
  const gone = give === undefined ? [] : [give];
  const put = [...(played === null ? [] : [played]), ...gone];
  const after = at(view, by, ({ hand_size, used, known }) => ({
    played: null,
    coins: null,
    used: used || helper !== undefined,
    hand_size: hand_size + take.length - gone.length,
    known: without(sorted([...known, ...take]), gone),
  }));
  const hand = without(sorted([...view.hand, ...take]), gone);
  return {
    ...after,
    ...decided(view, by),
    ...(mine(view, by) && { hand }),
    market: [...without(view.market, take), ...put],
  };
}

/** A card of the hand goes on top of the discard pile, with a helper's aid. */
function given(view: ChocolatPicture, seat: number, card: ChocolatCard): ChocolatPicture {
  const after = at(view, seat, ({ hand_size, known }) => ({
    hand_size: hand_size - 1,
    used: true,
    known: without(known, [card]),
  }));
  const hand = mine(view, seat) ? without(view.hand, [card]) : view.hand;
  return { ...after, hand, discard: [card, ...view.discard], laidOut: undefined };
}

/** The card that was on top before comes to the hand; the one given lies above it. */
function gained(view: ChocolatPicture, seat: number, card: ChocolatCard): ChocolatPicture {
  const after = at(view, seat, ({ hand_size, known }) => ({
    hand_size: hand_size + 1,
    known: sorted([...known, card]),
  }));
  const hand = mine(view, seat) ? sorted([...view.hand, card]) : view.hand;
  const [top, ...rest] = view.discard;
  return { ...after, hand, discard: [...(top === undefined ? [] : [top]), ...without(rest, [card])] };
}

function combined(view: ChocolatPicture, { by, cards, kept, helper }: ChocolatCombineEntry): ChocolatPicture {
  const after = at(view, by, (seat) => ({
    hand_size: seat.hand_size - cards.length,
    known: without(seat.known, cards),
    kept: [...seat.kept, ...kept],
    used: seat.used || helper !== undefined,
  }));
  return {
    ...after,
    ...decided(view, by),
    ...(mine(view, by) && { hand: without(view.hand, cards) }),
    discard: [...without(cards, kept).toReversed(), ...view.discard],
    laidOut: { seat: by, cards, kept },
  };
}
