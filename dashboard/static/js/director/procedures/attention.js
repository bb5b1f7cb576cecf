/** What needs the director, the most urgent first; the same for one table and for all. */
import { formatClock, remainingMs } from "../../shared/game/clock.js";
import { pointsLost } from "../../shared/game/overtime.js";
import { playerName } from "../desk.js";
import { isDismissed } from "../dismissed.js";
import { isUnnamed, offered } from "../forms/dialog.js";
import { FORMS } from "../forms/orders.js";
import { html } from "../../shared/dom.js";
import { timeOfDay } from "../../shared/tool.js";
import { text as worded } from "../../shared/texts.js";

/** @import { Clocks, Player } from "../../shared/frames" */
/** @import { Candidate, Doubt, Glance, Item, Need, Notice } from "../models" */

/** How the director learns of a notice that is kept back. */
const WITHHELD = "withheld";

/** Overtime runs with the clock, so that the page counts it; there is nothing to decide about it. */
const OVERTIME = 9;

/**
 * Whether the rules keep a line back until both have signed.
 * @param {Item} item
 */
export const isWithheld = (item) => item.notice?.director === WITHHELD;

/**
 * The overtime of a table, as the clock runs.
 * @param {Glance["frame"]} frame
 * @param {number} now
 * @returns {Need[]}
 */
function overtime(frame, now) {
  const clock = frame?.clock;
  if (!frame || !clock || frame.phase === "over") return [];
  return [0, 1].flatMap((number) => {
    const left = remainingMs(clock, number, now);
    if (left >= 0) return [];
    const cost = clock.overtime
      ? worded("points_so_far", { points: pointsLost(left, clock.overtime) })
      : worded("cost_open");
    return {
      key: `over ${number}`,
      kind: "over",
      code: "overtime",
      severity: OVERTIME,
      asks: false,
      players: false,
      mark: worded("mark_overtime"),
      text: frame.players[number].name,
      remedy: `${formatClock(left)}, ${cost}`,
      facts: {},
      steps: [],
      at: 0,
      row: null,
      procedure: "",
      begins: "",
      instead: "",
      instead_named: "",
    };
  });
}

/**
 * Everything to look at; what was seen and asks nothing more is left out.
 * @param {Pick<Glance, "frame" | "needs">} table
 * @param {number} now
 * @returns {Need[]}
 */
export function attention({ frame, needs }, now) {
  const read = isDismissed();
  return [...needs, ...overtime(frame, now)]
    .filter((need) => !canDismiss(need) || !read(need))
    .map((need) => ({ ...need, remedy: need.remedy.replace("{time}", timeOfDay(need.at)) }))
    .sort((before, after) => before.severity - after.severity);
}

/** @param {Pick<Need, "kind" | "row">} need */
const canDismiss = ({ kind, row }) => ["refused", "notice"].includes(kind) && Boolean(row);

const MOST_ANSWERS = 3;

/** @typedef {((item: Item, candidate: Candidate) => unknown) | null} OnAnswer */
/** @typedef {((item: Item, kind: "pass" | "exchange") => unknown) | null} OnName */
/** @typedef {((name: string, about: object) => unknown) | null} OnForm */

/** Doubts that no reading answers, by code: the order whose form has the fields for the answer. */
/** @type {{[code: string]: "racks" | "overtime"}} */
const ANSWERED_BY = { racks_unknown: "racks", rack_unknown: "racks", overtime_open: "overtime" };

/** @param {Doubt} doubt */
const formsFor = ({ codes }) => [
  ...new Set(codes.flatMap((code) => (code in ANSWERED_BY ? [ANSWERED_BY[code]] : []))),
];

/**
 * The form that answers all of a doubt; none where its readings are answers too.
 * @param {Doubt} doubt
 */
export const formAlone = (doubt) =>
  doubt.codes.every((code) => code in ANSWERED_BY) ? formsFor(doubt)[0] : undefined;

/**
 * What a reading says on its button: of a question about the end the one that stands says no points.
 * @param {Item} item
 * @param {Doubt} doubt
 * @param {Candidate} candidate
 */
function onButton(item, doubt, { candidate, text }) {
  if (candidate === 0 && isUnnamed(item)) return worded("stays_open");
  if (candidate === 0 && formAlone(doubt)) return worded("no_points_for_that");
  return text;
}

/**
 * The readings of a doubt as buttons, where they are few, in the order of the dialog.
 * @param {{item: Item, doubt: Doubt, onAnswer: OnAnswer, onName: OnName, onForm: OnForm}} props
 */
