/** What pages are drawn from; `make schema` writes this file out of recorder/frames. */
import { Frame, Line, Player, TableFrame } from "../shared/frames";
import { Acts } from "../shared/messages";

export type Facts = Record<string, number | string | boolean>;

/** A step of a procedure that stands open; `by` is the player who acts, null for others. */
export interface StandingStep {
  code: string;
  who: string;
  /** Who acts, in words. */
  actor: string;
  by: Player | null;
  act: string;
  rule: string;
  tiles: number | null;
  seconds: number | null;
  done: boolean;
  /** When its time is over, null until a director lets it run. */
  until_ms: number | null;
  /** Whether the seconds are time to act in. */
  is_timed: boolean;
}

/** A procedure that the recorder has open (recorder/projections/standing_procedures.py). */
export interface StandingProcedure {
  key: string;
  code: string;
  title: string;
  rule: string;
  group: number;
  player: Player | null;
  facts: Facts;
  facts_said: string[];
  steps: StandingStep[];
  /** When the time that is allowed now is over. */
  until_ms: number | null;
  /** Whether a director can say more of it than the record has. */
  says: boolean;
  questions: string[];
  director: string;
  /** The row that began it; `at`: when. */
  row: number;
  at: number;
}

/** A procedure that a director has begun and not closed; `code` names the incident. `done` are places of steps; `row`, `at` and `who` of its beginning. */
export interface OpenProcedure {
  key: string;
  code: string;
  title: string;
  /** The row of the notice behind it. */
  notice: number | null;
  facts: Facts;
  steps: number;
  done: number[];
  text: string;
  rule: string;
  row: number;
  at: number;
  who: string;
}

/** A signature of the result; `stale` when the game changed after it. */
export interface Signature {
  order: string;
  row: number;
  at: number;
  who: string;
  stale: boolean;
}

/** `letters` is empty where tiles are only counted; `doubtful` are places from 1. */
export interface SensedRack {
  count: number;
  at: number;
  letters: string;
  doubtful: number[];
}

/** Without `tiles` and their `probability` where the weight fits no number. */
export interface SensedBag {
  at: number;
  tiles?: number;
  probability?: number;
}

/** `picture` is the name of its content, `row` the row of the look that was made of it. */
export interface Picture {
  row: number;
  device: string;
  type: string;
  frame?: string;
  picture: string;
}

export interface NewPicture extends Picture {
  at: number;
}

/** What sensors said last (dashboard/live/sensor_state.py). */
export interface Senses {
  racks: (SensedRack | null)[];
  /** By a person, until the player's press. */
  typed: (SensedRack | null)[];
  bag?: SensedBag;
  pictures: NewPicture[];
}

export interface Device {
  /** What it did last, or why its camera sees no board. */
  says?: string;
  at: number;
  seq: number;
  /** Why it is not heard any more, or not in full. */
  lost?: string;
  /** Whether that is because it sends too much. */
  floods?: boolean;
  /** Whether it has never been heard: it is expected, and not lost. */
  unheard?: boolean;
}

/** An event as a page shows it, with the fields of its type. */
export interface EventFields {
  type: string;
  player: Player;
  squares: string[];
  text: string;
  position?: string;
  word?: string;
  /** Tiles by square of a laying against the rules; `faults`: what was wrong with it. */
  laid?: Record<string, string>;
  faults?: string[];
  /** What came off again. */
  lifted?: string[];
  /** How many turns nobody saw. */
  turns?: number;
  score?: number;
  rack?: string;
  count?: number;
  tiles?: string;
  points?: number;
  reason?: string;
  margin?: number;
  how?: string;
}

/** An event with the name under which an order finds it. */
export interface Entry extends EventFields {
  entry: number;
  part: number;
}

export interface Candidate {
  candidate: number;
  log_odds: number | null;
  text: string;
  events: EventFields[];
}

export interface Alternative {
  text: string;
  log_odds: number | null;
}

export interface Doubt {
  reasons: string[];
  codes: string[];
  squares: string[];
  /** The readings beside the one that stands. */
  alternatives: Alternative[];
  /** All readings; 0 is the one that stands. */
  candidates: Candidate[];
}

