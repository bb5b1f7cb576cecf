/**
 * What comes over the wire to directors: the model of a table, incidents, orders and their answers.
 * Units as in frames.d.ts. Made by dashboard/{views,moments,director_routes,incident_plan}.py,
 * recorder/projections/timeline.py and recorder/table/order_rows.py.
 */
import { Frame, Line, Player } from "../shared/frames";
import { Acts } from "../shared/messages";

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
  log: {
    seq: number;
    at: number;
    code: string;
    /** Rows of this game that could not be folded: which, of which device, since when. */
    faults: { row: number; table: number; device: string; at: number }[];
    ignored: number;
    broken?: number;
  };
  /** What the public has: up to which row, and how late. Not of a game that is over for good. */
  air?: { seq: number; delay_ms: number };
}

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

/**
 * A procedure that the recorder has open (recorder/projections/standing_procedures.py): `row` and
 * `at` of its beginning, `until_ms` when the time that is allowed now is over.
 */
export interface StandingProcedure {
  key: string;
  code: string;
  title: string;
  rule: string;
  group: number;
  player: Player | null;
  facts: { [name: string]: number | string | boolean };
  facts_said: string[];
  steps: StandingStep[];
  until_ms: number | null;
  /** Whether a director can say more of it than the record has. */
  says: boolean;
  questions: string[];
  director: string;
  row: number;
  at: number;
}

/**
 * A procedure that was begun and not closed; `code` names the incident, `notice` the row of the
 * notice behind it. `way`, `done` and `left_out` are places; `row`, `at` and `who` of its beginning.
 */
export interface OpenProcedure {
  key: string;
  code: string;
  title: string;
  notice: number | null;
  facts: { [name: string]: number | string | boolean };
  way: number;
  steps: number;
  done: number[];
  left_out: number[];
  text: string;
  rule: string;
  row: number;
  at: number;
  who: string;
  /** When the time of a step began to run, by its place. */
  timed: { [place: string]: number };
}

/** A signature of the result; `stale` when the game changed after it. */
export interface Signature {
  order: string;
  row: number;
  at: number;
  who: string;
  stale: boolean;
}

/** One table among all (dashboard/web/director.py). */
export interface Glance {
  table: number;
  frame?: Pick<Frame, "game" | "phase" | "turns" | "players" | "clock" | "last_play">;
  timeline: Item[];
  procedures: OpenProcedure[];
  standing: StandingProcedure[];
  devices: Record<string, Device>;
  log: DeskModel["log"];
}

/** The table as it stood after a row (dashboard/live/sensor_state.py). */
export interface Moment {
  seq: number;
  at: number;
  frame?: Frame;
  sheet: Line[];
  senses: Senses;
}

export interface Senses {
  racks: (SensedRack | null)[];
  /** By a person, until the player's press. */
  typed: (SensedRack | null)[];
  /** Without `tiles` and their `probability` where the weight fits no number. */
  bag?:
    | { grams: number; at: number; tiles: number; probability: number }
    | { grams: number; at: number; tiles?: undefined; probability?: undefined };
  pictures: NewPicture[];
}

/** `letters` is empty where tiles are only counted; `doubtful` are places from 1. */
export interface SensedRack {
  count: number;
  at: number;
  letters: string;
  doubtful: number[];
}

/** `picture` is the name of its content, `row` the row of the look that was made of it. */
export interface Picture {
  row: number;
  device: string;
  type: string;
  frame?: string;
  picture: string;
}

export type NewPicture = Picture & { at: number };

/** `lost` says why, and is there once the device is not heard any more; `reason` why its camera sees no board. */
export interface Device {
  type: string;
  at: number;
  seq: number;
  lost?: string;
  reason?: string;
}

/** A statement of the record, a message of a device or an order (recorder/projections/timeline.py). */
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
  orders: (OrderTold & { row: number })[];
  pictures: Picture[];
  notice?: Notice;
  /** Why a message was not taken; `fault`: it was, and the record cannot be folded with it. */
  refused?: string;
  /** How many events of a device never came, where the line is about that. */
  missing?: number;
  /** A ruling says of that line that it needs nobody any more. */
  settled?: boolean;
  order?: OrderTold;
  supersedes?: number | null;
  reason?: string;
  /** A correction by which its turn reads as before: something was said of it. */
  adds?: boolean;
}