function Answers({ item, doubt, onAnswer, onName, onForm }) {
  if (doubt.candidates.length > MOST_ANSWERS) return null;
  return html`<div class="answers">${formsFor(doubt).map(
    (name) =>
      html`<button type="button" disabled=${!onForm} onClick=${() => onForm?.(name, { item })}>${FORMS[name].title}…</button>`,
  )}${
    isUnnamed(item) &&
    html`<button type="button" disabled=${!onName} onClick=${() => onName?.(item, "pass")}>${worded("pass")}</button>
      <button type="button" disabled=${!onName} onClick=${() => onName?.(item, "exchange")}>${worded("exchange_of")}</button>`
  }${offered(doubt).map(
    (candidate) =>
      html`<button type="button" disabled=${!onAnswer} onClick=${() => onAnswer?.(item, candidate)}>${onButton(item, doubt, candidate)}</button>`,
  )}${
    isUnnamed(item) &&
    html`<button type="button" disabled=${!onForm} onClick=${() => onForm?.("remove", { item, entry: item.entries[0] })}>${FORMS.remove.title}…</button>`
  }</div>`;
}

/**
 * The times that both clocks would show now, had a doubtful one gone on from what was believed.
 * @param {Need} need
 * @param {Clocks | null | undefined} clock
 * @param {number} now
 */
export function believedTimes({ facts }, clock, now) {
  const { first_by_ms: first, second_by_ms: second } = facts;
  if (!clock || typeof first !== "number" || typeof second !== "number") return null;
  return [first, second].map((by, player) => remainingMs(clock, player, now) + by);
}

/**
 * @param {number} ms
 * @param {number} player
 */
const timeOf = (ms, player) => `${playerName(/** @type {Player} */ (player))} ${formatClock(ms)}`;

/** @param {{found: Need[], itemOf: (row: number | null) => Item | undefined, timesOf: (need: Need) => number[] | null, onOpen: (need: Need) => void, onAnswer: OnAnswer, onName: OnName, onForm: OnForm, onSetClock: (need: Need) => unknown, onExchange: ((tables: number[]) => unknown) | null, can: boolean, onSeen: (need: Need) => void, kept: number, onSigned: () => void}} props */
export function Attention({
  found,
  itemOf,
  timesOf,
  onOpen,
  onAnswer,
  onName,
  onForm,
  onSetClock,
  onExchange,
  can,
  onSeen,
  kept,
  onSigned,
}) {
  return html`<section class="card needs" aria-label=${worded("needs_decision")}><h2>${worded("needs_you")}
      <span class=${`count-doubts ${found.length ? "" : "none"}`}>${found.length || worded("nothing")}</span></h2>
    ${found.map((need) => {
      const item = need.kind === "doubt" ? itemOf(need.row) : undefined;
      const times = timesOf(need)?.map(timeOf).join(", ");
      const { table, sees } = need.facts;
      return html`<div key=${need.key} class=${`need ${need.kind}`}>
      <button type="button" class="open" onClick=${() => onOpen(need)} disabled=${!need.row && !need.procedure}>
        <b class="mark">${need.mark}</b><span class="what">${need.text}</span><span class="more">${need.remedy}</span></button>
      ${canDismiss(need) && html`<button type="button" class="quiet" onClick=${() => onSeen(need)}>${worded("dismiss")}</button>`}
      ${need.instead && html`<div class="answers"><button type="button" onClick=${() => onOpen({ ...need, begins: need.instead, procedure: "" })}>${worded("as_likely", { what: need.instead_named })}</button></div>`}
      ${times && html`<div class="answers"><button type="button" disabled=${!can} onClick=${() => onSetClock(need)}>${worded("set_clock_to", { times })}</button></div>`}
      ${sees && html`<div class="answers"><button type="button" disabled=${!onExchange} onClick=${() => onExchange?.([Number(table), Number(sees)])}>${worded("exchange_cameras", { first: String(table), second: String(sees) })}</button></div>`}
      ${item?.doubt?.codes.includes("clock_against_order") && html`<div class="answers"><button type="button" disabled=${!can} onClick=${() => onForm?.("seats", {})}>${worded("sit_other_way")}</button></div>`}
      ${item?.doubt && html`<${Answers} item=${item} doubt=${item.doubt} onAnswer=${onAnswer} onName=${onName} onForm=${onForm} />`}
    </div>`;
    })}
    ${kept > 0 && html`<p class="soft">${worded("kept_back", { count: kept })} <button type="button" onClick=${onSigned}>${worded("both_signed")}</button></p>`}</section>`;
}
