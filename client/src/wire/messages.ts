// Generated from the server's schema; renew with make wire.

export type GameView = BuffetView | DashView | ChocolatView;
export type BuffetCard = -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
export type BuffetPlate = string;
export type BuffetStake = "last" | "winner" | "behind";
export type BuffetValue = -1 | 1 | 2 | 3 | 4 | 5;
export type BuffetDecision = BuffetLay | BuffetExchange;
export type DashSide = "left" | "right";
export type DashPlace = number;
export type DashCard = string;
export type DashItem = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "1" | "2" | "3" | "4" | "5" | "6" | "7";
export type DashFood = string;
export type DashStance = "waits" | "opens" | "turns" | "chooses" | "weighs" | "gone";
export type DashDecision = DashOpen | DashLook | DashTake | DashKeep | DashBack | DashExit | DashReturn;
export type ChocolatCard = string;
export type ChocolatRank = 1 | 2 | 3 | 4 | 5 | 6 | 7;
export type ChocolatPower = "four" | "colour" | "value" | "three" | "dig" | "fetch" | "coins";
export type ChocolatDecision =
  ChocolatLay | ChocolatDraft | ChocolatDig | ChocolatFetch | ChocolatCombine | ChocolatPass;
export type ChocolatIngredient = "eggs" | "fruit" | "nuts" | "chocolate" | "sugar";
export type GameDecision = BuffetDecision | DashDecision | ChocolatDecision;
export type BuffetEntry =
  | BuffetLayEntry
  | BuffetExchangeEntry
  | BuffetChooseEntry
  | BuffetShuffleEntry
  | BuffetDrawEntry
  | BuffetRoundEntry
  | BuffetRevealEntry
  | BuffetOutEntry
  | BuffetWinEntry
  | BuffetStartEntry
  | EndEntry;
export type BuffetShuffleEntry = BuffetShuffleMiceEntry | BuffetShufflePlatesEntry;
export type ChocolatEntry =
  | ChocolatLayEntry
  | ChocolatDraftEntry
  | ChocolatDigEntry
  | ChocolatFetchEntry
  | ChocolatCombineEntry
  | ChocolatPassEntry
  | ChocolatChooseEntry
  | ChocolatShuffleEntry
  | ChocolatDrawEntry
  | ChocolatHelpersEntry
  | ChocolatRoundEntry
  | ChocolatMarketEntry
  | ChocolatRevealEntry
  | ChocolatGainEntry
  | EndEntry;
export type ChocolatShuffleEntry = ChocolatShuffleIngredientsEntry | ChocolatShuffleHelpersEntry;
export type Command =
  | Act
  | Look
  | Say
  | ShowReaction
  | Pledge
  | Nonce
  | Leave
  | Pass
  | SetBot
  | Remove
  | SetTerms
  | Start
  | Rematch
  | Close;
export type DashEntry =
  | DashOpenEntry
  | DashLookEntry
  | DashTakeEntry
  | DashKeepEntry
  | DashBackEntry
  | DashExitEntry
  | DashReturnEntry
  | DashChooseEntry
  | DashShuffleEntry
  | DashRoundEntry
  | DashDealEntry
  | DashSeeEntry
  | DashLateEntry
  | DashShowEntry
  | DashScoreEntry
  | EndEntry;
export type DashShuffleEntry = DashShuffleFoodEntry | DashShuffleHeapEntry;
export type GameEntry = BuffetEntry | DashEntry | ChocolatEntry;
export type Line = Step | House | Countdown | Chat | React;
export type Message =
  Welcome | Resumed | Step | House | Countdown | Chat | React | Views | Presence | Accepted | Refused | Bye;

/**
 * A command was carried out, and there is no new line for it: it changes nothing, or was carried out before.
 *
 */
export interface Accepted {
  type: "accepted";
  id: string;
  number: number;
  views?: View[] | null;
  pass?: string | null;
}
/**
 * What a seat sees now, whole.
 *
 */
