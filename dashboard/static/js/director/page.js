/**
 * The director's page of one table: what needs a decision, the table at any moment, the record with
 * its evidence, and the orders that put it right. Keyboard first; nothing is recorded unseen.
 */
import { isWorkedOut, show, Standing } from "./procedures/standing.js";
import { html } from "../shared/dom.js";
import {
  Attention,
  attention,
  believedTimes,
  formAlone,
  isWithheld,
} from "./procedures/attention.js";
import { call } from "./calling.js";
import {
  change,
  chosen,
  dismiss,
  drawnBy,
  give,
  giveEvent,
  holding,
  lookAt,
  named,
  refreshDesk,
  view,
} from "./desk.js";
import { close, Dialog, DoubtDialog } from "./forms/dialog.js";
import { ENTRY_FORMS, FORMS, undoForm } from "./forms/orders.js";
import { OrderDialog } from "./forms/order-dialog.js";
import { AirDesk } from "./air.js";
import { Devices } from "./devices.js";
import { joiningCalls } from "./joining.js";
import { Evidence, History, select } from "./history.js";
import { Mirrors, refreshMirrors } from "./mirrors.js";
import { Sheet } from "./sheet.js";
import { step, Table } from "./table-now.js";
import { ProcedureDialog } from "./procedures/procedure-dialog.js";
import { bothSigned, signBoth, Signatures } from "./signatures.js";
import { formatClock, remainingMs } from "../shared/game/clock.js";
import { part } from "../shared/part.js";
import { age, ofGame, openTool, page, timeOfDay } from "../shared/tool.js";
import { text as worded } from "../shared/texts.js";

/** @import { Candidate, DeskModel, FormContext, Item, Need } from "./models" */
/** @import { Now } from "../shared/frames" */

const TABLE_FORMS = ["banner", "ruling", "clock", "note"];
const START_FORMS = ["absent", "arrived", "seats"];
const END_FORMS = ["end", "racks", "overtime", "concede", "first"];

/** @param {DeskModel} model */
const bannerOf = (model) => {
  const held = model.timeline.filter(
    (item) => item.order?.type === "order.banner" && item.order.in_force,
  );
  const text = held[held.length - 1]?.text ?? "";
  return text.includes(": ") ? text.slice(text.indexOf(": ") + 2) : "";
};

/**
 * @param {string} name
 * @param {FormContext | null} about
 */
function open(name, about = null) {
  const { model } = view;
  if (!model) return;
  const { frame } = model;
  const times = frame?.clock;
  const clock =
    times &&
    [0, 1].map((side) =>
      formatClock(Math.floor(remainingMs(times, side, view.now()) / 1000) * 1000).replace(
        /\.\d$/,
        "",
      ),
    );
  const right = frame?.players.findIndex(({ seat }) => seat === "right");
  const ctx = { ...about, banner: bannerOf(model), clock, right };
  change({ dialog: { kind: "order", name, ctx } });
}

/**
 * Take one of the readings of a doubt: its button says which.
 * @param {Item} item
 * @param {Candidate} candidate
 */
function answer(item, candidate) {
  const { entry, part } = item.entries[0] ?? { entry: item.seq, part: 0 };
  return give({ type: "order.accept", data: { entry, part, candidate: candidate.candidate } });
}

/**
 * Name a turn without a play: a pass at once, an exchange by the form that asks how many tiles.
 * @param {Item} item
 * @param {"pass" | "exchange"} kind
 */
function nameTurn(item, kind) {
  const [entry] = item.entries;
  if (kind === "exchange") return open("kind", { item, entry });
  return give({ type: "order.correct", data: { entry: entry.entry, part: entry.part, kind } });
}

/** @param {Need} need */
const timesOf = (need) => believedTimes(need, view.model?.frame?.clock, view.now());

/**
 * Set what a doubtful clock shows to what it would show by the last times believed.
 * @param {Need} need
 */
async function setClock(need) {
  for (const player of [0, 1]) {
    const left = timesOf(need)?.[player];
    const by = need.facts[player ? "second_by_ms" : "first_by_ms"];
    if (left !== undefined && by)
      await give({
        type: "order.clock",
        data: { player, left_ms: Math.round(left / 1000) * 1000 },
      });
  }
}

/** @param {number[]} tables */
const exchange = (tables) => giveEvent(`cameras ${tables.join(" ")}`);

/** @param {number | null} row */
const itemOf = (row) => view.model?.timeline.find((item) => item.seq === row);

