/** The game in words: what has happened, what to do now, and why the places are as they are. */

import type { Sentence } from "~/gamekit/game";
import { allCalled, called, type Names } from "~/gamekit/names";
import { reasonsFor, winnersOf } from "~/parts/ranking";
import type { SoundName } from "~/sound/sound";
import { CARDS } from "~/wire/messages";
import type {
  BuffetEntry,
  BuffetPlate,
  BuffetRevealEntry,
  BuffetRoundEntry,
  BuffetStacks,
  BuffetView,
} from "~/wire/messages";
import { minus } from "~/words/numbers";
import { listed, t } from "~/words/words.svelte";
import { DISHES, partsOf } from "./plates";
import { fieldAt, lapAt } from "./ring";

export function plateName(plate: BuffetPlate): string {
  const { dish, value } = partsOf(plate);
  return t("buffet.plate", { dish: t(`dish.${dish}`), value: minus(value) });
}

/** What lies visible before somebody. */
export function platesOf(name: string, stacks: BuffetStacks): string {
  const visible = DISHES.flatMap((dish) => (stacks[dish]?.length ? [plateName(`${dish}${stacks[dish].at(-1)}`)] : []));
  return [t("buffet.plates-of", { name }), ...(visible.length > 0 ? [listed(visible)] : [])].join(": ");
}

// --- What has happened -----------------------------------------------------------------------------------------------

export function tell(entry: BuffetEntry, names: Names): Sentence | null {
  switch (entry.do) {
    case "choose":
      return { text: t("buffet.tell.choose", { name: called(names, entry.value) }), rule: "B5" };
    case "shuffle":
      if (entry.pile === "plates") return null;
      return (entry.count ?? entry.order?.length) === CARDS.buffet
        ? { text: t("buffet.tell.deal"), rule: "B5" }
        : { text: t("buffet.tell.shuffle"), rule: "B18" };
    case "round":
      return tellRound(entry, called(names, entry.start));
    case "reveal":
      return tellReveal(entry, called(names, entry.seat));
    case "out": {
      const name = called(names, entry.seat);
      return entry.plate === null
        ? { text: t("buffet.tell.out-empty", { name }), rule: "B14" }
        : { text: t("buffet.tell.out", { name, plate: plateName(entry.plate) }), rule: "B10" };
    }
    case "win":
      return {
        text: t("buffet.tell.win", { name: called(names, entry.seat), plate: plateName(entry.plate) }),
        rule: "B14",
      };
    case "start":
      return { text: t("buffet.tell.start", { name: called(names, entry.seat) }), rule: "B13" };
    case "exchange": {
      const cards = entry.cards.map(minus).join(", ");
      const values = { name: called(names, entry.by), count: entry.cards.length, cards };
      return { text: t("buffet.tell.exchange", values), rule: "B12" };
    }
    case "end":
      return tellEnd(entry.scores, entry.places, names);
    case "lay":
    case "draw":
      return null;
  }
}

function tellRound({ number, part, later }: BuffetRoundEntry, name: string): Sentence {
  if (part === 2) return { text: t("buffet.tell.part-two"), rule: "B26" };
  return later
    ? { text: t("buffet.tell.part-one", { number, name }), rule: "B25" }
    : { text: t("buffet.tell.round", { number, name }), rule: "B6" };
}

function tellReveal({ card, at }: BuffetRevealEntry, name: string): Sentence {
  const values = { name, card: minus(card), field: fieldAt(at), lap: lapAt(at) };
  if (at < 0) return { text: t("buffet.tell.reveal-behind", values), rule: "B9" };
  if (values.lap > 1) return { text: t("buffet.tell.reveal-lap", values), rule: "B9" };
  return { text: t("buffet.tell.reveal", values), rule: "B8" };
}

function tellEnd(scores: readonly number[], places: readonly number[], names: Names): Sentence {
  const winners = winnersOf(places);
  const points = scores[winners[0] ?? 0] ?? 0;
  const values = { names: allCalled(names, winners), count: winners.length, points, shown: minus(points) };
  return { text: t("buffet.tell.end", values), rule: "B22" };
}

export function noise(entry: BuffetEntry): SoundName | null {
  switch (entry.do) {
    case "lay":
    case "exchange":
      return "card";
    case "reveal":
      return "flip";
    case "out":
      return entry.plate === null ? "squeak" : "plate";
    case "win":
      return "plate";
    case "round":
      return "bell";
    case "end":
      return "cheer";
    default:
      return null;
  }
}

// --- What to do now --------------------------------------------------------------------------------------------------

