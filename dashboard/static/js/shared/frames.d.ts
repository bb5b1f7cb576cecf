/** What pages are drawn from; `make schema` writes this file out of recorder/frames. */
export * from "./page-types";

/** The number of a player: 0 moves first. */
export type Player = number;

export type Phase = "before" | "playing" | "over";

export type TurnKind = "play" | "exchange" | "pass" | "no_play";

export type PointsKind = "end_rack" | "end_rack_penalty" | "time" | "penalty";

export type LineKind = TurnKind | PointsKind | "illegal" | "unseen" | "withdraw" | "challenge" | "conceded";

export type Totals = [player: Player, first: number, second: number];

/** From that second of overtime on a player has lost so many points; in rising order. */
export type Prices = [number, number][];

export interface TileSet {
  name: string;
  /** Points by letter, in the order of the alphabet. */
  values: Record<string, number>;
  /** How many of each the set has; "?" are the blanks. */
  counts: Record<string, number>;
  vowels: string[];
  total: number;
}

export interface Named {
  name: string;
  score: number;
  seat: "left" | "right";
  on_turn: boolean;
  /** A doubt is open by which the score would be another one. */
  under_review?: boolean;
}

/** Both times left as of `at`; negative is overtime. */
export interface Clocks {
  remaining_ms: number[];
  /** Whose time runs since then, if any. */
  running?: Player;
  at: number;
  /** Not where the rules leave the price of overtime open. */
  overtime?: Prices;
}

/** What it costs to challenge a play that stands. */
export interface WrongChallenge {
  points: number;
  /** The points are for each word that was challenged. */
  per_word: boolean;
  turn_lost: boolean;
  /** Least and most off the challenger's clock. */
  seconds: [number, number] | null;
}

/** What every form of a line of the score sheet has (recorder/projections/sheet.py). */
export interface LaidLine {
  n: number;
  player: Player;
  kind: LineKind;
  score: number;
  /** Empty where nothing was laid; 8H is across, H8 down. */
  position: string;
  /** As placed: "." for a tile that lay there already. */
  word: string;
  /** Whole words, the main one first. */
  words: string[];
  squares: string[];
  count: number;
}

/** The last turn, with what a challenge of it gave its player. */
export interface LastPlay extends LaidLine {
  total: number;
  bonus: number;
}

/** A line as everybody may see it. */
export interface PublicLine extends LaidLine {
  totals: number[];
  /** Exchanged, left, or of unseen turns; of a laying against the rules what stays on the board, by `squares`. */
  tiles: string;
  /** The time that a turn took; not where its player did not press, nor of other lines. */
  spent_ms?: number;
}

/** A line as directors and commentators see it. */
export interface Line extends PublicLine {
  total: number;
  /** What was wrong with a laying of kind "illegal"; empty on every public page. */
  faults: string[];
  /** Both clocks at the end of a turn, where its player pressed. */
  clocks?: number[];
}

export interface Adjustment {
  player: Player;
  kind: PointsKind;
  points: number;
  tiles: string;
}

/** A hold or a challenge that is on; without `ends` where the rules set no end. */
export interface Call {
  player: Player;
  kind: "hold" | "challenge" | "play_out";
  since: number;
  ends?: number;
}

/** How the game was decided, where the scores do not decide it. */
export interface Result {
  loser: Player;
  margin: number;
  how: string;
}

export interface Forming {
  /** Tiles by the name of their square. */
  squares: Record<string, string>;
}

export interface Unseen {
  tiles: Record<string, number>;
  count: number;
  vowels: number;
  consonants: number;
  blanks: number;
  bag: number;
}

export interface _From {
  from?: string;
}

/** What the tournament's file says of a player (dashboard/overlays/event_files.py). */
export interface PlayerCard extends _From {
  wins?: number;
  losses?: number;
  draws?: number;
  spread?: number;
  average?: number;
  place?: number;
  /** The best and the worst place still possible; not there where nobody can say. */
  reach?: [number, number];
  rating?: number;
  /** ISO 3166: a flag of this server has that name. */
  country?: string;
  /** Where on this server the picture is. */
  photo?: string;
}

export interface NextGame {
  players?: string[];
  cards?: (PlayerCard | null)[];
  at?: string;
  round?: string;
}

