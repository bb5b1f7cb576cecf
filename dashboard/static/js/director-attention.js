/** What needs the director, the most urgent first; the same for one table and for all. */
import { formatClock, overtimePenalty, remainingMs } from "./clock.js";
import { html } from "./dom.js";

/** How the director learns of a notice, as the record has it. */
const [TELL, ALERT, SHOW] = ["tell the players now", "look at it now; say nothing to the players yourself unless you rule",
  "on the director's page, silently; do not tell the players"];
const WITHHELD = "kept back";

/** The procedure that a notice may lead to. */
const INCIDENTS = { "more than seven tiles on a rack": "overdraw", "too few tiles on a rack": "underdraw", "drawn out of order": "order",
  "illegal placement of another kind": "placement", "tiles that touch nothing": "placement", "an earlier tile was moved": "placement",
  "first play beside the centre": "placement", "blank not declared": "blank", "turns without score may end the game": "zeros" };

/** Whether the rules keep a line back until both have signed. */
export const isWithheld = (item) => item.notice?.director === WITHHELD;

const PROCEDURE = "procedure open: ";

/** The procedures that were begun and not closed: notes that hold. */
export function openProcedures(timeline) {
  return timeline.filter((item) => item.order?.type === "order.note" && item.order.in_force
    && item.text.startsWith(`note: ${PROCEDURE}`));
}

export const procedureNote = (text) => `${PROCEDURE}${text}`;
export const procedureTitle = (item) => item.text.replace(`note: ${PROCEDURE}`, "");

/**
 * One entry per thing to look at: `kind` and `mark` (in words, never by colour alone), `text`,
 * `more`, and `item` where a line of the timeline is behind it.
 */
export function attention({ frame, timeline, devices, log }, now, seen = new Set()) {
  const found = [];
  for (const item of timeline) {
    if (item.doubt && !item.superseded_by) {
      const where = item.doubt.squares.length ? ` (${item.doubt.squares.join(", ")})` : "";
      found.push({ kind: "doubt", mark: "Doubt", text: item.text, more: item.doubt.reasons.join("; ") + where, item });
    }
  }
  const noticed = timeline.filter((item) => item.notice && !item.superseded_by && !seen.has(item.seq));
  const add = (item) => {
    const { notice, sentence, director, rule } = item.notice;
    found.push({ kind: "notice", mark: director === ALERT || director === TELL ? "Alert" : "Noticed", text: sentence,
      more: `${notice}; ${director} (${rule})`, item, incident: INCIDENTS[notice] });
  };
  for (const item of noticed) if ([TELL, ALERT].includes(item.notice.director)) add(item);
  for (const [name, device] of Object.entries(devices)) {
    if (device.lost !== null) found.push({ kind: "lost", mark: "Lost", text: name, more: device.lost });
  }
  for (const number of frame && frame.phase !== "over" ? [0, 1] : []) {
    const left = remainingMs(frame.clock, number, now);
    if (left < 0) {
      const points = frame.clock.points_per_minute;
      const cost = points ? `, ${overtimePenalty(left, points)} points so far` : ", its cost is open in these rules";
      found.push({ kind: "over", mark: "Overtime", text: frame.players[number].name, more: formatClock(left) + cost });
    }
  }
  for (const item of noticed) if (item.notice.director === SHOW) add(item);
  for (const item of timeline) {
    if (seen.has(item.seq)) continue;
    if (item.type === "order.refused") found.push({ kind: "refused", mark: "Refused", text: item.order.who || "order", more: item.text, item });
    if (item.type === "clock.doubt") found.push({ kind: "refused", mark: "Clock", text: item.text, more: "the record goes on with what it says", item });
  }
  if (log.faults) found.push({ kind: "refused", mark: "Log", text: `${log.faults} rows not folded`, more: "the position may lack something" });
  for (const item of openProcedures(timeline)) {
    found.push({ kind: "open", mark: "Procedure", text: procedureTitle(item), more: `begun by ${item.order.who}`, item });
  }
  return found;
}

export function Attention({ found, onOpen, onSeen, kept, onSigned }) {
  return html`<section class="card needs" aria-label="Needs a decision"><h2>Needs you
      <span class=${`count-doubts ${found.length ? "" : "none"}`}>${found.length || "nothing"}</span></h2>
    ${found.map((one) => html`<div class=${`need ${one.kind}`}>
      <button type="button" class="open" onClick=${() => onOpen(one)} disabled=${!one.item}>
        <b class="mark">${one.mark}</b><span class="what">${one.text}</span><span class="more">${one.more}</span></button>
      ${["refused", "notice"].includes(one.kind) && one.item && html`<button type="button" class="quiet" onClick=${() => onSeen(one.item.seq)}>Seen</button>`}
    </div>`)}
    ${kept > 0 && html`<p class="soft">${kept} finding${kept === 1 ? "" : "s"} kept back until both have signed. <button type="button" onClick=${onSigned}>Both have signed: show</button></p>`}</section>`;
}
