/** What needs the director, the most urgent first; the same for one table and for all. */
import { formatClock, remainingMs } from "../../shared/game/clock.js";
import { pointsLost } from "../../shared/game/overtime.js";
import { html } from "../../shared/dom.js";
import { isWorkedOut, titleOf } from "./standing.js";
import { timeOfDay } from "../../shared/tool.js";
import { text as worded } from "../../shared/texts.js";

/** @import { Candidate, Doubt, Glance, Item, Need, Notice } from "../models" */

const MOST_FAULTS = 5;

/** How the director learns of a notice. */
const [TELL, ALERT, SHOW, WITHHELD] = ["tell_players", "alert", "show", "withheld"];

/** What waits for a decision comes first; overtime is told, and there is nothing to decide. */
const SEVERITY = ["doubt", "alert", "open", "lost", "refused", "notice", "over"];

/**
 * How soon a need must be looked at: 0 first.
 * @param {Need} need
 */
export const severity = (need) => SEVERITY.indexOf(need.isAlert ? "alert" : need.kind);

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
        mark: worded("mark_doubt"),
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
  const add = ({ item, notice: { begins, player, text, director, manner, rule } }) => {
    found.push({
      kind: "notice",
      mark: worded([ALERT, TELL].includes(director) ? "mark_alert" : "mark_noticed"),
      isAlert: [ALERT, TELL].includes(director),
      text,
      more: `${manner} (${rule})`,
      item,
      standing: standing.find(
        (procedure) =>
          procedure.code === begins &&
          [0, item.group].includes(procedure.group) &&
          (player === null || procedure.player === player) &&
          isWorkedOut(procedure),
      )?.key,
      begins,
    });
  };
  for (const urgent of noticed) if ([TELL, ALERT].includes(urgent.notice.director)) add(urgent);
  /** @type {Map<string, string[]>} */
  const lost = new Map();
  for (const [name, device] of Object.entries(devices))
    if (device.lost !== undefined) lost.set(device.lost, [...(lost.get(device.lost) ?? []), name]);
  for (const [why, names] of lost)
    found.push({ kind: "lost", mark: worded("mark_lost"), text: names.join(", "), more: why });
  for (const number of [0, 1]) {
    if (!frame?.clock || frame.phase === "over") break;
    const left = remainingMs(frame.clock, number, now);
    if (left < 0) {
      const prices = frame.clock.overtime;
      const cost = prices
        ? worded("points_so_far", { points: pointsLost(left, prices) })
        : worded("cost_open");
      found.push({
        kind: "over",
        mark: worded("mark_overtime"),
        text: frame.players[number].name,
        more: `${formatClock(left)}, ${cost}`,
      });
    }
  }
  for (const shown of noticed) if (shown.notice.director === SHOW) add(shown);
  for (const item of timeline) {
    if (seen.has(item.seq)) continue;
    if (item.type === "order.refused")
      found.push({
        kind: "refused",
        mark: worded("mark_refused"),
        text: item.order?.who || worded("an_order"),
        more: item.text,
        item,
      });
    if (item.type === "recorder.refused" && !item.superseded_by) {
      const isFault = item.refused === "fault";
      found.push({
        kind: "refused",
        mark: isFault ? worded("mark_left_out") : worded("mark_not_taken"),
        text: item.text,
        more: isFault
          ? worded("compare_left_out", { time: timeOfDay(item.at) })
          : worded("look_after_sender"),
        item,
      });
    }
    if (item.type === "device.missing" && item.missing && !item.superseded_by && !item.settled)
      found.push({
        kind: "refused",
        mark: worded("mark_missing"),
        text: item.text,
        more: worded("compare_missing", { time: timeOfDay(item.at) }),
        item,
      });
    if (item.type === "clock.doubt")
      found.push({
        kind: "refused",
        mark: worded("mark_clock"),
        text: item.text,
        more: worded("goes_on_with_it"),
        item,
      });
    if (item.type === "time.set")
      found.push({
        kind: "refused",
        mark: worded("mark_time"),
        text: item.text,
        more: worded("times_are_off"),
        item,
      });
  }
  if (log.broken)
    found.unshift({
      kind: "refused",
      mark: worded("log"),
      text: worded("row_changed", { row: log.broken }),
      more: worded("not_to_be_trusted"),
    });
  for (const fault of log.faults.slice(0, MOST_FAULTS))
    found.push({
      kind: "refused",
      mark: worded("log"),
      text: worded("row_does_not_fit", {
        row: fault.row,
        device: fault.device && ` (${fault.device})`,
        table: fault.table,
      }),
      more: worded("compare_since", { time: timeOfDay(fault.at) }),
    });
  const worked = standing.filter(isWorkedOut);
  for (const procedure of worked) {
    const done = procedure.steps.filter((step) => step.done).length;
    found.push({
      kind: "open",
      mark: worded("procedure"),
      text: titleOf(procedure),
      more: `${worded("steps_done", { done, steps: procedure.steps.length })} ${procedure.rule && `(${procedure.rule})`}`,
      standing: procedure.key,
    });
  }
  for (const run of procedures) {
    if (worked.some((procedure) => procedure.key === run.key)) continue;
    const far = run.steps
      ? `${worded("steps_done", { done: run.done.length, steps: run.steps })}; `
      : "";
    found.push({
      kind: "open",
      mark: worded("procedure"),
      text: run.title,
      more: `${far}${run.who}, ${timeOfDay(run.at)}`,
      run,
    });
  }
  return found.sort((before, after) => severity(before) - severity(after));
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
  return html`<section class="card needs" aria-label=${worded("needs_decision")}><h2>${worded("needs_you")}
      <span class=${`count-doubts ${found.length ? "" : "none"}`}>${found.length || worded("nothing")}</span></h2>
    ${found.map(
      ({ item, ...need }) => html`<div key=${keyOf({ item, ...need })} class=${`need ${need.kind}`}>
      <button type="button" class="open" onClick=${() => onOpen({ item, ...need })} disabled=${!item && !need.run && !need.standing}>
        <b class="mark">${need.mark}</b><span class="what">${need.text}</span><span class="more">${need.more}</span></button>
      ${["refused", "notice"].includes(need.kind) && item && html`<button type="button" class="quiet" onClick=${() => onSeen(item.seq)}>${worded("dismiss")}</button>`}
      ${need.kind === "doubt" && item?.doubt && html`<${Answers} item=${item} doubt=${item.doubt} onAnswer=${onAnswer} />`}
    </div>`,
    )}
    ${kept > 0 && html`<p class="soft">${worded("kept_back", { count: kept })} <button type="button" onClick=${onSigned}>${worded("both_signed")}</button></p>`}</section>`;
}
