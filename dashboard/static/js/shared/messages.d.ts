/**
 * Messages as Python declares them; `make schema` writes this file, nobody else. What a key means
 * and what its limits are is in docs/wire.md and docs/schema. What may be left out may be null too.
 * What pages are drawn from is not a message: frames.d.ts has it.
 */

/** What devices say, by type. */
export interface Observations {
  "board.seen": { frame: string; squares: string; corners: [[number, number], [number, number], [number, number], [number, number]]; pose_score: number; turn_margin: number; covered: number; still_ms: number; picture?: string | null; since?: string | null; changes?: { square: number; was: string; now: string; confidence: number }[] | null; hidden?: number[] | null; moving?: boolean | null; letters_turned?: 0 | 90 | 180 | 270 | null; turned_tiles?: ({ square: number; degrees: 90 | 180 | 270 })[] | null; notes?: string[] | null };
  "board.not_seen": { frame: string; reason: string; picture?: string | null };
  "board.stirred": { frame: string };
  "board.still": { frame: string };
  "board.reached": { frame: string; edges?: ("left" | "top" | "right" | "bottom" | "unclear")[] | null; arms?: ("left" | "top" | "right" | "bottom" | "unclear")[] | null; ended?: boolean | null };
  "clock.press": { side: "L" | "R"; left_ms: number; right_ms: number; running: "L" | "R" | "N" };
  "clock.change": { act: "pause" | "resume" | "reset" | "flag" | "adjust"; left_ms: number; right_ms: number; running: "L" | "R" | "N" };
  "table.announced": { side: "L" | "R"; say: "exchange" | "pass" | "bonus"; count: number };
  "table.acted": { side: "L" | "R"; act: "hold" | "accept" | "challenge" | "score" | "blank"; count?: number | null; letter?: string | null };
  "rack.seen": { side: "L" | "R"; letters: string; slots: string; confidence: number; picture?: string | null; doubtful?: number[] | null; count: number };
  "rack.count": { side: "L" | "R"; places: string; confidence: number; count: number };
  "rack.typed": { side: "L" | "R"; letters: string };
  "bag.weight": { grams: number; spread_g: number; settled: boolean; taken?: { count: number; probability: number; alternatives?: [number, number][] | null } | null; tiles?: { count: number; probability: number; alternatives?: [number, number][] | null } | null };
  "bag.lifted": { grams: number | null };
  "bag.returned": { away_ms: number };
  "slip.seen": { entries: ({ mark: "empty" | "letter" | "unreadable"; letter?: string | null; confidence: number; marked?: string | null })[]; picture?: string | null; challenge?: string | null };
  "time.sync": { reference: string; device_ms: number; offset_ms: number; error_ms: number; drift_ppm?: number | null };
  "clock.doubt": { device: string; fault: "drift" | "jump" | "backwards" | "remaining" | "idle" | "replaced" | "not_reset"; detail: string | { code: string; values: Record<string, number | string | boolean> }; left_by_ms?: number | null; right_by_ms?: number | null };
  "camera.doubt": { device: string; sees: number };
  "camera.exchanged": { device: string; table: number };
  "time.set": { by_ms: number; ahead_ms: number };
  "device.lost": { device: string; reason: string | { code: string; values: Record<string, number | string | boolean> } };
  "device.back": { device: string };
  "device.missing": { device: string; boot: string; first: number; last: number; count: number };
}

/** Events of the game, by type. */
export interface GameEvents {
  "game.played": { player: number; score: number; rack?: string | null; position: string; word: string };
  "game.illegal": { player: number; laid: Record<string, string>; faults: ("not_in_line" | "two_plays" | "diagonal" | "gap" | "off_centre" | "one_tile" | "not_touching" | "over_seven" | "earlier_moved" | "after_end")[]; score: number; rack?: string | null; lifted?: string[] | null };
  "game.unseen": { player: number; laid: Record<string, string>; turns?: number | null; from_ms?: number | null; to_ms?: number | null; is_least?: boolean | null };
  "game.exchanged": { player: number; count: number; tiles?: string | null; rack?: string | null };
  "game.passed": { player: number; rack?: string | null };
  "game.no_play": { player: number };
  "game.withdrawn": { player: number; score: number; left?: string[] | null };
  "game.challenge_bonus": { player: number; points: number };
  "game.end_rack_points": { player: number; points: number; tiles?: string | null };
  "game.end_rack_penalty": { player: number; points: number; tiles?: string | null };
  "game.time_penalty": { player: number; points: number };
  "game.penalty": { player: number; points: number; reason?: string | null };
  "game.conceded": { player: number; margin: number; how: "forfeit" | "resignation" | "left" | "overtime" | "lateness"; scores?: [number, number] | null };
}

/** What orders of a director say, by type. */
export interface Acts {
  "order.accept": { candidate?: number | null; entry: number; part?: number | null };
  "order.correct": { letters?: Record<string, string> | null; kind?: "exchange" | "pass" | "no_play" | null; count?: number | null; score?: number | null; player?: number | null; laid?: Record<string, string> | null; lifted?: string[] | null; entry: number; part?: number | null; position?: string; word?: string };
  "order.insert": { event: { type: "game.played" | "game.illegal" | "game.unseen" | "game.exchanged" | "game.passed" | "game.no_play" | "game.withdrawn" | "game.challenge_bonus" | "game.end_rack_points" | "game.end_rack_penalty" | "game.time_penalty" | "game.penalty" | "game.conceded"; data: Record<string, any> }; agreed?: boolean | null; entry: number; part?: number | null };
  "order.split": { turns: ({ type: "game.played" | "game.illegal" | "game.unseen" | "game.exchanged" | "game.passed" | "game.no_play" | "game.withdrawn" | "game.challenge_bonus" | "game.end_rack_points" | "game.end_rack_penalty" | "game.time_penalty" | "game.penalty" | "game.conceded"; data: Record<string, any> })[]; entry: number; part?: number | null };
  "order.remove": { entry: number; part?: number | null };
  "order.challenge": { outcome: "off" | "stands" | "withdrawn"; bonus?: number | null; penalty?: number | null; turn_lost?: boolean | null; entry: number; part?: number | null };
  "order.clock": { player: number; left_ms: number };
  "order.end": {};
  "order.end_racks": { points: ({ type: "game.end_rack_points" | "game.end_rack_penalty"; data: Record<string, any> })[] };
  "order.time_penalty": { player: number; points: number };
  "order.concede": { player: number; margin: number; how: string };
  "order.absent": { player: number; due_s?: number | null };
  "order.arrived": { player: number };
  "order.seats": { player: number };
  "order.ruling": { text: string; rule?: string | null; settles?: number | null; entry?: number; part?: number | null };
  "order.banner": { text: string };
  "order.note": { text: string; entry?: number; part?: number | null };
  "order.sign": { player: number };
  "order.procedure.begin": { key: string; code: string; notice?: number | null; facts?: Record<string, number | string | boolean> | null; way?: number | null; steps?: number | null; done?: number[] | null; left_out?: number[] | null; text?: string | null; rule?: string | null };
  "order.procedure.step": { key: string; step: number; code?: string | null; done?: boolean | null };
  "order.procedure.time": { key: string; step: number; code?: string | null };
  "order.procedure.close": { key: string; carried_out?: boolean | null };
  "order.undo": { order: string };
}

/** At `down/<device>/ack`: every event of `boot` up to `upto` is stored for good. */
export interface Ack {
  boot: string;
  upto: number;
}

/** At `down/<device>/cmd`, never retained: do something, answer at `resp` with the id. */
export interface Command {
  id: string;
  cmd: string;
  args?: Record<string, any> | null;
}
