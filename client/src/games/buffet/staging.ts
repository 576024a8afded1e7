/** What happens, as the eye is told: pieces are put where an entry says. Nothing is judged or counted here. */

import type { Staging } from "~/table/playback.svelte";
import type { BuffetCard, BuffetEntry, BuffetPlate, BuffetSeat, BuffetView } from "~/wire/messages";
import { partsOf } from "./plates";

/** The picture: what a seat sees, and the cards that were turned over last. */
export interface BuffetPicture extends BuffetView {
  /** By seat; they stay until the next ones are laid, so that nobody has to be quick to read them. */
  revealed?: readonly (BuffetCard | null)[];
  /** At the end. */
  places?: readonly number[];
}

/** A whole reveal takes no longer than this, however many mice run. */
const REVEAL_MS = 2500;
const FIELD_MS = 60;
/** A card turns before its mouse runs. */
export const FLIP_MS = 200;
const BREATH_MS = 120;

export const racers = (view: BuffetView): number => view.seats.filter((seat) => seat.racing).length;

/** How long a mouse runs for its card. */
export function walkMs(card: number, racing: number): number {
  return Math.min(Math.abs(card) * FIELD_MS, REVEAL_MS / Math.max(racing, 1) - FLIP_MS);
}

function pause(entry: BuffetEntry, view: BuffetView): number {
  switch (entry.do) {
    case "lay":
      return 220;
    case "reveal": {
      const racing = racers(view);
      return Math.min(FLIP_MS + walkMs(entry.card, racing) + BREATH_MS, REVEAL_MS / Math.max(racing, 1));
    }
    case "out":
    case "win":
      return 600;
    case "exchange":
      return 400;
    case "start":
      return 350;
    case "round":
      return 900;
    default:
      return 0;
  }
}

function unfold(view: BuffetPicture, entry: BuffetEntry): BuffetPicture {
  switch (entry.do) {
    case "choose":
      return { ...view, start: entry.value };
    case "shuffle":
      if (entry.pile === "plates") return view;
      return { ...view, draw_pile: entry.count ?? entry.order?.length ?? 0, discard: [] };
    case "draw":
      return drawn(view, entry.seat, entry.cards?.length ?? entry.count ?? 0, entry.cards ?? []);
    case "lay":
      return laid(view, entry.by, entry.card);
    case "exchange":
      return exchanged(view, entry.by, entry.cards);
    case "reveal":
      return revealed(view, entry.seat, entry.card, entry.at);
    case "out":
    case "win":
      return gone(view, entry.seat, entry.plate);
    case "start":
      return { ...view, start: entry.seat };
    case "round":
      return {
        ...begun(view, [...entry.plates, ...(entry.later ?? [])]),
        round: entry.number,
        part: entry.part,
        start: entry.start,
        served: entry.plates.length,
        plates: entry.plates,
        stakes: [],
        later: entry.later ?? [],
      };
    case "end":
      return { ...view, over: true, places: entry.places, to_act: [], legal: [] };
  }
}

/** What the eye was told last stays, also when everything is in its place. */
function settle(view: BuffetView, before: BuffetPicture): BuffetPicture {
  if (before.round !== view.round || before.part !== view.part) return view;
  const { revealed, places } = before;
  return { ...view, ...(revealed && { revealed }), ...(places && { places }) };
}

/** Cards that were revealed are put away when the next round begins. */
const since = (entries: readonly BuffetEntry[]): number =>
  Math.max(
    0,
    entries.findLastIndex((entry) => entry.do === "round"),
  );

export const staging: Staging<BuffetView, BuffetEntry> = { unfold, pause, settle, since };

// --- Pieces ----------------------------------------------------------------------------------------------------------

function at(view: BuffetPicture, seat: number, change: (seat: BuffetSeat) => Partial<BuffetSeat>): BuffetPicture {
  return { ...view, seats: view.seats.map((one, i) => (i === seat ? { ...one, ...change(one) } : one)) };
}

const sorted = (cards: readonly BuffetCard[]): BuffetCard[] => cards.toSorted((one, other) => one - other);

function without<Thing>(things: readonly Thing[], gone: readonly Thing[]): Thing[] {
  const left = [...things];
  for (const one of gone) {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
  }
  return left;
}

function drawn(view: BuffetPicture, seat: number, count: number, cards: readonly BuffetCard[]): BuffetPicture {
  const after = at(view, seat, ({ hand_size }) => ({ hand_size: hand_size + count }));
  const hand = seat === view.seat ? sorted([...view.hand, ...cards]) : view.hand;
  return { ...after, hand, draw_pile: view.draw_pile - count };
}

function laid(view: BuffetPicture, seat: number, card: BuffetCard | undefined): BuffetPicture {
  const after = at(view, seat, ({ hand_size }) => ({ has_laid: true, hand_size: hand_size - 1 }));
  const cards = view.revealed?.map((one, i) => (i === seat || !view.seats[i]?.racing ? null : one));
  const mine = seat === view.seat && card !== undefined ? { hand: without(view.hand, [card]), laid: card } : {};
  return { ...after, ...mine, ...(cards && { revealed: cards }), ...decided(view, seat) };
}

function exchanged(view: BuffetPicture, seat: number, cards: readonly BuffetCard[]): BuffetPicture {
  const after = at(view, seat, ({ hand_size }) => ({ hand_size: hand_size - cards.length }));
  const hand = seat === view.seat ? without(view.hand, cards) : view.hand;
  return { ...after, hand, exchange: null, discard: sorted([...view.discard, ...cards]), ...decided(view, seat) };
}

/** Who has decided is not waited for. */
function decided(view: BuffetPicture, seat: number): Pick<BuffetView, "to_act" | "legal"> {
  return { to_act: without(view.to_act, [seat]), legal: seat === view.seat ? [] : view.legal };
}

function revealed(view: BuffetPicture, seat: number, card: BuffetCard, reached: number): BuffetPicture {
  const cards = view.seats.map((_, i) => (i === seat ? card : (view.revealed?.[i] ?? null)));
  return {
    ...at(view, seat, () => ({ at: reached, has_laid: false })),
    laid: seat === view.seat ? null : view.laid,
    revealed: cards,
    discard: sorted([...view.discard, card]),
    last: null, // who that is now, the table says
    to_act: [],
    legal: [],
  };
}

/** A mouse leaves the track, mostly with a plate. */
function gone(view: BuffetPicture, seat: number, plate: BuffetPlate | null): BuffetPicture {
  const left = at(view, seat, () => ({ racing: false }));
  if (plate === null) return left;
  const { dish, value } = partsOf(plate);
  const taken = at(left, seat, ({ stacks }) => ({ stacks: { ...stacks, [dish]: [...(stacks[dish] ?? []), value] } }));
  const place = view.plates.indexOf(plate);
  return {
    ...taken,
    plates: view.plates.filter((one) => one !== plate),
    stakes: [], // who gets the next one, the table says
    gains: view.gains?.filter((_, i) => i !== place) ?? null,
  };
}

/** All mice are on the start field, and new plates on the table. */
function begun(view: BuffetPicture, plates: readonly BuffetPlate[]): BuffetPicture {
  return {
    ...view,
    seats: view.seats.map((seat) => ({ ...seat, racing: true, at: 0, has_laid: false })),
    to_act: view.seats.map((_, seat) => seat),
    gains: null,
    last: null,
    duel: false,
    exchange: null,
    revealed: view.seats.map(() => null),
    plates_to_come: without(view.plates_to_come, plates),
  };
}
