/**
 * A procedure step by step: which incident, its facts, what the rules in force say, and the result
 * as orders. The rules are worked out by the server; nothing is recorded before "Record".
 */
import { View, html } from "../shared/dom.js";
import { ask, give, orderId, playerName } from "./desk.js";
import { close, Dialog, Preview } from "./dialog.js";
import { Field, oneLine } from "./forms.js";
import { openProcedures, procedureNote, procedureState, procedureTitle } from "./attention.js";
import { page } from "../shared/tool.js";

/** @import { DeskModel, Incident, Item, Kept, Plan as Planned, PlanStep, Values } from "./models" */
/** @typedef {{note?: Item, start?: string, can: boolean, model: DeskModel}} ProcedureProps */
/**
 * What is asked and answered so far; `way`, `done` and `off` are places, `ids` those of the orders.
 * @typedef {{list: Incident[], incident: Incident | null, facts: Values, plan: Planned | null, way: number, done: number[], off: number[],
 *   ids: string[], text: string, rule: string, fault: string, busy: boolean, closed: boolean}} ProcedureState
 */
/** @typedef {{until: number | null, left: number}} CountdownState */

const MOST_TEXT = 400;

/**
 * The ways to go on that the rules leave: the plan itself, then its alternatives.
 * @param {Planned} plan
 */
const waysOf = (plan) => [plan, ...plan.alternatives];

/**
 * Seconds that somebody has to decide, started by the director.
 * @extends {View<{seconds: number}, CountdownState>}
 */
class Countdown extends View {
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
    ${step.seconds ? html`<${Countdown} seconds=${step.seconds} />` : html`<span></span>`}
    <span class="meta">${told.filter(Boolean).join(" \u00b7 ")}</span></li>`;
}

/**
 * One way to go on: numbers, steps, questions, orders that the result would be.
 * @param {{plan: Planned, done: number[], off: number[], onDone: (at: number) => void, onOff: (at: number) => void, ids: string[]}} props
 */
function Plan({ plan, done, off, onDone, onOff, ids }) {
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
    ${plan.questions.length > 0 && html`<div class="why"><b>For you to decide:</b><ul>${plan.questions.map((one) => html`<li>${one}</li>`)}</ul></div>`}
    <div class="numbers">${plan.numbers.map(([name, value]) => html`<span><b>${String(value)}</b>${name}</span>`)}</div>
    <ol class="steps">${plan.steps.map((step, at) => html`<${Step} key=${at} step=${step} who=${who} done=${done.includes(at)} onDone=${() => onDone(at)} />`)}</ol>
    ${plan.steps.length === 0 && html`<p class="soft">Nothing has to be done at the table.</p>`}
    ${plan.orders.map(
      (
        order,
        at,
      ) => html`<label class="check"><input type="checkbox" checked=${!off.includes(at)} onInput=${() => onOff(at)} /><span>Record: ${order.label}</span></label>
      ${!off.includes(at) && html`<${Preview} key=${ids[at]} act=${order.act} id=${ids[at]} onFound=${() => {}} />`}`,
    )}`;
}

/** @extends {View<ProcedureProps, ProcedureState>} */
export class ProcedureDialog extends View {
  /** @type {HTMLButtonElement | null} the first incident to choose */
  first = null;

  /** @param {ProcedureProps} props */
  constructor(props) {
    super(props);
    /** @type {ProcedureState} */
    this.state = {
      list: [],
      incident: null,
      facts: {},
      plan: null,
      way: 0,
      done: [],
      off: [],
      ids: [],
      text: "",
      rule: "",
      fault: "",
      busy: false,
      closed: false,
    };
    const kept = props.note && procedureState(props.note);
    /** One procedure has one key, however often it was noted; each tick is a note in place of the one before. */
    this.key = kept?.key ?? orderId();
    this.note = props.note?.order?.id ?? "";
    this.noted = new Set([this.note]);
    this.sharing = Promise.resolve(true);
    this.rulingId = orderId();
  }

  async componentDidMount() {
    try {
      /** @type {{incidents: Incident[]}} */
      const { incidents } = await ask("GET", `/api/table/${page.table}/incidents`);
      this.setState({ list: incidents });
      const kept = this.props.note && procedureState(this.props.note);
      const start = incidents.find((one) => one.name === (kept?.incident ?? this.props.start));
      if (start) this.pick(start);
      if (start && kept) this.take(await this.planned(start, kept.facts), kept);
    } catch (fault) {
      this.setState({ fault: fault.message });
    }
  }

