/** The game in words: what has happened, what to do now, and why the places are as they are. */

import type { Sentence } from "~/gamekit/game";
import { allCalled, called, type Names } from "~/gamekit/names";
import { reasonsFor } from "~/parts/ranking";
import type { SoundName } from "~/sound/sound";
import { CARDS } from "~/wire/messages";
import type {
  ChocolatCard,
  ChocolatCombine,
  ChocolatCombineEntry,
  ChocolatDraftEntry,
  ChocolatEntry,
  ChocolatPower,
  ChocolatRevealEntry,
  ChocolatView,
} from "~/wire/messages";
import { minus } from "~/words/numbers";
import { listed, t } from "~/words/words.svelte";
import { partsOf, printed } from "./cards";
import { helperOf } from "./helpers";

/** A card in a sentence. */
export function cardName(card: ChocolatCard): string {
  const { ingredient, value } = partsOf(card);
  return t("chocolat.card", { ingredient: t(`ingredient.${ingredient}`), value: minus(value) });
}

/** A card with all that is printed on it. */
export const wholeName = (card: ChocolatCard): string =>
  t("chocolat.card.whole", { card: cardName(card), coins: partsOf(card).coins });

/** The same within a sentence, where cards of one kind are told apart. */
export const nameWithCoins = (card: ChocolatCard): string =>
  t("chocolat.card.coins", { card: cardName(card), coins: partsOf(card).coins });

export const cardNames = (cards: readonly ChocolatCard[]): string => listed(cards.map(cardName));

const animal = (power: ChocolatPower): string => t(`helper.${power}`);
/** "with the ant" */
export const withHelp = (power: ChocolatPower): string => t(`helper.${power}.with`);

// --- What has happened -----------------------------------------------------------------------------------------------

export function tell(entry: ChocolatEntry, names: Names): Sentence | null {
  switch (entry.do) {
    case "choose":
      return { text: t("chocolat.tell.choose", { name: called(names, entry.value) }), rule: "C6" };
    case "shuffle":
      if (entry.pile === "helpers") return null;
      return (entry.count ?? entry.order?.length) === CARDS.chocolat
        ? { text: t("chocolat.tell.deal"), rule: "C4" }
        : { text: t("chocolat.tell.shuffle"), rule: "C7" };
    case "helpers": {
      const held = listed(entry.seats.map((rank, seat) => t("chocolat.tell.rank", { name: names[seat] ?? "", rank })));
      return { text: t("chocolat.tell.helpers", { held }), rule: "C13" };
    }
    case "round":
      return { text: t("chocolat.tell.round", { number: entry.number }), rule: "C7" };
    case "market":
      return { text: t("chocolat.tell.market", { cards: cardNames(entry.new) }), rule: "C7" };
    case "reveal":
      return tellReveal(entry, called(names, entry.seat));
    case "draft":
      return tellDraft(entry, called(names, entry.by));
    case "dig":
    case "fetch": {
      const values = { name: called(names, entry.by), card: cardName(entry.card), with: withHelp(entry.do) };
      return { text: t("chocolat.tell.swap", values), rule: "C15" };
    }
    case "draw":
      return entry.cards?.length === 1
        ? {
            text: t("chocolat.tell.draw", { name: called(names, entry.seat), card: cardNames(entry.cards) }),
            rule: "C15",
          }
        : null;
    case "gain":
      return {
        text: t("chocolat.tell.gain", { name: called(names, entry.seat), card: cardName(entry.card) }),
        rule: "C15",
      };
    case "combine":
      return tellCombine(entry, called(names, entry.by));
    case "pass":
      return { text: t("chocolat.tell.pass", { name: called(names, entry.by) }), rule: "C10" };
    case "end":
      return tellEnd(entry.scores, entry.places, names);
    case "lay":
      return null;
  }
}

function tellReveal({ card, coins, helper }: ChocolatRevealEntry, name: string): Sentence {
  const values = { name, card: cardName(card), coins };
  return helper === undefined
    ? { text: t("chocolat.tell.reveal", values), rule: "C9" }
    : { text: t("chocolat.tell.reveal-helper", { ...values, with: withHelp("coins") }), rule: "C15" };
}

function tellDraft({ take, give }: ChocolatDraftEntry, name: string): Sentence {
  const values = { name, cards: cardNames(take) };
  return give === undefined
    ? { text: t("chocolat.tell.draft", values), rule: "C9" }
    : {
        text: t("chocolat.tell.draft-helper", { ...values, give: cardName(give), with: withHelp("three") }),
        rule: "C15",
      };
}

/** Which power was used with a combination can be seen from it. */
export function powerIn({ helper, changed, as }: Pick<ChocolatCombineEntry, "helper" | "changed" | "as">) {
  if (helper === undefined) return null;
  return as !== undefined ? "colour" : changed !== undefined ? "value" : "four";
}

/** What a helper does in a combination, in words. */
export function changeOf(decision: Pick<ChocolatCombineEntry, "helper" | "changed" | "as">, name = cardName): string {
  const power = powerIn(decision);
  if (power === null) return "";
  const card = decision.changed === undefined ? "" : name(decision.changed);
  if (power === "colour") return t("chocolat.offer.as", { card, as: t(`ingredient.${decision.as!}`) });
  return power === "value" ? t("chocolat.offer.higher", { card }) : withHelp(power);
}

