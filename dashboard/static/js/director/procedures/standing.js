/**
 * The procedures that the recorder has open, each with its facts, its steps and the time that is
 * left. What a sensor saw done is ticked; the rest is the director's, for every director to see.
 */
import { html } from "../../shared/dom.js";
import { text } from "../../shared/texts.js";
import { Countdown } from "../../shared/game/countdown.js";
import { change, give, named, playerName } from "../desk.js";
import { Crops } from "../pictures.js";
import { Timer } from "./plan.js";

/** @import { Now } from "../../shared/frames" */
/** @import { Act, DeskModel, OpenProcedure, StandingProcedure, StandingStep } from "../models" */
/** @typedef {{model: DeskModel, procedure: StandingProcedure, run?: OpenProcedure, can: boolean, now: Now}} ProcedureProps */

/**
 * Whether the rules say what is to be done, or that nothing is; others are a director's word alone.
 * @param {StandingProcedure} procedure
 */
export const isWorkedOut = ({ steps, title }) => steps.length > 0 || title !== "";

/**
 * What a procedure is called, with its players.
 * @param {StandingProcedure} procedure
 */
export function titleOf({ title }) {
  const said = named(title);
  return said.slice(0, 1).toUpperCase() + said.slice(1);
}

/** The step that has the questions of a procedure: they are said once. */
const RULES = "director_rules";

/** @param {string} key */
const place = (key) => `procedure-${key}`;

/**
 * Bring a procedure into view.
 * @param {string} key
 */
export function show(key) {
  document.getElementById(place(key))?.scrollIntoView({ block: "start" });
}

let wanted = "";

/**
 * Bring a procedure into view once it stands on the page.
 * @param {string} key
 */
export function bringUp(key) {
  wanted = key;
}

/**
 * The order that takes a procedure up that opened by itself, under its own key: two directors who do so at once take up one.
 * @param {StandingProcedure} procedure
 * @param {Record<string, number | string | boolean>} said what no sensor knows
 * @param {number[]} done places of the steps that are done
 * @returns {Act}
 */
export function beginOf({ key, code, player, steps }, said, done = []) {
  const facts = player === null ? said : { ...said, player };
  const data = { key, code, facts, steps: steps.length, done };
  return { type: "order.procedure.begin", data };
}

/**
 * Take a procedure up, unless somebody has; true when it is.
 * @param {ProcedureProps} props
 */
const takeUp = async ({ procedure, run }) => Boolean(run) || give(beginOf(procedure, {}));

/**
 * Tick a step, or take the tick back.
 * @param {ProcedureProps} props
 * @param {number} at
 */
async function tick(props, at) {
  const { key, steps } = props.procedure;
  if (!(await takeUp(props))) return;
  const data = { key, step: at, code: steps[at].code, done: !props.run?.done.includes(at) };
  await give({ type: "order.procedure.step", data });
}

/**
 * Let the time of a step run.
 * @param {ProcedureProps} props
 * @param {number} at
 */
async function time(props, at) {
  const { key, steps } = props.procedure;
  if (!(await takeUp(props))) return;
  const data = { key, step: at, code: steps[at].code };
  await give({ type: "order.procedure.time", data });
}

/**
 * @param {ProcedureProps} props
 * @param {boolean} carriedOut
 */
async function finish(props, carriedOut) {
  const { key } = props.procedure;
  if (!(await takeUp(props))) return;
  await give({ type: "order.procedure.close", data: { key, carried_out: carriedOut } });
}

/** @param {StandingStep} step */
function aboutStep(step) {
  return [
    step.tiles === null ? "" : text("tiles", { tiles: step.tiles }),
    step.seconds === null ? "" : text("seconds", { seconds: step.seconds }),
    step.rule,
  ]
    .filter(Boolean)
    .join(" \u00b7 ");
}

