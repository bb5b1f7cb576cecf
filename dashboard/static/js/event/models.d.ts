/** What pages are drawn from; `make schema` writes this file out of recorder/frames. */
import { Need } from "../director/frames";

export interface EarlierGame {
  round: number;
  scores: [number, number];
  /** Who has won, by place in `scores`; null: nobody. */
  winner: number | null;
}

export interface EventGame {
  table: number | null;
  players: [number, number];
  scores: [number, number] | null;
  /** What it counts for the two where the scores do not say so: conceded, or not played. */
  margins: [number, number] | null;
  winner: number | null;
  /** Games that the two have played, this one too, with their scores in this order. */
  met: EarlierGame[];
}

/** A game as one player had it. */
export interface LatestGame {
  round: number;
  own: number;
  other: number;
  /** What it counts for them: of a game that was conceded not the difference of the scores. */
  margin: number;
}

export interface EventPlace {
  /** Null: has left. */
  rank: number | null;
  id: number;
  name: string;
  wins: number;
  losses: number;
  spread: number;
  rating: number | null;
  /** Wins that the ratings gave in the games played; null where nobody is rated. */
  expected: number | null;
  /** Points a game: own, the opponents'. */
  average: [number | null, number | null];
  /** The best and the worst place still possible; null where nobody can say. */
  reach: [number, number] | null;
  /** The last games that were played, the oldest first. */
  latest: LatestGame[];
}

export interface EventResult {
  round: number;
  names: [string, string];
  /** Of a game that was forfeited what it counts. */
  scores: [number, number];
  margins: [number, number] | null;
  forfeited: boolean;
  winner: number | null;
}

export interface HighGame {
  name: string;
  score: number;
  other: string;
  round: number;
}

/** A play of a recorded game that is over. */
export interface HighWord {
  name: string;
  word: string;
  score: number;
  round: number;
}

export interface EventDivision {
  name: string;
  round: number;
  /** As announced; null where nobody said. */
  rounds: number | null;
  /** How many places pay; 0 where nobody said. */
  prizes: number;
  /** When round 1, 2, ... starts by the clock in the hall, as far as somebody said. */
  times: string[];
  after: number;
  /** The newest first. */
  results: EventResult[];
  high: HighGame[];
  high_losses: HighGame[];
  high_words: HighWord[];
  games: EventGame[];
  out: number[];
  /** Who has the bye in the newest round; null: nobody. */
  bye: number | null;
  /** Who takes part and sits the newest round out. */
  sitting: number[];
  standings: EventPlace[];
}

/** A round as a player had it. */
export interface PlayerLine {
  /** 0: a round without opponent. */
  opponent: number | null;
  own: number | null;
  other: number | null;
  /** What counts in place of the scores' difference. */
  margin: number | null;
  bye: boolean;
  first: boolean;
  table: number | null;
}

export interface PlayerRounds {
  id: number;
  name: string;
  rounds: PlayerLine[];
  rating: number | null;
  /** What the results so far would make of the rating: no federation's word. */
  projected: number | null;
  /** Their highest play in the recorded games. */
  word: HighWord | null;
}

/** All rounds of a division (dashboard/event/crosstable.py). */
export interface EventRounds {
  name: string;
  /** In the order of the standings. */
  players: PlayerRounds[];
}

export interface TableGame {
  table: number;
  game: string;
  players: string[];
  round: number | null;
  division: string;
}

export interface FeedState {
  source: string;
  fault: string;
  lines: string;
}

export interface EventOrder {
  id: string;
  who: string;
  words: string;
  holds: boolean;
  undo: string;
}

export interface CheckInPlayer {
  number: number;
  name: string;
  here: boolean;
}

export interface CheckInDivision {
  name: string;
  /** Whether round 1 is still to be paired. */
  open: boolean;
  players: CheckInPlayer[];
}

/** Who has checked in (dashboard/event/check_in.py). */
export interface CheckInModel {
  divisions: CheckInDivision[];
}

export interface EventModel {
  name: string;
  date: string;
  divisions: EventDivision[];
  /** All divisions, also where one alone was asked for. */
  names?: string[];
  usage?: string;
  games?: TableGame[];
  follow?: FeedState;
  /** The order with which a player's newest result came, by division and number. */
  given?: Record<string, string>;
  /** How each division is drawn. */
  setup?: Record<string, Record<string, string>>;
  needs?: Need[];
  /** Who has checked in, in divisions without a round. */
  here?: Record<string, number[]>;
  orders?: EventOrder[];
}

export interface EventReason {
  text: string;
}

export interface EventRank {
  division: string;
  id: number;
  name: string;
  rank: [number, number];
  wins: [number, number];
  spread: [number, number];
}

export interface EventPreview {
  ok: boolean;
  reason: EventReason | null;
  ranks: EventRank[];
  /** What else it changes. */
  changes: string[];
  left_out: string[];
}

export interface EventPair {
  table: number;
  players: [number, number];
  locked?: boolean;
  repeat: boolean;
  why: string;
}

/** A round as drawn, and as the director has changed it since. */
export interface EventDraw {
  division: string;
  method: string;
  round: number;
  pairs: EventPair[];
  bye: number | null;
  out: number[];
  /** Games of it have been played. */
  again: boolean;
}

export interface ResultPlayer {
  number: number;
  name: string;
  /** Their own score and the other's, as this player says them. */
  claim: [number, number] | null;
}

export interface ResultGame {
  division: string;
  round: number;
  players: [ResultPlayer, ResultPlayer];
  scores: [number, number] | null;
}

export interface RecordedResult {
  scores: [number, number];
  over: boolean;
  signed: [boolean, boolean];
}

/** The result phone of a table (dashboard/event/result_phones.py). */
export interface ResultModel {
  game: ResultGame | null;
  /** What the table's sensors have of it; null without sensors. */
  recorded?: RecordedResult;
}
