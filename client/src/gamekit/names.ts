/** People within a sentence. */

import { listed, t } from "~/words/words.svelte";

export type Names = readonly string[];

export const called = (names: Names, seat: number): string => t("called", { name: names[seat] ?? "" });

export const allCalled = (names: Names, seats: readonly number[]): string =>
  listed(seats.map((seat) => called(names, seat)));
