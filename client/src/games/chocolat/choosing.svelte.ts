/** What a player has in mind: cards picked in hand and market, and the decision they make up, as the server lists it. */

import type { ChocolatCard, ChocolatDecision, ChocolatView } from "~/wire/messages";
import { contains, oneByOne, type Held } from "./cards";
import {
  choicesIn,
  chosenAnew,
  isSame,
  offerOfAll,
  offersIn,
  offersWith,
  type Choices,
  type Offer,
  type Way,
} from "./offers";

export type Asked = "lay" | "draft" | "score" | null;

/** What the seat is asked for now. */
export function askedFor({ legal }: Pick<ChocolatView, "legal">): Asked {
  const first = legal[0]?.do;
  if (first === undefined || first === "lay" || first === "draft") return first ?? null;
  return "score";
}

type Decided<Verb extends ChocolatDecision["do"]> = Extract<ChocolatDecision, { do: Verb }>;
type Picks = readonly string[];

export class Choosing {
  #hand = $state.raw<Picks>([]);
  #market = $state.raw<Picks>([]);
  #way = $state.raw<Way>();
  /** The card is to be laid with the helper under it. */
  bold = $state(false);

  constructor(private readonly view: () => ChocolatView) {}

  // --- What there is --------------------------------------------------------------------------------------------------

  readonly asked = $derived.by(() => askedFor(this.view()));
  readonly offers = $derived.by<Offer[]>(() => offersIn(this.view()));
  readonly #drafts = $derived.by(() => this.#all("draft"));
  readonly mostTaken = $derived.by(() => Math.max(0, ...this.#drafts.map(({ take }) => take.length)));
  /** A helper takes more, for which a card is given. */
  readonly canGive = $derived.by(() => this.#drafts.some(({ give }) => give !== undefined));
  readonly #mostLaidOut = $derived.by(() => Math.max(1, ...this.offers.map(({ cards }) => cards.length)));
  readonly canBeBold = $derived.by(() => this.#all("lay").some(({ helper }) => helper !== undefined));
  readonly canSwap = $derived.by(() => this.view().legal.some((one) => one.do === "dig" || one.do === "fetch"));
  readonly canPass = $derived.by(() => this.view().legal.some((one) => one.do === "pass"));

  #all<Verb extends ChocolatDecision["do"]>(verb: Verb): Decided<Verb>[] {
    return this.view().legal.filter((one): one is Decided<Verb> => one.do === verb);
  }

  // --- What is picked -------------------------------------------------------------------------------------------------

  readonly taken = $derived.by(() => picked(this.view().market, this.#market));
  /** What was taken may be given at once: it lies beside the hand. */
  readonly giving = $derived.by(() => this.canGive && this.taken.length === this.mostTaken);
  readonly held = $derived.by<ChocolatCard[]>(() =>
    this.giving ? [...this.view().hand, ...this.taken.map(({ card }) => card)] : this.view().hand,
  );
  readonly raised = $derived.by(() => picked(this.held, this.#hand).map(({ card }) => card));

  isRaised = (key: string): boolean => this.#hand.includes(key);
  isTaken = (key: string): boolean => this.#market.includes(key);

  /** Can this card of the hand be picked at all? */
  usable(): boolean {
    return this.asked === "lay" || this.giving || (this.asked === "score" && (this.canSwap || this.offers.length > 0));
  }

  press(key: string): void {
    if (!this.usable()) return;
    this.#hand = toggled(this.#hand, key, this.asked === "score" ? this.#mostLaidOut : 1);
    this.#way = undefined;
  }

  take(key: string): void {
    if (this.asked !== "draft") return;
    this.#market = toggled(this.#market, key, this.mostTaken);
    this.#hand = [];
  }

  /** Lift the cards of a combination together. */
  lift({ cards }: Offer): void {
    this.#hand = oneByOne(cards).map(({ key }) => key);
    this.#way = undefined;
  }

  /** What comes of another one of the choices of a kind: what was chosen besides stays as far as that is possible. */
  varied(kind: keyof Choices, one: Way): Way {
    return kind === "orders" || !this.offer || !this.way ? one : chosenAnew(this.offer, kind, one, this.way);
  }

  /** Lay the same cards out in another way: this one of the choices of its kind. */
  vary(kind: keyof Choices, one: Way): void {
    this.#way = this.varied(kind, one);
  }

  clear(): void {
    this.#hand = this.#market = [];
    this.#way = undefined;
    this.bold = false;
  }

  // --- What comes of it -----------------------------------------------------------------------------------------------

  /** Combinations that what is raised may become. */
  readonly possible = $derived.by(() => offersWith(this.offers, this.raised));
  readonly offer = $derived.by(() => offerOfAll(this.offers, this.raised));
  /** The way that was chosen, or the best guess. */
  readonly way = $derived.by(() => {
    const [ways, chosen] = [this.offer?.ways, this.#way];
    return (chosen && ways?.find((one) => isSame(one, chosen))) ?? ways?.[0];
  });
  readonly choices = $derived.by<Choices | undefined>(() => this.way && choicesIn(this.offer!, this.way));

  readonly lay = $derived.by(() =>
    this.#all("lay").find(({ card, helper }) => card === this.raised[0] && (helper !== undefined) === this.bold),
  );
  readonly draft = $derived.by(() => {
    const cards = this.taken.map(({ card }) => card);
    return this.#drafts.find(
      ({ take, give }) =>
        take.length === cards.length && contains(take, cards) && (give === undefined || give === this.raised[0]),
    );
  });
  readonly swap = $derived.by(() =>
    this.raised.length === 1
      ? [...this.#all("dig"), ...this.#all("fetch")].find(({ card }) => card === this.raised[0])
      : undefined,
  );
  readonly pass = $derived.by(() => this.#all("pass")[0]);
}

/** The cards with these keys, in the order in which they were picked. */
function picked(cards: readonly ChocolatCard[], keys: Picks): Held[] {
  const there = new Map(oneByOne(cards).map((one) => [one.key, one]));
  return keys.flatMap((key) => there.get(key) ?? []);
}

/** One more or one less; the first one makes way where there would be too many. */
function toggled(keys: Picks, key: string, most: number): Picks {
  return keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key].slice(-most);
}
