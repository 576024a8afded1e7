/** A lesson's table, for those who only know tables. */

import { LEARNER, type Lesson } from "~/learn/script";
import type { TableView } from "~/wire/messages";

export function tableOf({ game }: Pick<Lesson, "game">, names: readonly string[]): TableView {
  const seats = names.map((name, seat) => ({ name, bot: seat === LEARNER ? null : "greedy" }));
  return { game, seats } as TableView;
}