/** @param {Pick<Need, "kind" | "row" | "begins" | "procedure">} need */
function openNeed({ kind, row, begins, procedure }) {
  const item = itemOf(row);
  const standing = view.model?.standing.some((open) => open.key === procedure && isWorkedOut(open));
  const run = view.model?.procedures.find(({ key }) => key === procedure);
  if (standing) show(procedure);
  else if (run) change({ dialog: { kind: "procedure", run } });
  if (!item) return;
  if (kind === "doubt") {
    select(item.seq);
    const form = item.doubt && formAlone(item.doubt);
    if (form && view.desk.orders) open(form, { item });
    else change({ dialog: { kind: "doubt", seq: item.seq } });
  } else if (item.type === "device.missing" && view.desk.orders) {
    open("ruling", { settles: item.seq });
  } else if (begins && !standing && view.desk.orders) {
    select(item.seq);
    change({ dialog: { kind: "procedure", notice: item.seq, begins } });
  } else {
    select(item.seq);
  }
}

/**
 * @param {string} order
 * @param {boolean} [puts_back]
 */
const undo = (order, puts_back = false) =>
  change({ dialog: { kind: "order", form: undoForm(order, puts_back), ctx: {} } });

function lastOrder() {
  const held =
    view.model?.timeline.filter((item) => item.order?.in_force && item.type !== "order.undo") ?? [];
  return held[held.length - 1]?.order?.id;
}

/** @param {{can: boolean}} props */
function Chosen({ can }) {
  const found = chosen();
  if (!found)
    return html`<section class="card actions"><h2>${worded("correct")}</h2><p class="soft">${worded("choose_turn")} <span class="option-name">(<kbd>j</kbd> <kbd>k</kbd>)</span>.</p></section>`;
  const { item } = found;
  return html`<section class="card actions"><h2>${worded("correct_entry", { entry: found.entry.text })}</h2>
    ${
      item.entries.length > 1 &&
      html`<div class="row">${item.entries.map(
        (entry, part) => html`<button type="button"
      aria-pressed=${entry === found.entry} onClick=${() => select(item.seq, part)}>${entry.text}</button>`,
      )}</div>`
    }
    ${item.doubt && html`<button type="button" class="main" onClick=${() => openNeed({ kind: "doubt", row: item.seq, begins: "", procedure: "" })}>${worded("decide_doubt")}</button>`}
    <div class="row">${Object.entries(ENTRY_FORMS)
      .filter(([, form]) => form.fits?.(found))
      .map(
        ([name, form]) => html`<button type="button"
      disabled=${!can} onClick=${() => open(name, found)}>${form.title}</button>`,
      )}
      <button type="button" disabled=${!can} onClick=${() => open("ruling", found)}>${worded("ruling_on_this")}</button></div></section>`;
}

/**
 * The order in force that undoes another one.
 * @param {DeskModel} model
 * @param {string} id
 */
const undoing = (model, id) =>
  model.timeline.find(
    (item) => item.type === "order.undo" && item.order?.in_force && item.order.ends === id,
  )?.order?.id;

/** @param {{model: DeskModel, can: boolean}} props */
function Orders({ model, can }) {
  const orders = model.timeline
    .filter((item) => item.type !== "order.refused" && item.type !== "order.undo")
    .flatMap(({ order, at }) => (order ? [{ order, at, undone: undoing(model, order.id) }] : []))
    .reverse();
  return html`<section class="card orders"><h2>${worded("orders_given")}</h2>
    ${orders.map(
      ({
        order,
        at,
        undone,
      }) => html`<div class=${`order-line ${order.in_force ? "" : "ended"}`}><span>${order.text}<small class="soft"> ${order.who}, ${timeOfDay(at)}${order.in_force ? "" : `, ${worded("not_in_force")}`}</small></span>
      ${order.in_force && html`<button type="button" disabled=${!can} onClick=${() => undo(order.id)}>${worded("undo")}</button>`}
      ${!order.in_force && undone && html`<button type="button" disabled=${!can} onClick=${() => undo(undone, true)}>${worded("put_back")}</button>`}</div>`,
    )}
    ${orders.length === 0 && html`<p class="soft">${worded("none_yet")}</p>`}</section>`;
}

const EXPORTS = [
  ["gcg", "GCG"],
  ["history.json", "GameHistory JSON"],
  ["document.json", "Woogles JSON"],
  ["turns.jsonl", "JSON Lines"],
  ["sheet.txt", `${worded("score_sheet")} TXT`],
  ["cgp", "CGP"],
  ["record.json", `${worded("record")} JSON`],
  ["sheet.pdf", `${worded("score_sheet")} PDF`],
  ["slip.pdf", `${worded("result_slip")} PDF`],
  ["slip.png", `${worded("result_slip")} PNG`],
  ["bundle.zip", worded("evidence_bundle")],
];