/** @param {ProcedureProps & {at: number}} props */
function Step({ at, ...props }) {
  const step = props.procedure.steps[at];
  const seen = step.done && !props.run?.done.includes(at);
  const who = step.by === null ? step.actor : playerName(step.by);
  const timed = step.is_timed && !step.done && props.procedure.until_ms === null;
  return html`<li class=${step.done ? "done" : ""}>
    <input type="checkbox" checked=${step.done} disabled=${seen || !props.can} aria-label=${text("done_act", { act: step.act })} onChange=${() => tick(props, at)} />
    <span><span class="who">${who}</span>: <span class="act">${step.act}</span></span>
    ${timed ? html`<${Timer} seconds=${step.seconds} until=${step.until_ms} now=${props.now} can=${props.can} onStart=${() => time(props, at)} />` : html`<span class="soft">${seen ? text("seen") : ""}</span>`}
    <span class="meta">${aboutStep(step)}</span></li>`;
}

/**
 * What the notices behind a procedure rest on: in words, and the squares of the board as the turn showed them and as they are now.
 * @param {ProcedureProps} props
 */
function Behind({ model, procedure }) {
  const behind = model.timeline.filter(
    ({ notice, superseded_by, group }) =>
      notice?.begins === procedure.code &&
      notice.squares.length > 0 &&
      !superseded_by &&
      (procedure.player === null || group === procedure.group),
  );
  return behind.map(
    ({ seq, notice, pictures }) => html`<div class="behind" key=${seq}>
      <p>${[notice?.text ?? "", ...(notice?.evidence ?? [])].map(named).join("; ")}</p>
      <${Crops} pictures=${pictures} squares=${notice?.squares ?? []} compared /></div>`,
  );
}

/** @param {ProcedureProps} props */
function Procedure(props) {
  const { procedure, can, now } = props;
  const { key, rule, facts_said, steps, questions, until_ms, at } = procedure;
  const asked = steps.some(({ code }) => code === RULES) ? [] : questions;
  const arrived = (/** @type {HTMLElement | null} */ element) => {
    if (element && wanted === key) element.scrollIntoView({ block: "start" });
    if (wanted === key) wanted = "";
  };
  return html`<div class="procedure" id=${place(key)} ref=${arrived}><h3>${titleOf(procedure)} ${rule && `(${rule})`}
      ${until_ms !== null && until_ms > now() && html`<${Countdown} key=${until_ms} ends=${until_ms} since=${at} now=${now} />`}</h3>
    <p class="known">${facts_said.map(named).join(", ")}</p>
    <${Behind} ...${props} />
    ${asked.length > 0 && html`<div class="why"><b>${text("for_you_to_decide")}</b><ul>${asked.map((question) => html`<li>${question}</li>`)}</ul></div>`}
    <ol class="steps">${steps.map((step, place) => html`<${Step} key=${step.code + place} ...${props} at=${place} />`)}</ol>
    <footer><button type="button" disabled=${!can} onClick=${() => finish(props, false)}>${text("cancel")}</button>
      ${procedure.says && html`<button type="button" disabled=${!can} onClick=${() => change({ dialog: { kind: "procedure", standing: procedure, says: true } })}>${text("say_more")}</button>`}
      <button type="button" disabled=${!can} onClick=${() => finish(props, true)}>${text("is_done")}</button>
      <button type="button" class="main" disabled=${!can} onClick=${() => change({ dialog: { kind: "procedure", standing: procedure } })}>${text("ruling_and_orders")}</button></footer></div>`;
}

/** @param {{model: DeskModel, can: boolean, now: Now}} props */
export function Standing({ model, can, now }) {
  const shown = model.standing.filter(isWorkedOut);
  if (!shown.length) return null;
  return html`<section class="card standing" aria-label=${text("procedures")}><h2>${text("procedures")}</h2>${shown.map(
    (procedure) => {
      const run = model.procedures.find((known) => known.key === procedure.key);
      return html`<${Procedure} key=${procedure.key} model=${model} procedure=${procedure} run=${run} can=${can} now=${now} />`;
    },
  )}</section>`;
}