/** What one way to lay out cards brings. */
export function keeps(way: Pick<ChocolatCombine, "kept" | "helper" | "changed" | "as">): string {
  const change = changeOf(way);
  return [t("chocolat.keeps", { kept: cardNames(way.kept) }), ...(change ? [change] : [])].join(" · ");
}

function tellCombine(entry: ChocolatCombineEntry, name: string): Sentence {
  const power = powerIn(entry);
  const points = printed(entry.kept);
  const values = { name, cards: cardNames(entry.cards), kept: cardNames(entry.kept), points };
  return power === null
    ? { text: t("chocolat.tell.combine", values), rule: "C11" }
    : { text: t("chocolat.tell.combine-helper", { ...values, with: withHelp(power) }), rule: "C15" };
}

function tellEnd(scores: readonly number[], places: readonly number[], names: Names): Sentence {
  const winner = places.indexOf(1);
  const points = scores[winner] ?? 0;
  return { text: t("chocolat.tell.end", { name: called(names, winner), points }), rule: "C16" };
}

export function noise(entry: ChocolatEntry): SoundName | null {
  switch (entry.do) {
    case "lay":
    case "draft":
    case "dig":
    case "fetch":
      return "card";
    case "reveal":
      return "flip";
    case "combine":
      return "plate";
    case "helpers":
      return "squeak";
    case "round":
      return "bell";
    case "end":
      return "cheer";
    default:
      return null;
  }
}

// --- What to do now --------------------------------------------------------------------------------------------------

export function prompt(view: ChocolatView, seat: number | null, names: Names): Sentence {
  if (view.over) return { text: t("chocolat.prompt.over"), rule: "C16" };
  const [first] = view.to_act;
  if (first === undefined) return { text: t("chocolat.prompt.reveal"), rule: "C8" };
  if (seat !== null && view.to_act.includes(seat)) return myMove(view, seat);
  switch (view.phase) {
    case "drafting":
      return waiting(view, first, seat, names, "chocolat.prompt.drafts", "C9");
    case "scoring":
      return waiting(view, first, seat, names, "chocolat.prompt.scores", "C10");
    default:
      return whileLaying(view, seat, names);
  }
}

/** While something is shown nothing is legal yet: the phase says what one is asked for. */
function myMove(view: ChocolatView, seat: number): Sentence {
  const power = helperOf(view, seat);
  switch (view.phase) {
    case "drafting":
      return view.legal.some((one) => one.do === "draft" && one.give !== undefined)
        ? { text: t("chocolat.prompt.draft-three", { with: withHelp("three") }), rule: "C15" }
        : { text: t("chocolat.prompt.draft"), rule: "C9" };
    case "scoring": {
      const none = view.legal.length > 0 && !view.legal.some((one) => one.do === "combine");
      const swap = view.legal.some((one) => one.do === "dig" || one.do === "fetch");
      if (swap && power) return { text: t("chocolat.prompt.score-swap", { with: withHelp(power) }), rule: "C15" };
      return none
        ? { text: t("chocolat.prompt.score-none"), rule: "C10" }
        : { text: t("chocolat.prompt.score"), rule: "C10" };
    }
    default:
      return { text: t("chocolat.prompt.lay"), rule: "C8" };
  }
}

function whileLaying(view: ChocolatView, seat: number | null, names: Names): Sentence {
  const values = { names: allCalled(names, view.to_act), count: view.to_act.length };
  return seat !== null && view.laid
    ? { text: t("chocolat.prompt.laid", { ...values, card: cardName(view.laid.card) }), rule: "C8" }
    : { text: t("chocolat.prompt.watch", values), rule: "C8" };
}

/** Somebody else's turn, and how many are before us. */
function waiting(
  view: ChocolatView,
  first: number,
  seat: number | null,
  names: Names,
  what: "chocolat.prompt.drafts" | "chocolat.prompt.scores",
  rule: string,
): Sentence {
  const text = t(what, { name: called(names, first) });
  const before = seat === null ? -1 : view.order.indexOf(seat);
  if (before < 1) return { text, rule };
  return { text: `${text} ${t("chocolat.prompt.before", { count: before })}`.trim(), rule };
}

// --- Why the places are as they are ----------------------------------------------------------------------------------

export function reasons(
  view: ChocolatView,
  scores: readonly number[],
  places: readonly number[],
  names: Names,
): Sentence[] {
  return reasonsFor(scores, places, {
    first: (seat) => ({
      text: t("chocolat.reason.points", { name: called(names, seat), points: scores[seat]! }),
      rule: "C16",
    }),
    tie: (ahead, behind) => tieBreak(view, ahead, behind, scores[ahead]!, names),
  });
}

function tieBreak(view: ChocolatView, ahead: number, behind: number, points: number, names: Names): Sentence {
  const [better, lesser] = [helperOf(view, ahead), helperOf(view, behind)];
  const values = {
    ahead: called(names, ahead),
    behind: called(names, behind),
    points,
    better: better ? animal(better) : "",
    rank: view.seats[ahead]?.helper ?? 0,
    lesser: lesser ? animal(lesser) : "",
    other: view.seats[behind]?.helper ?? 0,
  };
  return { text: t("chocolat.reason.rank", values), rule: "C16" };
}