export interface View {
  seat: number | null;
  observation: GameView;
  raw: string | null;
}
/**
 * What a seat of buffet sees, or a spectator.
 *
 */
export interface BuffetView {
  game: "buffet";
  seat: number | null;
  round: number;
  rounds: number;
  last_round: boolean;
  part: 1 | 2;
  start: number | null;
  to_act: number[];
  hand: BuffetCard[];
  laid: BuffetCard | null;
  served: number;
  plates: BuffetPlate[];
  stakes: (BuffetStake | null)[];
  later: BuffetPlate[];
  gains: number[] | null;
  last: number | null;
  duel: boolean;
  seats: BuffetSeat[];
  exchange: number | null;
  discard: BuffetCard[];
  draw_pile: number;
  plates_to_come: BuffetPlate[];
  over: boolean;
  legal: BuffetDecision[];
}
/**
 * Somebody at the table, as all see them.
 *
 */
export interface BuffetSeat {
  racing: boolean;
  at: number;
  has_laid: boolean;
  hand_size: number;
  stacks: BuffetStacks;
  points: number;
  best: BuffetPlate | null;
}
/**
 * The values of each dish before a seat, from bottom to top.
 *
 */
export interface BuffetStacks {
  cheese?: BuffetValue[];
  salami?: BuffetValue[];
  sausage?: BuffetValue[];
  pizza?: BuffetValue[];
  drumstick?: BuffetValue[];
  salad?: BuffetValue[];
}
/**
 * Lay a card face down.
 *
 */
export interface BuffetLay {
  do: "lay";
  card: BuffetCard;
}
/**
 * The first one out discards these cards and draws as many.
 *
 */
export interface BuffetExchange {
  do: "exchange";
  cards: BuffetCard[];
}
/**
 * What a seat of dash sees and knows, or a spectator.
 *
 */
export interface DashView {
  game: "dash";
  seat: number | null;
  hand: DashSide | null;
  round: number;
  opener: number | null;
  is_open: boolean;
  time: number;
  deadline: number | null;
  pace: number;
  exits: number;
  exits_left: number;
  to_act: number[];
  heap: DashSpot[];
  seats: DashSeat[];
  target: number;
  reached: boolean;
  over: boolean;
  legal: DashDecision[];
}
/**
 * A card lying face down, and what is known of it.
 *
 */
export interface DashSpot {
  place: DashPlace;
  card: DashCard | null;
  seen_by: number[];
  surely_food: boolean;
}
/**
 * Somebody at the table.
 *
 */
export interface DashSeat {
  total: number;
  missing: number;
  hands: DashHand[];
}
/**
 * A hand of somebody at the table; ``card`` only for those who know what it holds.
 *
 */
export interface DashHand {
  hand: DashSide | null;
  stack: number;
  holds: boolean;
  card: DashCard | null;
  would_double: DashItem[];
  display: DashFood[];
  doubles: DashItem[];
  gone: boolean;
  ready_at: number;
  stance: DashStance;
}
/**
 * Open the buffet.
 *
 */
export interface DashOpen {
  do: "open";
}
/**
 * Look at the top card of the own stack.
 *
 */
export interface DashLook {
  hand?: DashSide;
  do: "look";
}
/**
 * Reach for the card at a place.
 *
 */
export interface DashTake {
  hand?: DashSide;
  do: "take";
  place: DashPlace;
}
/**
 * Put the food card in hand to the own display.
 *
 */
export interface DashKeep {
  hand?: DashSide;
  do: "keep";
}
/**
 * Put the card in hand face down to a free place.
 *
 */
export interface DashBack {
  hand?: DashSide;
  do: "back";
  place: DashPlace;
}
/**
 * Keep the exit card in hand: this hand is finished.
 *
 */
export interface DashExit {
  hand?: DashSide;
  do: "exit";
}
/**
 * Put a card of the own display face down to a free place.
 *
 */
export interface DashReturn {
  hand?: DashSide;
  do: "return";
  card: DashFood;
  place: DashPlace;
}
/**
 * What a seat of chocolat sees, or a spectator.
 *
 */
