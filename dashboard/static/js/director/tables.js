/** All tables at a glance, for the floor: what needs the director, and one touch leads there. */
import { Clock } from "../shared/clock.js";
import { Name } from "../shared/name.js";
import { html, render } from "../shared/dom.js";
import { attention, isOpen, keyOf, severity } from "./attention.js";
import { call } from "./calling.js";
import { part } from "../shared/part.js";
import { written } from "../shared/standing.js";
import { timeOfDay } from "../shared/tool.js";

/** @import { Glance, Need } from "./models" */

const EVERY_MS = 1500;
const NOTHING = 99;
const PHASES = { before: "not begun", playing: "playing", over: "over" };

/** @type {{tables: Glance[], offset: number, online: boolean}} */
const state = { tables: [], offset: 0, online: false };
const now = () => Date.now() + state.offset;

/** @param {{frame: NonNullable<Glance["frame"]>, number: number}} props */
function Seat({ frame, number }) {
  const player = frame.players[number];
  return html`<div class=${`seat player-${number} ${player.on_turn ? "on-turn" : ""}`}>
    <div class="who"><i class="dot"></i><${Name} name=${player.name} />${player.on_turn && html`<small>on turn</small>`}</div>
    <b class="total">${written(player.score)}</b>${frame.clock && html`<${Clock} clock=${frame.clock} player=${number} now=${now} />`}</div>`;
}

/** @param {Glance["frame"]} frame */
function progress(frame) {
  if (!frame) return "no game";
  return frame.turns ? `${PHASES[frame.phase]}, turn ${frame.turns}` : PHASES[frame.phase];
}

/** @param {Need[]} needs */
function wanted(needs) {
  const open = needs.filter(isOpen).length;
  if (open) return `${open} to decide`;
  return needs.length ? `${needs.length} to know` : "all well";
}

/** @param {Glance} table */
function heard({ devices, log }) {
  const names = Object.keys(devices).filter(Boolean);
  const lost = names.filter((name) => devices[name].lost !== undefined);
  const well = lost.length ? `${lost.join(", ")} not heard` : "all devices well";
  return `${names.length ? `${well}; ` : ""}last entry ${timeOfDay(log.at)}`;
}

/** @param {{table: Glance, needs: Need[]}} props */
function Table({ table, needs }) {
  const { frame } = table;
  return html`<a class="card glance urgent" href=${`/director?table=${table.table}`} data-number=${table.table}>
    <h2><span>Table ${table.table}</span><span class="soft">${progress(frame)}</span>
      <span class="count-doubts">${wanted(needs)}</span></h2>
    ${frame && [0, 1].map((number) => html`<${Seat} frame=${frame} number=${number} />`)}
    <ul>${needs.slice(0, 3).map((need) => html`<li class=${need.kind}><b>${need.mark}</b> ${need.text}: ${need.more}</li>`)}
      ${needs.length > 3 && html`<li class="soft">and ${needs.length - 3} more</li>`}</ul>
    <p class="soft">${heard(table)}</p></a>`;
}

/** A table where all is well: one line. @param {{table: Glance}} props */
function Line({ table }) {
  const { frame } = table;
  const [first, second] = frame?.players ?? [];
  return html`<a class="glance-line" href=${`/director?table=${table.table}`} data-number=${table.table}>
    <b>Table ${table.table}</b>
    <span class="who">${frame ? html`${first.name} <b>${written(first.score)}–${written(second.score)}</b> ${second.name}` : "no game"}</span>
    <span class="soft">${frame ? progress(frame) : ""}</span>
    ${frame && frame.phase !== "over" && [0, 1].map((number) => html`<span class=${`player-${number} ${frame.players[number].on_turn ? "on-turn" : ""}`}>${frame.clock && html`<${Clock} clock=${frame.clock} player=${number} now=${now} />`}</span>`)}
    <span class="count-doubts none">all well</span></a>`;
}

function draw() {
  const ranked = state.tables.map((table) => {
    const needs = attention(table, now());
    return { table, needs, worst: Math.min(...needs.map(severity), NOTHING) };
  });
  ranked.sort(
    (a, b) => a.worst - b.worst || b.needs.length - a.needs.length || a.table.table - b.table.table,
  );
  const busy = ranked.filter(({ needs }) => needs.length);
  const calm = ranked.filter(({ needs }) => !needs.length);
  render(
    html`${busy.length > 0 && html`<div class="glances">${busy.map(({ table, needs }) => html`<${Table} key=${table.table} table=${table} needs=${needs} />`)}</div>`}
    ${calm.length > 0 && html`<div class="glance-lines">${calm.map(({ table }) => html`<${Line} key=${table.table} table=${table} />`)}</div>`}
    ${ranked.length === 0 && html`<div class="empty"><b>No table yet</b>Tables appear here as games begin.</div>`}`,
    part("#tool"),
  );
  const open = busy.flatMap(({ table, needs }) =>
    needs.filter(isOpen).map((need) => ({ need, table: table.table })),
  );
  const text = open.map(
    ({ need, table }) =>
      /** @type {[string, string]} */ ([
        `${table} ${keyOf(need)}`,
        `Table ${table}. ${need.mark}: ${need.text}`,
      ]),
  );
  if (state.online) call(new Map(text));
  document.body.dataset.online = String(state.online);
  part("#line").textContent = state.online ? "live" : "no connection, trying again";
}

async function refresh() {
  try {
    const answer = await fetch("/api/tables");
    if (answer.status === 401 || answer.status === 403) location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const server = Date.parse(answer.headers.get("date") ?? "");
    if (Math.abs(server - Date.now()) > 3000) state.offset = server - Date.now();
    state.tables = await answer.json();
    state.online = true;
  } catch {
    state.online = false;
  }
  draw();
}

refresh();
setInterval(refresh, EVERY_MS);