export interface EventHeadline {
  title?: string;
  division?: string;
  round?: string;
  /** Of the round, where the log has the event. */
  number?: number;
  next?: NextGame;
}

export interface PublicPlay {
  position: string;
  word: string;
  text: string;
  score: number;
}

export interface PublicBest {
  n: number;
  player: Player;
  plays: PublicPlay[];
  /** Points by which the best one is better, with what stays on the rack. */
  missed?: number;
  /** With the bag empty: by how many points the first of `plays` wins in the end, solved. */
  ends?: number;
}

/** What pages of many tables need of one. */
export interface TableFrame {
  game: string;
  phase: Phase;
  players: Named[];
  /** Not while a camera alone divides the turns. */
  clock?: Clocks;
  last_play?: LastPlay;
  turns: number;
}

/** The public frame (recorder/projections/broadcast.py). */
export interface Frame extends TableFrame {
  epoch: string;
  seq: number;
  table: number;
  tile_set: TileSet;
  /** 15 rows of 15: "." empty, lower case a blank, "?" a blank whose letter nobody knows. */
  board: string[];
  adjustments: Adjustment[];
  /** The director's word to everybody. */
  banner?: string;
  call?: Call;
  /** The cost of a player's first, second, ... wrong challenge; the last goes on. Empty where the rules leave it open. */
  challenge: WrongChallenge[];
  /** By turn: who made it, then both totals after it. */
  scores: Totals[];
  result?: Result;
  forming?: Forming;
  unseen: Unseen;
  /** This and what follows is added from the streamer's files and settings. */
  cards?: (PlayerCard | null)[];
  event?: EventHeadline;
  best?: PublicBest;
  /** Player 0's chance to win after each line of the sheet, 0 to 1; with best plays only. */
  chances?: number[];
  /** By player, in percent, after the game; with best plays only, once every turn is rated. */
  accuracy?: (number | null)[];
  /** The highest play of the event so far; not in its first game. */
  highest?: number;
  /** By player, only by key: "#" the back of a tile, "?" a blank; null while not known. */
  racks?: (string | null)[];
}

/** The public frame with the score sheet (dashboard/live/watched.py). */
export interface WatchModel extends Frame {
  /** By line from 0, so that a turn changes one key. */
  sheet: Record<string, PublicLine>;
}

/** One game among many. */
export interface Glimpse {
  table: number;
  game: string;
  phase: Phase;
  players: Named[];
  clock?: Clocks;
  board: string[];
  last_play?: LaidLine;
  result?: Result;
  turns: number;
  event?: EventHeadline;
  /** Where its page is; only in what was written to files. */
  href?: string;
}

export interface HallModel {
  tables: Record<string, Glimpse>;
}

export interface Hooks {
  front: string;
  back: string;
}

export interface KnownRack {
  letters: string;
  slots: string;
  /** Places of letters that are not sure, from 1. */
  doubtful: number[];
  confidence: number;
  at: number;
  /** By a person, not by a camera. */
  typed: boolean;
}

export interface CountedRack {
  count: number;
  confidence: number;
  at: number;
}

export interface BoothRack {
  seen: KnownRack | null;
  counted: CountedRack | null;
}

/** What was known of both racks when a turn ended. */
export interface KnownMove {
  rack: KnownRack | null;
  other: KnownRack | null;
}

/** What the list of words says of a play. */
export interface Verdict {
  verdict: "good" | "bad" | "undecided" | null;
  hooks: Hooks | null;
}

export interface BoothLine extends Line, KnownMove, Verdict {
  win: number;
}

/** What may be drawn; `less` are the players whose racks were taken off. */
export interface Pool {
  tiles: Record<string, number>;
  count: number;
  off_board: number;
  less: Player[];
}

/** The list of words, or why there is none. */
export interface WordList {
  name?: string;
  count?: number;
  why?: string;
}

export interface Play extends PublicPlay {
  leave: string;
  worth: number;
}

/** The best plays of a rack: being searched for, found, or why there are none. */
export interface Best {
  player?: Player;
  rack?: string;
  doubtful?: boolean;
  working?: boolean;
  why?: string;
  plays?: Play[];
}

/** A play before the last draws: how often it wins over all of them, and the mean spread. */
export interface LastOption extends PublicPlay {
  win: number;
  spread: number;
}

