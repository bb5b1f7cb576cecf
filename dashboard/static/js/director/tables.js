/** All tables at a glance, for the floor: what needs the director, and one touch leads there. */
import { Clock } from "../shared/clock.js";
import { html, render } from "../shared/dom.js";
import { attention, isOpen, severity } from "./attention.js";
import { part } from "../shared/part.js";
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
    <div class="name"><i class="dot"></i><span>${player.name}</span>${player.on_turn && html`<small>on turn</small>`}</div>
    <b class="total">${player.score}</b><${Clock} clock=${frame.clock} player=${number} now=${now} /></div>`;
}

/** @param {Need[]} needs */
function wanted(needs) {
  const open = needs.filter(isOpen).length;
  if (open) return `${open} to decide`;
  return needs.length ? `${needs.length} to know` : "all well";
}

/** @param {{table: Glance}} props */
function Table({ table }) {
  const needs = attention(table, now());
  const { frame, log } = table;
  const lost = Object.values(table.devices).filter((device) => device.lost !== undefined).length;
  const count = Object.keys(table.devices).filter(Boolean).length;
  return html`<a class=${`card glance ${needs.length ? "urgent" : ""}`} href=${`/director?table=${table.table}`} data-number=${table.table}>
    <h2><span>Table ${table.table}</span><span class="soft">${frame ? `${PHASES[frame.phase]}, turn ${frame.turns}` : "no game"}</span>
      <span class=${`count-doubts ${needs.length ? "" : "none"}`}>${wanted(needs)}</span></h2>
    ${frame && [0, 1].map((number) => html`<${Seat} frame=${frame} number=${number} />`)}
    <ul>${needs.slice(0, 3).map((need) => html`<li class=${need.kind}><b>${need.mark}</b> ${need.text}: ${need.more}</li>`)}
      ${needs.length > 3 && html`<li class="soft">and ${needs.length - 3} more</li>`}</ul>
    <p class="soft">${count - lost} of ${count} devices answer; row ${log.seq} at ${timeOfDay(log.at)}</p></a>`;
}

function draw() {
  /** @param {Glance} table */
  const urgent = (table) => {
    const needs = attention(table, now());
    return { worst: Math.min(...needs.map(severity), NOTHING), count: needs.length };
  };
  const ranked = state.tables.map((table) => ({ table, ...urgent(table) }));
  ranked.sort((a, b) => a.worst - b.worst || b.count - a.count || a.table.table - b.table.table);
  const tables = ranked.map(({ table }) => table);
  render(
    html`<div class="glances">${tables.map((table) => html`<${Table} key=${table.table} table=${table} />`)}
    ${tables.length === 0 && html`<div class="empty"><b>No table yet</b>Tables appear here as games begin.</div>`}</div>`,
    part("#tool"),
  );
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
