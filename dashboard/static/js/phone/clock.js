/** The phone as the table's clock: two halves to touch, hold between them, all else behind "…". */
import { Awake } from "./awake.js";
import { formatClock } from "../shared/game/clock.js";
import { DeviceLink } from "./link.js";
import { part } from "../shared/part.js";
import { pointsLost } from "../shared/game/overtime.js";
import { text } from "../shared/texts.js";
import { TableClock } from "./table-clock.js";

/** @import { ClockHeard, Command, PageData, Setup, Side, Told } from "../shared/frames" */

const { table, device } = /** @type {PageData} */ (document.documentElement.dataset);
const SAVED = `tilecast:${device}:clock`;
const STARTS = { left: 25 * 60000, right: 25 * 60000 };
const ENOUGH_WAITING_MS = 6000;
/** What lies between a word of this phone and the same word as the record dates it. */
const ONE_WORD_MS = 2000;

/** @type {Side[]} */
const SIDES = ["L", "R"];

/** @type {(selector: string) => any} elements of this page: buttons, fields, dialogs */
const $ = (selector) => part(selector);
/** @type {Record<Side, HTMLElement>} */
const halves = { L: $("#left"), R: $("#right") };
const saved = JSON.parse(localStorage.getItem(SAVED) ?? "null");

let clock = saved
  ? TableClock.restored(saved, performance.now(), Date.now())
  : new TableClock(STARTS);
/** @type {Setup | null} */
let setup = null;
let game = saved?.game ?? null;
/** When this phone last said something, by the time of day, which outlives the page. */
let spokeAt = saved?.spokeAt ?? 0;
/** @type {number | null} */
let waitingSince = null;
/** @type {{[side: string]: string}} */
const shown = {};

const link = new DeviceLink(device, `/ws/device/clock/${table}`, {
  onCommand: obey,
  onChange: tellState,
});
const awake = new Awake(tellState);

/**
 * What a touch or an order did: keep it, send it, show it.
 * @param {Told | null} event
 */
function done(event) {
  if (!event) return "";
  spokeAt = Date.now();
  save();
  link.put(event[0], event[1]);
  paint();
  return "";
}

function save() {
  localStorage.setItem(
    SAVED,
    JSON.stringify({ ...clock.saved(performance.now(), Date.now()), game, spokeAt }),
  );
}

/**
 * @param {Command} command
 * @returns {string}
 */
function obey({ cmd, args }) {
  const now = performance.now();
  if (cmd === "set" && Number.isInteger(args.left_ms) && Number.isInteger(args.right_ms))
    return done(clock.set(args.left_ms, args.right_ms, now));
  if (cmd === "run" && ["L", "R", "N"].includes(args.side)) return done(clock.run(args.side, now));
  if (cmd === "beep")
    return navigator.vibrate?.(Math.min(args.ms ?? 200, 2000)) ? "" : "this phone cannot beep";
  return `a clock knows set, run and beep, not ${cmd}`;
}

/** Who sits where, the starting times, the price of a minute: from the recorder, when it has a game. */
async function learn() {
  try {
    const answer = await fetch(`/api/table/${table}/setup`);
    if (answer.ok) setup = await answer.json();
  } catch {
    // No network: the clock goes on without names.
  }
  if (setup && setup.game !== game) {
    const [first, second] = setup.starts_ms;
    const [left, right] = setup.left_player === 0 ? [first, second] : [second, first];
    if (!setup.clock && (!clock.begun || game !== null)) clock = new TableClock({ left, right });
    game = setup.game;
    save();
  }
  if (setup?.clock && isOlderThan(setup.clock)) {
    clock.takeOver(setup.clock, performance.now());
    spokeAt = Date.now() - setup.clock.ago_ms;
    save();
  }
  names();
  setTimeout(learn, setup ? 15000 : 2000);
}

/**
 * Whether another clock has spoken since this phone last did, and nothing of ours is on its way.
 * @param {ClockHeard} heard
 */
function isOlderThan({ ago_ms }) {
  const isSaid = !link.waiting.some(({ payload }) => JSON.parse(payload).type !== "time.sync");
  return isSaid && Date.now() - spokeAt > ago_ms + ONE_WORD_MS;
}

