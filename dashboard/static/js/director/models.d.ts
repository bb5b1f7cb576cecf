/**
 * What the scripts of the director's page hand each other; what comes over the wire is in frames.d.ts.
 */
import { Act, Entry, Item, OpenProcedure, StandingProcedure } from "./frames";

export * from "./frames";

/** An entry that an order is about, with its line of the timeline. */
export interface Chosen {
  item: Item;
  entry: Entry;
}

/** What a form is filled in from: an entry where it is about one, the banner, both clocks. */
export interface FormContext extends Partial<Chosen> {
  banner?: string;
  clock?: string[] | null;
  /** Who sits at the right of the clock. */
  right?: number;
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
  /** What stands below the fields, by what is typed in them. */
  beside?: (values: Values, context: Context) => unknown;
  /** Null while something is lacking. */
  build: (values: Values, context: Context) => Act | null;
}

/** The dialog that is open. */
export type OpenDialog =
  | { kind: "help" }
  | {
      kind: "procedure";
      notice?: number;
      /** The procedure to begin, where it is not the one that follows from the notice. */
      begins?: string;
      run?: OpenProcedure;
      standing?: StandingProcedure;
      /** To say more of what stands, not to end it. */
      says?: boolean;
    }
  | { kind: "order"; name?: string; form?: Form; ctx: FormContext }
  | { kind: "doubt"; seq: number };
