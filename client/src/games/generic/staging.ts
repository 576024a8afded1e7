/** What happens in any game, as the eye is told: it is said in words, and the next view puts everything in its place. */

import type { Staging } from "~/table/playback.svelte";
import type { AnyEntry, AnyPicture } from "./view";

/** So much of what has happened stays on the board. */
const MOST_RECENT = 4;
const GLANCE_MS = 200;

/** Who has decided may not do the same again; what else has changed only the next view knows. */
function unfold(picture: AnyPicture, entry: AnyEntry): AnyPicture {
  const recent = [...(picture.recent ?? []), entry].slice(-MOST_RECENT);
  const to_act = picture.to_act.filter((seat) => seat !== entry.by);
  return { ...picture, recent, to_act, legal: entry.by === picture.seat ? [] : picture.legal };
}

export const staging: Staging<AnyPicture, AnyEntry> = {
  unfold,
  pause: () => GLANCE_MS,
  settle: (view, before) => (before.recent ? { ...view, recent: before.recent } : view),
  since: (entries) => Math.max(0, entries.length - MOST_RECENT),
};
