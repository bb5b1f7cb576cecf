/**
 * A procedure step by step: which incident, its facts, what the rules in force say, and the result
 * as orders. The rules are worked out by the server; nothing is recorded before "Record".
 */
import { View, html } from "./dom.js";
import { ask, give, orderId, playerName } from "./director-desk.js";
import { close, Dialog, Preview } from "./director-dialog.js";
import { Field } from "./director-forms.js";
import { procedureNote, procedureTitle } from "./director-attention.js";
import { page } from "./tool.js";

const kept = (name) => `procedure:${name}`;

/** Seconds that somebody has to decide, started by the director. */
class Countdown extends View {
  constructor(props) {
    super(props);
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

  render({ seconds }, { until, left }) {
    const up = until !== null && left === 0;
    return html`<button type="button" class=${`countdown ${up ? "up" : ""}`} aria-live="polite" onClick=${() => this.start()}>
      ${until === null ? `start ${seconds} s` : up ? "time is up" : `${left} s`}</button>`;
  }
}

function Step({ step, done, onDone, who }) {
  const told = [step.tiles === null ? "" : `${step.tiles} tile${step.tiles === 1 ? "" : "s"}`, step.rule, step.seconds ? `${step.seconds} s allowed` : ""];
  return html`<li class=${done ? "done" : ""}><input type="checkbox" checked=${done} aria-label=${`done: ${step.act}`} onInput=${onDone} />
    <span><span class="who">${who(step.who)}</span>: <span class="act">${step.act}</span></span>
    ${step.seconds ? html`<${Countdown} seconds=${step.seconds} />` : html`<span></span>`}
    <span class="meta">${told.filter(Boolean).join(" \u00b7 ")}</span></li>`;
}

/** One way to go on: numbers, steps, questions, orders that the result would be. */
function Plan({ plan, done, off, onDone, onOff, ids }) {
  const who = (word) => (plan.player === null ? word
    : word === "player" ? playerName(plan.player) : word === "opponent" ? playerName(1 - plan.player) : word);
  return html`<h3>${plan.title} (${plan.rule})</h3>
    ${plan.questions.length > 0 && html`<div class="why"><b>For you to decide:</b><ul>${plan.questions.map((one) => html`<li>${one}</li>`)}</ul></div>`}
    <div class="numbers">${plan.numbers.map(([name, value]) => html`<span><b>${String(value)}</b>${name}</span>`)}</div>
    <ol class="steps">${plan.steps.map((step, at) => html`<${Step} key=${at} step=${step} who=${who} done=${done.includes(at)} onDone=${() => onDone(at)} />`)}</ol>
    ${plan.steps.length === 0 && html`<p class="soft">Nothing has to be done at the table.</p>`}
    ${plan.orders.map((order, at) => html`<label class="check"><input type="checkbox" checked=${!off.includes(at)} onInput=${() => onOff(at)} /><span>Record: ${order.label}</span></label>
      ${!off.includes(at) && html`<${Preview} key=${ids[at]} act=${order.act} id=${ids[at]} onFound=${() => {}} />`}`)}`;
}

export class ProcedureDialog extends View {
  constructor(props) {
    super(props);
    const note = props.note?.order.id;
    const before = note ? JSON.parse(sessionStorage.getItem(kept(note)) ?? "null") : null;
    this.state = { list: [], incident: null, facts: {}, plan: null, way: 0, done: [], off: [], ids: [], text: "", rule: "", fault: "", busy: false, ...before };
    this.note = note ?? "";
    this.rulingId = orderId();
  }

  async componentDidMount() {
    try {
      const { incidents } = await ask("GET", `/api/table/${page.table}/incidents`);
      this.setState({ list: incidents });
      const start = incidents.find((one) => one.name === this.props.start);
      if (start) this.pick(start);
    } catch (fault) {
      this.setState({ fault: fault.message });
    }
  }

  componentDidUpdate(_, before) {
    if (this.state.plan && !before.plan) document.querySelector("dialog .result")?.scrollIntoView({ block: "start" });
    if (before.list.length === 0 && this.state.list.length && !this.state.incident) this.first?.focus();
  }

  pick(incident) {
    const facts = Object.fromEntries(incident.fields.map((one) => [one.name, one.value ?? (one.type === "check" ? false : "")]));
    this.setState({ incident, facts, plan: null, fault: "" });
  }

  async work(event) {
    event?.preventDefault();
    try {
      const plan = await ask("POST", `/api/table/${page.table}/incident/${this.state.incident.name}`, this.state.facts);
      this.show(plan, 0);
    } catch (fault) {
      this.setState({ fault: fault.message });
    }
  }

