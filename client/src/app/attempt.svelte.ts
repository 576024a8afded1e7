/** Something that the server may refuse: while it lasts nothing is asked twice, and what it says is kept to be shown. */

import { Refused } from "~/wire/http";

export class Attempt {
  busy = $state(false);
  refused = $state.raw<Refused>();

  /** Resolves to whether it has worked. */
  async make(what: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.refused = undefined;
    try {
      await what();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused = error;
      return false;
    } finally {
      this.busy = false;
    }
  }
}
