/** The log: the record row by row, the newest first, and what is behind a row. For those who look closely. */
import { html } from "../shared/dom.js";
import { change, holding, named, playerName, showEvidence, view } from "./desk.js";
import { likely, signed } from "./forms/dialog.js";
import { timeOfDay } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";

/** @import { DeskModel, Doubt as Doubted, Item } from "./models" */
/** @import { Line } from "../shared/frames" */

/** @param {{doubt: Doubted}} props */
export function Doubt({ doubt }) {
  return html`<div class="why">${worded("doubt_is", { why: doubt.reasons.join("; ") })}</div>
    <div class="alternatives">${doubt.alternatives.map(
      (reading) => html`<span>${worded("or_reading", { text: reading.text })}</span>
      <span class="soft">${likely(reading.log_odds)}</span>`,
    )}</div>`;
}

/**
 * @param {number | null} seq
 * @param {number} part
 */
export function select(seq, part = 0) {
  change({ selected: seq === null ? null : { seq, part }, photographs: seq !== null });
  if (seq === null) {
    change({ evidence: null });
    return;
  }
  document.querySelector(`[data-seq="${seq}"]`)?.scrollIntoView({ block: "nearest" });
  showEvidence(seq);
}

/**
 * A row that only says more of what stands is not called a correction.
 * @param {{item: Item, lines: Map<number, Line>, next: Item | undefined}} props
 */
function Entry({ item, lines, next }) {
  const open = item.doubt && !item.superseded_by;
  const ended = item.order && !item.order.in_force && item.type !== "order.refused";
  const classes = [
    "entry",
    open && "doubtful",
    item.superseded_by && (next?.adds ? "said-again" : "superseded"),
    ended && "ended",
    (item.type.startsWith("device") || item.order) && "system",
    item.player !== null && `player-${item.player}`,
  ];
  const by = item.superseded_by
    ? ` (${worded(next?.adds ? "added_in_row" : "corrected_in_row", { row: item.superseded_by })})`
    : "";
  const fixes = item.supersedes
    ? `${worded(item.adds ? "adds_to" : "corrects", { row: item.supersedes })}: `
    : "";
  const who = item.order?.who ? `${item.order.who}: ` : "";
  const line = lines.get(item.seq);
  const facts = item.facts_said ?? [];
  const orders = item.orders.filter((order) => order.text);
  return html`<div class=${classes.filter(Boolean).join(" ")} role="option" tabindex="-1" data-seq=${item.seq}
      aria-selected=${view.selected?.seq === item.seq} onClick=${() => select(item.seq)}>
    <span class="seq">${item.seq}</span><span class="when">${timeOfDay(item.at)}</span>
    <span>${item.player !== null && html`<i class="dot"></i>`}</span>
    <span class="said">${fixes}${who}${item.notice ? named(item.text) : item.text}${by}${ended && html` <em>${worded("not_in_force")}</em>`}
      ${item.player !== null && html` <small class="soft">${playerName(item.player)}</small>`}</span>
    <span class="odds">${line ? html`<b>${signed(line.score)}</b> ${line.total}` : ""}</span>
    ${facts.length > 0 && html`<div class="facts-said">${facts.join(", ")}</div>`}
    ${item.notice && html`<div class="facts-said">${[...item.notice.evidence, ...item.notice.open_questions, item.notice.why].filter(Boolean).map(named).join("; ")}</div>`}
    ${orders.length > 0 && html`<div class="ruled">${worded("ruled_by", { who: orders[orders.length - 1].who })}</div>`}
    ${open && html`<${Doubt} doubt=${item.doubt} />`}</div>`;
}

/** @param {{model: DeskModel}} props */
export function History({ model }) {
  const lines = new Map();
  const items = new Map(model.timeline.map((item) => [item.seq, item]));
  for (const { item, line } of holding(model)) if (line) lines.set(item.seq, line);
  return html`<div class="history">
    <div role="listbox" aria-label=${worded("timeline")} tabindex="0">${[...model.timeline]
      .reverse()
      .filter((item) => item.type !== "table.notice_over" && !(item.adds && !item.entries.length))
      .map(
        (item) =>
          html`<${Entry} key=${item.seq} item=${item} lines=${lines} next=${items.get(item.superseded_by ?? 0)} />`,
      )}</div>
    ${model.timeline.length === 0 && html`<div class="empty"><b>${worded("nothing_recorded")}</b>${worded("entries_appear")}</div>`}
  </div>`;
}

/**
 * Nested values as lines of dotted names; lists stay whole.
 * @param {any} value
 * @param {string} name
 * @returns {[name: string, value: unknown][]}
 */
function flat(value, name = "") {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flat(inner, name ? `${name}.${key}` : key),
  );
}

export function Evidence() {
  const row = view.evidence;
  if (!row) return null;
  return html`<details class="card evidence" open><summary><h2>${worded("row_number", { row: row.seq })}</h2></summary>
    ${
      (row.refs ?? []).length > 0 &&
      html`<div class="refs">${(row.refs ?? []).map(
        (seq) =>
          html`<button type="button" onClick=${() => showEvidence(seq)}>${worded("rests_on", { row: seq })}</button>`,
      )}</div>`
    }
    ${row.board && html`<pre class="seen">${row.board.join("\n")}</pre>`}
    <table><tbody>${flat(row.body).map(
      ([name, value]) => html`<tr><td class="soft">${name}</td>
      <td class="mono">${JSON.stringify(value)}</td></tr>`,
    )}</tbody></table></details>`;
}
