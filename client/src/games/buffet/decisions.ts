/** What a seat may do, as the server has listed it. */

import type { BuffetCard, BuffetDecision, BuffetExchange, BuffetLay, BuffetView } from "~/wire/messages";

const byValue = (one: number, other: number): number => one - other;

export function layOf(view: BuffetView, card: BuffetCard): BuffetLay | undefined {
  return view.legal.find((decision): decision is BuffetLay => decision.do === "lay" && decision.card === card);
}

/** The exchange of exactly these cards. */
export function exchangeOf(view: BuffetView, cards: readonly BuffetCard[]): BuffetExchange | undefined {
  const wanted = String(cards.toSorted(byValue));
  return view.legal.find(
    (decision): decision is BuffetExchange =>
      decision.do === "exchange" && String(decision.cards.toSorted(byValue)) === wanted,
  );
}

export type Asked = BuffetDecision["do"] | null;

/** What the seat is asked for now. */
export const askedFor = (view: BuffetView): Asked => view.legal[0]?.do ?? null;
