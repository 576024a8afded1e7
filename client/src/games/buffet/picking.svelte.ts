/** What a player has in mind: cards picked in the hand, and the decision they make up, as the server lists it. */

import type { BuffetCard, BuffetDecision, BuffetView } from "~/wire/messages";
import { askedFor, exchangeOf, layOf } from "./decisions";

/** A card as one of several: equal cards are told apart by their place among themselves. */
export interface Held {
  card: BuffetCard;
  key: string;
}

interface Moment {
  /** The cards as they are shown. */
  cards: readonly BuffetCard[];
  /** What the seat may do. */
  view: BuffetView;
  /** Everything that leads to an exchange has been shown. */
  told: boolean;
}

export class Picking {
  #picked = $state.raw<readonly string[]>([]);

  constructor(private readonly moment: () => Moment) {}

  readonly asked = $derived.by(() => askedFor(this.moment().view));
  readonly exchanging = $derived.by(() => this.asked === "exchange" && this.moment().told);
  readonly held = $derived.by<Held[]>(() =>
    this.moment().cards.map((card, i, cards) => ({
      card,
      key: `${card}.${cards.slice(0, i).filter((other) => other === card).length}`,
    })),
  );
  readonly chosen = $derived.by(() => this.held.filter(({ key }) => this.#picked.includes(key)));
  /** The card that is to be laid. */
  readonly raised = $derived.by(() => {
    const [first] = this.chosen;
    return this.asked === "lay" && first && layOf(this.moment().view, first.card) ? first : null;
  });
  readonly decision = $derived.by<BuffetDecision | undefined>(() => {
    const { view } = this.moment();
    if (this.raised) return layOf(view, this.raised.card);
    const cards = this.chosen.map(({ card }) => card);
    return this.exchanging ? exchangeOf(view, cards) : undefined;
  });

  isPicked = ({ key }: Held): boolean =>
    this.exchanging ? this.#picked.includes(key) : this.raised !== null && this.raised.key === key;

  usable = ({ card }: Held): boolean => this.exchanging || layOf(this.moment().view, card) !== undefined;

  /** One more or one less to exchange, or another one to lay. */
  pick({ key }: Held): void {
    const others = this.#picked.filter((one) => one !== key);
    if (!this.exchanging) this.#picked = [key];
    else this.#picked = others.length < this.#picked.length ? others : [...this.#picked, key];
  }

  clear(): void {
    this.#picked = [];
  }
}
