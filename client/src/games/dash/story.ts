/** The game in words: what has happened, what to do now, and why the places are as they are. */

import type { RealTime, Sentence } from "~/gamekit/game";
import { called, type Names } from "~/gamekit/names";
import { winnersOf } from "~/parts/ranking";
import type { SoundName } from "~/sound/sound";
import type { DashEntry, DashItem, DashPlace, DashScoreEntry, DashView } from "~/wire/messages";
import { minus } from "~/words/numbers";
import { listed, t } from "~/words/words.svelte";
import { isOvertaken } from "./hands";
import { SPOTS } from "./heap";
import { wouldDouble } from "./meanwhile";
import { cardName, EXIT, itemName, itemOf } from "./menu";
import { handOf, type DashPicture, type Laid, type PictureHand, type RoundResult } from "./picture";
import { staging } from "./staging";

export const placeName = (place: DashPlace): string =>
  t("dash.place", { row: SPOTS[place]!.row + 1, column: SPOTS[place]!.column + 1 });

export const itemsListed = (items: readonly DashItem[]): string => listed(items.map((sign) => itemName(itemOf(sign))));

/** What lies before somebody, for those who hear it. */
export function displayOf({ display, doubles }: Pick<Laid, "display" | "doubles">): string {
  if (display.length === 0) return t("dash.display.empty");
  const cards = t("dash.display.cards", { count: display.length, cards: listed(display.map(cardName)) });
  return doubles.length > 0 ? `${cards} ${t("dash.display.doubles", { items: itemsListed(doubles) })}` : cards;
}

// --- What has happened -----------------------------------------------------------------------------------------------

/** What all see and can look up later; who reaches where is for the eye and for memory. */
export function tell(entry: DashEntry, names: Names): Sentence | null {
  switch (entry.do) {
    case "choose":
      return { text: t("dash.tell.choose", { name: called(names, entry.value) }), rule: "D6" };
    case "round":
      return {
        text: t("dash.tell.round", { number: entry.number, name: called(names, entry.opener) }),
        rule: "D6",
      };
    case "open":
      return { text: t("dash.tell.open", { name: called(names, entry.by) }), rule: "D6" };
    case "show":
      return { text: t("dash.tell.show", { name: called(names, entry.seat), card: cardName(entry.card) }), rule: "D8" };
    case "return":
      return {
        text: t("dash.tell.return", { name: called(names, entry.by), card: cardName(entry.card) }),
        rule: "D11",
      };
    case "late":
      return { text: t("dash.tell.late", { name: called(names, entry.seat) }), rule: "D13" };
    case "exit":
      return { text: t("dash.tell.exit", { name: called(names, entry.by) }), rule: "D10" };
    case "score":
      return tellScore(entry, names);
    case "end": {
      const winners = winnersOf(entry.places);
      const all = listed(winners.map((seat) => called(names, seat)));
      return { text: t("dash.tell.end", { names: all, count: winners.length }), rule: "D21" };
    }
    default:
      return null;
  }
}

const sumOf = (points: number | readonly number[]): number =>
  typeof points === "number" ? points : points.reduce((sum, one) => sum + one, 0);

function tellScore({ points, why }: DashScoreEntry, names: Names): Sentence {
  const all = points.map((one, seat) =>
    t("dash.tell.points", { name: called(names, seat), points: minus(sumOf(one)) }),
  );
  return { text: t("dash.tell.score", { why, points: all.join(", ") }), rule: why === "limit" ? "D30" : "D15" };
}

export function noise(entry: DashEntry, seat: number | null): SoundName | null {
  switch (entry.do) {
    case "open":
    case "round":
      return "bell";
    case "exit":
      return "off";
    case "score":
      return "plate";
    case "late":
      return entry.seat === seat ? "squeak" : null;
    case "see":
      return entry.seat === seat ? "flip" : null;
    case "end":
      return "cheer";
    default:
      return null;
  }
}

// --- For those who hear the game -------------------------------------------------------------------------------------

function hear(entry: DashEntry, before: DashPicture, seat: number | null, names: Names): string | null {
  switch (entry.do) {
    case "round":
    case "open":
    case "score":
    case "end":
      return tell(entry, names)!.text;
    case "exit":
      return hearExit(entry.by, before, seat, names);
    case "see":
      return entry.seat === seat && entry.card
        ? inHand(entry.card, staging.unfold(before, entry).seats[seat]!.hands[handOf(entry)]!)
        : null;
    case "late":
      return entry.seat === seat ? tooLate(before.emptied?.[entry.place] ?? null, seat, names) : null;
    case "show":
      return entry.seat === seat ? t("dash.hear.kept", { card: cardName(entry.card) }) : null;
    case "back":
      return entry.by === seat ? t("dash.hear.back", { place: placeName(entry.place) }) : null;
    case "take":
      return entry.by === seat ? null : hearLoss(entry.by, entry.place, before, seat, names);
    case "return":
      return hearReturn(entry.by, entry.card, entry.place, before, seat, names);
    default:
      return null;
  }
}

