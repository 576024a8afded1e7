/** The options of games in words, and the values of them that people are offered. */

import { manifestOf } from "~/games/registry";
import type { OptionInfo, TableView } from "~/wire/messages";
import { known, t } from "~/words/words.svelte";
import { duration, seconds } from "~/words/times";

export type OptionValue = number | boolean | null;
export type Options = Record<string, OptionValue>;

export const defaultOf = (option: OptionInfo, seats: number): OptionValue =>
  (seats === 2 ? option.default_for_two : null) ?? option.default;

/** Of a game without a folder we know no good values: all of them, if they are few. */
const FEW = 10;

function anyOf({ least, most }: OptionInfo): number[] {
  return most - least < FEW ? Array.from({ length: most - least + 1 }, (_, more) => least + more) : [least, most];
}

export function offered(game: string, option: OptionInfo, seats: number): number[] {
  const manifest = manifestOf(game);
  const good = manifest ? (manifest.options[option.name] ?? []) : anyOf(option);
  const usual = defaultOf(option, seats) as number;
  return [...new Set([...good, usual])].toSorted((one, other) => one - other);
}

/** What an option is about. */
export function optionTitle(name: string): string {
  const key = `option.${name}` as const;
  return known(key) ? t(key) : name;
}

/** A number of an option as people read it: the end of its name tells its unit. */
export function valueTitle(name: string, value: number): string {
  if (value === 0) return t("option.off");
  if (name.endsWith("_ms")) return seconds(value / 1000);
  return name.endsWith("_s") ? duration(value) : `${value}`;
}

/** What was agreed and is not as usual, in a few words each. */
export function unusual(table: TableView, options: readonly OptionInfo[]): string[] {
  return options.flatMap((option) => {
    const value = table.options[option.name];
    if (value == null || value === defaultOf(option, table.seats.length)) return [];
    if (option.kind === "seat") return [`${optionTitle(option.name)}: ${table.seats[value as number]?.name ?? "?"}`];
    const key = `agreed.${option.name}` as const;
    return known(key) ? [t(key, { value: valueTitle(option.name, value as number), count: Number(value) })] : [];
  });
}
