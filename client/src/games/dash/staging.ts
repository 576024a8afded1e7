/** What happens, as the eye is told: cards are put where an entry says, at once. Nothing is judged or counted here. */

import type { Staging } from "~/table/playback.svelte";
import { sharing } from "~/table/sharing";
import type {
  DashCard, DashEntry, DashHand, DashPlace, DashScoreEntry, DashSeat, DashSide, DashSpot, DashView,
} from "~/wire/messages"; // prettier-ignore

export interface PictureHand extends DashHand {
  /** When it got its card, by the game's clock, if the server has not said yet until when it is busy (D29). */
  since?: number;
  /** Where its card came from; null: from its stack. */
  from?: DashPlace | null;
}

export interface PictureSeat extends DashSeat {
  hands: PictureHand[];
}

/** A hand went to a place: to take a card, in vain, or to put one down. */
export interface Reach {
  place: DashPlace;
  what: "take" | "late" | "put";
}

/** Somebody was too late; `by`: who was quicker, if that was seen. */
export interface Late {
  seat: number;
  hand: number;
  place: DashPlace;
  by: number | null;
}

/** How a round has ended. */
export interface RoundResult {
  round: number;
  why: DashScoreEntry["why"];
  /** For each seat, for each of its hands. */
  points: number[][];
  totals: number[];
  seats: PictureSeat[];
}

/** The picture: what a seat sees, and what the eye remembers of the last moments. */
export interface DashPicture extends DashView {
  seats: PictureSeat[];
  /** Something of the own seat has happened since the server said what is legal. */
  stale?: boolean;
  /** The last movement of each hand, seat by seat, left before right. */
  reaches?: readonly (Reach | undefined)[];
  /** Who has emptied which place last. */
  emptied?: Readonly<Record<DashPlace, number>>;
  late?: Late;
  last?: RoundResult;
  places?: readonly number[];
}

const FOOD_CARDS = 49;
/** What a round leaves behind is looked at, also while its score lies above it; then the table is cleared, and dealt. */
const PAUSES_MS: Partial<Record<DashEntry["do"], number>> = { score: 750, round: 100, deal: 20, end: 850 };

export const handOf = ({ hand }: { hand?: DashSide }): number => (hand === "right" ? 1 : 0);

function unfold(view: DashPicture, entry: DashEntry): DashPicture {
  switch (entry.do) {
    case "choose":
      return { ...view, opener: entry.value };
    case "round":
      return begun(view, entry.number, entry.opener);
    case "shuffle":
      return entry.pile === "heap" ? laidOut(view, entry.count ?? entry.order?.length ?? 0) : view;
    case "deal":
      return dealt(view, entry.seat, handOf(entry), entry.count ?? entry.cards?.length ?? 0);
    case "open":
      return { ...view, is_open: true, stale: true };
    case "look": {
      const { stack } = view.seats[entry.by]!.hands[handOf(entry)]!;
      const holding = { holds: true, card: null, since: entry.ms, from: null, stack: stack - 1 };
      return decided(at(view, entry.by, handOf(entry), holding), entry.by);
    }
    case "take":
      return taken(view, entry.by, handOf(entry), entry.place, entry.ms);
    case "see":
      return entry.card === undefined ? view : at(view, entry.seat, handOf(entry), { card: entry.card });
    case "late": {
      const { seat, place } = entry;
      return { ...view, late: { seat, hand: handOf(entry), place, by: view.emptied?.[place] ?? null } };
    }
    case "keep":
      return decided(at(view, entry.by, handOf(entry), { holds: false, card: null }), entry.by);
    case "show": {
      const { display } = view.seats[entry.seat]!.hands[handOf(entry)]!;
      return at(view, entry.seat, handOf(entry), { display: [...display, entry.card].sort() });
    }
    case "back": {
      const { card } = view.seats[entry.by]!.hands[handOf(entry)]!;
      return put(at(view, entry.by, handOf(entry), { holds: false, card: null }), entry.by, handOf(entry), {
        place: entry.place,
        card,
      });
    }
    case "return": {
      const { display } = view.seats[entry.by]!.hands[handOf(entry)]!;
      const after = at(view, entry.by, handOf(entry), { display: display.filter((card) => card !== entry.card) });
      return put(after, entry.by, handOf(entry), entry);
    }
    case "exit": {
      const after = at(view, entry.by, handOf(entry), { holds: false, card: null, gone: true });
      return decided({ ...after, exits_left: view.exits_left - 1 }, entry.by);
    }
    case "score":
      return scored(view, entry);
    case "end":
      return { ...view, over: true, places: entry.places, to_act: [], legal: [] };
  }
}

/** While the time runs nothing waits. */
const pause = (entry: DashEntry): number => PAUSES_MS[entry.do] ?? 0;