function names() {
  const players = setup
    ? [setup.players[setup.left_player], setup.players[1 - setup.left_player]]
    : [text("left_player"), text("right_player")];
  part(".name", halves.L).textContent = players[0];
  part(".name", halves.R).textContent = players[1];
  for (const [index, side] of SIDES.entries())
    $(`[data-run="${side}"]`).textContent = text("start_clock_of", { name: players[index] });
}

/**
 * Overtime counts up from zero, with what it costs so far.
 * @param {Side} side
 */
function face(side) {
  const left = clock.remaining(side, performance.now());
  const cost = pointsLost(left, setup?.overtime);
  const time = left < 0 ? `+${overtime(-left)}` : formatClock(left);
  return {
    time,
    over: left < 0 ? text(cost ? "overtime_cost" : "in_overtime", { points: cost }) : "",
  };
}

/** @param {number} ms */
function overtime(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function paint() {
  done(clock.flag(performance.now()));
  for (const side of SIDES) {
    const { time, over } = face(side);
    const state = clock.running === side ? "runs" : clock.held === side ? "held" : "waits";
    const key = `${time}|${over}|${state}|${clock.begun}`;
    if (key === shown[side]) continue;
    shown[side] = key;
    part(".time", halves[side]).textContent = time;
    part(".over", halves[side]).textContent = over;
    halves[side].dataset.state = state;
    halves[side].classList.toggle("overtime", Boolean(over));
  }
  const holding = clock.held !== "N";
  $("#hold").textContent = text(holding ? "resume" : "pause");
  $("#hold").disabled = !holding && clock.running === "N";
  document.body.classList.toggle("held", holding);
}

function frame() {
  paint();
  requestAnimationFrame(frame);
}

function tellState() {
  const waiting = link.waiting.length;
  waitingSince = waiting && link.isOnline ? (waitingSince ?? performance.now()) : null;
  const late = waitingSince !== null && performance.now() - waitingSince > ENOUGH_WAITING_MS;
  let message = "";
  if (link.taken) message = text("other_clock");
  else if (document.documentElement.dataset.broker !== "yes") message = text("no_broker");
  else if (!link.isOnline) {
    const [keeps, goesOn] = link.isHere
      ? ["clock_keeps_here", "clock_goes_on_here"]
      : ["clock_keeps", "clock_goes_on"];
    message = text(waiting ? keeps : goesOn, { count: waiting });
  } else if (late) message = text("recorder_silent", { device });
  else if (awake.way === "") message = text("stays_not_lit");
  $("#state").textContent = message;
  document.body.dataset.online = String(link.isOnline && !late);
}

for (const side of SIDES) {
  halves[side].addEventListener("pointerdown", (event) => {
    event.preventDefault();
    if (!event.isPrimary || link.taken) return;
    const pressed = clock.press(side, performance.now());
    if (pressed) navigator.vibrate?.(20);
    done(pressed);
  });
}
$("#hold").addEventListener("click", () => done(clock.hold(performance.now())));
$("#more").addEventListener("click", () => {
  $("[name=left]").value = written(clock.remaining("L", performance.now()));
  $("[name=right]").value = written(clock.remaining("R", performance.now()));
  $("#sheet").showModal();
});
for (const side of SIDES) {
  $(`[data-run="${side}"]`).addEventListener("click", () => {
    done(clock.run(side, performance.now()));
    $("#sheet").close();
  });
}
$("#reset").addEventListener("click", () => {
  done(clock.reset(performance.now()));
  $("#sheet").close();
});
$("#times").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  const [left, right] = ["left", "right"].map((field) => read($(`[name=${field}]`).value));
  if (left === null || right === null) {
    event.preventDefault();
    $("#complaint").textContent = text("times_such_as");
    return;
  }
  $("#complaint").textContent = "";
  done(clock.set(left, right, performance.now()));
});
$("#full").addEventListener("click", () => {
  document.documentElement.requestFullscreen?.();
  $("#sheet").close();
});

/** @param {number} ms */
function written(ms) {
  return `${ms < 0 ? "\u2212" : ""}${overtime(Math.abs(ms))}`;
}

/**
 * Minutes and seconds as milliseconds, null when it is neither.
 * @param {string} value
 */
function read(value) {
  const found = /^\s*([-\u2212]?)(\d{1,3}):([0-5]\d)\s*$/.exec(value);
  return found ? (found[1] ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3])) * 1000 : null;
}

setInterval(save, 1000);
setInterval(tellState, 1000);
names();
learn();
frame();
