/** What the rules say about an incident: its ways to go on, steps with countdowns, questions, orders. */
import { View, html } from "../shared/dom.js";
import { playerName } from "./desk.js";
import { Preview } from "./dialog.js";

/** @import { Incident, Plan as Planned, PlanStep, Values } from "./models" */
/** @typedef {{until: number | null, left: number}} CountdownState */

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
    incident.fields.map((one) => [one.name, one.value ?? (one.type === "check" ? false : "")]),
  );

/**
 * What a director has answered otherwise than the form came, as facts of a procedure.
 * @param {Incident} incident
 * @param {Values} facts
 */
export const answered = (incident, facts) =>
  Object.fromEntries(
    incident.fields
      .filter((one) => facts[one.name] !== one.value && one.name !== "player")
      .map(({ name, type }) => [name, type === "number" ? Number(facts[name]) : facts[name]]),
  );

/**
 * Seconds that somebody has to decide, started by the director.
 * @extends {View<{seconds: number}, CountdownState>}
 */
export class Timer extends View {
  timer = 0;

  /** @param {{seconds: number}} props */
  constructor(props) {
    super(props);
    /** @type {CountdownState} */
    this.state = { until: null, left: props.seconds };
  }

  componentWillUnmount() {
    clearInterval(this.timer);
  }

  start() {
    clearInterval(this.timer);
    const until = performance.now() + this.props.seconds * 1000;
    this.setState({ until, left: this.props.seconds });
    this.timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
      if (left !== this.state.left) this.setState({ left });
      if (left === 0) clearInterval(this.timer);
    }, 100);
  }

  /**
   * @param {{seconds: number}} props
   * @param {CountdownState} state
   */
  render({ seconds }, { until, left }) {
    const up = until !== null && left === 0;
    return html`<button type="button" class=${`countdown ${up ? "up" : ""}`} aria-live="polite" onClick=${() => this.start()}>
      ${until === null ? `start ${seconds} s` : up ? "time is up" : `${left} s`}</button>`;
  }
}

/** @param {{step: PlanStep, done: boolean, onDone: () => void, who: (word: string) => string}} props */
function Step({ step, done, onDone, who }) {
  const told = [
    step.tiles === null ? "" : `${step.tiles} tile${step.tiles === 1 ? "" : "s"}`,
    step.rule,
    step.seconds ? `${step.seconds} s allowed` : "",
  ];
  return html`<li class=${done ? "done" : ""}><input type="checkbox" checked=${done} aria-label=${`done: ${step.act}`} onInput=${onDone} />
    <span><span class="who">${who(step.who)}</span>: <span class="act">${step.act}</span></span>
    ${step.seconds ? html`<${Timer} seconds=${step.seconds} />` : html`<span></span>`}
    <span class="meta">${told.filter(Boolean).join(" \u00b7 ")}</span></li>`;
}

/**
 * One way to go on: numbers, steps, questions, orders that the result would be. Without `steps` they
 * are ticked elsewhere.
 * @param {{plan: Planned, steps: boolean, done: number[], off: number[], onDone: (at: number) => void, onOff: (at: number) => void, ids: string[]}} props
 */
export function Plan({ plan, steps, done, off, onDone, onOff, ids }) {
  /** @param {string} word */
  const who = (word) =>
    plan.player === null
      ? word
      : word === "player"
        ? playerName(plan.player)
        : word === "opponent"
          ? playerName(1 - plan.player)
          : word;
  return html`<h3>${plan.title} (${plan.rule})</h3>
    ${plan.questions.length > 0 && html`<div class="why"><b>For you to decide:</b><ul>${plan.questions.map((question) => html`<li>${question}</li>`)}</ul></div>`}
    <div class="numbers">${plan.numbers.map(([name, value]) => html`<span><b>${String(value)}</b>${name}</span>`)}</div>
    ${steps && html`<ol class="steps">${plan.steps.map((step, at) => html`<${Step} key=${at} step=${step} who=${who} done=${done.includes(at)} onDone=${() => onDone(at)} />`)}</ol>`}
    ${steps && plan.steps.length === 0 && html`<p class="soft">Nothing has to be done at the table.</p>`}
    ${plan.orders.map(
      (
        order,
        at,
      ) => html`<label class="check"><input type="checkbox" checked=${!off.includes(at)} onInput=${() => onOff(at)} /><span>Record: ${order.label}</span></label>
      ${!off.includes(at) && html`<${Preview} key=${ids[at]} act=${order.act} id=${ids[at]} onFound=${() => {}} />`}`,
    )}`;
}