export interface ChocolatView {
  game: "chocolat";
  seat: number | null;
  round: number;
  last_round: boolean;
  phase: "setup" | "laying" | "drafting" | "scoring" | "over";
  to_act: number[];
  order: number[];
  hand: ChocolatCard[];
  laid: ChocolatLaid | null;
  market: ChocolatCard[];
  market_full: number;
  seats: ChocolatSeat[];
  spare: ChocolatRank[];
  pantry: number | null;
  powers: ChocolatPowers;
  discard: ChocolatCard[];
  draw_pile: number;
  target: number;
  gains: number[] | null;
  over: boolean;
  legal: ChocolatDecision[];
}
/**
 * The own card lying face down, and whether a helper lies under it.
 *
 */
export interface ChocolatLaid {
  card: ChocolatCard;
  helper: boolean;
}
/**
 * Somebody at the table, as all see them.
 *
 */
export interface ChocolatSeat {
  helper: ChocolatRank | null;
  next_helper: ChocolatRank | null;
  used: boolean;
  has_laid: boolean;
  played: ChocolatCard | null;
  coins: number | null;
  hand_size: number;
  known: ChocolatCard[];
  kept: ChocolatCard[];
  points: number;
}
/**
 * The power of each rank.
 *
 */
export interface ChocolatPowers {
  "1": ChocolatPower;
  "2": ChocolatPower;
  "3": ChocolatPower;
  "4": ChocolatPower;
  "5": ChocolatPower;
  "6": ChocolatPower;
  "7": ChocolatPower;
}
/**
 * Lay a card face down; with ``helper`` it counts three coins more.
 *
 */
export interface ChocolatLay {
  do: "lay";
  card: ChocolatCard;
  helper?: ChocolatRank;
}
/**
 * Take two cards from the market, or with ``helper`` three, and ``give`` one.
 *
 */
export interface ChocolatDraft {
  do: "draft";
  take: ChocolatCard[];
  give?: ChocolatCard;
  helper?: ChocolatRank;
}
/**
 * Give up a card and draw one.
 *
 */
export interface ChocolatDig {
  do: "dig";
  card: ChocolatCard;
  helper: ChocolatRank;
}
/**
 * Give up a card for the one on top of the discard pile.
 *
 */
export interface ChocolatFetch {
  do: "fetch";
  card: ChocolatCard;
  helper: ChocolatRank;
}
/**
 * Lay out cards and keep some of them; ``changed`` counts as one higher, or as of the colour ``as``.
 *
 */
export interface ChocolatCombine {
  as?: ChocolatIngredient;
  do: "combine";
  cards: ChocolatCard[];
  kept: ChocolatCard[];
  helper?: ChocolatRank;
  changed?: ChocolatCard;
}
/**
 * Lay out nothing in this round.
 *
 */
export interface ChocolatPass {
  do: "pass";
}
/**
 * Take a decision in the game.
 *
 */
export interface Act {
  id: string;
  seat?: number | null;
  do: "act";
  decision: GameDecision;
}
/**
 * A bot for a seat.
 *
 */
export interface BotSeat {
  seat: number;
  level: string;
}
/**
 * Chance has settled who has the start token.
 *
 */
export interface BuffetChooseEntry {
  by: "table";
  do: "choose";
  option: "start_seat";
  value: number;
}
/**
 * A seat has drawn cards.
 *
 */
export interface BuffetDrawEntry {
  by: "table";
  do: "draw";
  seat: number;
  cards?: BuffetCard[];
  count?: number;
}
/**
 * A card was laid; only its seat sees which.
 *
 */
export interface BuffetLayEntry {
  by: number;
  ms?: number;
  do: "lay";
  card?: BuffetCard;
}
/**
 * Cards were discarded openly.
 *
 */
export interface BuffetExchangeEntry {
  do: "exchange";
  cards: BuffetCard[];
  by: number;
  ms?: number;
}
/**
 * The mouse cards were shuffled.
 *
 */
