/** An incident: the form of its facts, and how it can end: ways to go on, questions, orders. */
import { View, html } from "../../shared/dom.js";
import { text } from "../../shared/texts.js";
import { named, playerName } from "../desk.js";
import { Preview } from "../forms/dialog.js";
import { oneLine } from "../forms/orders.js";
import { Field } from "../forms/order-dialog.js";

/** @import { Incident, Plan as Planned, Values } from "../models" */
/** @import { Now } from "../../shared/frames" */
/** @typedef {{seconds: number, until: number | null, now: Now, can: boolean, onStart: () => void}} TimerProps */
/** @typedef {{left: number | null}} TimerState */

export const MOST_TEXT = 2000;

/**
 * How a plan's result may be worded, with the players' names.
 * @param {Planned} plan
 */
export const rulingOf = (plan) => oneLine(named(plan.ruling)).slice(0, MOST_TEXT);

/**
 * The ways to go on that the rules leave: the plan itself, then its alternatives.
 * @param {Planned} plan
 */
export const waysOf = (plan) => [plan, ...plan.alternatives];

/**
 * The answers of a form as it comes.
 * @param {Incident} incident
 * @returns {Values}
 */
export const filledIn = (incident) =>
  Object.fromEntries(
    incident.fields.map((field) => [
      field.name,
      field.value ?? (field.type === "check" ? false : ""),
    ]),
  );

/**
 * How an incident ends that no procedure is about, by what a director says of it.
 * @param {Values} said
 * @returns {Planned}
 */
export function inWords({ what = "", rule = "" }) {
  const title = what.trim() || text("another_incident");
  return {
    title,
    rule: rule.trim(),
    way: "",
    player: null,
    numbers: [],
    questions: [text("see_what_program_knows")],
    orders: [],
    alternatives: [],
    ruling: title,
  };
}

/**
 * What a director says of a procedure, as facts of its order: numbers as numbers, no empty field, no box that
 * was never ticked.
 * @param {Incident} incident
 * @param {Values} values
 * @returns {Record<string, number | string | boolean>}
 */
export function stated({ fields }, values) {
  const said = fields.filter(
    ({ name, value }) => values[name] !== "" && (values[name] !== false || value === true),
  );
  return Object.fromEntries(
    said.map(({ name }) => [
      name,
      /^\d+$/.test(String(values[name])) ? Number(values[name]) : values[name],
    ]),
  );
}

/**
 * The form of an incident's facts; `ask` is what its button says.
 * @param {{incident: Incident, facts: Values, worked: boolean, ask: string, onValue: (name: string, value: string | boolean) => void, onSubmit: (event: Event) => void}} props
 */
export function Facts({ incident, facts, worked, ask, onValue, onSubmit }) {
  const fields = incident.fields.map((field) => ({
    ...field,
    options: () =>
      (field.options ?? []).map(([key, label]) => [
        key,
        field.player && (key === "0" || key === "1") ? playerName(Number(key)) : label,
      ]),
  }));
  return html`<form class="order" onSubmit=${onSubmit}><div class="facts">${fields.map(
    (field, at) =>
      html`<${Field} key=${field.name} field=${field} value=${facts[field.name]} onValue=${onValue} focus=${at === 0} />`,
  )}</div>
    ${fields.length > 0 && html`<footer><button class=${worked ? "" : "main"}>${ask}</button></footer>`}</form>`;
}

/**
 * Seconds that somebody has to decide. A director lets them run, by an order: every page counts the same.
 * @extends {View<TimerProps, TimerState>}
 */
export class Timer extends View {
  timer = 0;

  /** @param {TimerProps} props */
  constructor(props) {
    super(props);
    /** @type {TimerState} */
    this.state = { left: this.left() };
  }

  componentDidMount() {
    this.timer = setInterval(() => {
      const left = this.left();
      if (left !== this.state.left) this.setState({ left });
    }, 100);
  }

  componentWillUnmount() {
    clearInterval(this.timer);
  }

  /** Whole seconds left, null while they do not run. */
  left() {
    const { until, now } = this.props;
    return until === null ? null : Math.max(0, Math.ceil((until - now()) / 1000));
  }

  /** @param {TimerProps} props */
  render({ seconds, can, onStart }) {
    const left = this.left();
    return html`<button type="button" class=${`countdown ${left === 0 ? "up" : ""}`} aria-live="polite" disabled=${!can} onClick=${onStart}>
      ${left === null ? text("start_seconds", { seconds }) : left === 0 ? text("time_is_up") : text("seconds", { seconds: left })}</button>`;
  }
}

/**
 * Places with one more, or without it where it was among them.
 * @param {number[]} places
 * @param {number} at
 */
const toggled = (places, at) =>
  places.includes(at) ? places.filter((kept) => kept !== at) : [...places, at];

/**
 * One way to go on: questions, numbers, orders that the result would be; what has no procedure, under its own title.
 * @param {{plan: Planned, titled: boolean, off: number[], onOff: (off: number[]) => void, ids: string[]}} props
 */
export function Plan({ plan, titled, off, onOff, ids }) {
  return html`${titled && html`<h3>${plan.title} (${plan.rule})</h3>`}
    ${plan.questions.length > 0 && html`<div class="why"><b>${text("for_you_to_decide")}</b><ul>${plan.questions.map((question) => html`<li>${question}</li>`)}</ul></div>`}
    <div class="numbers">${plan.numbers.map(([name, value]) => html`<span><b>${String(value)}</b>${name}</span>`)}</div>
    ${titled && html`<p class="soft">${text("nothing_to_do")}</p>`}
    ${plan.orders.map(
      (
        order,
        at,
      ) => html`<label class="check"><input type="checkbox" checked=${!off.includes(at)} onInput=${() => onOff(toggled(off, at))} /><span>${text("record_order", { order: named(order.label) })}</span></label>
      ${!off.includes(at) && html`<${Preview} key=${ids[at]} act=${order.act} id=${ids[at]} onFound=${() => {}} />`}`,
    )}`;
}
