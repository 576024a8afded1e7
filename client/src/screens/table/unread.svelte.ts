/** How much was said at a table since somebody last read along there. */

import type { LiveTable } from "~/table/live.svelte";

const last = (live: LiveTable) => live.talk.at(-1)?.number ?? 0;

class UnreadTalk {
  #read = $state(0);

  constructor(private readonly live: LiveTable) {
    this.#read = last(live);
  }

  get unread(): number {
    const { talk, seats } = this.live;
    return talk.filter((one) => one.type === "say" && one.number > this.#read && !seats.includes(one.seat)).length;
  }

  read(): void {
    this.#read = last(this.live);
  }
}

const kept = new WeakMap<object, UnreadTalk>();

/** The same for all who show it; in another history nothing of this one counts. */
export function unreadTalkAt(live: LiveTable): UnreadTalk {
  let found = kept.get(live.history);
  if (!found) kept.set(live.history, (found = new UnreadTalk(live)));
  return found;
}