export interface BuffetShuffleMiceEntry {
  by: "table";
  do: "shuffle";
  pile: "mice";
  order?: BuffetCard[];
  count?: number;
}
/**
 * The plates were shuffled.
 *
 */
export interface BuffetShufflePlatesEntry {
  by: "table";
  do: "shuffle";
  pile: "plates";
  order?: BuffetPlate[];
  count?: number;
}
/**
 * A round begins, or part two of one.
 *
 */
export interface BuffetRoundEntry {
  by: "table";
  do: "round";
  number: number;
  part: 1 | 2;
  start: number;
  plates: BuffetPlate[];
  later?: BuffetPlate[];
}
/**
 * A card was turned over, and its mouse has moved.
 *
 */
export interface BuffetRevealEntry {
  by: "table";
  do: "reveal";
  seat: number;
  card: BuffetCard;
  at: number;
}
/**
 * A mouse has left the track.
 *
 */
export interface BuffetOutEntry {
  by: "table";
  do: "out";
  seat: number;
  plate: BuffetPlate | null;
}
/**
 * The mouse in front has taken the last plate.
 *
 */
export interface BuffetWinEntry {
  by: "table";
  do: "win";
  seat: number;
  plate: BuffetPlate;
}
/**
 * The start token has a new holder.
 *
 */
export interface BuffetStartEntry {
  by: "table";
  do: "start";
  seat: number;
}
/**
 * The game is over.
 *
 */
export interface EndEntry {
  by: "table";
  do: "end";
  scores: number[];
  places: number[];
  secret?: string;
}
/**
 * The last message before the server closes the connection.
 *
 */
export interface Bye {
  code: string;
  rule: string | null;
  sentence: string;
  type: "bye";
  again: boolean;
}
/**
 * Somebody has said something.
 *
 */
export interface Chat {
  number: number;
  at: number;
  id?: string | null;
  type: "say";
  seat: number;
  text: string;
}
/**
 * Chance has settled where the spare helpers lie.
 *
 */
export interface ChocolatChooseEntry {
  by: "table";
  do: "choose";
  option: "pantry_seat";
  value: number;
}
/**
 * A seat has laid out cards and kept some of them.
 *
 */
export interface ChocolatCombineEntry {
  as?: ChocolatIngredient;
  do: "combine";
  cards: ChocolatCard[];
  kept: ChocolatCard[];
  helper?: ChocolatRank;
  changed?: ChocolatCard;
  by: number;
  ms?: number;
}
/**
 * A seat has given up a card, to draw one.
 *
 */
export interface ChocolatDigEntry {
  do: "dig";
  card: ChocolatCard;
  helper: ChocolatRank;
  by: number;
  ms?: number;
}
/**
 * A seat has taken cards from the market.
 *
 */
export interface ChocolatDraftEntry {
  do: "draft";
  take: ChocolatCard[];
  give?: ChocolatCard;
  helper?: ChocolatRank;
  by: number;
  ms?: number;
}
/**
 * A seat has drawn cards.
 *
 */
export interface ChocolatDrawEntry {
  by: "table";
  do: "draw";
  seat: number;
  cards?: ChocolatCard[];
  count?: number;
}
/**
 * A card was laid; only its seat sees which, and whether a helper lies under it.
 *
 */
export interface ChocolatLayEntry {
  by: number;
  ms?: number;
  do: "lay";
  card?: ChocolatCard;
  helper?: ChocolatRank;
}
/**
 * A seat has given up a card for the one on top of the discard pile.
 *
 */
export interface ChocolatFetchEntry {
  do: "fetch";
  card: ChocolatCard;
  helper: ChocolatRank;
  by: number;
  ms?: number;
}
/**
 * A seat has laid out nothing.
 *
 */
export interface ChocolatPassEntry {
  do: "pass";
  by: number;
  ms?: number;
}
/**
 * The ingredients were shuffled.
 *
 */
