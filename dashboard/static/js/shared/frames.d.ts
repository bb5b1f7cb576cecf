/**
 * What comes over the wire, as the pages read it. Times are milliseconds, moments are milliseconds
 * since 1970 by the server, players are 0 and 1, squares are named 8H (row 8, column H).
 * Made by recorder/projections and dashboard/{live,commentator,overlays}; a test holds real
 * messages against these types, so that neither has a field that the other lacks. What has no value is
 * left out of a model, for a change could not tell null; in a list, and in what it holds, null may stand.
 */

import { Ack, Command as SentCommand, Observations } from "./messages";

/** What a page's template says of it, as data- attributes of its root (dashboard/templates). */
export type PageData = { [name: string]: string };
/** The time of the channel that a page hears. */
export type Now = () => number;
/** The number of a player: 0 moves first. */
export type Player = number;

// ---- the public frame (recorder/projections/broadcast.py)

export interface Frame {
  epoch: string;
  seq: number;
  game: string;
  table: number;
  phase: Phase;
  tile_set: TileSet;
  players: Named[];
  /** Not while a camera alone divides the turns. */
  clock?: Clocks;
  /** 15 rows of 15: "." empty, lower case a blank, "?" a blank of which nobody knows the letter. */
  board: string[];
  last_play?: LastPlay;
  adjustments: Adjustment[];
  /** The director's word to everybody. */
  banner?: string;
  call?: Call;
  /** By turn: who made it, then both totals after it. */
  scores: Totals[];
  result?: Result;
  forming?: Forming;
  unseen: Unseen;
  turns: number;
  // What the streamer's files and settings add.
  cards?: (PlayerCard | null)[];
  event?: EventTold;
  best?: PublicBest;
  /** Player 0's chance to win after each line of the sheet, 0 to 1; with best plays only. */
  chances?: number[];
  /** The highest play of the event so far; not in its first game. */
  highest?: number;
  /** By player, only by key: "#" the back of a tile, "?" a blank; null while not known. */
  racks?: (string | null)[];
}

export type Phase = "before" | "playing" | "over";
export type Totals = [player: Player, first: number, second: number];

export interface TileSet {
  name: string;
  /** Points by letter, in the order of the alphabet. */
  values: Record<string, number>;
  /** How many of each the set has; "?" are the blanks. */
  counts: Record<string, number>;
  vowels: string;
  total: number;
}

export interface Named {
  name: string;
  score: number;
  seat: "left" | "right";
  on_turn: boolean;
}

/** A player with the number of the player. */
export type Seated = Named & { number: Player };

/** From that second of overtime on a player has lost so many points; in rising order. */
export type Prices = [number, number][];

/** Both times left as of `at`; negative is overtime. `running`: whose time runs since then, if any. */
export interface Clocks {
  remaining_ms: number[];
  running?: Player;
  at: number;
  /** Not where the rules leave the price of overtime open. */
  overtime?: Prices;
}

export type TurnKind = "play" | "exchange" | "pass" | "no_play";
export type PointsKind = "end_rack" | "end_rack_penalty" | "time" | "penalty";
export type LineKind = TurnKind | PointsKind | "illegal" | "withdraw" | "challenge" | "conceded";

/** A line of the score sheet (recorder/projections/sheet.py). */
export interface Line {
  n: number;
  player: Player;
  kind: LineKind;
  score: number;
  total: number;
  totals: number[];
  /** Empty where nothing was laid; 8H is across, H8 down. */
  position: string;
  /** As placed: "." for a tile that lay there already. */
  word: string;
  /** Whole words, the main one first. */
  words: string[];
  squares: string[];
  count: number;
  /** Exchanged or left; of a laying against the rules what stays on the board, by `squares`. */
  tiles: string;
  /** What was wrong with a laying of kind "illegal"; empty on every public page. */
  faults: string[];
}

/** The last turn, with what a challenge of it gave its player. */
export type LastPlay = Omit<Line, "tiles" | "totals" | "faults"> & { bonus: number };

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

/** What the tournament's file says of a player (dashboard/overlays/event_files.py). */
export interface PlayerCard {
  wins?: number;
  losses?: number;
  draws?: number;
  spread?: number;
  place?: number;
  rating?: number;
  from?: string;
  /** ISO 3166: a flag of this server has that name. */
  country?: string;
  /** Where on this server the picture is. */
  photo?: string;
}

