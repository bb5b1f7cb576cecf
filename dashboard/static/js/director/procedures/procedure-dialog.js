/**
 * A procedure step by step: which incident, its facts, what the rules in force say, and the result
 * as orders. The rules are worked out by the server; nothing is recorded before "Record".
 */
import { View, html } from "../../shared/dom.js";
import { text as worded } from "../../shared/texts.js";
import { ask } from "../asking.js";
import { give, named, orderId, view } from "../desk.js";
import { close, Dialog } from "../forms/dialog.js";
import { oneLine } from "../forms/orders.js";
import { Field } from "../forms/order-dialog.js";
import { answered, Facts, filledIn, MOST_TEXT, Plan, rulingOf, stated, waysOf } from "./plan.js";
import { beginning, Choices, choices } from "./choices.js";
import { beginOf, bringUp, titleOf } from "./standing.js";
import { page } from "../../shared/tool.js";

/** @import { Now } from "../../shared/frames" */
/** @import { Act, DeskModel, Incident, OpenProcedure, Plan as Planned, StandingProcedure, Values } from "../models" */
/** @typedef {{run?: OpenProcedure, notice?: number, begins?: string, standing?: StandingProcedure, says?: boolean, can: boolean, now: Now, model: DeskModel}} ProcedureProps */
/**
 * What is asked and answered so far; `list` is what can be chosen, `way`, `done` and `off` are places, `ids` those of the orders.
 * @typedef {{list: Incident[], incident: Incident | null, facts: Values, plan: Planned | null, way: number, done: number[], off: number[],
 *   ids: string[], text: string, rule: string, fault: string, busy: boolean, closed: boolean}} ProcedureState
 */