export interface ChocolatShuffleIngredientsEntry {
  by: "table";
  do: "shuffle";
  pile: "ingredients";
  order?: ChocolatCard[];
  count?: number;
}
/**
 * The helpers were shuffled, openly.
 *
 */
export interface ChocolatShuffleHelpersEntry {
  by: "table";
  do: "shuffle";
  pile: "helpers";
  order: ChocolatRank[];
}
/**
 * Who has which helper now.
 *
 */
export interface ChocolatHelpersEntry {
  by: "table";
  do: "helpers";
  seats: ChocolatRank[];
  spare: ChocolatRank[];
}
/**
 * A round begins.
 *
 */
export interface ChocolatRoundEntry {
  by: "table";
  do: "round";
  number: number;
}
/**
 * The market was filled: what is new, and all that lies there.
 *
 */
export interface ChocolatMarketEntry {
  by: "table";
  do: "market";
  new: ChocolatCard[];
  cards: ChocolatCard[];
}
/**
 * A card was turned over; ``helper`` if that has added coins.
 *
 */
export interface ChocolatRevealEntry {
  by: "table";
  do: "reveal";
  seat: number;
  card: ChocolatCard;
  coins: number;
  helper?: ChocolatRank;
}
/**
 * A seat has fetched this card.
 *
 */
export interface ChocolatGainEntry {
  by: "table";
  do: "gain";
  seat: number;
  card: ChocolatCard;
}
/**
 * Somebody reached for a card.
 *
 */
export interface Claim {
  seat: number;
  arrived_ms: number;
  lag_ms: number;
  window_ms: number;
  number: number;
  won: boolean;
}
/**
 * Host: close the table for everybody and for good, also during a game.
 *
 */
export interface Close {
  id: string;
  seat?: number | null;
  do: "close";
}
/**
 * Ask for the whole view again, with the decisions you may take.
 *
 */
export interface Look {
  id: string;
  seat?: number | null;
  do: "look";
  raw?: boolean;
}
/**
 * Say something to all.
 *
 */
export interface Say {
  id: string;
  seat?: number | null;
  do: "say";
  text: string;
}
/**
 * Show a reaction to all.
 *
 */
export interface ShowReaction {
  id: string;
  seat?: number | null;
  do: "react";
  sign: "yum" | "wow" | "haha" | "oops" | "cheers" | "hurry";
}
/**
 * Before the game: the SHA-256 of a nonce of yours, which will be part of the shuffles.
 *
 */
export interface Pledge {
  id: string;
  seat?: number | null;
  do: "pledge";
  hash: string;
}
/**
 * When the game has been started: the nonce itself.
 *
 */
export interface Nonce {
  id: string;
  seat?: number | null;
  do: "nonce";
  nonce: string;
}
/**
 * Get up for good.
 *
 */
export interface Leave {
  id: string;
  seat?: number | null;
  do: "leave";
}
/**
 * Ask for a pass with which another device takes this seat along.
 *
 */
export interface Pass {
  id: string;
  seat?: number | null;
  do: "pass";
}
/**
 * Host, before the game: put a bot on a free seat or another one in its place; null frees the seat.
 *
 */
export interface SetBot {
  id: string;
  seat?: number | null;
  do: "bot";
  on: number;
  level: string | null;
}
/**
 * Host: ask a player to leave; during a game a bot plays on in the seat.
 *
 */
export interface Remove {
  id: string;
  seat?: number | null;
  do: "remove";
  whom: number;
}
/**
 * Host: change what was agreed, like switching the chat off.
 *
 */
export interface SetTerms {
  id: string;
  seat?: number | null;
  do: "terms";
  terms: Partial<Terms>;
}
/**
 * Host: begin the game; free seats must have been filled.
 *
 */
export interface Start {
  id: string;
  seat?: number | null;
  do: "start";
}
/**
 * Host, after the game: another one with the same people.
 *
 */
export interface Rematch {
  id: string;
  seat?: number | null;
  do: "rematch";
}
/**
 * In real time: the round begins when this time is over, by the server's clock.
 *
 */