  /**
   * Go on where a note left off. Steps are told by their place: where there are others now, none is ticked.
   * @param {Planned} plan
   * @param {Kept} kept
   */
  take(plan, kept) {
    const way = kept.way < waysOf(plan).length ? kept.way : 0;
    this.show(plan, way);
    const chosen = waysOf(plan)[way];
    const same = way === kept.way && chosen.steps.length === kept.steps;
    this.setState({
      facts: kept.facts,
      off: kept.off,
      text: kept.text ?? chosen.ruling,
      rule: kept.rule ?? chosen.rule,
      ...(same
        ? { done: kept.done }
        : { fault: "The rules say other steps now than when this was kept: tick them again." }),
    });
  }

  /** What another director has ticked meanwhile is ticked here too. */
  follow() {
    const { timeline } = this.props.model;
    const now = openProcedures(timeline).find((one) => procedureState(one)?.key === this.key);
    const told = now && procedureState(now);
    if (now?.order && told && !this.noted.has(now.order.id)) {
      this.note = now.order.id;
      this.noted.add(this.note);
      const { plan, way } = this.state;
      if (plan && way === told.way && waysOf(plan)[way].steps.length === told.steps)
        this.setState({ done: told.done, off: told.off });
    } else if (!now && this.note && !this.state.closed) {
      const mine = timeline.find((one) => one.order?.id === this.note);
      if (mine?.order && !mine.order.in_force)
        this.setState({
          closed: true,
          fault: "This procedure was closed meanwhile; the record says how.",
        });
    }
  }

  /**
   * @param {ProcedureProps} _
   * @param {ProcedureState} before
   */
  componentDidUpdate(_, before) {
    if (this.state.plan && !before.plan)
      document.querySelector("dialog .result")?.scrollIntoView({ block: "start" });
    this.follow();
    if (before.list.length === 0 && this.state.list.length && !this.state.incident)
      this.first?.focus();
  }

  /** @param {Incident} incident */
  pick(incident) {
    const facts = Object.fromEntries(
      incident.fields.map((one) => [one.name, one.value ?? (one.type === "check" ? false : "")]),
    );
    this.setState({ incident, facts, plan: null, fault: "" });
  }

  /**
   * @param {Incident} incident
   * @param {Values} facts
   * @returns {Promise<Planned>}
   */
  planned(incident, facts) {
    return ask("POST", `/api/table/${page.table}/incident/${incident.name}`, facts);
  }

  /** @param {Event} event */
  async work(event) {
    event.preventDefault();
    const { incident, facts } = this.state;
    if (!incident) return;
    try {
      this.show(await this.planned(incident, facts), 0);
    } catch (fault) {
      this.setState({ fault: fault.message });
    }
  }

  /**
   * @param {Planned} plan
   * @param {number} way
   */
  show(plan, way) {
    const chosen = waysOf(plan)[way];
    this.setState({
      plan,
      way,
      done: [],
      off: [],
      ids: chosen.orders.map(orderId),
      text: chosen.ruling,
      rule: chosen.rule,
      fault: "",
    });
  }

  /**
   * Tick a step, for every director to see.
   * @param {number[]} done
   */
  tick(done) {
    this.setState({ done }, () => {
      if (this.props.can) this.sharing = this.sharing.then(() => this.share());
    });
  }

  /** Note the procedure as open, with what was answered and done; true when it is noted. */
  async share() {
    const { incident, facts, plan, way, done, off, text, rule } = this.state;
    if (!incident || !plan) return false;
    const chosen = waysOf(plan)[way];
    const own = {
      ...(text === chosen.ruling ? {} : { text }),
      ...(rule === chosen.rule ? {} : { rule }),
    };
    const told = procedureNote(plan.title, {
      key: this.key,
      incident: incident.name,
      facts,
      way,
      steps: chosen.steps.length,
      done,
      off,
      ...own,
    });
    if (told.length > MOST_TEXT) {
      this.setState({ fault: "Too long to keep: make the ruling shorter." });
      return false;
    }
    const id = orderId();
    const act = {
      type: "order.note",
      data: { text: told },
      ...(this.note ? { supersedes: this.note } : {}),
    };
    this.noted.add(id);
    if (!(await give(act, id))) {
      this.setState({ fault: "Not kept; the line at the top says why." });
      return false;
    }
    this.note = id;
    return true;
  }

  async keep() {
    this.sharing = this.sharing.then(() => this.share());
    if (await this.sharing) close();
  }

