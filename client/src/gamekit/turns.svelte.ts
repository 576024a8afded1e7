/** What boards of games with turns have in common: who sits where, what is being shown, and one decision at a time. */

import type { Seen } from "~/table/picture";
import type { BoardProps, DecisionOf } from "./game";

/** What is needed of the picture of any such game; every view is one, with nothing kept for the eye. */
interface TurnPicture extends Seen {
  seat: number | null;
  seats: readonly unknown[];
  /** At the end. */
  places?: readonly number[];
}

type TurnProps<Picture extends Seen, Entry> = Pick<BoardProps<Picture, Entry>, "playback" | "seat" | "view" | "act">;

export class TurnController<Picture extends TurnPicture, Entry> {
  #sending = $state(false);
  #sentFrom = $state.raw<Picture>();

  constructor(private readonly props: () => TurnProps<Picture, Entry>) {}

  // --- What is seen ---------------------------------------------------------------------------------------------------

  readonly picture = $derived.by<Picture>(() => this.props().playback.shown);
  /** Who sits at the lower edge. */
  readonly near = $derived.by(() => this.props().seat ?? this.props().view.seat ?? 0);
  /** The others, clockwise from there. */
  readonly others = $derived.by(() => {
    const { length } = this.props().view.seats;
    return Array.from({ length: length - 1 }, (_, i) => (this.near + 1 + i) % length);
  });
  /** Something of this seat is being shown; a seat other than the one that is shown sees at once how things are. */
  readonly showing = $derived.by(() => this.props().playback.running && this.picture.seat === this.props().seat);
  /** While things are being shown, the own cards are as they were then. */
  readonly own = $derived.by<Picture>(() => (this.showing ? this.picture : this.props().view));
  /** Is this seat waited for? */
  readonly mine = $derived.by(() => {
    const { seat, view } = this.props();
    return seat !== null && view.to_act.includes(seat);
  });

  wins = (seat: number): boolean => this.picture.places?.[seat] === 1;

  /** Whoever touches the table has seen enough. */
  skip = (): void => {
    const { playback } = this.props();
    if (playback.running) playback.skip();
  };

  // --- What is decided ------------------------------------------------------------------------------------------------

  /** Until the table has answered and said what comes next, nothing is sent twice. */
  readonly sending = $derived.by(() => this.#sending || this.#sentFrom === this.props().view);

  /** Resolves to whether the decision was accepted; a second press before the answer does nothing. */
  async decide(decision: DecisionOf<Picture> | undefined): Promise<boolean> {
    if (decision === undefined || this.sending) return false;
    const { view, act } = this.props();
    this.#sending = true;
    this.#sentFrom = view;
    const accepted = await act(decision);
    this.#sending = false;
    if (!accepted) this.#sentFrom = undefined;
    return accepted;
  }
}