export interface Countdown {
  number: number;
  at: number;
  id?: string | null;
  type: "countdown";
  seat: number;
  ms: number;
}
/**
 * The card in hand goes back, face down.
 *
 */
export interface DashBackEntry {
  hand?: DashSide;
  do: "back";
  place: DashPlace;
  by: number;
  ms: number;
}
/**
 * Chance has settled who opens the buffet in the first round.
 *
 */
export interface DashChooseEntry {
  by: "table";
  do: "choose";
  option: "first_opener";
  value: number;
}
/**
 * A hand has its stack; nobody has seen it yet.
 *
 */
export interface DashDealEntry {
  hand?: DashSide;
  by: "table";
  do: "deal";
  seat: number;
  cards?: DashFood[];
  count?: number;
}
/**
 * The buffet was opened.
 *
 */
export interface DashOpenEntry {
  do: "open";
  by: number;
  ms: number;
}
/**
 * A hand looks at the top card of its stack.
 *
 */
export interface DashLookEntry {
  hand?: DashSide;
  do: "look";
  by: number;
  ms: number;
}
/**
 * A hand reaches for a place.
 *
 */
export interface DashTakeEntry {
  hand?: DashSide;
  do: "take";
  place: DashPlace;
  by: number;
  ms: number;
}
/**
 * The card in hand goes to the display.
 *
 */
export interface DashKeepEntry {
  hand?: DashSide;
  do: "keep";
  by: number;
  ms: number;
}
/**
 * A hand has kept an exit card and is finished.
 *
 */
export interface DashExitEntry {
  hand?: DashSide;
  do: "exit";
  by: number;
  ms: number;
}
/**
 * A card of a display goes back, face down.
 *
 */
export interface DashReturnEntry {
  hand?: DashSide;
  do: "return";
  card: DashFood;
  place: DashPlace;
  by: number;
  ms: number;
}
/**
 * All food cards were shuffled.
 *
 */
export interface DashShuffleFoodEntry {
  by: "table";
  do: "shuffle";
  pile: "food";
  order?: DashFood[];
  count?: number;
}
/**
 * The heap was shuffled: what lies at place 0, at place 1, and so on.
 *
 */
export interface DashShuffleHeapEntry {
  by: "table";
  do: "shuffle";
  pile: "heap";
  order?: DashCard[];
  count?: number;
}
/**
 * A round begins.
 *
 */
export interface DashRoundEntry {
  by: "table";
  do: "round";
  number: number;
  opener: number;
}
/**
 * A hand has a card now; only its seat sees which.
 *
 */
export interface DashSeeEntry {
  hand?: DashSide;
  by: "table";
  do: "see";
  seat: number;
  card?: DashCard;
}
/**
 * Another hand was faster.
 *
 */
export interface DashLateEntry {
  hand?: DashSide;
  by: "table";
  do: "late";
  seat: number;
  place: DashPlace;
}
/**
 * A card lies in a display now, for all to see.
 *
 */
export interface DashShowEntry {
  hand?: DashSide;
  by: "table";
  do: "show";
  seat: number;
  card: DashFood;
}
/**
 * A round is over; two players have points for the left and for the right hand.
 *
 */
export interface DashScoreEntry {
  by: "table";
  do: "score";
  points: number[] | [number, number][];
  totals: number[];
  why: "exits" | "limit";
  ms?: number;
}
/**
 * Something in a deck file that is not as it should be.
 *
 */
export interface DeckFault {
  line: number;
  rule: string | null;
  kind: string;
  values: {
    [k: string]: string | number;
  };
  sentence: string;
}
/**
 * Why a table was not set up: with a deck file that is not sound, everything that is wrong with it, by line.
 *
 */
export interface DeckRefusal {
  code: string;
  rule: string | null;
  sentence: string;
  faults: DeckFault[];
}
/**
 * A game that can be played here.
 *
 */
