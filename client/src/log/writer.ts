/** What has happened at a table, in words: for those who read it, and for those who hear it. */

import type { GameUi, Sentence } from "~/gamekit/game";
import type { Talk } from "~/table/live.svelte";
import type { Line } from "~/wire/connection";
import type { GameEntry, House, Seat, TableView } from "~/wire/messages";
import { language, t } from "~/words/words.svelte";

/** Something that was said of one line; `seat`: who did it, if it was one. */
export interface LogLine extends Sentence {
  seat: number | null;
  /** With this a new round begins. */
  opens: boolean;
}

const WRITTEN_OF_THE_TABLE = ["sit", "leave", "remove", "away", "back", "take", "begin"] as const;
type WrittenOfTheTable = (typeof WRITTEN_OF_THE_TABLE)[number];

const isWritten = (what: House["do"]): what is WrittenOfTheTable =>
  WRITTEN_OF_THE_TABLE.includes(what as WrittenOfTheTable);

const namesAt = (table: TableView): string[] => table.seats.map(({ name }, seat) => name ?? `${seat + 1}`);

function actor(entry: GameEntry): number | null {
  if (typeof entry.by === "number") return entry.by;
  return "seat" in entry ? entry.seat : null;
}

function writeLine(line: Line, ui: GameUi, names: readonly string[], before: readonly string[]): LogLine[] {
  if (line.type === "house" && isWritten(line.do)) {
    const nameIn = (called: readonly string[]) => (line.seat === null ? "" : called[line.seat]!);
    // In the seat of somebody who was asked to leave there is a bot of another name already.
    const name = nameIn(line.do === "remove" ? before : names);
    const text = t(`house.${line.do}`, { name, bot: nameIn(names), phase: line.table.phase });
    return [{ text, seat: line.seat, opens: false }];
  }
  if (line.type !== "step") return [];
  return line.entries.flatMap((entry) => {
    const sentence = ui.tell(entry, names);
    return sentence ? [{ ...sentence, seat: actor(entry), opens: entry.do === "round" }] : [];
  });
}

/** Writes lines one after the other, each only once; people are called what they were called at that time. */
export class LogWriter {
  #ui: GameUi;
  #written = new WeakMap<Line, LogLine[]>();
  #language = language();

  constructor(ui: GameUi) {
    this.#ui = ui;
  }

  write(lines: readonly Line[], table: TableView): LogLine[][] {
    if (this.#language !== language()) {
      this.#language = language();
      this.#written = new WeakMap();
    }
    let names: readonly string[] = namesAt(table);
    return lines.map((line) => {
      // Whoever has got up after the game has no name at the table any more; then it is the one before that counts.
      const before = names;
      if (line.type === "house") names = line.table.seats.map(({ name }, seat) => name ?? before[seat]!);
      let written = this.#written.get(line);
      if (!written) {
        written = writeLine(line, this.#ui, names, before);
        this.#written.set(line, written);
      }
      return written;
    });
  }
}

/** What everybody was called in the game last, also those who have got up since. */
export function namesInGame(story: readonly Line[], table: TableView): string[] {
  const kept = story.filter((line) => line.type === "house").map((line) => line.table.seats);
  return table.seats.map(
    ({ name }, seat) => name ?? kept.findLast((seats) => seats[seat]?.name)?.[seat]?.name ?? `${seat + 1}`,
  );
}

/** Who had a seat when the line of this number was written, as far as we know. */
export function guestAt(story: readonly Line[], table: TableView, seat: number, number: number): Seat | undefined {
  const houses = story.filter((line) => line.type === "house");
  const then = houses.findLast((line) => line.number <= number) ?? houses[0];
  return (then?.table ?? table).seats[seat];
}

/** What somebody said or showed, in words. */
export function spoken(talk: Talk, name: string): string {
  return t("said", { name, text: talk.type === "say" ? talk.text : t(`reaction.${talk.sign}`) });
}
