/**
 * The director's page: what was recorded and how sure that is, each statement with its evidence;
 * the devices and their age. Keyboard first. It reads only: rulings are made at the recorder.
 */
import { html } from "./dom.js";
import { age, openTool, page, timeOfDay } from "./tool.js";

const view = { selected: null, evidence: null, model: null };

const odds = (value) => (typeof value === "number" ? value.toFixed(1) : "");

function Doubt({ doubt }) {
  const where = doubt.squares.length ? ` (${doubt.squares.join(", ")})` : "";
  return html`<div class="why">${doubt.reasons.join("; ")}${where}</div>
    <div class="alternatives">${doubt.alternatives.map((one) => html`<span>or ${one.text}</span>
      <span class="odds">${odds(one.log_odds)}</span>`)}</div>`;
}

function Entry({ item, players }) {
  const open = item.doubt && !item.superseded_by;
  const classes = ["entry", open && "doubtful", item.superseded_by && "superseded",
    item.type.startsWith("device") && "system", item.player !== null && `player-${item.player}`];
  const by = item.superseded_by ? ` (corrected by ${item.superseded_by})` : "";
  const fixes = item.supersedes ? `corrects ${item.supersedes}: ` : "";
  return html`<div class=${classes.filter(Boolean).join(" ")} role="option" data-seq=${item.seq}
      aria-selected=${view.selected === item.seq} onClick=${() => select(item.seq)}>
    <span class="seq">${item.seq}</span><span class="when">${timeOfDay(item.at)}</span>
    <span>${item.player !== null && html`<i class="dot"></i>`}</span>
    <span class="said" title=${item.player === null ? "" : players[item.player]?.name}>${fixes}${item.text}${by}</span>
    <span class="odds">${odds(item.log_odds)}</span>
    ${open && html`<${Doubt} doubt=${item.doubt} />`}</div>`;
}

function Devices({ devices, now }) {
  const names = Object.keys(devices).sort();
  return html`<div class="card"><h2>Devices</h2>${names.map((name) => {
    const device = devices[name];
    const state = device.lost ?? device.reason ?? device.type;
    return html`<div class=${`device ${device.lost === null ? "" : "lost"}`}><b>${name}</b>
      <span class="soft">${age(now() - device.at)} ago</span><span class="state">${state}</span></div>`;
  })}${names.length === 0 && html`<div class="soft">Nothing heard from any device yet.</div>`}</div>`;
}

/** Nested values as lines of dotted names; lists stay whole. */
function flat(value, name = "") {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, one]) => flat(one, name ? `${name}.${key}` : key));
}

function Evidence() {
  const row = view.evidence;
  if (!row) return html`<div class="card"><h2>Evidence</h2><div class="soft">Choose an entry to see the row behind it.</div></div>`;
  return html`<div class="card evidence"><h2>Row ${row.seq}</h2>
    ${row.refs?.length > 0 && html`<div class="refs">${row.refs.map((seq) =>
      html`<button onClick=${() => show(seq)}>rests on ${seq}</button>`)}</div>`}
    ${row.board && html`<pre class="seen">${row.board.join("\n")}</pre>`}
    <table><tbody>${flat(row.body).map(([name, value]) => html`<tr><td class="soft">${name}</td>
      <td class="mono">${JSON.stringify(value)}</td></tr>`)}</tbody></table></div>`;
}

function Desk({ model, now }) {
  const { timeline, devices, log, frame } = model;
  const players = frame?.players ?? [];
  const doubts = timeline.filter((item) => item.doubt && !item.superseded_by).length;
  const scores = players.map((one) => `${one.name} ${one.score}`).join(" \u2013 ");
  return html`<div class="desk"><section class="card" role="listbox" aria-label="Timeline">
      <h2>${scores || "No game has begun at this table"}</h2>
      ${[...timeline].reverse().map((item) => html`<${Entry} key=${item.seq} item=${item} players=${players} />`)}
      ${timeline.length === 0 && html`<div class="empty"><b>Nothing recorded yet</b>Entries appear here as the recorder writes them.</div>`}
    </section><aside>
      <div class="card"><h2>The record</h2><span class=${`count-doubts ${doubts ? "" : "none"}`}>${doubts === 1 ? "1 doubt" : `${doubts} doubts`}</span>
        <span class="soft"> row ${log.seq}, ${log.at ? `${age(now() - log.at)} ago` : "empty"}${log.faults ? `, ${log.faults} rows not folded` : ""}</span></div>
      <${Devices} devices=${devices} now=${now} />
      <${Evidence} />
      <div class="keys"><kbd>j</kbd> <kbd>k</kbd> entry, <kbd>d</kbd> next doubt, <kbd>Esc</kbd> close</div>
    </aside></div>`;
}

async function show(seq) {
  const response = await fetch(`/api/row/${seq}`);
  view.evidence = response.ok ? await response.json() : { seq, body: `cannot be read (${response.status})` };
  redraw();
}

function select(seq) {
  view.selected = seq;
  redraw();
  document.querySelector(`[data-seq="${seq}"]`)?.scrollIntoView({ block: "nearest" });
  show(seq);
}

/** Move by `step` through the entries as they stand on the page (newest first). */
function move(step, wanted = () => true) {
  const seqs = view.model.timeline.filter(wanted).map((item) => item.seq).reverse();
  const at = seqs.indexOf(view.selected);
  const next = seqs[at < 0 ? 0 : (at + step + seqs.length) % seqs.length];
  if (next !== undefined) select(next);
}

addEventListener("keydown", (event) => {
  if (!view.model || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (event.key === "d") move(1, (item) => item.doubt && !item.superseded_by);
  else if (event.key === "Escape") {
    Object.assign(view, { selected: null, evidence: null });
    redraw();
  }
});

const redraw = openTool(`/ws/director/${page.table}`, (model, now) => {
  view.model = model;
  return html`<${Desk} model=${model} now=${now} />`;
});
setInterval(redraw, 1000); // ages
