/** What needs the director, the most urgent first; the same for one table and for all. */
import { formatClock, overtimePenalty, remainingMs } from "../shared/clock.js";
import { html } from "../shared/dom.js";
import { isWorkedOut, titleOf } from "./standing.js";
import { timeOfDay } from "../shared/tool.js";

/** @import { Candidate, Doubt, Glance, Item, Need, Notice } from "./models" */

const MOST_FAULTS = 5;

/** How the director learns of a notice. */
const [TELL, ALERT, SHOW, WITHHELD] = ["tell_players", "alert", "show", "withheld"];

/** The notices that a form is filled in from, by their codes. */
const WITH_FORM = [
  ...["overdraw", "underdraw", "out_of_order", "spill", "illegal_placement", "tile_moved"],
  ...["blank_unnamed", "six_zero", "accidental_press"],
];

/** What waits for a decision comes first; overtime is told, and there is nothing to decide. */
const SEVERITY = ["doubt", "alert", "open", "lost", "refused", "notice", "over"];

/**
 * How soon a need must be looked at: 0 first.
 * @param {Need} need
 */
export const severity = (need) => SEVERITY.indexOf(need.mark === "Alert" ? "alert" : need.kind);

/**
 * Whether there is something to decide.
 * @param {Need} need
 */
export const isOpen = (need) => ["doubt", "alert", "open"].includes(SEVERITY[severity(need)]);

/**
 * A name for a need that stays the same while it is open.
 * @param {Need} need
 */
export const keyOf = ({ kind, item, run, standing, text }) =>
  `${kind} ${standing ?? run?.key ?? item?.seq ?? text}`;

/**
 * Whether the rules keep a line back until both have signed.
 * @param {Item} item
 */
export const isWithheld = (item) => item.notice?.director === WITHHELD;

/**
 * One entry per thing to look at: `kind` and `mark` (in words, never by colour alone), `text`,
 * `more`, and `item` where a line of the timeline is behind it.
 * @param {Pick<Glance, "frame" | "timeline" | "procedures" | "standing" | "devices" | "log">} table
 * @param {number} now
 * @param {Set<number>} seen
 * @returns {Need[]}
 */
