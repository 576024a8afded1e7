/** The options of games in words, and the values of them that people are offered. */

import type { OptionInfo, TableView } from "~/wire/messages";
import { known, t, type Key } from "~/words/words.svelte";
import { duration, seconds } from "./times";

export type OptionValue = number | boolean | null;
export type Options = Record<string, OptionValue>;

/** The server takes many more; these make good games. */
const OFFERED: Record<string, readonly number[]> = {
  "chocolat.target": [15, 30, 45],
  "dash.target": [25, 50, 75, 100],
  "dash.pace_ms": [0, 1000, 1500, 2500],
  "dash.round_limit_s": [0, 120, 180, 300],
  "dash.max_rounds": [0, 1, 3, 5],
};

export const defaultOf = (option: OptionInfo, seats: number): OptionValue =>
  (seats === 2 ? option.default_for_two : null) ?? option.default;

export function offered(game: string, option: OptionInfo, seats: number): number[] {
  const usual = defaultOf(option, seats) as number;
  return [...new Set([...(OFFERED[`${game}.${option.name}`] ?? []), usual])].toSorted((one, other) => one - other);
}

/** What an option is about. */
export function optionTitle(name: string): string {
  const key = `option.${name}`;
  return known(key) ? t(key) : name;
}

/** A number of an option as people read it. */
export function valueTitle(name: string, value: number): string {
  if (value === 0 && name !== "target") return t("option.off");
  if (name === "pace_ms") return seconds(value / 1000);
  return name === "round_limit_s" ? duration(value) : `${value}`;
}

/** What was agreed and is not as usual, in a few words each. */
export function unusual(table: TableView, options: readonly OptionInfo[]): string[] {
  return options.flatMap((option) => {
    const value = table.options[option.name];
    if (value == null || value === defaultOf(option, table.seats.length)) return [];
    if (option.kind === "seat") return [`${optionTitle(option.name)}: ${table.seats[value as number]?.name ?? "?"}`];
    const key = `option.${option.name}.short` as Key;
    return known(key) ? [t(key, { value: valueTitle(option.name, value as number), count: Number(value) })] : [];
  });
}