/** How the game ends from here (recorder/analysis/endgame.py, last_draws.py), or why not. */
export interface Ending {
  player?: Player;
  /** 0: `spread`, `course` and `solved`; 1 or 2: `options`. */
  bag?: number;
  /** The points that the player is short of the lead; 0 or less: in front. */
  needs?: number;
  working?: boolean;
  why?: string;
  /** How many turns were searched; points decide from there. */
  depth?: number;
  /** At the end of the game, from the player's side. */
  spread?: number;
  /** Nobody can do better; else it is the best that was found in time. */
  solved?: boolean;
  /** What both play, null a pass. */
  course?: (PublicPlay | null)[];
  options?: LastOption[];
}

/** What a turn gave away against the best play for its rack. */
export interface Missed {
  best: Play;
  /** Points, with what the tiles that stay are worth. */
  lost: number;
  /** Of winning, 0 to 1. */
  chance: number;
}

/** How a player has played so far; null where no turn could be rated. */
export interface Accuracy {
  turns: number;
  rated: number;
  lost: number;
  accuracy: number | null;
}

/** The turns of a game against the best plays; `turns` by the place of their line. */
export interface Review {
  turns: Record<string, Missed>;
  players: Accuracy[];
}

export interface Chance {
  /** The chance of player 0, 0 to 1. */
  win: number;
  method: string;
}

export interface BoothParts {
  sheet: BoothLine[];
  racks: BoothRack[];
  pool: Pool;
  best: Best;
  ending?: Ending;
  chance: Chance;
}

/** The keys of the commentator's model beside the frame. */
export interface BoothKeys extends BoothParts {
  list: WordList;
}

export interface BoothModel extends BoothKeys {
  frame: Frame;
}

/** The odds that one of `wanted` is among `drawn` tiles; `each` by letter. */
export interface DrawOdds {
  wanted: string;
  drawn: number;
  of: number;
  any: number;
  each: Record<string, number>;
}

export interface Hello {
  type: "hello";
  assets: string;
  now: number;
}

export interface Pong {
  type: "pong";
  t: number;
  now: number;
}

/** A JSON Merge Patch, RFC 7396: null takes a key away (dashboard/live/messages/merge_patch.py). */
export type MergePatch = Record<string, any>;

export interface Patch {
  type: "patch";
  epoch: string;
  seq: number;
  from_seq: number;
  patch: MergePatch;
}

/** What was read of a picture that a phone took (dashboard/phone_camera). */
export interface CameraSaw {
  corners: [number, number][] | null;
  reason: string;
  /** The row of the record that says so, 0: none yet. */
  row: number;
}

/** What a phone that is a camera hears for each picture. */
export interface CameraAnswer extends CameraSaw {
  fetched: boolean;
}

/** A code for a phone as camera. */
export interface CameraCode {
  address: string;
  source: string;
  /** x, y and side of the dark ones in 100. */
  squares: [number, number, number][];
}

/** What the clock of a table said last. */
export interface ClockHeard {
  left_ms: number;
  right_ms: number;
  running: "L" | "R" | "N";
  /** So long ago; what runs has run since. */
  ago_ms: number;
}

export interface Setup {
  game: string;
  players: string[];
  left_player: Player;
  starts_ms: number[];
  /** Not before a clock was heard in this game. */
  clock?: ClockHeard;
  overtime: Prices | null;
  letters: string[];
}

/** A slot of an overlay (dashboard/overlays/slots.py). */
export interface Slot {
  name: string;
  table: number | null;
  follow: string;
  rule: string;
  racks: boolean;
  /** The table that it shows now. */
  shows: number | null;
  /** How many pages show it. */
  streaming: number;
}

export interface User {
  name: string;
  role: string;
  table?: number;
}

export interface SignIn {
  id: string;
  name: string;
  role: string;
  since: number;
  seen: number;
}

export interface LockedOut {
  who: string;
  wait_s: number;
}

/** What an administrator sees (dashboard/web/sign_in.py). */
export interface Access {
  users: User[];
  roles: string[];
  sessions: SignIn[];
  locked: LockedOut[];
}

export interface Token {
  id: string;
  label: string;
  scope: string;
  since: number;
}