/** What the rules want said or shown of something that was noticed (projections/notices.py). */
export interface Notice {
  code: string;
  text: string;
  player: Player | null;
  begins: string;
  evidence: string[];
  squares: string[];
  numbers: Facts;
  director: string;
  manner: string;
  players: boolean;
  rule: string;
  why: string;
  open_questions: string[];
}

/** `ends` is the order that it ends. A refused order has neither that nor any force. */
export interface GivenOrder {
  id: string;
  who: string;
  type: string;
  text: string;
  ends?: string;
  in_force?: boolean;
}

export interface NumberedOrder extends GivenOrder {
  row: number;
}

/** A statement of the record, a message of a device or an order (projections/timeline.py). */
export interface Item {
  seq: number;
  at: number;
  /** When the recorder had it: the delay of the public counts from there. */
  received: number;
  kind: "observed" | "recorded" | "ruled" | "corrected";
  type: string;
  text: string;
  player: Player | null;
  refs: number[];
  doubt: Doubt | null;
  log_odds: number | null;
  superseded_by: number | null;
  group: number;
  entries: Entry[];
  facts: Record<string, unknown>;
  facts_said: string[];
  orders: NumberedOrder[];
  pictures: Picture[];
  notice?: Notice;
  /** Why a message was not taken; `fault`: it was, and the record cannot be folded with it. */
  refused?: string;
  /** How many events of a device never came, where the line is about that. */
  missing?: number;
  /** A ruling says of that line that it needs nobody any more. */
  settled?: boolean;
  order?: GivenOrder;
  supersedes?: number;
  reason?: string;
  /** A correction by which its turn reads as before: something was said of it. */
  adds?: boolean;
}

export interface FoldFault {
  row: number;
  table: number;
  device: string;
  at: number;
}

/** The newest row: its number, its time, and the code that proves it. */
export interface LogHead {
  seq: number;
  at: number;
  code: string;
}

export interface LogState extends LogHead {
  /** Rows of this game that could not be folded: which, of which device, since when. */
  faults: FoldFault[];
  broken?: number;
}

/** What a director is asked or shown (recorder/projections/needs.py). */
export interface Need {
  /** Stays while it is open. */
  key: string;
  kind: string;
  code: string;
  /** How soon it must be looked at: 0 first. */
  severity: number;
  /** Whether it waits for a decision. */
  asks: boolean;
  /** Whether the players are informed too. */
  players: boolean;
  mark: string;
  text: string;
  /** `{time}` in it stands for the time of `at`. */
  remedy: string;
  facts: Facts;
  /** How many are done, and how many there are. */
  steps: number[];
  at: number;
  /** The line of the timeline behind it. */
  row: number | null;
  /** The key of a procedure that is open about it. */
  procedure: string;
  /** The procedure that follows from it. */
  begins: string;
  /** The procedure that follows from what is as likely. */
  instead: string;
  instead_named: string;
}

/** What the public has: up to which row, and how late. */
export interface OnAir {
  seq: number;
  /** Later rows that are public already: they put right what is. */
  ahead: number[];
  delay_ms: number;
}

export interface DeskModel {
  frame?: Frame;
  sheet: Line[];
  senses: Senses;
  rules: string;
  signatures: (Signature | null)[];
  procedures: OpenProcedure[];
  standing: StandingProcedure[];
  timeline: Item[];
  devices: Record<string, Device>;
  log: LogState;
  needs: Need[];
  /** Not of a game that is over for good. */
  air?: OnAir;
}

/** One table among all (dashboard/web/director.py). */
export interface Glance {
  table: number;
  frame?: TableFrame;
  needs: Need[];
  devices: Record<string, Device>;
  log: LogState;
}

/** The table as it stood after a row (dashboard/live/sensor_state.py). */
export interface Moment {
  seq: number;
  at: number;
  frame?: Frame;
  sheet: Line[];
  senses: Senses;
}

/** What an order does; `supersedes` names an order that it replaces. */
export type Act = { [Type in keyof Acts]: { type: Type; data: Acts[Type]; supersedes?: string } }[keyof Acts];

/** A code with the values that its text names, and the text. */
export interface CodedText {
  code: string;
  values: Facts;
  text: string;
}

export interface Answer {
  state: "accepted" | "refused" | "waiting";
  row: number | null;
  reason: CodedText | null;
  waiting: number;
}

