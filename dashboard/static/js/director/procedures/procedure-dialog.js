/**
 * An incident: which it is, its facts, and how it ends, as orders. What is worked out is worked out
 * by the recorder; nothing is recorded before "Record".
 */
import { View, html } from "../../shared/dom.js";
import { text as worded } from "../../shared/texts.js";
import { ask } from "../asking.js";
import { give, named, orderId, view } from "../desk.js";
import { close, Dialog } from "../forms/dialog.js";
import { oneLine } from "../forms/orders.js";
import { Field } from "../forms/order-dialog.js";
import { Facts, filledIn, inWords, MOST_TEXT, Plan, rulingOf, stated, waysOf } from "./plan.js";
import { beginning, Choices, choices } from "./choices.js";
import { beginOf, bringUp, titleOf } from "./standing.js";
import { page } from "../../shared/tool.js";

/** @import { Now } from "../../shared/frames" */
/** @import { Act, DeskModel, Incident, OpenProcedure, Plan as Planned, StandingProcedure, Values } from "../models" */
/** @typedef {{run?: OpenProcedure, notice?: number, begins?: string, standing?: StandingProcedure, says?: boolean, can: boolean, now: Now, model: DeskModel}} ProcedureProps */
/**
 * What is asked and answered so far; `list` is what can be chosen, `way` and `off` are places, `ids` those of the orders.
 * @typedef {{list: Incident[], incident: Incident | null, facts: Values, plan: Planned | null, way: number, off: number[],
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
      if (start && run) this.take(run);
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
   * Go on where somebody left off.
   * @param {OpenProcedure} run
   */
  take(run) {
    const plan = inWords(run.facts);
    this.show(plan, 0);
    this.setState(
      {
        facts: { ...this.state.facts, ...run.facts },
        text: run.text || rulingOf(plan),
        rule: run.rule || plan.rule,
      },
      () => {
        this.stated = this.statement();
      },
    );
  }

  /** The procedure as the record has it, while it is open there. */
  run() {
    return this.props.model.procedures.find((begun) => begun.key === this.key);
  }

  /** What another director has closed meanwhile is closed here too. */
  follow() {
    const { busy, closed } = this.state;
    if (this.run()) this.isThere = true;
    else if (this.isThere && !closed && !busy)
      this.setState({ closed: true, fault: worded("closed_meanwhile") });
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

  /** @param {Event} event */
  work(event) {
    event.preventDefault();
    const { incident, facts } = this.state;
    if (incident?.begins) this.begin(incident, facts);
    else if (incident) this.show(inWords(facts), 0);
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
      off: [],
      ids: chosen.orders.map(orderId),
      text: rulingOf(chosen),
      rule: chosen.rule,
      fault: "",
    });
  }

  /** What is kept open as it stands here, to compare with what the record has. */
  statement() {
    const { incident, facts, plan, text, rule } = this.state;
    if (!incident || !plan) return "";
    return JSON.stringify({
      key: this.key,
      code: incident.name,
      ...(this.props.notice ? { notice: this.props.notice } : {}),
      facts,
      ...(text === rulingOf(plan) ? {} : { text: oneLine(text).slice(0, MOST_TEXT) }),
      ...(rule === plan.rule ? {} : { rule }),
    });
  }

  /** Record it as open, where it is not there as it stands here; true when it is. */
  async share() {
    const stated = this.statement();
    if (!stated) return false;
    if (stated === this.stated) return true;
    /** @type {Act} */
    const act = { type: "order.procedure.begin", data: JSON.parse(stated) };
    if (!(await give(act))) {
      this.setState({ fault: worded("not_kept") });
      return false;
    }
    this.stated = stated;
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
    const { plan, way, off, ids, text, rule, busy, closed } = this.state;
    const { standing } = this.props;
    const ways = plan ? waysOf(plan) : [];
    return html`<form class="order result" onSubmit=${(/** @type {Event} */ event) => this.record(event)}>
      ${plan && ways.length > 1 && html`<div class="row" role="group" aria-label=${worded("ways")}>${ways.map((offered, at) => html`<button type="button" aria-pressed=${at === way} onClick=${() => this.show(plan, at)}>${offered.way || worded("way", { number: at + 1 })}</button>`)}</div>`}
      ${plan && html`<${Plan} plan=${ways[way]} titled=${!standing} off=${off} ids=${ids} onOff=${(/** @type {number[]} */ left) => this.setState({ off: left })} />`}
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
