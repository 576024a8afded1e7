/** The picture of dash: what a seat sees, and what the eye remembers. */

import type {
  DashCard, DashHand, DashPlace, DashScoreEntry, DashSeat, DashSide, DashView,
} from "~/wire/messages"; // prettier-ignore

export interface PictureHand extends DashHand {
  /** When it got its card, by the game's clock, if the server has not said yet until when it is busy (D29). */
  since?: number;
  /** Where its card came from; null: from its stack. */
  from?: DashPlace | null;
  /** What it held last, if that was seen: it is still shown while it leaves the hand. */
  held?: DashCard | null;
}

export interface PictureSeat extends DashSeat {
  hands: PictureHand[];
}

/** A hand went to a place: to take a card, in vain, or to put one down. */
export interface Reach {
  place: DashPlace;
  what: "take" | "late" | "put";
}

/** Somebody was too late; `by`: who was quicker, if that was seen. */
interface Late {
  seat: number;
  hand: number;
  place: DashPlace;
  by: number | null;
}

/** A display as a round has left it. */
export type Laid = Pick<DashHand, "hand" | "display" | "doubles" | "gone">;

/** How a round has ended. */
export interface RoundResult {
  round: number;
  why: DashScoreEntry["why"];
  /** For each seat, for each of its hands. */
  points: number[][];
  totals: number[];
  displays: Laid[][];
}

/** The picture: what a seat sees, and what the eye remembers of the last moments. */
export interface DashPicture extends DashView {
  seats: PictureSeat[];
  /** Something of the own seat has happened since the server said what is legal. */
  stale?: boolean;
  /** The last movement of each hand, seat by seat, left before right. */
  reaches?: readonly (Reach | undefined)[];
  /** Who has emptied which place last. */
  emptied?: Readonly<Record<DashPlace, number>>;
  late?: Late;
  last?: RoundResult;
  places?: readonly number[];
}

/** Which of its seat's hands one is: left before right. */
export const handOf = ({ hand }: { hand?: DashSide }): number => (hand === "right" ? 1 : 0);
