/** The record line by line, the evidence behind a line, the board as it stood at any of them. */
import { CALLS, Countdown } from "../shared/countdown.js";
import { Board } from "../shared/board.js";
import { Clock } from "../shared/clock.js";
import { html } from "../shared/dom.js";
import { change, holding, lookAt, named, playerName, showEvidence, view } from "./desk.js";
import { likely, signed } from "./dialog.js";
import { Pictures } from "./pictures.js";
import { page, timeOfDay } from "../shared/tool.js";

/** @import { DeskModel, Doubt as Doubted, Item, SensedRack, Senses } from "./models" */
/** @import { Frame, Line, Now, Player as Number } from "../shared/frames" */

const squares = page.premiums.split(" ");
/** @param {(at: number) => string | number} from */
const span = (from) => Array.from({ length: 15 }, (_, at) => html`<span>${from(at)}</span>`);

/** @param {{doubt: Doubted}} props */
function Doubt({ doubt }) {
  const where = doubt.squares.length ? ` (${doubt.squares.join(", ")})` : "";
  return html`<div class="why">Doubt: ${doubt.reasons.join("; ")}${where}</div>
    <div class="alternatives">${doubt.alternatives.map(
      (reading) => html`<span>or ${reading.text}</span>
      <span class="soft">${likely(reading.log_odds)}</span>`,
    )}</div>`;
}

/**
 * @param {number | null} seq
 * @param {number} part
 */
export function select(seq, part = 0) {
  change({ selected: seq === null ? null : { seq, part } });
  if (seq === null) {
    change({ evidence: null });
    return;
  }
  document.querySelector(`[data-seq="${seq}"]`)?.scrollIntoView({ block: "nearest" });
  showEvidence(seq);
}

/** @param {{item: Item, lines: Map<number, Line>}} props */
function Entry({ item, lines }) {
  const open = item.doubt && !item.superseded_by;
  const ended = item.order && !item.order.in_force && item.type !== "order.refused";
  const classes = [
    "entry",
    open && "doubtful",
    item.superseded_by && "superseded",
    ended && "ended",
    (item.type.startsWith("device") || item.order) && "system",
    item.player !== null && `player-${item.player}`,
  ];
  const by = item.superseded_by ? ` (corrected by ${item.superseded_by})` : "";
  const fixes = item.supersedes ? `corrects ${item.supersedes}: ` : "";
  const who = item.order?.who ? `${item.order.who}: ` : "";
  const line = lines.get(item.seq);
  const facts = item.facts_said ?? [];
  const orders = item.orders.filter((order) => order.text);
  return html`<div class=${classes.filter(Boolean).join(" ")} role="option" tabindex="-1" data-seq=${item.seq}
      aria-selected=${view.selected?.seq === item.seq} onClick=${() => select(item.seq)}>
    <span class="seq">${item.seq}</span><span class="when">${timeOfDay(item.at)}</span>
    <span>${item.player !== null && html`<i class="dot"></i>`}</span>
    <span class="said">${fixes}${who}${item.notice ? named(item.text) : item.text}${by}${ended && html` <em>not in force</em>`}
      ${item.player !== null && html` <small class="soft">${playerName(item.player)}</small>`}</span>
    <span class="odds">${line ? html`<b>${signed(line.score)}</b> ${line.total}` : ""}</span>
    ${facts.length > 0 && html`<div class="facts-said">${facts.join(", ")}</div>`}
    ${item.notice && html`<div class="facts-said">${[...item.notice.evidence, ...item.notice.open_questions, item.notice.why].filter(Boolean).map(named).join("; ")}</div>`}
    ${orders.length > 0 && html`<div class="ruled">Ruled by ${orders[orders.length - 1].who}</div>`}
    ${open && html`<${Doubt} doubt=${item.doubt} />`}</div>`;
}

/** @param {{model: DeskModel}} props */
export function History({ model }) {
  const lines = new Map();
  for (const { item, line } of holding(model)) if (line) lines.set(item.seq, line);
  return html`<section class="card history"><h2>The record, newest first</h2>
    <div role="listbox" aria-label="Timeline" tabindex="0">${[...model.timeline]
      .reverse()
      .filter((item) => item.type !== "table.notice_over")
      .map((item) => html`<${Entry} key=${item.seq} item=${item} lines=${lines} />`)}</div>
    ${model.timeline.length === 0 && html`<div class="empty"><b>Nothing recorded yet</b>Entries appear here as the recorder writes them.</div>`}
  </section>`;
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
  return html`<details class="card evidence" open><summary><h2>Row ${row.seq}</h2></summary>
    ${
      (row.refs ?? []).length > 0 &&
      html`<div class="refs">${(row.refs ?? []).map(
        (seq) =>
          html`<button type="button" onClick=${() => showEvidence(seq)}>rests on ${seq}</button>`,
      )}</div>`
    }
    ${row.board && html`<pre class="seen">${row.board.join("\n")}</pre>`}
    <table><tbody>${flat(row.body).map(
      ([name, value]) => html`<tr><td class="soft">${name}</td>
      <td class="mono">${JSON.stringify(value)}</td></tr>`,
    )}</tbody></table></details>`;
}

