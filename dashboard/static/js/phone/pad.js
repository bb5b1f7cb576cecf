/** The scorer's pad: what players say and do that no camera and no clock can tell. */
import { Awake } from "./awake.js";
import { DeviceLink } from "./link.js";
import { html, render } from "../shared/dom.js";
import { noted } from "../shared/game/tiles.js";
import { text } from "../shared/texts.js";

/** @import { PageData, Setup, Side } from "../shared/frames" */
/** @import { Observations } from "../shared/messages" */
/** @typedef {{say: Observations["table.announced"]["say"]} | {act: Observations["table.acted"]["act"]}} Telling */
/** @typedef {{name: string, count?: number, asks?: "count" | "points" | "letter"} & Telling} Act */

const { table, device, broker } = /** @type {PageData} */ (document.documentElement.dataset);
/** @type {Side[]} */
const SIDES = ["L", "R"];
const KEPT = 6;
const ENGLISH = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/**
 * @type {{setup: Setup | null, side: Side, asking: string, points: string, blank: number,
 *   sent: {who: string, what: string, seq: number, at: Date}[]}}
 */
const state = { setup: null, side: "L", asking: "", points: "", blank: 1, sent: [] };
const link = new DeviceLink(device, `/ws/device/pad/${table}`, { onChange: draw });
new Awake(draw);

/** Each thing that can be said, what it asks for, and the event that it becomes. */
/** @type {Act[]} */
const ACTS = [
  { name: "act_hold", act: "hold" },
  { name: "act_accept", act: "accept" },
  { name: "act_challenge", act: "challenge" },
  { name: "act_pass", say: "pass", count: 0 },
  { name: "act_exchange", say: "exchange", asks: "count" },
  { name: "act_score", act: "score", asks: "points" },
  { name: "act_blank", act: "blank", asks: "letter" },
  { name: "act_bonus", say: "bonus", asks: "points" },
];

const players = () =>
  state.setup
    ? [
        state.setup.players[state.setup.left_player],
        state.setup.players[1 - state.setup.left_player],
      ]
    : [text("left_player"), text("right_player")];

/**
 * @param {Act} act
 * @param {number} count
 * @param {string} letter
 */
function tell(act, count = 0, letter = "") {
  const { side } = state;
  if ("say" in act) link.put("table.announced", { side, say: act.say, count });
  else
    link.put("table.acted", {
      side,
      act: act.act,
      count,
      ...(letter && { letter: noted([letter]) }),
    });
  const who = players()[SIDES.indexOf(state.side)];
  const what = `${text(act.name)}${letter ? ` ${count === 2 ? "2 " : ""}${letter}` : act.asks ? ` ${count}` : ""}`;
  state.sent = [{ who, what, seq: link.seq, at: new Date() }, ...state.sent].slice(0, KEPT);
  navigator.vibrate?.(20);
  ask("");
}

/** @param {string} name */
function ask(name) {
  Object.assign(state, { asking: name, points: "", blank: 1 });
  draw();
}

/** @param {Act} act */
function choose(act) {
  if (act.asks) ask(act.name);
  else tell(act, act.count);
}

/** @param {{act: Act}} props */
function Digits({ act }) {
  /** @param {string} digit */
  const press = (digit) => {
    state.points =
      digit === "\u232b"
        ? state.points.slice(0, -1)
        : (state.points + digit).slice(0, 4).replace(/^0+(?=\d)/, "");
    draw();
  };
  const most = act.name === "act_bonus" ? 100 : 2000;
  const points = Number(state.points);
  const fits =
    state.points !== "" && points <= most && points >= (act.name === "act_bonus" ? 1 : 0);
  return html`<output class="points">${state.points || "\u00a0"}</output>
    <div class="digits">${[..."123456789", "\u232b", "0"].map((digit) => html`<button type="button" aria-label=${digit === "\u232b" ? text("delete_digit") : digit} onClick=${() => press(digit)}>${digit}</button>`)}
      <button type="button" class="go" disabled=${!fits} onClick=${() => tell(act, points)}>${text("send")}</button></div>`;
}

/** @param {{act: Act}} props */
function Letters({ act }) {
  const letters = state.setup?.letters ?? ENGLISH;
  return html`<div class="which">${[1, 2].map(
    (which) =>
      html`<button type="button" aria-pressed=${String(state.blank === which)} onClick=${() => {
        state.blank = which;
        draw();
      }}>${text(which === 1 ? "first_blank" : "second_blank")}</button>`,
  )}</div>
    <div class="letters">${letters.map((letter) => html`<button type="button" onClick=${() => tell(act, state.blank, letter)}>${letter}</button>`)}</div>`;
}

/** @param {{act: Act}} props */
function Asking({ act }) {
  return html`<section class="asking"><h2>${text("act_by", { act: text(act.name), name: players()[SIDES.indexOf(state.side)] })}</h2>
    ${act.asks === "count" && html`<div class="counts">${[1, 2, 3, 4, 5, 6, 7].map((count) => html`<button type="button" onClick=${() => tell(act, count)}>${count}</button>`)}</div>`}
    ${act.asks === "points" && html`<${Digits} act=${act} />`}
    ${act.asks === "letter" && html`<${Letters} act=${act} />`}
    <button type="button" class="back" onClick=${() => ask("")}>${text("back")}</button></section>`;
}

function message() {
  if (link.taken) return text("other_pad");
  if (broker !== "yes") return text("no_broker");
  if (!link.isOnline) return text(link.isHere ? "pad_keeps_here" : "pad_keeps");
  return "";
}

function Pad() {
  const act = ACTS.find((choice) => choice.name === state.asking);
  const kept = new Set(
    link.waiting.filter((event) => event.boot === link.boot).map((event) => event.seq),
  );
  return html`
    <header><h1>${text("table_number", { table })}</h1><p id="state" role="status">${message()}</p></header>
    <div class="who" role="group" aria-label=${text("which_player")}>${SIDES.map(
      (side, index) =>
        html`<button type="button" class=${`player-${side}`} aria-pressed=${String(state.side === side)} onClick=${() => {
          state.side = side;
          draw();
        }}>${players()[index]}</button>`,
    )}</div>
    ${act ? html`<${Asking} act=${act} />` : html`<div class="acts">${ACTS.map((choice) => html`<button type="button" onClick=${() => choose(choice)}>${text(choice.name)}${choice.asks ? "\u2026" : ""}</button>`)}</div>`}
    <ol class="sent" aria-label=${text("sent_list")}>${state.sent.map((event) => html`<li key=${event.seq}><span>${event.who}</span><b>${event.what}</b><span class="soft">${text(kept.has(event.seq) ? "on_its_way" : "recorded")}</span></li>`)}</ol>`;
}

function draw() {
  render(html`<${Pad} />`, document.body);
  document.body.dataset.online = String(link.isOnline);
}

async function learn() {
  try {
    const answer = await fetch(`/api/table/${table}/setup`);
    if (answer.ok) state.setup = await answer.json();
  } catch {
    // No network: names come later.
  }
  draw();
  setTimeout(learn, state.setup ? 15000 : 2000);
}

draw();
learn();