export interface EventTold {
  title?: string;
  round?: string;
  next?: { players?: string[]; cards?: (PlayerCard | null)[]; at?: string; round?: string };
}

export interface PublicBest {
  n: number;
  player: Player;
  plays: Pick<Play, "position" | "word" | "text" | "score">[];
}

// ---- the spectators' pages (dashboard/live/watched.py)

/** A line as everybody may see it. */
export type PublicLine = Omit<Line, "faults" | "total">;

/** The public frame with the score sheet by line from 0, so that a turn changes one key. */
export type WatchModel = Frame & { sheet: Record<string, PublicLine> };

/** One game among many. */
export interface Glimpse {
  table: number;
  game: string;
  phase: Phase;
  players: Named[];
  clock?: Clocks;
  board: string[];
  last_play?: Omit<PublicLine, "totals" | "tiles">;
  result?: Result;
  turns: number;
  event?: EventTold;
  /** Where its page is; only in what was written to files. */
  href?: string;
}

export interface HallModel {
  tables: Record<string, Glimpse>;
}

// ---- the link of a page (dashboard/live/hub.py)

/** A JSON Merge Patch, RFC 7396: null takes a key away (dashboard/live/messages/merge_patch.py). */
export type MergePatch = { [key: string]: any };

export type LinkMessage<F> =
  | { type: "hello"; assets: string; now: number }
  | { type: "pong"; t: number; now: number }
  | { type: "snapshot"; epoch: string; seq: number; frame: F | null }
  | { type: "patch"; epoch: string; seq: number; from_seq: number; patch: MergePatch };

// ---- the commentator's model (dashboard/commentator/model.py)

export interface BoothModel {
  frame: Frame;
  sheet: BoothLine[];
  racks: BoothRack[];
  pool: Pool;
  list: WordList;
  best: Best;
  /** `win`: the chance of player 0, 0 to 1. */
  chance: { win: number; method: string };
}

export type BoothLine = Line & {
  rack: KnownRack | null;
  other: KnownRack | null;
  clocks: number[] | null;
  spent_ms: number | null;
  verdict: "good" | "bad" | "undecided" | null;
  hooks: Hooks | null;
  win: number;
};

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

export interface BoothRack {
  seen: KnownRack | null;
  counted: { count: number; confidence: number; at: number } | null;
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

export interface Play {
  position: string;
  word: string;
  text: string;
  score: number;
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

/** The odds that one of `wanted` is among `drawn` tiles; `each` by letter. */
export interface DrawOdds {
  wanted: string;
  drawn: number;
  of: number;
  any: number;
  each: Record<string, number>;
}

// ---- a phone at the table (dashboard/live/hub.py, device_line.py)

/** What a phone that is a camera hears for each picture (dashboard/phone_camera/kept_pictures.py). */
export interface CameraAnswer {
  corners: [number, number][] | null;
  reason: string;
  /** the row of the record that says so, 0: none yet */
  row: number;
  fetched: boolean;
}

/** A code for a phone as camera; `squares` are x, y and side of the dark ones in 100. */
export interface CameraCode {
  address: string;
  source: string;
  squares: [number, number, number][];
}

export interface Setup {
  game: string;
  players: string[];
  left_player: Player;
  starts_ms: number[];
  overtime: Prices | null;
  letters: string[];
}

export type Side = "L" | "R";

/** What a device has to tell: the type of an event and its data (docs/wire.md). */
export type Told = {
  [Type in keyof Observations]: [type: Type, data: Observations[Type]];
}[keyof Observations];

export type Command = { type: "command"; args: Record<string, any> } & Omit<SentCommand, "args">;

export type DeviceMessage =
  | { type: "bus"; connected: boolean }
  | ({ type: "ack" } & Ack)
  | { type: "time"; t: number; received: number; sent: number }
  | { type: "taken" }
  | Command;

// ---- slots (dashboard/overlays/slots.py) and what an administrator sees (dashboard/web/sign_in.py)

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

export interface Access {
  users: { name: string; role: string; table?: number }[];
  roles: string[];
  sessions: { id: string; name: string; role: string; since: number; seen: number }[];
  locked: { who: string; wait_s: number }[];
}

export interface Token {
  id: string;
  label: string;
  scope: string;
  since: number;
}
