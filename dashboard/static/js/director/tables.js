/** All tables at a glance, for the floor: what needs the director, and one touch leads there. */
import { Clock } from "../shared/game/clock.js";
import { Name } from "../shared/game/name.js";
import { html, render } from "../shared/dom.js";
import { attention } from "./procedures/attention.js";
import { call } from "./calling.js";
import { showFaults } from "./faults.js";
import { joiningCalls, showJoining } from "./joining.js";
import { part } from "../shared/part.js";
import { written } from "../shared/game/standing.js";
import { timeOfDay } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";

/** @import { DeskState, Glance, Mirror, Need } from "./models" */
/** @import { JoiningDevice } from "./frames" */

const EVERY_MS = 1500;
const NOTHING = 99;
const PHASES = {
  before: worded("phase_before"),
  playing: worded("phase_playing"),
  over: worded("phase_over"),
};

/** @type {{tables: Glance[], joining: JoiningDevice[], offset: number, online: boolean}} */
const state = { tables: [], joining: [], offset: 0, online: false };
const now = () => Date.now() + state.offset;

/** @param {{frame: NonNullable<Glance["frame"]>, number: number}} props */
function Seat({ frame, number }) {
  const player = frame.players[number];
  return html`<div class=${`seat player-${number} ${player.on_turn ? "on-turn" : ""}`}>
    <div class="who"><i class="dot"></i><${Name} name=${player.name} />${player.on_turn && html`<small>${worded("on_turn")}</small>`}</div>
    <b class="total">${written(player.score)}</b>${frame.clock && html`<${Clock} clock=${frame.clock} player=${number} now=${now} />`}</div>`;
}

/** @param {Glance["frame"]} frame */
function progress(frame) {
  if (!frame) return worded("no_game");
  return frame.turns
    ? worded("phase_turn", { phase: PHASES[frame.phase], turn: frame.turns })
    : PHASES[frame.phase];
}

/** @param {Need[]} needs */
function wanted(needs) {
  const open = needs.filter(({ asks }) => asks).length;
  if (open) return worded("to_decide", { count: open });
  return needs.length ? worded("to_know", { count: needs.length }) : worded("all_well");
}

/** @param {Glance} table */
function heard({ devices, log }) {
  const names = Object.keys(devices).filter(Boolean);
  const ill = names.filter((name) => devices[name].lost !== undefined);
  const flooding = ill.filter((name) => devices[name].floods);
  const lost = ill.filter((name) => !devices[name].floods);
  const well = [
    flooding.length ? worded("send_too_much", { names: flooding.join(", ") }) : "",
    lost.length ? worded("are_not_heard", { names: lost.join(", ") }) : "",
    ill.length ? "" : worded("devices_well"),
  ]
    .filter(Boolean)
    .join("; ");
  return `${names.length ? `${well}; ` : ""}${worded("last_entry", { time: timeOfDay(log.at) })}`;
}

/** @param {{table: Glance, needs: Need[]}} props */
function Table({ table, needs }) {
  const { frame } = table;
  return html`<a class="card glance urgent" href=${`/director?table=${table.table}`} data-number=${table.table}>
    <h2><span>${worded("table_title", { table: table.table })}</span><span class="soft">${progress(frame)}</span>
      <span class="count-doubts">${wanted(needs)}</span></h2>
    ${frame && [0, 1].map((number) => html`<${Seat} frame=${frame} number=${number} />`)}
    <ul>${needs.slice(0, 3).map((need) => html`<li class=${need.kind}><b>${need.mark}</b> ${need.text}: ${need.remedy}</li>`)}
      ${needs.length > 3 && html`<li class="soft">${worded("and_others", { count: needs.length - 3 })}</li>`}</ul>
    <p class="soft">${heard(table)}</p></a>`;
}

/** A table where all is well: one line. @param {{table: Glance}} props */
function Line({ table }) {
  const { frame } = table;
  const [first, second] = frame?.players ?? [];
  return html`<a class="glance-line" href=${`/director?table=${table.table}`} data-number=${table.table}>
    <b>${worded("table_title", { table: table.table })}</b>
    <span class="who">${frame ? html`${first.name} <b>${written(first.score)}–${written(second.score)}</b> ${second.name}` : worded("no_game")}</span>
    <span class="soft">${frame ? progress(frame) : ""}</span>
    ${frame && frame.phase !== "over" && [0, 1].map((number) => html`<span class=${`player-${number} ${frame.players[number].on_turn ? "on-turn" : ""}`}>${frame.clock && html`<${Clock} clock=${frame.clock} player=${number} now=${now} />`}</span>`)}
    <span class="count-doubts none">${worded("all_well")}</span></a>`;
}

function draw() {
  const ranked = state.tables.map((table) => {
    const needs = attention(table, now());
    return { table, needs, worst: Math.min(...needs.map(({ severity }) => severity), NOTHING) };
  });
  ranked.sort(
    (a, b) => a.worst - b.worst || b.needs.length - a.needs.length || a.table.table - b.table.table,
  );
  const busy = ranked.filter(({ needs }) => needs.length);
  const calm = ranked.filter(({ needs }) => !needs.length);
  render(
    html`${busy.length > 0 && html`<div class="glances">${busy.map(({ table, needs }) => html`<${Table} key=${table.table} table=${table} needs=${needs} />`)}</div>`}
    ${calm.length > 0 && html`<div class="glance-lines">${calm.map(({ table }) => html`<${Line} key=${table.table} table=${table} />`)}</div>`}
    ${ranked.length === 0 && html`<div class="empty"><b>${worded("no_table_yet")}</b>${worded("tables_appear")}</div>`}`,
    part("#tool"),
  );
  const open = busy.flatMap(({ table, needs }) =>
    needs.filter(({ asks }) => asks).map((need) => ({ need, table: table.table })),
  );
  const text = open.map(
    ({ need, table }) =>
      /** @type {[string, string]} */ ([
        `${table} ${need.key}`,
        `${worded("table_title", { table })}. ${need.mark}: ${need.text}`,
      ]),
  );
  if (state.online) call(new Map([...joiningCalls(state.joining), ...text]));
  document.body.dataset.online = String(state.online);
  part("#line").textContent = worded(state.online ? "line_live" : "line_lost");
}

async function refresh() {
  try {
    const answer = await fetch("/api/tables");
    if (answer.status === 401 || answer.status === 403) location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const server = Date.parse(answer.headers.get("date") ?? "");
    if (Math.abs(server - Date.now()) > 3000) state.offset = server - Date.now();
    /** @type {Mirror[]} */
    const mirrors = await (await fetch("/api/mirrors")).json();
    state.tables = (await answer.json()).map((/** @type {Glance} */ table) => ({
      ...table,
      needs: [
        ...table.needs,
        ...mirrors.filter((mirror) => mirror.table === table.table).flatMap(({ needs }) => needs),
      ],
    }));
    /** @type {DeskState} */
    const desk = await (await fetch("/api/desk")).json();
    showFaults(desk);
    showJoining(desk.joining);
    state.joining = desk.joining;
    state.online = true;
  } catch {
    state.online = false;
  }
  draw();
}

refresh();
setInterval(refresh, EVERY_MS);