export interface BothTotals {
  before: number[];
  after: number[];
}

export interface ChangedTurn {
  entries: string[];
  before: Line[];
  after: Line[];
  doubts: CodedText[];
}

/** What an order would change (recorder/table/order_rows.py). */
export interface OrderPreview {
  ok: boolean;
  reason: CodedText | null;
  totals: BothTotals;
  changes: ChangedTurn[];
}

/** How a device is that a recorder expects; `remedy` is empty where nothing is wrong. */
export interface DeviceVerdict {
  name: string;
  role: string;
  table: number;
  grade: "well" | "weak" | "ill";
  code: string;
  says: string;
  remedy: string;
  version: string;
  delay_ms: number | null;
  waiting: number | null;
  picture: string;
}

/** What a recorder last said of itself; `version` is empty where it does not say. `fault` is what keeps it from recording now, `warning` what a director must know of its log. */
export interface RecorderState {
  name: string;
  state: string;
  version: string;
  fault: string;
  warning: string;
}

/** An open overlay page (dashboard/live/health.py); `fps` is null while nothing moves. */
export interface OverlayHealth {
  slot: string;
  scene: string;
  table: number;
  seq: number;
  behind: boolean;
  fps: number | null;
  shown: boolean;
  racks: boolean;
  obs: boolean;
  since: number;
  age_ms: number;
  stale: boolean;
}

/** What a device that asks to join may become: `page` is clock, pad or result. */
export interface JoinPlace {
  table: number;
  page: string;
}

/** A device without a key that asks to join (dashboard/web/joining.py); `number` is on it. */
export interface JoiningDevice {
  number: string;
  kind: "phone" | "clock";
  name: string;
  address: string;
  presses: number;
  places: JoinPlace[];
}

/** Whether orders can be given, and which overlays are open. */
export interface DeskState {
  who: string;
  orders: boolean;
  connected: boolean;
  reason: string;
  waiting: number;
  pictures: boolean;
  overlays: OverlayHealth[];
  devices: DeviceVerdict[];
  joining: JoiningDevice[];
  version: string;
  recorders: RecorderState[];
  /** What is wrong at the venue, and what helps; devices say it themselves. */
  faults: string[];
  /** At the dashboard's machine, with its zone, as ISO 8601 has it. */
  time_of_day: string;
}

/** A row of the log as directors read it (dashboard/live/views.py). */
export interface LogRow {
  seq: number;
  body: any;
  kind?: string;
  at?: number;
  refs?: number[];
  hash?: string;
  /** A look at the board, written out as 15 rows. */
  board?: string[];
}

export interface IncidentField {
  name: string;
  label: string;
  type: "text" | "number" | "select" | "check";
  value: string | boolean;
  hint?: string;
  options?: string[][];
  /** Whether the options are the two players. */
  player?: boolean;
}

/** An incident with its form (dashboard/incidents/begun.py). */
export interface Incident {
  /** Whether the recorder works it out once begun, and the page only says what is missing. */
  begins?: boolean;
  name: string;
  title: string;
  fields: IncidentField[];
}

export interface PlanOrder {
  label: string;
  act: Act;
}

export interface Plan {
  title: string;
  rule: string;
  way: string;
  /** Whom "player" means in the steps. */
  player: Player | null;
  numbers: [name: string, value: unknown][];
  questions: string[];
  orders: PlanOrder[];
  alternatives: Plan[];
  ruling: string;
  /** Whether the procedure stands open still once this is recorded. */
  goes_on?: boolean;
}

/** Where a game and its mirror differ; `choices` are what a director can do about it. */
export interface MirrorDifference {
  key: string;
  what: string;
  ours: string;
  theirs: string;
  turn: number;
  choices: string[];
}

export interface JournalLine {
  at: number;
  what: string;
}

/** A game that is mirrored to a service, and how that is (dashboard/woogles/kept.py). */
export interface Mirror {
  service: string;
  game: string;
  table: number;
  players: string[];
  state: "begins" | "behind" | "in_step" | "waits" | "differs" | "away" | "stopped";
  text: string;
  site: string;
  sent: number;
  turns: number;
  since: number;
  difference: MirrorDifference | null;
  journal: JournalLine[];
  needs: Need[];
}