export function prompt(view: BuffetView, seat: number | null, names: Names): Sentence {
  if (view.over) return { text: t("buffet.prompt.over"), rule: "B21" };
  if (view.to_act.length === 0 || moves(view)) return { text: t("buffet.prompt.reveal"), rule: "B8" };
  if (seat === null) return whileWatching(view, names);
  if (view.to_act.includes(seat)) {
    return view.exchange === seat ? { text: t("buffet.prompt.exchange"), rule: "B12" } : toLay(view, seat, names);
  }
  return view.seats[seat]?.racing ? afterLaying(view, names) : whileOut(view, names);
}

/** Something is shown, and what is at stake then comes with the next view. */
const moves = ({ stakes }: BuffetView): boolean => stakes.length === 0;
const racing = (view: BuffetView): number[] => view.seats.flatMap((seat, i) => (seat.racing ? [i] : []));
const choosing = (view: BuffetView): number[] => view.to_act.filter((seat) => seat !== view.exchange);

function toLay(view: BuffetView, seat: number, names: Names): Sentence {
  const plates = view.plates.map(plateName);
  if (view.duel) {
    const name = allCalled(
      names,
      racing(view).filter((one) => one !== seat),
    );
    const [best = "", rest] = plates;
    return rest === undefined
      ? { text: t("buffet.prompt.duel", { name, plate: best }), rule: "B14" }
      : { text: t("buffet.prompt.lay-pair", { name, best, rest }), rule: "B25" };
  }
  const plate = plates.at(-1) ?? "";
  if (view.last_round && atTheStart(view)) return { text: t("buffet.prompt.lay-last", { plate }), rule: "B21" };
  if (view.later.length > 0) return { text: t("buffet.prompt.lay-one", { plate }), rule: "B25" };
  if (view.part === 2) return { text: t("buffet.prompt.lay-two", { plate }), rule: "B27" };
  return { text: t("buffet.prompt.lay", { plate }), rule: "B10" };
}

const atTheStart = (view: BuffetView): boolean =>
  view.part === 1 && view.seats.every((seat) => seat.racing && seat.at === 0);

function afterLaying(view: BuffetView, names: Names): Sentence {
  const card = view.laid === null ? "" : minus(view.laid);
  const others = choosing(view);
  if (others.length === 0 && view.exchange !== null) {
    return { text: t("buffet.prompt.laid-exchange", { card, name: called(names, view.exchange) }), rule: "B28" };
  }
  return { text: t("buffet.prompt.laid", { card, names: allCalled(names, others) }), rule: "B7" };
}

function whileOut(view: BuffetView, names: Names): Sentence {
  if (isDuel(view)) return watchDuel(view, names);
  const values = { names: allCalled(names, view.to_act), count: view.to_act.length };
  return view.later.length > 0
    ? { text: t("buffet.prompt.out-one", values), rule: "B26" }
    : { text: t("buffet.prompt.out", values), rule: "B10" };
}

function whileWatching(view: BuffetView, names: Names): Sentence {
  const others = choosing(view);
  if (others.length === 0 && view.exchange !== null) {
    return { text: t("buffet.prompt.watch-exchange", { name: called(names, view.exchange) }), rule: "B28" };
  }
  if (isDuel(view)) return watchDuel(view, names);
  return { text: t("buffet.prompt.watch", { names: allCalled(names, others), count: others.length }), rule: "B7" };
}

const isDuel = (view: BuffetView): boolean => view.duel && view.plates.length === 1;

function watchDuel(view: BuffetView, names: Names): Sentence {
  const values = { names: allCalled(names, racing(view)), plate: plateName(view.plates[0]!) };
  return { text: t("buffet.prompt.watch-duel", values), rule: "B14" };
}

// --- Why the places are as they are ----------------------------------------------------------------------------------

export function reasons(
  view: BuffetView,
  scores: readonly number[],
  places: readonly number[],
  names: Names,
): Sentence[] {
  const points = (seat: number) => minus(scores[seat]!);
  return reasonsFor(scores, places, {
    first: (seat) => ({
      text: t("buffet.reason.points", { name: called(names, seat), points: points(seat) }),
      rule: "B22",
    }),
    tie: (ahead, behind) => tieBreak(view, ahead, behind, points(ahead), names),
  });
}

function tieBreak(view: BuffetView, ahead: number, behind: number, points: string, names: Names): Sentence {
  const best = view.seats[ahead]?.best;
  const other = view.seats[behind]?.best;
  const both = { ahead: called(names, ahead), behind: called(names, behind), points };
  if (!best) return { text: t("buffet.reason.none", both), rule: "B23" };
  if (!other) return { text: t("buffet.reason.any", both), rule: "B23" };
  return { text: t("buffet.reason.best", { ...both, best: plateName(best), other: plateName(other) }), rule: "B23" };
}