/** An event as a page shows it, with the fields of its type. */
export interface EventTold {
  type: string;
  player: Player;
  squares: string[];
  text: string;
  position?: string;
  word?: string;
  /** Tiles by square of a laying against the rules, what was wrong, and what came off again. */
  laid?: Record<string, string>;
  faults?: string[];
  lifted?: string[];
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
export type Entry = EventTold & { entry: number; part: number };

export interface Doubt {
  reasons: string[];
  codes: string[];
  squares: string[];
  /** The readings beside the one that stands. */
  alternatives: { text: string; log_odds: number | null }[];
  /** All readings; 0 is the one that stands. */
  candidates: Candidate[];
}

export interface Candidate {
  candidate: number;
  log_odds: number | null;
  text: string;
  events: EventTold[];
}

/** What the rules want said or shown of something that was noticed (recorder/wire/notices.py). */
export interface Notice {
  code: string;
  text: string;
  player: number | null;
  begins: string;
  evidence: string[];
  squares: string[];
  numbers: { [name: string]: number | string | boolean };
  director: string;
  manner: string;
  players: boolean;
  commentator: string;
  public: string;
  later: string;
  rule: string;
  why: string;
  open_questions: string[];
}

/** `ends` is the order that it ends. An order that was refused has neither that nor any force. */
export interface OrderTold {
  id: string;
  who: string;
  type: string;
  text: string;
  ends?: string;
  in_force?: boolean;
}

/** What an order does; `supersedes` names an order that it replaces. */
export type Act = {
  [Type in keyof Acts]: { type: Type; data: Acts[Type]; supersedes?: string };
}[keyof Acts];

/** A code with the values that its text names, and the text. */
export interface CodedText {
  code: string;
  values: { [name: string]: number | string | boolean };
  text: string;
}

export interface Answer {
  state: "accepted" | "refused" | "waiting";
  row: number | null;
  reason: CodedText | null;
  waiting: number;
}

/** What an order would change (recorder/table/order_rows.py). */
export interface PreviewTold {
  ok: boolean;
  reason: CodedText | null;
  totals: { before: number[]; after: number[] };
  changes: { entries: string[]; before: Line[]; after: Line[]; doubts: CodedText[] }[];
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
  version: string;
  recorders: RecorderTold[];
}

/** How a device is that a recorder expects; `remedy` is empty where nothing is wrong. */
export interface DeviceVerdict {
  name: string;
  role: string;
  table: number;
  grade: "well" | "weak" | "ill";
  says: string;
  remedy: string;
  version: string;
  delay_ms?: number | null;
  waiting?: number | null;
  picture: string;
}

/** What a recorder last said of itself; `version` is empty where it does not say. */
export interface RecorderTold {
  name: string;
  state: string;
  version: string;
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

/** A row of the log as directors read it (dashboard/live/views.py). */
export interface RowTold {
  seq: number;
  body: any;
  kind?: string;
  at?: number;
  refs?: number[];
  hash?: string;
  /** A look at the board, written out as 15 rows. */
  board?: string[];
}

/** An incident with its form (dashboard/incidents/plan.py). */
export interface Incident {
  /** Whether the recorder works it out once it is begun, and the page only says what it lacks. */
  begins?: boolean;
  name: string;
  title: string;
  fields: IncidentField[];
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

export interface Plan {
  title: string;
  rule: string;
  way: string;
  /** Whom "player" means in the steps. */
  player: Player | null;
  numbers: [name: string, value: unknown][];
  steps: PlanStep[];
  questions: string[];
  orders: { label: string; act: Act }[];
  alternatives: Plan[];
  ruling: string;
  /** Whether the procedure stands open still once this is recorded. */
  goes_on?: boolean;
}

export interface PlanStep {
  /** What is done, for programs: `return_tiles`. */
  code: string;
  who: string;
  actor: string;
  act: string;
  rule: string;
  tiles: number | null;
  seconds: number | null;
  /** Whether the seconds are time to act in. */
  is_timed: boolean;
}

// ---- what the scripts of the page hand each other

/** An entry that an order is about, with its line of the timeline. */
export interface Chosen {
  item: Item;
  entry: Entry;
}

/** What a form is filled in from: an entry where it is about one, the banner, both clocks. */
export interface FormContext extends Partial<Chosen> {
  banner?: string;
  clock?: string[] | null;
  /** The row that a ruling settles. */
  settles?: number;
}

/** What was typed, by the name of the field; a box to tick holds true or false. */
export type Values = { [name: string]: any };

export interface FormField {
  name: string;
  label: string;
  type: string;
  options?: () => string[][];
  value?: () => string | boolean | undefined;
  when?: (values: Values) => boolean;
  hint?: string;
  most?: number;
}

/** A form, and the order that it makes; `Context` is what it is filled in from. */
export interface Form<Context = any> {
  title: string;
  /** The key that opens it. */
  key?: string;
  /** Whether no score can change, so that there is nothing to preview. */
  plain?: boolean;
  fits?: (chosen: Chosen) => boolean;
  fields: (context: Context) => FormField[];
  /** What else becomes of the values when one is changed. */
  follow?: (name: string, value: string | boolean, context: Context) => Values;
  /** Null while something is lacking. */
  build: (values: Values, context: Context) => Act | null;
}

/** Something that needs the director. */
export interface Need {
  kind: "doubt" | "notice" | "lost" | "over" | "refused" | "open";
  mark: string;
  text: string;
  more: string;
  item?: Item;
  /** Whether a form is filled in from it. */
  isAlert?: boolean;
  begins?: string;
  /** The procedure that a director began. */
  run?: OpenProcedure;
  /** The key of the procedure that stands open. */
  standing?: string;
}

/** The dialog that is open. */
export type OpenDialog =
  | { kind: "help" }
  | {
      kind: "procedure";
      notice?: number;
      run?: OpenProcedure;
      standing?: StandingProcedure;
      /** To say more of what stands, not to end it. */
      says?: boolean;
    }
  | { kind: "order"; name?: string; form?: Form; ctx: FormContext }
  | { kind: "doubt"; seq: number };