export function attention(
  { frame, timeline, procedures, standing, devices, log },
  now,
  seen = new Set(),
) {
  /** @type {Need[]} */
  const found = [];
  for (const item of timeline) {
    if (item.doubt && !item.superseded_by) {
      found.push({
        kind: "doubt",
        mark: "Doubt",
        text: item.text,
        more: item.doubt.reasons.join("; "),
        item,
      });
    }
  }
  const noticed = timeline
    .filter((item) => !item.superseded_by && !seen.has(item.seq))
    .flatMap((item) => (item.notice ? [{ item, notice: item.notice }] : []));
  /** @param {{item: Item, notice: Notice}} noticed */
  const add = ({ item, notice: { code, text, director, manner, rule } }) => {
    found.push({
      kind: "notice",
      mark: director === ALERT || director === TELL ? "Alert" : "Noticed",
      text,
      more: `${manner} (${rule})`,
      item,
      standing: standing.find(
        (procedure) =>
          procedure.group &&
          procedure.group === item.group &&
          procedure.code === code &&
          isWorkedOut(procedure),
      )?.key,
      hasForm: WITH_FORM.includes(code),
    });
  };
  for (const urgent of noticed) if ([TELL, ALERT].includes(urgent.notice.director)) add(urgent);
  for (const [name, device] of Object.entries(devices)) {
    if (device.lost !== undefined)
      found.push({ kind: "lost", mark: "Lost", text: name, more: device.lost });
  }
  for (const number of [0, 1]) {
    if (!frame?.clock || frame.phase === "over") break;
    const left = remainingMs(frame.clock, number, now);
    if (left < 0) {
      const points = frame.clock.points_per_minute;
      const cost = points
        ? `, ${overtimePenalty(left, points)} points so far`
        : ", its cost is open in these rules";
      found.push({
        kind: "over",
        mark: "Overtime",
        text: frame.players[number].name,
        more: formatClock(left) + cost,
      });
    }
  }
  for (const shown of noticed) if (shown.notice.director === SHOW) add(shown);
  for (const item of timeline) {
    if (seen.has(item.seq)) continue;
    if (item.type === "order.refused")
      found.push({
        kind: "refused",
        mark: "Refused",
        text: item.order?.who || "order",
        more: item.text,
        item,
      });
    if (item.type === "recorder.refused" && !item.superseded_by) {
      const isFault = item.refused === "fault";
      found.push({
        kind: "refused",
        mark: isFault ? "Left out" : "Not taken",
        text: item.text,
        more: isFault
          ? `told at ${timeOfDay(item.at)}: compare the turns around then with the score sheet and enter what lacks; a release that reads the row takes this back`
          : "look after whoever sent it; what else it says is recorded",
        item,
      });
    }
    if (item.type === "device.missing" && item.missing && !item.superseded_by)
      found.push({
        kind: "refused",
        mark: "Missing",
        text: item.text,
        more: `told at ${timeOfDay(item.at)}: compare the turns before then with the score sheet, enter what lacks; if it happens again, change the device`,
        item,
      });
    if (item.type === "clock.doubt")
      found.push({
        kind: "refused",
        mark: "Clock",
        text: item.text,
        more: "the record goes on with what it says",
        item,
      });
    if (item.type === "time.set")
      found.push({
        kind: "refused",
        mark: "Time",
        text: item.text,
        more: "times of day are off by that until the next game",
        item,
      });
  }
  if (log.broken)
    found.unshift({
      kind: "refused",
      mark: "Log",
      text: `row ${log.broken} was changed, or one before it is missing`,
      more: "the record cannot be trusted from there: tilecast log verify",
    });
  for (const fault of log.faults.slice(0, MOST_FAULTS))
    found.push({
      kind: "refused",
      mark: "Log",
      text: `what row ${fault.row} says${fault.device && ` (${fault.device})`} does not fit table ${fault.table}`,
      more: `since ${timeOfDay(fault.at)}: compare the score sheet with the table and correct that turn; this goes away once all turns fit`,
    });
  const worked = standing.filter(isWorkedOut);
  for (const procedure of worked) {
    const done = procedure.steps.filter((step) => step.done).length;
    found.push({
      kind: "open",
      mark: "Procedure",
      text: titleOf(procedure),
      more: `${done} of ${procedure.steps.length} steps done ${procedure.rule && `(${procedure.rule})`}`,
      standing: procedure.key,
    });
  }
  for (const run of procedures) {
    if (worked.some((procedure) => procedure.key === run.key)) continue;
    const far = run.steps ? `${run.done.length} of ${run.steps} steps done; ` : "";
    found.push({
      kind: "open",
      mark: "Procedure",
      text: run.title,
      more: `${far}${run.who}, ${timeOfDay(run.at)}`,
      run,
    });
  }
  return found;
}

const MOST_ANSWERS = 3;

/**
 * The readings of a doubt as buttons, where they are few; what stands now comes first.
 * @param {{item: Item, doubt: Doubt, onAnswer: ((item: Item, candidate: Candidate) => unknown) | null}} props
 */
function Answers({ item, doubt, onAnswer }) {
  if (doubt.candidates.length > MOST_ANSWERS) return null;
  return html`<div class="answers">${doubt.candidates.map(
    (candidate) =>
      html`<button type="button" disabled=${!onAnswer} onClick=${() => onAnswer?.(item, candidate)}>${candidate.text}</button>`,
  )}</div>`;
}

/** @param {{found: Need[], onOpen: (need: Need) => void, onAnswer: ((item: Item, candidate: Candidate) => unknown) | null, onSeen: (seq: number) => void, kept: number, onSigned: () => void}} props */
export function Attention({ found, onOpen, onAnswer, onSeen, kept, onSigned }) {
  return html`<section class="card needs" aria-label="Needs a decision"><h2>Needs you
      <span class=${`count-doubts ${found.length ? "" : "none"}`}>${found.length || "nothing"}</span></h2>
    ${found.map(
      ({ item, ...need }) => html`<div key=${keyOf({ item, ...need })} class=${`need ${need.kind}`}>
      <button type="button" class="open" onClick=${() => onOpen({ item, ...need })} disabled=${!item && !need.run && !need.standing}>
        <b class="mark">${need.mark}</b><span class="what">${need.text}</span><span class="more">${need.more}</span></button>
      ${["refused", "notice"].includes(need.kind) && item && html`<button type="button" class="quiet" onClick=${() => onSeen(item.seq)}>Dismiss</button>`}
      ${need.kind === "doubt" && item?.doubt && html`<${Answers} item=${item} doubt=${item.doubt} onAnswer=${onAnswer} />`}
    </div>`,
    )}
    ${kept > 0 && html`<p class="soft">${kept} finding${kept === 1 ? "" : "s"} kept back until both have signed. <button type="button" onClick=${onSigned}>Both have signed: show</button></p>`}</section>`;
}