  show(plan, way) {
    const chosen = [plan, ...plan.alternatives][way];
    this.setState({ plan, way, done: [], off: [], ids: chosen.orders.map(orderId), text: chosen.ruling, rule: chosen.rule, fault: "" });
  }

  /** Note the procedure as open, so that every director sees it, and keep the steps here. */
  async keep() {
    const id = this.note || orderId();
    const { incident, facts, plan, way, done, off, ids, text, rule } = this.state;
    if (!this.note && !(await give({ type: "order.note", data: { text: procedureNote(plan.title) } }, id))) return;
    sessionStorage.setItem(kept(id), JSON.stringify({ incident, facts, plan, way, done, off, ids, text, rule }));
    close();
  }

  async record(event) {
    event.preventDefault();
    this.setState({ busy: true });
    const { plan, way, off, ids, text, rule } = this.state;
    const act = { type: "order.ruling", data: { text: text.trim(), rule }, ...(this.note ? { supersedes: this.note } : {}) };
    const orders = plan ? [plan, ...plan.alternatives][way].orders : [];
    let well = await give(act, this.rulingId);
    for (const [at, order] of orders.entries()) {
      if (well && !off.includes(at)) well = await give(order.act, ids[at]);
    }
    if (well) close();
    else this.setState({ busy: false, fault: "Not everything was recorded; the line at the top says why. What was recorded counts once." });
  }

  renderPick() {
    const { list } = this.state;
    return html`<div class="incidents">${list.map((one, at) => html`<button type="button" ref=${at === 0 ? (element) => { this.first = element; } : undefined} onClick=${() => this.pick(one)}>${one.title}</button>`)}</div>
      ${this.note && html`<button type="button" onClick=${() => this.setState({ incident: { name: "", title: procedureTitle(this.props.note), fields: [] } })}>Close it with a ruling in words</button>`}`;
  }

  renderFacts() {
    const { incident, facts } = this.state;
    const onValue = (name, value) => this.setState({ facts: { ...this.state.facts, [name]: value }, plan: null });
    const fields = incident.fields.map((one) => ({ ...one, options: () => (one.options ?? []).map(([key, text]) => [key, key === "0" || key === "1" ? (one.player ? playerName(Number(key)) : text) : text]) }));
    return html`<form class="order" onSubmit=${(event) => this.work(event)}><div class="facts">${fields.map((one, at) =>
      html`<${Field} key=${one.name} field=${one} value=${facts[one.name]} onValue=${onValue} focus=${at === 0} />`)}</div>
      ${fields.length > 0 && html`<footer><button class=${this.state.plan ? "" : "main"}>What do the rules say?</button></footer>`}</form>`;
  }

  renderResult() {
    const { plan, way, done, off, ids, text, rule, busy } = this.state;
    const ways = plan ? [plan, ...plan.alternatives] : [];
    const flip = (list, at) => (list.includes(at) ? list.filter((one) => one !== at) : [...list, at]);
    return html`<form class="order result" onSubmit=${(event) => this.record(event)}>
      ${ways.length > 1 && html`<div class="row" role="group" aria-label="Ways">${ways.map((one, at) => html`<button type="button" aria-pressed=${at === way} onClick=${() => this.show(plan, at)}>${one.way || `way ${at + 1}`}</button>`)}</div>`}
      ${plan && html`<${Plan} plan=${ways[way]} done=${done} off=${off} ids=${ids} onDone=${(at) => this.setState({ done: flip(done, at) })} onOff=${(at) => this.setState({ off: flip(off, at) })} />`}
      <${Field} field=${{ name: "rule", label: "Rule", type: "text", most: 80 }} value=${rule} onValue=${(_, value) => this.setState({ rule: value })} />
      <${Field} field=${{ name: "text", label: "Ruling, as it goes into the record", type: "area" }} value=${text} onValue=${(_, value) => this.setState({ text: value })} />
      <footer>${plan && html`<button type="button" disabled=${busy || !this.props.can} onClick=${() => this.keep()}>Keep it open</button>`}
        <button class="main" disabled=${busy || !this.props.can || !text.trim()}>Record the result</button></footer></form>`;
  }

  render(_, { incident, plan, fault }) {
    const title = incident ? incident.title : this.note ? `Open: ${procedureTitle(this.props.note)}` : "What has happened?";
    return html`<${Dialog} title=${title} wide>
      ${fault && html`<p class="why" role="alert">${fault}</p>`}
      ${!incident ? this.renderPick() : this.renderFacts()}
      ${incident && (plan || !incident.name) && this.renderResult()}
      ${incident && html`<button type="button" class="quiet" onClick=${() => this.setState({ incident: null, plan: null })}>Another incident</button>`}<//>`;
  }
}
