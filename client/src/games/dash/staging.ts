/** What happens, as the eye is told: cards are put where an entry says, at once. Nothing is judged or counted here. */

import type { Staging } from "~/table/playback.svelte";
import { reuseUnchanged } from "~/table/reuse";
import type {
  DashCard, DashEntry, DashFood, DashHand, DashPlace, DashScoreEntry, DashSeat, DashSpot, DashView,
} from "~/wire/messages"; // prettier-ignore
import { doublesIn, wouldDouble } from "./meanwhile";
import { handOf, type DashPicture, type PictureHand, type PictureSeat, type Reach } from "./picture";

/** What a round leaves behind is looked at, also while its score lies above it; then the table is cleared, and dealt. */
const PAUSES_MS: Partial<Record<DashEntry["do"], number>> = { score: 750, round: 100, deal: 20, end: 850 };

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
      return entry.card === undefined ? view : seen(view, entry.seat, handOf(entry), entry.card);
    case "late": {
      const { seat, place } = entry;
      return { ...view, late: { seat, hand: handOf(entry), place, by: view.emptied?.[place] ?? null } };
    }
    case "keep":
      return decided(letGo(view, entry.by, handOf(entry)), entry.by);
    case "show": {
      const { display } = view.seats[entry.seat]!.hands[handOf(entry)]!;
      return laid(view, entry.seat, handOf(entry), [...display, entry.card].sort());
    }
    case "back": {
      const { card } = view.seats[entry.by]!.hands[handOf(entry)]!;
      return put(letGo(view, entry.by, handOf(entry)), entry.by, handOf(entry), { place: entry.place, card });
    }
    case "return": {
      const { display } = view.seats[entry.by]!.hands[handOf(entry)]!;
      const left = display.filter((card) => card !== entry.card);
      return put(laid(view, entry.by, handOf(entry), left), entry.by, handOf(entry), entry);
    }
    case "exit": {
      const after = letGo(view, entry.by, handOf(entry), { gone: true });
      return decided({ ...after, exits_left: view.exits_left - 1 }, entry.by);
    }
    case "score":
      return scored(view, entry);
    case "end":
      return { ...view, over: true, places: entry.places, stale: true, to_act: [], legal: [] };
  }
}

/** While the time runs nothing waits. */
const pause = (entry: DashEntry): number => PAUSES_MS[entry.do] ?? 0;

/** What is seen now, and what the eye keeps of the picture before. */
function settle(view: DashView, before: DashPicture): DashPicture {
  const { reaches, emptied, late, last, places } = before;
  const round = before.round === view.round ? { ...(reaches && { reaches }), ...(emptied && { emptied }) } : {};
  const after = { ...view, seats: view.seats.map((seat, i) => remember(before.seats[i], seat)), ...round,
    ...(late && { late }), ...(last && { last }), ...(places && { places }) }; // prettier-ignore
  return reuseUnchanged(before, after);
}

/** The server does not say where a card in hand came from, nor what a hand held last. */
function remember(shown: PictureSeat | undefined, settled: DashSeat): PictureSeat {
  const hands = settled.hands.map((hand, i) => {
    const { from, held } = shown?.hands[i] ?? {};
    return { ...hand, ...(hand.holds && from !== undefined && { from }), ...(held !== undefined && { held }) };
  });
  return { ...settled, hands };
}

/** Only what has happened since the round before this one began is still remembered: its result is to be read. */
function since(entries: readonly DashEntry[]): number {
  return entries.flatMap((entry, i) => (entry.do === "round" ? [i] : [])).at(-2) ?? 0;
}

export const staging: Staging<DashView, DashEntry> = { unfold, pause, settle, since, realTime: true };

// --- Pieces ----------------------------------------------------------------------------------------------------------

function at(view: DashPicture, seat: number, hand: number, change: Partial<PictureHand>): DashPicture {
  const changed = (one: PictureHand, i: number) => (i === hand ? { ...one, ...change } : one);
  return {
    ...view,
    seats: view.seats.map((one, i) => (i === seat ? { ...one, hands: one.hands.map(changed) } : one)),
  };
}

/** A card in hand is known by now. */
function seen(view: DashPicture, seat: number, hand: number, card: DashCard | null): DashPicture {
  const { display } = view.seats[seat]!.hands[hand]!;
  return at(view, seat, hand, { card, would_double: wouldDouble(display, card) });
}

/** What lies before a hand has changed. */
function laid(view: DashPicture, seat: number, hand: number, display: DashFood[]): DashPicture {
  return at(view, seat, hand, { display, doubles: doublesIn(display) });
}

/** A hand has nothing in it any more. */
function letGo(view: DashPicture, seat: number, hand: number, change: Partial<PictureHand> = {}): DashPicture {
  const held = view.seats[seat]!.hands[hand]!.card;
  return at(view, seat, hand, { holds: false, card: null, would_double: [], held, ...change });
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
  const holding = seen(at(view, seat, hand, { holds: true, since: ms, from: place }), seat, hand, spot.card);
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
  const { reaches: _, emptied: __, late: ___, last, ...kept } = view;
  // Whoever comes back may not have seen that round begin.
  const before = last && { last: { ...last, round: round - 1 } };
  return { ...kept, ...before, round, opener, is_open: false, deadline: null, heap: [], legal: [], stale: true };
}

const cleared = ({ hand }: DashHand, stack: number): PictureHand => ({
  hand, stack, holds: false, card: null, would_double: [], display: [], doubles: [], gone: false, ready_at: 0,
  stance: "waits",
}); // prettier-ignore

function dealt(view: DashPicture, seat: number, hand: number, stack: number): DashPicture {
  const hands = view.seats[seat]!.hands.map((one, i) => (i === hand ? cleared(one, stack) : one));
  return { ...view, seats: view.seats.map((one, i) => (i === seat ? { ...one, hands } : one)) };
}

/** All cards that were not dealt, from the first place on. */
function laidOut(view: DashPicture, count: number): DashPicture {
  const heap = Array.from({ length: count }, (_, place) => faceDown(place, null));
  return { ...view, heap, exits_left: view.exits };
}

function scored(view: DashPicture, { points, totals, why }: DashScoreEntry): DashPicture {
  const each = points.map((one) => (typeof one === "number" ? [one] : [...one]));
  const displays = view.seats.map(({ hands }) =>
    hands.map(({ hand, display, doubles, gone }) => ({ hand, display, doubles, gone })),
  );
  return {
    ...view,
    seats: view.seats.map((seat, i) => ({ ...seat, total: totals[i]! })),
    is_open: false,
    stale: true,
    opener: null,
    deadline: null,
    last: { round: view.round, why, points: each, totals, displays },
  };
}