/** @param {{model: DeskModel, can: boolean}} props */
function Bar({ model, can }) {
  const banner = bannerOf(model);
  return html`<nav class="bar" aria-label=${worded("orders_for_table")}>
    <button type="button" disabled=${!can} onClick=${() => change({ dialog: { kind: "procedure" } })}>${worded("procedure")} <kbd>p</kbd></button>
    ${TABLE_FORMS.map((name) => html`<button type="button" disabled=${!can} onClick=${() => open(name)}>${FORMS[name].title}${FORMS[name].key && html` <kbd>${FORMS[name].key}</kbd>`}</button>`)}
    <details class="exports"><summary>${worded("before_game")}</summary>${START_FORMS.map((name) => html`<button type="button" disabled=${!can} onClick=${() => open(name)}>${FORMS[name].title}</button>`)}</details>
    <details class="exports"><summary>${worded("end_of_game")}</summary>${END_FORMS.map((name) => html`<button type="button" disabled=${!can} onClick=${() => open(name)}>${FORMS[name].title}</button>`)}</details>
    <details class="exports"><summary>${worded("exports")}</summary>${EXPORTS.map(([file, text]) => html`<a href=${`/api/table/${page.table}/export/${file}${ofGame}`} download>${text}</a>`)}</details>
    ${banner && html`<span class="on-air"><b>${worded("banner_is")}</b> ${banner} <button type="button" disabled=${!can} onClick=${() => change({ dialog: { kind: "order", name: "banner", ctx: { banner: "" } } })}>${worded("withdraw_banner")}</button></span>`}
  </nav>`;
}

function Help() {
  const keys = [
    ["j k", worded("next_line")],
    ["d", worded("next_doubt")],
    ["Enter", worded("decide_line")],
    ["\u2190 \u2192", worded("back_in_time")],
    ["p", worded("begin_procedure")],
    ["r", worded("give_ruling")],
    ["b", worded("give_banner")],
    ["u", worded("undo_last")],
    ["Esc", worded("close_it")],
    ["?", worded("this_help")],
  ];
  return html`<${Dialog} title=${worded("keys")}><table><tbody>${keys.map(([key, text]) => html`<tr><td><kbd>${key}</kbd></td><td>${text}</td></tr>`)}</tbody></table><//>`;
}

/** @param {{model: DeskModel, can: boolean, now: Now}} props */
function Open({ model, can, now }) {
  const { dialog } = view;
  if (!dialog) return null;
  if (dialog.kind === "help") return html`<${Help} />`;
  if (dialog.kind === "procedure")
    return html`<${ProcedureDialog} key=${dialog.run?.key ?? "new"} run=${dialog.run} notice=${dialog.notice} begins=${dialog.begins} standing=${dialog.standing} says=${dialog.says} can=${can} now=${now} model=${model} />`;
  if (dialog.kind === "order")
    return html`<${OrderDialog} key=${`${dialog.name}`} name=${dialog.name} form=${dialog.form} ctx=${dialog.ctx} can=${can} />`;
  const item = model.timeline.find((item) => item.seq === dialog.seq);
  if (item?.doubt && !item.superseded_by)
    return html`<${DoubtDialog} key=${item.seq} item=${item} can=${can} onName=${nameTurn} />`;
  return html`<${Dialog} title=${worded("settled")}><p>${worded("doubt_settled")}</p><footer><button type="button" autofocus onClick=${close}>${worded("close")}</button></footer><//>`;
}

/** @type {[tab: "sheet" | "log", text: string][]} */
const TABS = [
  ["sheet", worded("score_sheet")],
  ["log", worded("log")],
];

/** @param {{model: DeskModel}} props */
function Record({ model }) {
  const shows = view.tab === "sheet" ? Sheet : History;
  return html`<section class="card record" aria-label=${worded("the_record")}><div class="tabs">${TABS.map(
    ([tab, text]) =>
      html`<button type="button" class="quiet" aria-pressed=${view.tab === tab} onClick=${() => change({ tab })}>${text}</button>`,
  )}</div><${shows} model=${model} /></section>
  ${view.tab === "log" && html`<${Evidence} />`}`;
}