export interface GameInfo {
  id: string;
  title: string;
  credit: string;
  rules: number;
  least_seats: number;
  most_seats: number;
  real_time: boolean;
  options: OptionInfo[];
  bots: string[];
  deck: string | null;
  secrets: {
    [k: string]: string[];
  };
}
/**
 * An option of a game.
 *
 */
export interface OptionInfo {
  name: string;
  kind: "seat" | "number" | "switch";
  default: number | boolean | null;
  default_for_two: number | boolean | null;
  least: number;
  most: number;
  rule: string;
  text: string;
}
/**
 * What can be played here.
 *
 */
export interface Games {
  games: GameInfo[];
  protocol: number;
}
/**
 * Is the server well?
 *
 */
export interface Health {
  status: "ok";
  version: string;
}
/**
 * The first message of a client: its seats, and how far it has followed the table before.
 *
 */
export interface Hello {
  do: "hello";
  tokens?: string[];
  after?: number | null;
  epoch?: string | null;
  recall?: boolean;
  views?: boolean;
  raw?: boolean;
}
/**
 * Something has happened at the table: somebody sat down, left, began …
 *
 */
export interface House {
  number: number;
  at: number;
  id?: string | null;
  type: "house";
  do:
    | "sit"
    | "leave"
    | "remove"
    | "bot"
    | "terms"
    | "pledge"
    | "pass"
    | "take"
    | "start"
    | "nonce"
    | "begin"
    | "away"
    | "back"
    | "rematch"
    | "close";
  seat: number | null;
  table: TableView;
}
/**
 * All that is public about a table, besides the game itself.
 *
 */
export interface TableView {
  code: string;
  game: string;
  options: {
    [k: string]: number | boolean | null;
  };
  terms: Terms;
  seats: Seat[];
  host: number | null;
  phase: "gathering" | "shuffling" | "playing" | "over" | "closed";
  match: number;
  commitment: string;
  deck: string | null;
}
/**
 * What was agreed when the table was set up.
 *
 */
export interface Terms {
  public: boolean;
  chat: boolean;
  grace_s: number | null;
  decision_s: number | null;
  bot_pace: "human" | "instant";
  window_ms: number;
  countdown_s: number;
}
/**
 * A place at the table and who has it.
 *
 */
export interface Seat {
  kind: "free" | "person" | "bot" | "left";
  name: string | null;
  bot: string | null;
  stand_in: boolean;
  pledge: string | null;
}
/**
 * Something has happened in the game.
 *
 */
export interface Step {
  number: number;
  at: number;
  id?: string | null;
  type: "step";
  entries: GameEntry[];
  to_act: number[];
}
/**
 * Somebody has shown a reaction.
 *
 */
export interface React {
  number: number;
  at: number;
  id?: string | null;
  type: "react";
  seat: number;
  sign: "yum" | "wow" | "haha" | "oops" | "cheers" | "hurry";
}
/**
 * Tables that are open to all.
 *
 */
export interface Lobby {
  tables: LobbyTable[];
}
/**
 * A table that one may join.
 *
 */
export interface LobbyTable {
  code: string;
  game: string;
  host: string;
  seats: number;
  free: number;
  people: string[];
}
/**
 * The first message: everything as it is now.
 *
 */
export interface Welcome {
  type: "welcome";
  protocol: number;
  number: number;
  now: number;
  epoch: string;
  clock_ms: number | null;
  table: TableView;
  seats: number[];
  views: View[];
  to_act: number[];
  talk: (Chat | React)[];
  lines: (Step | House | Countdown | Chat | React)[];
}
/**
 * The first message after a break: what was missed follows, line by line.
 *
 */
export interface Resumed {
  type: "resumed";
  number: number;
  now: number;
  epoch: string;
  clock_ms: number | null;
  seats: number[];
}
/**
 * What some of your seats see now, right behind the line that makes it necessary; not numbered itself.
 *
 */
export interface Views {
  type: "views";
  number: number;
  views: View[];
}
/**
 * Who is connected, and how long their line takes there and back; sent when it changes, not numbered.
 *
 */