export const realTime: RealTime<DashView, DashEntry> = {
  runs: ({ is_open }) => is_open,
  hear,
  overtaken: isOvertaken,
};

function hearExit(by: number, before: DashPicture, seat: number | null, names: Names): string {
  const left = before.exits_left - 1;
  return by === seat ? t("dash.hear.off", { left }) : t("dash.hear.exit", { name: called(names, by), left });
}

/** The card in hand, and what it would double. */
function inHand(card: string, { hand, would_double: doubled }: PictureHand): string {
  const side = hand ?? "only";
  return [
    t("dash.hear.see", { side, card: cardName(card) }),
    ...(doubled.length > 0 ? [t("dash.would-double", { items: itemsListed(doubled) })] : []),
  ].join(" ");
}

export function tooLate(by: number | null, seat: number | null, names: Names): string {
  if (by === null) return t("dash.late.somebody");
  return by === seat ? t("dash.late.self") : t("dash.late", { name: called(names, by) });
}

/** A card that this seat has seen goes to somebody else. */
function hearLoss(by: number, place: DashPlace, before: DashPicture, seat: number | null, names: Names): string | null {
  const card = before.heap.find((spot) => spot.place === place)?.card;
  return card && seat !== null ? t("dash.hear.loss", { name: called(names, by), card: cardName(card) }) : null;
}

/** Somebody gives up a card that this seat could use. */
function hearReturn(
  by: number,
  card: string,
  place: DashPlace,
  before: DashPicture,
  seat: number | null,
  names: Names,
): string | null {
  if (by === seat) return t("dash.hear.returned", { card: cardName(card), place: placeName(place) });
  const mine = seat === null ? [] : before.seats[seat]!.hands.filter(({ gone }) => !gone);
  if (!mine.some(({ display }) => wouldDouble(display, card).length === 0)) return null;
  return t("dash.hear.return", { name: called(names, by), card: cardName(card), place: placeName(place) });
}

// --- What to do now --------------------------------------------------------------------------------------------------

export function prompt(view: DashPicture, seat: number | null, names: Names): Sentence {
  if (view.over) return { text: t("dash.prompt.over"), rule: "D21" };
  if (!view.is_open) {
    if (view.last?.round === view.round) return ending(view.last);
    if (view.opener === null) return { text: t("dash.prompt.setup"), rule: "D5" };
    if (view.opener === seat) return { text: t("dash.prompt.open"), rule: "D6" };
    return { text: t("dash.prompt.opens", { name: called(names, view.opener) }), rule: "D6" };
  }
  if (seat === null) return { text: t("dash.prompt.watch"), rule: "D7" };
  const hands = view.seats[seat]!.hands;
  if (hands.every(({ gone }) => gone)) return { text: t("dash.prompt.gone"), rule: "D10" };
  if (hands.some(({ card }) => card === EXIT)) return { text: t("dash.prompt.exit"), rule: "D10" };
  if (hands.some(({ holds }) => holds)) return { text: t("dash.prompt.weigh"), rule: "D8" };
  if (hands.some(({ stack }) => stack > 0)) return { text: t("dash.prompt.stack"), rule: "D8" };
  return { text: t("dash.prompt.take"), rule: "D9" };
}

/** Why the round is over. */
export const ending = ({ why }: RoundResult): Sentence => ({
  text: t("dash.score.why", { why }),
  rule: why === "limit" ? "D30" : "D15",
});

// --- What a display was worth ----------------------------------------------------------------------------------------

/** The points of a display, and why it is so many. */
export function worth({ displays, points }: RoundResult, seat: number, hand: number): Sentence {
  const { display, gone } = displays[seat]![hand]!;
  const got = points[seat]![hand]!;
  const values = { count: display.length, points: minus(got) };
  if (!gone) return { text: t("dash.worth.stayed", values), rule: "D17" };
  return got < 0
    ? { text: t("dash.worth.double", values), rule: "D18" }
    : { text: t("dash.worth.square", values), rule: "D19" };
}

// --- Why the places are as they are ----------------------------------------------------------------------------------

export function reasons(
  view: DashView,
  scores: readonly number[],
  places: readonly number[],
  names: Names,
): Sentence[] {
  const winners = winnersOf(places);
  const points = minus(scores[winners[0] ?? 0] ?? 0);
  const values = { names: listed(winners.map((seat) => called(names, seat))), points, count: winners.length };
  const end = view.reached
    ? { text: t("dash.reason.target", { target: view.target }), rule: view.seats.length === 2 ? "D28" : "D21" }
    : { text: t("dash.reason.rounds", { rounds: view.round }), rule: "D21" };
  return [{ text: t("dash.reason.points", values), rule: "D20" }, end];
}