/** @param {{model: DeskModel, now: Now}} props */
function Desk({ model, now }) {
  const can = view.desk.orders;
  const { log } = model;
  const signed = view.signed || bothSigned(model);
  const differs = view.mirrors.some(({ difference }) => difference);
  const onSigned = () => (can ? signBoth(model) : change({ signed: true }));
  const kept = signed
    ? 0
    : model.timeline.filter((item) => isWithheld(item) && !item.superseded_by).length;
  const timeline = signed ? model.timeline : model.timeline.filter((item) => !isWithheld(item));
  const elsewhere = view.mirrors.flatMap((mirror) => mirror.needs);
  const needs = attention({ frame: model.frame, needs: [...model.needs, ...elsewhere] }, now()).map(
    (need) => ({ ...need, text: named(need.text) }),
  );
  const asked = needs.filter(({ asks }) => asks);
  call(
    new Map([
      ...joiningCalls(view.desk.joining),
      ...asked.map(
        ({ key, mark, text }) => /** @type {[string, string]} */ ([key, `${mark}: ${text}`]),
      ),
    ]),
  );
  return html`<div class="director"><${Bar} model=${model} can=${can} />
    <p class="told" role="status">${view.said}</p>
    <div class="columns"><div class="left">${differs && html`<${Mirrors} />`}<${Attention} found=${needs} itemOf=${itemOf} onOpen=${openNeed} onAnswer=${can ? answer : null} onName=${can ? nameTurn : null} onForm=${can ? open : null} timesOf=${timesOf} onSetClock=${setClock} onExchange=${can ? exchange : null} can=${can} onSeen=${dismiss} kept=${kept} onSigned=${onSigned} />
        <${Standing} model=${model} can=${can} now=${now} /><${AirDesk} model=${model} now=${now} />${differs || html`<${Mirrors} />`}<${Signatures} model=${model} can=${can} onUndo=${undo} /><${Chosen} can=${can} /><${Orders} model=${model} can=${can} /><${Devices} table=${Number(page.table)} devices=${model.devices} now=${now} /></div>
      <${Table} model=${model} now=${now} />
      <div class="right"><${Record} model=${{ ...model, timeline }} />
        <p class="keys">${log.at ? worded("updated", { age: age(now() - log.at) }) : worded("nothing_yet")}${view.tab === "log" ? `, ${worded("at_row", { row: log.code || "0" })}` : ""}; <kbd>?</kbd> ${worded("keys_hint")}</p></div></div>
    <${Open} model=${model} can=${can} now=${now} /></div>`;
}

/**
 * The lines as they stand on the page: the score sheet in turn order, the log newest first.
 * @returns {Item[]}
 */
function linesShown() {
  const { model, tab } = view;
  if (!model) return [];
  return tab === "log" ? [...model.timeline].reverse() : holding(model).map(({ item }) => item);
}

/**
 * Move by `by` through the lines; from nowhere to the newest.
 * @param {number} by
 * @param {(item: Item) => unknown} wanted
 */
function move(by, wanted = () => true) {
  const seqs = [
    ...new Set(
      linesShown()
        .filter(wanted)
        .map((item) => item.seq),
    ),
  ];
  const here = seqs.indexOf(view.selected?.seq ?? -1);
  const newest = view.tab === "log" ? 0 : seqs.length - 1;
  const next = seqs[here < 0 ? newest : (here + by + seqs.length) % seqs.length];
  if (next !== undefined) select(next);
}

function decide() {
  const found = chosen();
  if (found?.item.doubt)
    openNeed({ kind: "doubt", row: found.item.seq, begins: "", procedure: "" });
}

function undoLast() {
  const last = lastOrder();
  if (view.desk.orders && last) undo(last);
}

/** @type {{[key: string]: () => unknown}} */
const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  d: () => move(1, (item) => item.doubt && !item.superseded_by),
  Enter: decide,
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  End: () => lookAt(null),
  p: () => view.desk.orders && change({ dialog: { kind: "procedure" } }),
  r: () => view.desk.orders && open("ruling"),
  b: () => view.desk.orders && open("banner"),
  u: undoLast,
  "?": () => change({ dialog: { kind: "help" } }),
  Escape: () => select(null),
};

addEventListener("keydown", (event) => {
  const { target } = event;
  const typing = target instanceof Element && target.closest("input, select, textarea, dialog");
  const pressed =
    event.key === "Enter" && target instanceof Element && target.closest("button, a, summary");
  if (
    !view.model ||
    view.dialog ||
    typing ||
    pressed ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
    return;
  if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
});

const redraw = openTool(
  `/ws/director/${page.table}${ofGame}`,
  (/** @type {DeskModel} */ model, now) => {
    view.model = model;
    view.now = now;
    const state = part("#orders");
    state.textContent = view.desk.orders
      ? view.desk.reason ||
        (view.desk.waiting
          ? worded("waiting_for_recorder", { count: view.desk.waiting })
          : worded("connected"))
      : view.desk.reason || "";
    state.dataset.ready = String(view.desk.orders && view.desk.connected);
    return html`<${Desk} model=${model} now=${now} />`;
  },
);
drawnBy(redraw);
refreshDesk();
setInterval(refreshDesk, 2000);
refreshMirrors();
setInterval(refreshMirrors, 2000);
setInterval(redraw, 1000); // ages
