/** The options of games in words, and the values of them that people are offered. */

import { manifestOf } from "~/games/registry";
import type { OptionInfo, TableView } from "~/wire/messages";
import { readable } from "~/words/readable";
import { duration, seconds } from "~/words/times";
import { known, t } from "~/words/words.svelte";

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

/** The game has words of its own for its options, or shares them with others. */
const titleKey = (game: string, name: string) =>
  ([`${game}.option.${name}`, `option.${name}`] as const).find((key) => known(key));

/** What an option is about. */
export function optionTitle(game: string, name: string): string {
  const key = titleKey(game, name);
  return key ? t(key) : readable(name);
}

/** What the server says about an option, in English; nothing where our own words do. */
export const optionHint = (game: string, { name, text }: OptionInfo): string | undefined =>
  titleKey(game, name) ? undefined : text;

/** A number of an option as people read it: the end of its name tells its unit, and some are off at 0. */
export function valueTitle(game: string, name: string, value: number): string {
  const off = `${game}.option.${name}.off` as const;
  if (value === 0 && known(off)) return t(off);
  if (name.endsWith("_ms")) return seconds(value / 1000);
  return name.endsWith("_s") ? duration(value) : `${value}`;
}

/** What was agreed and is not as usual, in a few words each. */
export function unusual(table: TableView, options: readonly OptionInfo[]): string[] {
  return options
    .filter(({ name }) => table.options[name] != null)
    .filter((option) => table.options[option.name] !== defaultOf(option, table.seats.length))
    .map((option) => agreed(table, option, table.options[option.name]!));
}

function agreed({ game, seats }: TableView, { name, kind }: OptionInfo, given: number | boolean): string {
  const value = typeof given === "number" ? numberText(given) : t(given ? "yes" : "no");
  const key = ([`${game}.agreed.${name}`, `agreed.${name}`] as const).find((key) => known(key));
  return key ? t(key, { value, count: Number(given) }) : t("labelled", { label: optionTitle(game, name), value });

  function numberText(number: number): string {
    return kind === "seat" ? (seats[number]?.name ?? "?") : valueTitle(game, name, number);
  }
}