/** What the eye remembers stays, also when the server has said how things are. */
function settle(shown: DashPicture, settled: DashView): DashPicture {
  const { reaches, emptied, late, last, places } = shown;
  const round = shown.round === settled.round ? { ...(reaches && { reaches }), ...(emptied && { emptied }) } : {};
  const after = { ...settled, seats: settled.seats.map((seat, i) => remember(shown.seats[i], seat)), ...round,
    ...(late && { late }), ...(last && { last }), ...(places && { places }) }; // prettier-ignore
  return sharing(shown, after);
}

/** The server does not say where a card in hand came from. */
function remember(shown: PictureSeat | undefined, settled: DashSeat): PictureSeat {
  const hands = settled.hands.map((hand, i) => {
    const from = shown?.hands[i]?.from;
    return hand.holds && from !== undefined ? { ...hand, from } : hand;
  });
  return { ...settled, hands };
}

/** The result of the last round is there to be read also for those who come after it. */
function recall(view: DashView, entries: readonly DashEntry[]): DashPicture {
  const rounds = entries.flatMap((entry, i) => (entry.do === "round" ? [i] : []));
  const since = rounds.at(view.over ? -1 : -2);
  if (since === undefined) return view;
  const { last, emptied } = entries.slice(since).reduce<DashPicture>(unfold, view);
  return { ...view, ...(last && { last }), ...(emptied && { emptied }) };
}

export const staging: Staging<DashView, DashEntry> = { unfold, pause, settle, recall, realTime: true };

// --- Pieces ----------------------------------------------------------------------------------------------------------

function at(view: DashPicture, seat: number, hand: number, change: Partial<PictureHand>): DashPicture {
  const changed = (one: PictureHand, i: number) => (i === hand ? { ...one, ...change } : one);
  return {
    ...view,
    seats: view.seats.map((one, i) => (i === seat ? { ...one, hands: one.hands.map(changed) } : one)),
  };
}

/** What was legal for the own seat is no more. */
function decided(view: DashPicture, seat: number): DashPicture {
  return seat === view.seat ? { ...view, stale: true } : view;
}

function reached(view: DashPicture, seat: number, hand: number, reach: Reach): DashPicture {
  const each = view.seats[0]?.hands.length ?? 1;
  const reaches = Array.from({ length: view.seats.length * each }, (_, i) => view.reaches?.[i]);
  reaches[seat * each + hand] = reach;
  return { ...view, reaches };
}

function taken(view: DashPicture, seat: number, hand: number, place: DashPlace, ms: number): DashPicture {
  const spot = view.heap.find((one) => one.place === place);
  if (!spot) return decided(reached(view, seat, hand, { place, what: "late" }), seat);
  const holding = at(view, seat, hand, { holds: true, card: spot.card, since: ms, from: place });
  const heap = view.heap.filter((one) => one !== spot);
  const emptied = { ...view.emptied, [place]: seat };
  return decided(reached({ ...holding, heap, emptied }, seat, hand, { place, what: "take" }), seat);
}

const faceDown = (place: DashPlace, card: DashCard | null): DashSpot => ({
  place, card, seen_by: [], surely_food: false,
}); // prettier-ignore

function put(
  view: DashPicture,
  seat: number,
  hand: number,
  { place, card }: { place: DashPlace; card: DashCard | null },
): DashPicture {
  const heap = [...view.heap.filter((spot) => spot.place !== place), faceDown(place, card)];
  return decided(reached({ ...view, heap }, seat, hand, { place, what: "put" }), seat);
}

/** The heap is cleared; a seat is when it is dealt to (D4). The result of the round before stays to be read. */
function begun(view: DashPicture, round: number, opener: number): DashPicture {
  const { reaches: _, emptied: __, late: ___, ...kept } = view;
  return { ...kept, round, opener, is_open: false, deadline: null, heap: [], legal: [], stale: true };
}

const cleared = ({ hand }: DashHand, stack: number): PictureHand => ({
  hand, stack, holds: false, card: null, display: [], gone: false, ready_at: 0,
}); // prettier-ignore

function dealt(view: DashPicture, seat: number, hand: number, stack: number): DashPicture {
  const hands = view.seats[seat]!.hands.map((one, i) => (i === hand ? cleared(one, stack) : one));
  return { ...view, seats: view.seats.map((one, i) => (i === seat ? { ...one, hands } : one)) };
}

/** All cards that were not dealt, from the first place on; those beyond the food cards are exits. */
function laidOut(view: DashPicture, count: number): DashPicture {
  const stacks = view.seats.flatMap(({ hands }) => hands).reduce((sum, { stack }) => sum + stack, 0);
  const heap = Array.from({ length: count }, (_, place) => faceDown(place, null));
  return { ...view, heap, exits_left: count + stacks - FOOD_CARDS };
}

function scored(view: DashPicture, { points, totals, why }: DashScoreEntry): DashPicture {
  const each = points.map((one) => (typeof one === "number" ? [one] : [...one]));
  const seats = view.seats.map((seat, i) => ({ ...seat, total: totals[i]! }));
  return {
    ...view,
    seats,
    is_open: false,
    opener: null,
    deadline: null,
    last: { round: view.round, why, points: each, totals, seats },
  };
}
