/** What the director's page knows and asks: the view's state, orders, previews, evidence. */
import { ask } from "./asking.js";
import { dismiss as keepDismissed } from "./dismissed.js";
import { text as worded } from "../shared/texts.js";
import { ofGame, page } from "../shared/tool.js";
import { showFaults } from "./faults.js";
import { showJoining } from "./joining.js";

/** @import { Act, Chosen, DeskModel, DeskState, Entry, Item, LogRow, Mirror, Moment, Need, OpenDialog } from "./models" */
/** @import { Line, Player } from "../shared/frames" */

/** The one state of the page; changed by `change` alone, which draws it again. */
export const view = {
  /** @type {DeskModel | null} */ model: null,
  /** @type {() => number} */ now: () => Date.now(),
  /** @type {{seq: number, part: number} | null} */ selected: null,
  /** @type {LogRow | null} */ evidence: null,
  /** @type {OpenDialog | null} */ dialog: null,
  /** @type {number | null} */ at: null,
  /** @type {Moment | null} */ moment: null,
  /** @type {DeskState} */ desk: {
    who: "",
    orders: false,
    connected: false,
    reason: "",
    waiting: 0,
    pictures: false,
    overlays: [],
    devices: [],
    joining: [],
    version: "",
    recorders: [],
    faults: [],
    time_of_day: "",
  },
  /** @type {Mirror[]} */ mirrors: [],
  said: "",
  signed: false,
  /** @type {"sheet" | "log"} what stands in the right column */ tab: "sheet",
  photographs: false,
};

let redraw = () => {};

/** @param {() => void} draw */
export function drawnBy(draw) {
  redraw = draw;
}

/** @param {Partial<typeof view>} values */
export function change(values) {
  Object.assign(view, values);
  redraw();
}

/** An id for an order: it counts once, however often it is sent. */
export function orderId() {
  return `d-${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
}

/**
 * An order as the server reads it; `act` has `type`, `data` and perhaps `supersedes`.
 * @param {Act} act
 * @param {string} id
 */
export function orderOf(act, id) {
  return { table: Number(page.table), game: view.model?.frame?.game ?? "", id, ...act };
}

/**
 * Give an order and say what became of it; true when it is carried out or safely kept.
 * @param {Act} act
 * @param {string} id
 */
export const give = (act, id = orderId()) => send("/api/order", orderOf(act, id));

/**
 * Give an order about the event, in words; as `give`.
 * @param {string} words
 */
export const giveEvent = (words) =>
  send("/api/event/order", { id: orderId(), words, agreed: true });

/**
 * @param {string} path
 * @param {object} order
 */
async function send(path, order) {
  change({ said: worded("sent") });
  try {
    const answer = await ask("POST", path, order);
    if (answer.state === "refused")
      change({ said: worded("refused", { why: answer.reason?.text ?? "" }) });
    else if (answer.state === "waiting") change({ said: worded("kept_and_sent") });
    else change({ said: worded("is_done") });
    setTimeout(refreshDesk, 600);
    return answer.state !== "refused";
  } catch (fault) {
    change({ said: fault.message });
    return false;
  }
}

export async function refreshDesk() {
  try {
    view.desk = await ask("GET", "/api/desk");
  } catch (fault) {
    view.desk = { ...view.desk, orders: false, reason: fault.message };
  }
  showFaults(view.desk);
  showJoining(view.desk.joining);
  redraw();
}

/** @param {number} seq */
export async function showEvidence(seq) {
  const answer = await fetch(`/api/row/${seq}`);
  change({
    evidence: answer.ok
      ? await answer.json()
      : { seq, body: worded("row_unreadable", { status: answer.status }) },
  });
}

/** @type {number | null} */
let wanted = null;
let timer = 0;

/**
 * Look at the table as it stood after a row; null is now.
 * @param {number | null} seq
 */
export function lookAt(seq) {
  wanted = seq;
  change({ at: seq, moment: seq === null ? null : view.moment });
  clearTimeout(timer);
  if (seq === null) return;
  timer = setTimeout(async () => {
    try {
      const found = await ask("GET", `/api/table/${page.table}/at/${seq}${ofGame}`);
      if (wanted === seq) change({ moment: found });
    } catch (fault) {
      change({ said: fault.message });
    }
  }, 60);
}

/**
 * A refused order or a doubtful clock was read: it asks for nothing any more.
 * @param {Need} need
 */
export function dismiss(need) {
  keepDismissed(need);
  redraw();
}

/**
 * Entries that hold, in the order of the game, each with its line of the sheet if that fits.
 * @param {DeskModel} model
 * @returns {{item: Item, entry: Entry, line: Line | null}[]}
 */
export function holding(model) {
  /** @type {Map<number, number>} */
  const root = new Map();
  /** @type {Map<number, Item>} */
  const held = new Map();
  for (const item of [...model.timeline].sort((a, b) => a.seq - b.seq)) {
    if (item.kind === "corrected") {
      const first = root.get(item.supersedes ?? 0);
      if (first === undefined) continue;
      root.set(item.seq, first);
      held.set(first, item);
    } else if (item.kind === "recorded" && item.entries.length) {
      root.set(item.seq, item.seq);
      held.set(item.seq, item);
    }
  }
  const found = [...held.values()].flatMap((item) =>
    item.entries.map((entry) => ({ item, entry })),
  );
  const fits = found.length === model.sheet.length;
  return found.map((entry, at) => ({ ...entry, line: fits ? model.sheet[at] : null }));
}

/**
 * The entry that is chosen, if its line still holds.
 * @returns {Chosen | null}
 */
export function chosen() {
  const { model, selected } = view;
  const item = model?.timeline.find((item) => item.seq === selected?.seq);
  if (!item || !selected || item.superseded_by) return null;
  const entry = item.entries[selected.part] ?? item.entries[0];
  return entry ? { item, entry } : null;
}

/**
 * The names of the players, for text.
 * @param {Player} number
 */
export const playerName = (number) =>
  view.model?.frame?.players[number]?.name ?? `Player ${number + 1}`;

/**
 * A sentence of the record with names where it counts the players.
 * @param {string} text
 */
export const named = (text) =>
  text.replace(/\b(?:player|Spieler) ([12])\b/gi, (_, number) =>
    playerName(/** @type {Player} */ (Number(number) - 1)),
  );