export interface Presence {
  type: "presence";
  here: boolean[];
  rtt_ms: (number | null)[];
  watching: number;
  due: (number | null)[];
}
/**
 * A command was not carried out; nothing has changed.
 *
 */
export interface Refused {
  code: string;
  rule: string | null;
  sentence: string;
  type: "refused";
  id: string | null;
}
/**
 * A table to be set up; who sets it up gets a seat and is its host.
 *
 */
export interface NewTable {
  game: string;
  seats: number;
  name: string;
  seat?: number;
  options?: {
    [k: string]: number | boolean | null;
  };
  bots?: BotSeat[];
  terms?: Partial<Terms>;
  pledge?: string | null;
  deck?: string | null;
}
/**
 * Claims for the same card: who came when, and who got it.
 *
 */
export interface Receipt {
  place: number;
  claims: Claim[];
}
/**
 * All contested claims of a finished game.
 *
 */
export interface Receipts {
  receipts: Receipt[];
}
/**
 * A finished game of a public table.
 *
 */
export interface RecentGame {
  code: string;
  match: number;
  game: string;
  names: string[];
  scores: number[];
  places: number[];
  ended: number;
}
/**
 * Finished games of public tables, the latest first.
 *
 */
export interface RecentGames {
  games: RecentGame[];
  before: number | null;
}
/**
 * Why a record can not be looked back at.
 *
 */
export interface RecordRefusal {
  code: string;
  rule: string | null;
  sentence: string;
  line?: number | null;
}
/**
 * A record to be checked and looked back at.
 *
 */
export interface RecordText {
  record: string;
}
/**
 * Why something was refused: a code that never changes, the rule behind it, a sentence for people.
 *
 */
export interface Refusal {
  code: string;
  rule: string | null;
  sentence: string;
}
/**
 * A game that the rules have checked, step by step, with what every seat saw.
 *
 */
export interface ReplayData {
  header: Record<string, unknown>;
  views: GameView[];
  steps: ReplayStep[];
  rounds: ReplayRound[];
  real_time: boolean;
  finished: boolean;
  proven: boolean;
}
/**
 * What one decision brought about.
 *
 */
export interface ReplayStep {
  number: number | null;
  at: number | null;
  entries: GameEntry[];
  hidden: ReplayHidden[];
  changes: Record<string, unknown>[];
}
/**
 * An entry of which not everybody saw everything while the game ran.
 *
 */
export interface ReplayHidden {
  entry: number;
  seat: number | null;
  seen: GameEntry;
}
/**
 * A round began.
 *
 */
export interface ReplayRound {
  number: number;
  step: number;
  scores: number[];
}
/**
 * A game that was played at a table.
 *
 */
export interface Result {
  match: number;
  names: string[];
  scores: number[];
  places: number[];
  ended: number;
}
/**
 * The games that were finished at a table, the first one first.
 *
 */
export interface Results {
  results: Result[];
}
/**
 * You have a seat. Keep the token: it is the only key to it, and is told only once.
 *
 */
export interface Seated {
  code: string;
  seat: number;
  token: string;
}
/**
 * Somebody sits down.
 *
 */
export interface Sit {
  name: string;
  seat?: number | null;
  pledge?: string | null;
}
/**
 * A table from outside.
 *
 */
export interface TableState {
  table: TableView;
  number: number;
  to_act: number[];
  waits_for: string[];
}
/**
 * A seat is taken along to this device.
 *
 */
export interface Take {
  pass: string;
}

/** Of lines of text in characters, and how long a pass is good. */
export const LIMITS = { name: 24, said: 200, pass_ms: 600000 } as const;

/** As a table is set up if nothing else is said. */
export const DEFAULT_TERMS = {
  public: false,
  chat: true,
  grace_s: 60,
  decision_s: null,
  bot_pace: "human",
  window_ms: 60,
  countdown_s: 3,
} satisfies Terms;

/** How many cards a game has. */
export const CARDS = { buffet: 110, chocolat: 80 } as const;