  /** @param {Event} event */
  async record(event) {
    event.preventDefault();
    this.setState({ busy: true });
    await this.sharing;
    const { plan, way, off, ids, text, rule } = this.state;
    const act = {
      type: "order.ruling",
      data: { text: oneLine(text), rule },
      ...(this.note ? { supersedes: this.note } : {}),
    };
    const orders = plan ? waysOf(plan)[way].orders : [];
    let well = await give(act, this.rulingId);
    for (const [at, order] of orders.entries()) {
      if (well && !off.includes(at)) well = await give(order.act, ids[at]);
    }
    if (well) close();
    else
      this.setState({
        busy: false,
        fault:
          "Not everything was recorded; the line at the top says why. What was recorded counts once.",
      });
  }

  renderPick() {
    const { list } = this.state;
    const { note } = this.props;
    /** @param {HTMLButtonElement | null} element */
    const first = (element) => {
      this.first = element;
    };
    return html`<div class="incidents">${list.map((one, at) => html`<button type="button" ref=${at === 0 ? first : undefined} onClick=${() => this.pick(one)}>${one.title}</button>`)}</div>
      ${note && html`<button type="button" onClick=${() => this.setState({ incident: { name: "", title: procedureTitle(note), fields: [] } })}>Close it with a ruling in words</button>`}`;
  }

  /** @param {Incident} incident */
  renderFacts(incident) {
    const { facts } = this.state;
    /**
     * @param {string} name
     * @param {string | boolean} value
     */
    const onValue = (name, value) =>
      this.setState({ facts: { ...this.state.facts, [name]: value }, plan: null });
    const fields = incident.fields.map((one) => ({
      ...one,
      options: () =>
        (one.options ?? []).map(([key, text]) => [
          key,
          key === "0" || key === "1" ? (one.player ? playerName(Number(key)) : text) : text,
        ]),
    }));
    return html`<form class="order" onSubmit=${(/** @type {Event} */ event) => this.work(event)}><div class="facts">${fields.map(
      (one, at) =>
        html`<${Field} key=${one.name} field=${one} value=${facts[one.name]} onValue=${onValue} focus=${at === 0} />`,
    )}</div>
      ${fields.length > 0 && html`<footer><button class=${this.state.plan ? "" : "main"}>What do the rules say?</button></footer>`}</form>`;
  }

  renderResult() {
    const { plan, way, done, off, ids, text, rule, busy, closed } = this.state;
    const ways = plan ? waysOf(plan) : [];
    /**
     * @param {number[]} list
     * @param {number} at
     */
    const flip = (list, at) =>
      list.includes(at) ? list.filter((one) => one !== at) : [...list, at];
    return html`<form class="order result" onSubmit=${(/** @type {Event} */ event) => this.record(event)}>
      ${plan && ways.length > 1 && html`<div class="row" role="group" aria-label="Ways">${ways.map((one, at) => html`<button type="button" aria-pressed=${at === way} onClick=${() => this.show(plan, at)}>${one.way || `way ${at + 1}`}</button>`)}</div>`}
      ${plan && html`<${Plan} plan=${ways[way]} done=${done} off=${off} ids=${ids} onDone=${(/** @type {number} */ at) => this.tick(flip(done, at))} onOff=${(/** @type {number} */ at) => this.setState({ off: flip(off, at) })} />`}
      <${Field} field=${{ name: "rule", label: "Rule", type: "text", most: 80 }} value=${rule} onValue=${(/** @type {string} */ _, /** @type {string} */ value) => this.setState({ rule: value })} />
      <${Field} field=${{ name: "text", label: "Ruling, as it goes into the record", type: "area" }} value=${text} onValue=${(/** @type {string} */ _, /** @type {string} */ value) => this.setState({ text: value })} />
      <footer>${plan && html`<button type="button" disabled=${busy || closed || !this.props.can} onClick=${() => this.keep()}>Keep it open</button>`}
        <button class="main" disabled=${busy || closed || !this.props.can || !text.trim()}>Record the result</button></footer></form>`;
  }

  /**
   * @param {ProcedureProps} props
   * @param {ProcedureState} state
   */
  render({ note }, { incident, plan, fault }) {
    const title = incident
      ? incident.title
      : note
        ? `Open: ${procedureTitle(note)}`
        : "What has happened?";
    return html`<${Dialog} title=${title} wide>
      ${fault && html`<p class="why" role="alert">${fault}</p>`}
      ${!incident ? this.renderPick() : this.renderFacts(incident)}
      ${incident && (plan || !incident.name) && this.renderResult()}
      ${incident && html`<button type="button" class="quiet" onClick=${() => this.setState({ incident: null, plan: null })}>Another incident</button>`}<//>`;
  }
}