/**
 * What is known of a rack: letters with their doubt, a number, or nothing.
 * @param {{rack: SensedRack | null, now: number}} props
 */
function Rack({ rack, now }) {
  if (!rack) return html`<span class="rack none">rack not seen</span>`;
  const late = now - rack.at > 60000 ? `, ${Math.round((now - rack.at) / 60000)} min ago` : "";
  if (!rack.letters)
    return html`<span class="rack">${rack.count} ${rack.count === 1 ? "tile" : "tiles"} counted${late}</span>`;
  return html`<span class="rack" aria-label=${`rack ${rack.letters}`}>${[...rack.letters].map(
    (letter, at) =>
      html`<i class=${rack.doubtful.includes(at + 1) ? "unsure" : ""} title=${rack.doubtful.includes(at + 1) ? "not sure" : ""}>${letter}</i>`,
  )}<small>${rack.count}${late}</small></span>`;
}

/** @param {{number: number, frame: Frame, senses: Senses, now: Now}} props */
function Player({ number, frame, senses, now }) {
  const player = frame.players[number];
  return html`<div class=${`seat player-${number} ${player.on_turn ? "on-turn" : ""}`}>
    <div class="name"><i class="dot"></i><span>${player.name}</span>${player.on_turn && html`<small>on turn</small>`}</div>
    <b class="total">${player.score}</b>
    <${Clock} key=${view.at ?? "live"} clock=${frame.clock} player=${number} now=${now} />
    <${Rack} rack=${senses.racks[number]} now=${now()} /></div>`;
}

/**
 * The rows at which the record changed: where the scrubber stops.
 * @param {DeskModel} model
 */
const stops = (model) => model.timeline.map((item) => item.seq).sort((a, b) => a - b);

/** @param {number} by */
export function step(by) {
  const all = view.model ? stops(view.model) : [];
  const here = view.at === null ? all.length : all.indexOf(view.at);
  const next = Math.max(0, here + by);
  lookAt(next >= all.length ? null : all[next]);
}

/** @param {{model: DeskModel, now: Now}} props */
export function Table({ model, now }) {
  const past = view.at === null ? null : view.moment;
  const { frame, senses } = past ?? model;
  const all = stops(model);
  const place = view.at === null ? all.length : Math.max(0, all.indexOf(view.at));
  const time = past ? () => past.at : now;
  /** @param {{currentTarget: HTMLInputElement}} event */
  const slide = (event) =>
    lookAt(
      Number(event.currentTarget.value) >= all.length
        ? null
        : all[Number(event.currentTarget.value)],
    );
  return html`<section class="table-now" data-past=${view.at !== null}>
    ${!frame && html`<div class="empty"><b>No game had begun</b></div>`}
    ${
      frame &&
      html`<div class="seats"><${Player} number=${0} frame=${frame} senses=${senses} now=${time} />
        <${Player} number=${1} frame=${frame} senses=${senses} now=${time} /></div>
      ${
        frame.call &&
        html`<p class="called" key=${`${frame.call.kind} ${frame.call.since}`}><b>${CALLS[frame.call.kind]}</b>${` by ${frame.players[frame.call.player].name}`}${
          frame.call.kind === "hold" &&
          html`: <${Countdown} ends=${frame.call.ends} since=${frame.call.since} now=${time} />${frame.call.ends === undefined ? " so far" : " left"}`
        }</p>`
      }
      <div class="framed-board"><div class="rows">${span((row) => row + 1)}</div>
        <${Board} frame=${frame} premiums=${squares} labels />
        <div class="cols">${span((col) => "ABCDEFGHIJKLMNO"[col])}</div></div>
      <p class="bag"><b>${frame.unseen.bag}</b> in the bag by the record${
        senses.bag?.tiles !== undefined
          ? html`, <b>${senses.bag.tiles}</b> by the scale (${Math.round(senses.bag.probability * 100)} %)`
          : ""
      }; ${frame.unseen.count} unseen</p>`
    }
    <div class="scrub"><button type="button" aria-label="One step back" onClick=${() => step(-1)}>\u25C0</button>
      <input type="range" min="0" max=${all.length} value=${place} aria-label="Moment of the game" aria-valuetext=${view.at === null ? "now" : `row ${view.at}`} onInput=${slide} />
      <button type="button" aria-label="One step on" onClick=${() => step(1)}>\u25B6</button>
      <button type="button" onClick=${() => lookAt(null)} disabled=${view.at === null}>Live</button></div>
    <p class="moment" role="status">${view.at === null ? "Now" : html`<b>Not live:</b> as of row ${view.at}${view.moment ? `, ${timeOfDay(view.moment.at)}` : ""}`}</p>
    <${Pictures} pictures=${senses.pictures} />
  </section>`;
}