/** @extends {View<ProcedureProps, ProcedureState>} */
export class ProcedureDialog extends View {
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
    /** One procedure has one key, whoever goes on with it; `stated` is what the record has of it. */
    this.key = (props.run ?? props.standing)?.key ?? orderId();
    this.isTakenUp = false;
    this.stated = "";
    this.isThere = false;
    this.doneThere = "";
    this.sharing = Promise.resolve(true);
    this.closingIds = [orderId(), orderId()];
    this.rulingId = orderId();
    this.beginningId = orderId();
  }

  async componentDidMount() {
    try {
      const { run, notice, begins, standing, says } = this.props;
      const about = standing
        ? `?procedure=${encodeURIComponent(standing.key)}`
        : notice
          ? `?notice=${notice}`
          : "";
      /** @type {{incidents: Incident[], begun: Incident[], start: string, plan: Planned | null}} */
      const answer = await ask("GET", `/api/table/${page.table}/incidents${about}`);
      const list = choices(answer);
      this.setState({ list });
      const said = says && list.find(({ name, begins }) => begins && name === standing?.code);
      if (said) return this.pick(said);
      const among = run || standing ? answer.incidents : list;
      const start = among.find(({ name }) => name === (run?.code || begins || answer.start));
      if (start) this.pick(start);
      if (start && run) this.take(await this.planned(start, run.facts), run);
      else if (start && standing) this.show(await this.planned(start, filledIn(start)), 0);
      else if (standing && answer.plan) this.asWorkedOut(standing, answer.plan);
    } catch (fault) {
      this.setState({ fault: fault.message });
    }
  }

  /**
   * A procedure of which nothing is to be asked ends as the recorder has worked it out.
   * @param {StandingProcedure} standing
   * @param {Planned} plan
   */
  asWorkedOut(standing, plan) {
    this.setState({ incident: { name: standing.code, title: titleOf(standing), fields: [] } });
    this.show(plan, 0);
  }

  /**
   * Go on where somebody left off. Steps are told by their place: where there are others now, none is ticked.
   * @param {Planned} plan
   * @param {OpenProcedure} run
   */
  take(plan, run) {
    const way = run.way < waysOf(plan).length ? run.way : 0;
    this.show(plan, way);
    const chosen = waysOf(plan)[way];
    const same = way === run.way && chosen.steps.length === run.steps;
    this.setState(
      {
        facts: { ...this.state.facts, ...run.facts },
        off: run.left_out,
        text: run.text || rulingOf(chosen),
        rule: run.rule || chosen.rule,
        ...(same ? { done: run.done } : { fault: worded("other_steps_now") }),
      },
      () => {
        if (same) this.stated = this.statement();
      },
    );
  }

  /** The procedure as the record has it, while it is open there. */
  run() {
    return this.props.model.procedures.find((begun) => begun.key === this.key);
  }

  /** What another director has ticked meanwhile is ticked here too. */
  follow() {
    const { plan, way, busy, closed } = this.state;
    const now = this.run();
    if (!now) {
      if (this.isThere && !closed && !busy)
        this.setState({ closed: true, fault: worded("closed_meanwhile") });
      return;
    }
    this.isThere = true;
    const done = now.done.join();
    if (done === this.doneThere) return;
    this.doneThere = done;
    if (plan && way === now.way && waysOf(plan)[way].steps.length === now.steps)
      this.setState({ done: now.done });
  }

  /**
   * @param {ProcedureProps} _
   * @param {ProcedureState} before
   */
  componentDidUpdate(_, before) {
    if (this.state.plan && !before.plan)
      document.querySelector("dialog .result")?.scrollIntoView({ block: "start" });
    this.follow();
  }

  /**
   * Open the form of an incident. What the record has all of begins at once.
   * @param {Incident} incident
   */
  pick(incident) {
    this.setState({ incident, facts: filledIn(incident), plan: null, fault: "" });
    if (incident.begins && !incident.fields.length) this.begin(incident, {});
  }

  /**
   * Begin a procedure, or say more of one that stands; the recorder has its steps then.
   * @param {Incident} incident
   * @param {Values} facts
   */
  async begin(incident, facts) {
    const { standing, notice } = this.props;
    const run = this.run();
    const said = { ...run?.facts, ...stated(incident, facts) };
    const act = standing
      ? beginOf(standing, said, run?.done)
      : beginning(incident, this.key, said, notice);
    bringUp(this.key);
    if (await give(act, this.beginningId)) close();
    else this.setState({ fault: view.said });
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
    if (incident.begins) return this.begin(incident, facts);
    try {
      this.show(await this.planned(incident, facts), 0);
      await this.restate(incident, facts);
    } catch (fault) {
      this.setState({ fault: fault.message });
    }
  }

  /**
   * Say what no sensor knows of a procedure that stands: the recorder works it out with that.
   * @param {Incident} incident
   * @param {Values} facts
   */
  async restate(incident, facts) {
    const { standing, can } = this.props;
    const said = answered(incident, facts);
    const before = this.run()?.facts ?? {};
    if (standing && can && Object.keys(said).length)
      this.isTakenUp = await give(beginOf(standing, { ...before, ...said }));
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
      text: rulingOf(chosen),
      rule: chosen.rule,
      fault: "",
    });
  }

  /**
   * Tick a step, or take the tick back, for every director to see.
   * @param {number} step
   */
  tick(step) {
    const { done } = this.state;
    const ticked = !done.includes(step);
    this.setState(
      { done: ticked ? [...done, step] : done.filter((ticked) => ticked !== step) },
      () => {
        if (this.props.can) this.sharing = this.sharing.then(() => this.share({ step, ticked }));
      },
    );
  }

  /**
   * Let the time of a step run, for every director to see.
   * @param {number} step
   */
  time(step) {
    const order = { type: "order.procedure.time", data: { key: this.key, step } };
    this.sharing = this.sharing
      .then(() => this.share(null))
      .then((well) => well && give(/** @type {Act} */ (order)));
  }

  /** The procedure as it stands here but for its ticks, to compare with what the record has. */
  statement() {
    const { incident, facts, plan, way, off, text, rule } = this.state;
    if (!incident || !plan) return "";
    const chosen = waysOf(plan)[way];
    return JSON.stringify({
      key: this.key,
      code: incident.name,
      ...(this.props.notice ? { notice: this.props.notice } : {}),
      facts,
      way,
      steps: chosen.steps.length,
      left_out: off,
      ...(text === rulingOf(chosen) ? {} : { text: oneLine(text).slice(0, MOST_TEXT) }),
      ...(rule === chosen.rule ? {} : { rule }),
    });
  }

  /**
   * Record the procedure as open, or only a tick where nothing else has changed; true when it is.
   * @param {{step: number, ticked: boolean} | null} tick
   */
  async share(tick) {
    const stated = this.statement();
    if (!stated) return false;
    if (stated === this.stated && !tick) return true;
    /** @type {Act} */
    const act =
      stated === this.stated && tick
        ? {
            type: "order.procedure.step",
            data: { key: this.key, step: tick.step, done: tick.ticked },
          }
        : { type: "order.procedure.begin", data: { ...JSON.parse(stated), done: this.state.done } };
    if (!(await give(act))) {
      this.setState({ fault: worded("not_kept") });
      return false;
    }
    this.stated = stated;
    return true;
  }

  async keep() {
    this.sharing = this.sharing.then(() => this.share(null));
    if (await this.sharing) close();
  }

  /** @param {Event} event */
  async record(event) {
    event.preventDefault();
    this.setState({ busy: true });
    await this.sharing;
    const { plan, way, off, ids, text, rule } = this.state;
    const ruling = { text: oneLine(text), rule };
    const chosen = plan && waysOf(plan)[way];
    let well = await give({ type: "order.ruling", data: ruling }, this.rulingId);
    for (const [at, order] of (chosen?.orders ?? []).entries()) {
      if (well && !off.includes(at)) well = await give(order.act, ids[at]);
    }
    if (well && chosen?.goes_on) return close();
    const { standing, model } = this.props;
    const stands = model.standing.some((open) => open.key === standing?.key);
    if (well && standing && stands && !this.isOpen())
      well = this.isTakenUp = await give(beginOf(standing, {}), this.beginningId);
    if (well && this.isOpen()) well = await this.over(true);
    if (well) close();
    else this.setState({ busy: false, fault: worded("not_all_recorded") });
  }

  /** Whether the record has the procedure as open. */
  isOpen() {
    return Boolean(this.props.run || this.stated || this.isTakenUp || this.run());
  }

  /**
   * Close the procedure in the record.
   * @param {boolean} carriedOut
   */
  over(carriedOut) {
    const data = { key: this.key, carried_out: carriedOut };
    return give({ type: "order.procedure.close", data }, this.closingIds[carriedOut ? 1 : 0]);
  }

  async drop() {
    this.setState({ busy: true });
    await this.sharing;
    if (await this.over(false)) close();
    else this.setState({ busy: false, fault: worded("not_dropped") });
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
    const asks = incident.begins ? worded("begin") : worded("what_rules_say");
    return html`<${Facts} incident=${incident} facts=${facts} ask=${this.props.says ? worded("say_so") : asks} worked=${Boolean(this.state.plan)} onValue=${onValue} onSubmit=${(/** @type {Event} */ event) => this.work(event)} />`;
  }

  renderResult() {
    const { plan, way, done, off, ids, text, rule, busy, closed } = this.state;
    const { standing } = this.props;
    const ways = plan ? waysOf(plan) : [];
    return html`<form class="order result" onSubmit=${(/** @type {Event} */ event) => this.record(event)}>
      ${plan && ways.length > 1 && html`<div class="row" role="group" aria-label=${worded("ways")}>${ways.map((offered, at) => html`<button type="button" aria-pressed=${at === way} onClick=${() => this.show(plan, at)}>${offered.way || worded("way", { number: at + 1 })}</button>`)}</div>`}
      ${plan && html`<${Plan} plan=${ways[way]} steps=${!standing} done=${done} off=${off} ids=${ids} timed=${this.run()?.timed ?? {}} now=${this.props.now} can=${this.props.can} onTime=${(/** @type {number} */ at) => this.time(at)} onDone=${(/** @type {number} */ at) => this.tick(at)} onOff=${(/** @type {number[]} */ left) => this.setState({ off: left })} />`}
      <${Field} field=${{ name: "rule", label: worded("rule"), type: "text", most: 80 }} value=${rule} onValue=${(/** @type {string} */ _, /** @type {string} */ value) => this.setState({ rule: value })} />
      <${Field} field=${{ name: "text", label: worded("ruling_in_record"), type: "area", most: MOST_TEXT }} value=${text} onValue=${(/** @type {string} */ _, /** @type {string} */ value) => this.setState({ text: value })} />
      <footer>${plan && !standing && html`<button type="button" disabled=${busy || closed || !this.props.can} onClick=${() => this.keep()}>${worded("keep_open")}</button>`}
        ${this.isOpen() && !standing && html`<button type="button" disabled=${busy || closed || !this.props.can} onClick=${() => this.drop()}>${worded("cancel")}</button>`}
        <button class="main" disabled=${busy || closed || !this.props.can || !text.trim()}>${worded("record_result")}</button></footer></form>`;
  }

  /**
   * @param {ProcedureProps} props
   * @param {ProcedureState} state
   */
  render({ run, standing }, { incident, plan, fault }) {
    const title = incident
      ? incident.title
      : run
        ? worded("open", { title: run.title })
        : worded("what_has_happened");
    return html`<${Dialog} title=${title} wide>
      ${fault && html`<p class="why" role="alert">${fault}</p>`}
      ${!incident ? html`<${Choices} list=${this.state.list} onPick=${(/** @type {Incident} */ chosen) => this.pick(chosen)} />` : this.renderFacts(incident)}
      ${!incident && run && html`<button type="button" onClick=${() => this.setState({ incident: { name: "", title: run.title, fields: [] } })}>${worded("close_in_words")}</button>`}
      ${incident && (plan || !incident.name) && this.renderResult()}
      ${incident && !standing && html`<button type="button" class="quiet" onClick=${() => this.setState({ incident: null, plan: null })}>${worded("another_incident")}</button>`}<//>`;
  }
}
