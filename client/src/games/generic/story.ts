/** Any game in words: what has happened, and what to do now. */

import type { Sentence } from "~/gamekit/game";
import { allCalled, type Names } from "~/gamekit/names";
import { winnersOf } from "~/parts/ranking";
import type { SoundName } from "~/sound/sound";
import { minus } from "~/words/numbers";
import { t } from "~/words/words.svelte";
import { entryText, type Secrets } from "./reading";
import type { AnyEntry, AnyView } from "./view";

export function tell(entry: AnyEntry, names: Names, secrets: Secrets): Sentence {
  return { text: entry.do === "end" ? endText(entry, names) : entryText(entry, names, secrets) };
}

function endText(entry: AnyEntry, names: Names): string {
  const { scores, places } = entry as AnyEntry & { scores: readonly number[]; places: readonly number[] };
  const winners = winnersOf(places);
  const points = scores[winners[0] ?? 0] ?? 0;
  return t("generic.tell.end", {
    names: allCalled(names, winners),
    count: winners.length,
    points,
    shown: minus(points),
  });
}

export function prompt(view: AnyView, seat: number | null, names: Names): Sentence {
  const { over, to_act } = view;
  if (over) return { text: t("generic.prompt.over") };
  if (to_act.length === 0) return { text: t("generic.prompt.wait") };
  if (seat !== null && to_act.includes(seat)) return { text: t("generic.prompt.mine") };
  return { text: t("generic.prompt.others", { names: allCalled(names, to_act), count: to_act.length }) };
}

export function noise(entry: AnyEntry): SoundName | null {
  if (typeof entry.by === "number") return "card";
  return entry.do === "end" ? "cheer" : null;
}
