/** Messages in ICU's format as code, so that no page has to read the format. */

import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";

/** A value is read as it is, counted by, or one of some words to choose by. */
export type Kind = "text" | "number" | "word";

export interface Message {
  /** An expression: a string, or a function of the values and the grammar (`Grammar` in src/words/languages.ts). */
  code: string;
  /** What it has to be given. */
  values: ReadonlyMap<string, Kind>;
  /** Those that can be read in it; others only choose between forms, which not every language has. */
  shown: ReadonlySet<string>;
}

/** Throws if it can not be read, or has something in it that no text of ours needs. */
export function compile(text: string): Message {
  const compiler = new Compiler();
  const expression = compiler.expression(parse(text, { ignoreTag: true }));
  const { values, shown } = compiler;
  return { code: values.size > 0 ? `(v,l)=>${expression}` : expression, values, shown };
}

type Choice = Extract<MessageFormatElement, { type: TYPE.plural | TYPE.select }>;

class Compiler {
  readonly values = new Map<string, Kind>();
  readonly shown = new Set<string>();

  /** `counted`: the value that a `#` stands for. */
  expression(parts: readonly MessageFormatElement[], counted?: string): string {
    const [first] = parts;
    if (!first) return '""';
    if (parts.length === 1 && first.type === TYPE.literal) return JSON.stringify(first.value);
    if (parts.length === 1 && isChoice(first)) return this.#choice(first, counted);
    return `\`${parts.map((part) => this.#piece(part, counted)).join("")}\``;
  }

  #piece(part: MessageFormatElement, counted?: string): string {
    if (part.type === TYPE.literal) return part.value.replace(/[\\`]|\$(?=\{)/g, "\\$&");
    return `\${${this.#inserted(part, counted)}}`;
  }

  #inserted(part: MessageFormatElement, counted?: string): string {
    if (isChoice(part)) return this.#choice(part, counted);
    if (part.type === TYPE.argument) return this.#value(part.value, "text", true);
    if (part.type === TYPE.number && !part.style) return `l.number(${this.#value(part.value, "number", true)})`;
    if (part.type === TYPE.pound) return `l.number(${this.#value(counted!, "number", true)})`;
    throw new Error(`${TYPE[part.type]} is not supported`);
  }

  #choice(part: Choice, counted?: string): string {
    const plural = part.type === TYPE.plural;
    if (plural && (part.offset || part.pluralType === "ordinal")) throw new Error("only plain plurals are supported");
    const value = this.#value(part.value, plural ? "number" : "word", false);
    const { other, ...forms } = part.options;
    // An exact number comes before the form that it would have.
    const names = Object.keys(forms).sort((one, two) => Number(isExact(two)) - Number(isExact(one)));
    const cases = names.map((name) => {
      const text = this.expression(forms[name]!.value, plural ? part.value : counted);
      if (plural && isExact(name)) return `${value}===${Number(name.slice(1))}?${text}:`;
      return `${plural ? `l.plural(${value})` : value}===${JSON.stringify(name)}?${text}:`;
    });
    return `(${cases.join("")}${this.expression(other!.value, plural ? part.value : counted)})`;
  }

  #value(name: string, kind: Kind, shown: boolean): string {
    if (!/^[a-z]\w*$/i.test(name)) throw new Error(`{${name}} is no name of a value`);
    if (shown) this.shown.add(name);
    this.values.set(name, narrower(this.values.get(name), kind, name));
    return `v.${name}`;
  }
}

const isChoice = (part: MessageFormatElement): part is Choice => part.type === TYPE.plural || part.type === TYPE.select;

const isExact = (name: string): boolean => name.startsWith("=");

/** What fits both. */
export function narrower(one: Kind | undefined, other: Kind, name: string): Kind {
  if (one === undefined || one === "text") return other;
  if (other !== "text" && other !== one) throw new Error(`{${name}} is both a ${one} and a ${other}`);
  return one;
}
